import Merging
import Simulation

/// Where somebody is in the walkthrough of the lifecycle.
package struct WalkthroughPage: Sendable, Equatable {
  package enum Story: Sendable, Equatable {
    /// The eleven steps with their what-ifs, or another story by its position in ``Scenario/all``.
    case told(Int)
    /// A record of the store.
    case record(RecordConflict, Resolution, now: Int64)
  }

  package let story: Story
  package var whatIf = Lifecycle.WhatIf.serverNewer { didSet { play() } }
  /// SQLiteData as it is, and not the model.
  package var isToday = false
  package var step = 0
  /// The name of the field that is shown, of those that vary; nil for the first.
  package var field: String?
  package var showsAll = false
  /// Milliseconds a step stays while it plays by itself; nil while it stands.
  package var pace: Int?
  /// What the viewer decided with the own hands; of a record of the store, what was decided already.
  package var resolution = Resolution() { didSet { play() } }
  /// The story as the model and as SQLiteData today plays it: played once, as it is asked for with every frame.
  private var model: Timeline?
  private var today: Timeline?

  package init(_ story: Story = .told(0), step: Int = 0) {
    self.story = story
    self.step = step
    if case .record(_, let decided, _) = story { resolution = decided }
    play()
  }

  /// The identity of the conflict that a viewer decides in a rehearsal. No record of a store has a name with a NUL.
  static let rehearsal = "\u{0}rehearsal"

  package static let stories = ["lifecycle"] + Scenario.all.map(\.id)
  static let slowest = 8000
  static let usualPace = 2000
}

extension WalkthroughPage {
  /// The story as it goes under the chosen rules; nil for a record with a version that is not known.
  package func timeline(isToday: Bool) -> Timeline? { isToday ? today : model }

  /// Those of the model's story, so that both sets of rules show the same field.
  var varyingFields: [String] { model?.varyingFields ?? [] }

  /// Where the shown field stands among them; the first one where another story does not have it.
  func place(in fields: [String]) -> Int { field.flatMap(fields.firstIndex) ?? 0 }

  private mutating func play() {
    (model, today) = (scenario?.timeline(under: .model()), scenario?.timeline(under: .sqliteData()))
  }

  private var scenario: Scenario? {
    switch story {
    case .told(0): Lifecycle.scenario(whatIf, resolution: resolution)
    case .told(let number): Scenario.all[(number - 1) % Scenario.all.count].deciding(resolution)
    case .record(let conflict, _, let now):
      Lifecycle.scenario(of: conflict, resolution: resolution, now: now)
    }
  }

  /// Only the eleven steps can go otherwise; the other stories are told as they went.
  var hasWhatIfs: Bool { story == .told(0) }

  /// Whether it is told to everybody, and is not a record's own.
  var isTold: Bool { if case .told = story { true } else { false } }

  /// The conflict that waits for a person in this story, to be decided as a rehearsal.
  var conflict: RecordConflict? {
    guard let conflict = timeline(isToday: false)?.decision?.conflict else { return nil }
    return RecordConflict(
      id: WalkthroughPage.rehearsal, table: conflict.table, primaryKey: conflict.primaryKey,
      title: "rehearsal",
      fields: conflict.fields.map(\.field), versions: conflict.versions, details: conflict.details)
  }
}

extension Timeline {
  /// The fields that are not the same all the time, those that both sides change first.
  var varyingFields: [String] {
    let conflicts = entries.compactMap(\.after.conflict)
    let fields = scenario.table.columns.filter { !$0.isPrimaryKey && varies($0.name) }.map(\.name)
    let different = fields.filter { name in conflicts.contains { $0[name]?.change == .different } }
    return different + fields.filter { !different.contains($0) }
  }

  private func varies(_ name: String) -> Bool {
    var seen: Set<Value> = []
    for entry in entries {
      let values = [
        entry.after.row?[name], entry.after.lastKnown?.fields[name]?.value,
        entry.after.server?.fields[name]?.value,
      ]
      seen.formUnion(values.compactMap(\.self))
    }
    return seen.count > 1
  }
}
