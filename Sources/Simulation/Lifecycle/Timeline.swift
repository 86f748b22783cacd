import Merging

/// A scenario as it went under one set of rules. Every value in it comes from playing it.
package struct Timeline: Sendable, Equatable {
  /// One step of the story: the scene before and after, what it turned out to be, and why.
  package struct Entry: Sendable, Equatable {
    package var chapter: Scenario.Chapter
    /// The device that acted; the scenario's client for a step of the server.
    package var device: String
    /// Where the record stands at the scenario's client.
    package var before: Standing
    package var after: Standing
    /// The world after the step, for a look at the other devices.
    package var world: World
    package var events: [Event]
    package var picture: BranchPicture
    /// What happened and why, in a sentence or a few.
    package var why: String
    /// The same where nobody is to see what a record holds.
    package var whyWithoutValues: String

    /// What the step changed at the scenario's client, or at the server.
    package var changes: Set<Place> { after.changes(since: before) }
  }

  package let scenario: Scenario
  package let entries: [Entry]

  init(_ scenario: Scenario, under rules: RuleSet) {
    self.scenario = scenario
    var stage = Stage(scenario, rules)
    entries = scenario.chapters.map { stage.play($0) }
  }

  package subscript(label: String) -> Entry? { entries.first { $0.chapter.label == label } }

  /// The conflict that waits after the step of this label, to be decided in the record screen; nil if none does.
  package func conflict(after label: String) -> RecordConflict? { self[label]?.after.conflict }
}

/// Where a scenario is played.
private struct Stage {
  let scenario: Scenario
  var world: World
  /// What was last known, and what was before that, as far as it was confirmed.
  var known: ServerRecord?
  var past: ServerRecord?

  init(_ scenario: Scenario, _ rules: RuleSet) {
    self.scenario = scenario
    world = World(rules, tables: [scenario.table], devices: scenario.devices)
    if let start = scenario.start { world.put(start, as: scenario.record, on: scenario.client) }
    remember(world.devices[scenario.client]?[scenario.record].lastKnown)
  }

  mutating func play(_ chapter: Scenario.Chapter) -> Timeline.Entry {
    let before = world.standing(of: scenario.record, on: scenario.client)
    let happenings = chapter.moment.map { world.play($0) } ?? []
    let after = world.standing(of: scenario.record, on: scenario.client)
    remember(after.lastKnown)
    let events = happenings.filter { $0.record == scenario.record }.map(\.event)
    return Timeline.Entry(
      chapter: chapter, device: device(of: chapter), before: before, after: after, world: world,
      events: events, picture: BranchPicture(after, past: past),
      why: words(events, of: chapter, withValues: true),
      whyWithoutValues: words(events, of: chapter, withValues: false))
  }

  private mutating func remember(_ record: ServerRecord?) {
    guard record?.tag != known?.tag else { return }
    past = record == nil ? nil : known
    known = record
  }

  private func device(of chapter: Scenario.Chapter) -> String {
    if case .device(let name, _)? = chapter.moment?.step { name } else { scenario.client }
  }

  private func words(_ events: [Event], of chapter: Scenario.Chapter, withValues: Bool) -> String {
    guard let step = chapter.moment?.step else { return wordsOfStart }
    let told = events.map { $0.words(withValues: withValues) }
    let words = told.isEmpty ? step.wordsOfNothing : told.joined(separator: " ")
    let device = device(of: chapter)
    return device == scenario.client ? words : "On the \(device): \(words)"
  }

  private var wordsOfStart: String {
    guard let start = scenario.start else { return "Nobody has made the record yet." }
    return switch start.kind {
    case .edit: "Client and server have both gone on from the last version they agreed on."
    case .noAncestor: "Client and server have the record, and nobody knows a version that both came from."
    case .deletedOnClient: "The record was deleted here, and the server has it."
    case .deletedOnServer: "The record was deleted on the server, and the client has it."
    case .onlyOnClient: "The client has the record, and the server has none of it."
    case .onlyOnServer: "The server has the record, and the client has none of it."
    }
  }
}

extension Timeline: CustomStringConvertible {
  /// The story as a table: a line for each step, with the three states after it, the rows of other devices, and the
  /// picture. `*` marks what the step changed.
  package var description: String {
    let header =
      ["", "step", "row", "last-known", "server"] + others.map { "row on the \($0)" } + ["picture"]
    let rows = [header] + entries.map(row)
    let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ").trimmedEnd
    }.joined(separator: "\n")
  }

  private var others: [String] { scenario.devices.filter { $0 != scenario.client } }

  private func row(_ entry: Entry) -> [String] {
    let changes = entry.changes
    let cells = [
      (Place.row, text(entry.after.row)), (.lastKnown, text(entry.after.lastKnown)),
      (.server, text(entry.after.server)),
    ]
    let rows = others.map { text(entry.world.devices[$0]?[scenario.record].row) }
    return [entry.chapter.label, entry.chapter.title]
      + cells.map { $1 + (changes.contains($0) ? " *" : "") } + rows + [entry.picture.description]
  }

  private func text(_ record: ServerRecord?) -> String {
    guard let record else { return "-" }
    return "\(text(record.fields.mapValues(\.value))) @\(record.tag?.description ?? "?")"
  }

  private func text(_ row: [String: Value]?) -> String {
    guard let row else { return "-" }
    return scenario.table.columns.filter { !$0.isPrimaryKey }.map { column in
      "\(column.name)=\((row[column.name] ?? .null).short)"
    }.joined(separator: " ")
  }
}

extension Value {
  /// For a table in a test or a log: without quotes, and blobs by the first bytes of their hash.
  package var short: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): text
    case .blob(let blob): "#" + blob.sha256.prefix(3).map { String($0, radix: 16) }.joined()
    case .opaque(let kind, _): "?" + kind
    }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  fileprivate var trimmedEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}
