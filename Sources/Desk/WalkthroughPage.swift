import Merging
import Simulation
import StoreInterface
import Terminal

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
    (self.story, self.step) = (story, step)
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
    case .record(let conflict, _, let now): Lifecycle.scenario(of: conflict, resolution: resolution, now: now)
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

extension DeskState {
  /// `L` in the list: the tree of the record under the cursor, or the story told to everybody.
  mutating func startHistory() -> [DeskEffect] {
    guard store.can.contains(.tellTrees) else {
      pages.append(.walkthrough(opening(WalkthroughPage())))
      return []
    }
    return switch list.selected {
    case nil: tell(.told("There is no record here whose revisions could be shown."))
    case .conflict(let summary)?: startTree(of: summary.id, title: summary.title)
    case .finding(let finding)?: startTree(of: finding.record, title: finding.title)
    }
  }

  /// `L` on a record: its tree, or its life.
  mutating func startHistory(of record: DecidedConflict) -> [DeskEffect] {
    if store.can.contains(.tellTrees) {
      return startTree(of: record.conflict.id, title: record.conflict.title)
    }
    guard store.can.contains(.foretell) else {
      return tell(.told("The lifecycle is that of SQLiteData's records."))
    }
    let page = WalkthroughPage(.record(record.conflict, record.resolution, now: time.now))
    guard page.timeline(isToday: false) != nil else {
      return tell(.failed("A version of this record is not known, so nothing can be foretold."))
    }
    pages.append(.walkthrough(page))
    return []
  }

  /// The walkthrough alone, without a store behind it.
  package mutating func begin(with page: WalkthroughPage) {
    pages = [.walkthrough(page.step == 0 && page.pace == nil ? opening(page) : page)]
    isWalkthroughOnly = true
  }

  /// A story opens with all of its steps as one picture, where there is room for it.
  private func opening(_ page: WalkthroughPage) -> WalkthroughPage {
    var page = page
    page.showsAll = size.columns >= 120 && size.rows >= 34
    return page
  }

  mutating func run(_ command: Command, in page: WalkthroughPage) -> [DeskEffect]? {
    var page = page
    let last = max(0, (page.timeline(isToday: page.isToday)?.entries.count ?? 1) - 1)
    switch command {
    case .back: return leaveWalkthrough()
    case .right: page.step = min(last, page.step + 1)
    case .left: page.step = max(0, page.step - 1)
    case .move(.first): page.step = 0
    case .move(.last): page.step = last
    case .move(.up): page.turnField(by: -1)
    case .move(.down): page.turnField(by: 1)
    case .move(.pageUp), .move(.pageDown): return []
    case .open: page.showsAll.toggle()
    case .play: page.pace = page.pace == nil ? WalkthroughPage.usualPace : nil
    case .faster: page.pace = max(250, (page.pace ?? WalkthroughPage.usualPace) / 2)
    case .slower: page.pace = min(WalkthroughPage.slowest, (page.pace ?? WalkthroughPage.usualPace) * 2)
    case .whatIf(let number): page = page.choosing(number)
    case .ruleSet: page.isToday.toggle()
    case .nextStory, .previousStory: page = page.turning(by: command == .nextStory ? 1 : -1)
    case .tryIt: return rehearse(page)
    case .move, .quit, .nextUndecided, .previousUndecided, .nextRecord, .previousRecord, .takeCell, .take,
      .edit, .editOutside, .accept, .forget, .alternatives, .undo, .redo, .review, .mend, .confirm, .note,
      .leaveOut, .more, .showSQL, .showJSON, .filter, .search, .toggleUnchanged, .toggleTime, .togglePrivate,
      .history, .unfold, .nextLeaf, .previousLeaf, .help, .nextTopic, .reload, .redraw, .suspend, .keep,
      .setNull, .clear, .eraseBefore, .eraseAfter:
      return nil
    }
    if command == .play, page.pace != nil, page.step == last { page.step = 0 }
    return put(.walkthrough(page))
  }

  private mutating func leaveWalkthrough() -> [DeskEffect] {
    pages.count == 1 && isWalkthroughOnly ? [.quit] : goBack()
  }

  /// `t`: the viewer's own hands on the conflict, in the record screen. Nothing of it reaches a journal.
  private mutating func rehearse(_ page: WalkthroughPage) -> [DeskEffect] {
    guard let conflict = page.conflict else {
      return tell(.told("There is no conflict to decide in this story."))
    }
    open[WalkthroughPage.rehearsal] = DecidedConflict(conflict, page.resolution)
    pages.append(.record(RecordPage(id: WalkthroughPage.rehearsal)))
    return []
  }

  /// Back from the rehearsal: the story goes on with what was decided there.
  mutating func takeRehearsal() {
    guard case .walkthrough(var page)? = pages.last,
      let record = open.removeValue(forKey: WalkthroughPage.rehearsal)
    else { return }
    history.forget(WalkthroughPage.rehearsal)
    page.resolution = record.resolution
    page.step = page.timeline(isToday: false)?.decision?.step ?? page.step
    pages[pages.count - 1] = .walkthrough(page)
  }

  /// How long to wait for a key before the story goes on by itself; nil while nothing plays. Milliseconds.
  package var patience: Int? {
    if case .walkthrough(let page)? = pages.last { page.pace } else { nil }
  }

  mutating func ticked() -> [DeskEffect] {
    guard case .walkthrough(var page)? = pages.last, page.pace != nil else { return [] }
    let last = max(0, (page.timeline(isToday: page.isToday)?.entries.count ?? 1) - 1)
    page.step = min(last, page.step + 1)
    if page.step == last { page.pace = nil }
    return put(.walkthrough(page))
  }
}

extension WalkthroughPage {
  /// Another clock order, or a deletion: the rest of the story changes with it.
  fileprivate func choosing(_ number: Int) -> WalkthroughPage {
    guard hasWhatIfs, Lifecycle.WhatIf.allCases.indices.contains(number - 1) else { return self }
    var page = self
    page.whatIf = Lifecycle.WhatIf.allCases[number - 1]
    page.resolution = Resolution()
    return page
  }

  fileprivate mutating func turnField(by step: Int) {
    let fields = varyingFields
    guard !fields.isEmpty else { return }
    field = fields[(place(in: fields) + step + fields.count) % fields.count]
  }

  fileprivate func turning(by step: Int) -> WalkthroughPage {
    guard case .told(let number) = story else { return self }
    let count = WalkthroughPage.stories.count
    var page = WalkthroughPage(.told((number + step + count) % count))
    page.isToday = isToday
    page.showsAll = showsAll
    return page
  }
}
