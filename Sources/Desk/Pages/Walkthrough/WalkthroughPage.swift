import Merging
import Simulation
import StoreInterface
import Terminal

/// Where somebody is in the walkthrough of the lifecycle.
package struct WalkthroughPage: DeskPage, Equatable {
  package enum Story: Sendable, Equatable {
    /// The eleven steps with their what-ifs, or another story by its position in ``WalkthroughPage/stories``.
    case told(Int)
    /// A record of the store.
    case record(RecordConflict, Resolution, now: Int64)
    /// A file of a store that syncs whole files, from where it stands, with what was decided about it as the answer.
    case file(FileStory, FileAnswer?)
  }

  package private(set) var story: Story
  /// That of the record one came from, which stands before those that are told to everybody; nil where there is none.
  private var own: Story?
  /// The record of the store that this one is of.
  private(set) var record: String?
  package var whatIf = Lifecycle.WhatIf.serverNewer { didSet { play() } }
  /// What is answered in a story of files; as it is told if nil.
  package var answer: FileAnswer? { didSet { play() } }
  /// SQLiteData as it is, and not the model.
  package var isToday = false
  package var step = 0 { didSet { if step != oldValue { scroll = 0 } } }
  /// How many lines of a step are above the screen, where it has no room for all.
  var scroll = 0
  /// The name of the field that is shown, of those that vary; nil for the first.
  package var field: String?
  package var showsAll = false
  /// Milliseconds a step stays while it plays by itself; nil while it stands.
  package var pace: Int?
  /// What the viewer decided with the own hands; of a record of the store, what was decided already.
  package var resolution = Resolution() { didSet { play() } }
  /// The story as the model and as SQLiteData today plays it: played once, as it is asked for with every frame, and so is what follows.
  private var model: Timeline?
  private var today: Timeline?
  /// The fields of the model's story that vary, so that both sets of rules show the same one.
  private(set) var varyingFields: [String] = []
  /// The conflict that waits for a person in this story, to be decided as a rehearsal.
  private(set) var conflict: RecordConflict?
  /// A story of files, of which there is one set of rules; nil in all others.
  package private(set) var files: FileTimeline?

  package init(_ story: Story = .told(0), step: Int = 0) { self.init(story, step: step, own: nil) }

  private init(_ story: Story, step: Int = 0, own: Story?) {
    (self.story, self.step) = (story, step)
    switch story {
    case .told: self.own = own
    case .record(_, let decided, _): (self.own, resolution) = (story, decided)
    case .file(_, let answer): (self.own, self.answer) = (story, answer)
    }
    play()
  }

  /// The story of a file, as it goes with what was decided about it.
  init(of record: DecidedConflict, now: Int64) {
    self.init(WalkthroughPage.story(of: record, now: now))
    self.record = record.conflict.id
  }

  /// The same page of a record that others changed or decided about meanwhile.
  mutating func renew(_ record: DecidedConflict, now: Int64) {
    let next = WalkthroughPage.story(of: record, now: now)
    guard let own, !own.isSame(as: next) else { return }
    let isShown = story == own
    self.own = next
    if !isShown { return }
    story = next
    switch next {
    case .told: break
    case .record(_, let decided, _): resolution = decided
    case .file(_, let answer): self.answer = answer
    }
    step = min(step, lastStep)
  }

  private static func story(of record: DecidedConflict, now: Int64) -> Story {
    guard let situation = record.conflict.details.file else {
      return .record(record.conflict, record.resolution, now: now)
    }
    return .file(FileStory(situation, title: record.conflict.title), FileAnswer(record, situation))
  }

  /// The identity of the conflict that a viewer decides in a rehearsal. No record of a store has a name with a NUL.
  static let rehearsal = "\u{0}rehearsal"

  /// The lifecycle, those of ``Scenario/all``, and those of ``FileStory/all``.
  package static let stories = ["lifecycle"] + Scenario.all.map(\.id) + FileStory.all.map(\.id)
  private static let slowest = 8000
  private static let usualPace = 2000

  var page: Page? { .walkthrough(self) }
  var topic: Topic { .walkthrough }

  func hint(of binding: Binding, width: Int, on desk: DeskState) -> String? {
    if let files {
      if binding.command == .story(.ruleSet) { return nil }
      if binding.command == .open, FileStoryScreen.fits(files, desk.size) { return nil }
    }
    if binding.command == .story(.ruleSet), showsBothRules(desk.size) { return nil }
    if case .move = binding.command, !scrollsByLine(on: desk) { return nil }
    if width < 100, conflict != nil { return shortHint(of: binding) }
    return binding.command == .open && showsAll ? "one step" : binding.hint
  }

  /// So that all of them fit on a usual screen.
  private func shortHint(of binding: Binding) -> String? {
    switch binding.command {
    case .open: showsAll ? "one" : "all"
    case .story(.tryIt): "try"
    case _: binding.hint
    }
  }

  func isLonger(on desk: DeskState) -> Bool { lastScroll(desk) > 0 }

  mutating func keepScrolledToSomething(on desk: DeskState) { scroll = min(scroll, lastScroll(desk)) }

  private func lastScroll(_ desk: DeskState) -> Int {
    if let files { return FileStoryScreen(desk, self, files).lastScroll }
    return showsAll ? 0 : WalkthroughScreen(desk: desk, page: self).lastScroll
  }

  /// Where all fields stand below each other there is none to turn to.
  private func scrollsByLine(on desk: DeskState) -> Bool {
    files != nil || !showsAll && WalkthroughScreen(desk: desk, page: self).isLow
  }

  /// One step under both sets of rules, so that there is none to choose.
  private func showsBothRules(_ size: Size) -> Bool { !showsAll && WalkthroughScreen.isWide(size) }
}

extension WalkthroughPage {
  /// The story as it goes under the chosen rules; nil for a record with a version that is not known.
  package func timeline(isToday: Bool) -> Timeline? { isToday ? today : model }

  /// Where the shown field stands among them; the first one where another story does not have it.
  func place(in fields: [String]) -> Int { field.flatMap(fields.firstIndex) ?? 0 }

  private mutating func play() {
    (model, today) = (scenario?.timeline(under: .model()), scenario?.timeline(under: .sqliteData()))
    files = fileStory?.timeline(answer)
    (varyingFields, conflict) = (model?.varyingFields ?? [], model.flatMap(Self.rehearsed))
  }

  private var fileStory: FileStory? {
    switch story {
    case .told(let number) where number > Scenario.all.count: FileStory.all[number - Scenario.all.count - 1]
    case .file(let story, _): story
    case .told, .record: nil
    }
  }

  private var scenario: Scenario? {
    switch story {
    case .told(0): Lifecycle.scenario(whatIf, resolution: resolution)
    case .told(let number):
      number > Scenario.all.count ? nil : Scenario.all[number - 1].deciding(resolution)
    case .file: nil
    case .record(let conflict, _, let now): Lifecycle.scenario(of: conflict, resolution: resolution, now: now)
    }
  }

  /// How the steps are named, in their order.
  package var labels: [String] {
    files?.entries.map(\.label) ?? timeline(isToday: isToday)?.entries.map(\.chapter.label) ?? []
  }

  private var lastStep: Int { max(0, labels.count - 1) }

  /// Only the eleven steps can go otherwise; the other stories are told as they went.
  var hasWhatIfs: Bool { story == .told(0) }

  /// Whether it is told to everybody, and is not a record's own.
  var isTold: Bool { if case .told = story { true } else { false } }

  private static func rehearsed(_ story: Timeline) -> RecordConflict? {
    guard let conflict = story.decision?.conflict else { return nil }
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

extension WalkthroughPage.Story {
  /// Whether it is of the same, whenever it was begun.
  fileprivate func isSame(as other: Self) -> Bool {
    guard case .record(let conflict, let decided, _) = self,
      case .record(let otherConflict, let otherDecided, _) = other
    else { return self == other }
    return decided == otherDecided && conflict == otherConflict
  }
}

extension DeskState {
  /// Asked after every event.
  mutating func renewLifecycles() {
    for index in pages.indices {
      guard case .walkthrough(var page) = pages[index], let record = page.record.flatMap({ open[$0] }) else {
        continue
      }
      page.renew(record, now: time.now)
      pages[index] = .walkthrough(page)
    }
  }

  /// `L` in the list: the tree or the life of the record under the cursor; where it has none, the story told to everybody.
  mutating func startHistory() -> [DeskEffect] {
    guard store.can.contains(.tellTrees) else { return startLife() }
    return switch list.selected {
    case nil: tell("There is no record here whose revisions could be shown.")
    case .conflict(let summary)?: startTree(of: summary.id, title: summary.title)
    case .finding(let finding)?: startTree(of: finding.record, title: finding.title)
    }
  }

  private mutating func startLife() -> [DeskEffect] {
    guard !store.can.isDisjoint(with: [.foretell, .tellRounds]),
      case .conflict(let summary)? = list.selected
    else {
      startStory()
      guard case .finding? = list.selected else { return [] }
      return tell("A finding has no lifecycle; this is an example.")
    }
    guard let record = open[summary.id] else {
      return wait(for: summary.id, .history)
    }
    let effects = startHistory(of: record)
    if status?.isFailure == true { startStory() }
    return effects
  }

  /// That which is told to everybody about such a store.
  private mutating func startStory() {
    let first = store.can.contains(.tellRounds) ? Scenario.all.count + 1 : 0
    pages.append(.walkthrough(WalkthroughPage(.told(first))))
  }

  /// `L` on a record: its tree, or its life.
  mutating func startHistory(of record: DecidedConflict) -> [DeskEffect] {
    if store.can.contains(.tellTrees) {
      return startTree(of: record.conflict.id, title: record.conflict.title)
    }
    let page = WalkthroughPage(of: record, now: time.now)
    if record.conflict.details.file != nil {
      pages.append(.walkthrough(page))
      return []
    }
    guard store.can.contains(.foretell) else { return tell("The lifecycle is that of SQLiteData's records.") }
    guard page.timeline(isToday: false) != nil else {
      return tell(failed: "A version of this record is not known, so nothing can be foretold.")
    }
    pages.append(.walkthrough(page))
    return []
  }

  /// The walkthrough alone, without a store behind it.
  package mutating func begin(with page: WalkthroughPage) {
    pages = [.walkthrough(page)]
    isWalkthroughOnly = true
  }

  /// Back from the rehearsal: the story goes on with what was decided there.
  mutating func takeRehearsal() {
    guard top(WalkthroughPage.self) != nil,
      let record = open.removeValue(forKey: WalkthroughPage.rehearsal)
    else { return }
    history.forget(WalkthroughPage.rehearsal)
    on(WalkthroughPage.self) { page, _ in page.goOn(with: record.resolution) }
  }

  /// How long to wait for a key before the story goes on by itself; nil while nothing plays. Milliseconds.
  package var patience: Int? { top(WalkthroughPage.self)?.pace }

  mutating func ticked() -> [DeskEffect] {
    if patience != nil { on(WalkthroughPage.self) { page, _ in page.tick() } }
    return []
  }
}

extension WalkthroughPage {
  mutating func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    let last = lastStep
    switch command {
    // One page less is one that can be seen.
    case .back where showsAll && files == nil: showsAll = false
    case .back: return desk.pages.count == 1 && desk.isWalkthroughOnly ? [.quit] : desk.goBack()
    case .right: step = min(last, step + 1)
    case .left: step = max(0, step - 1)
    case .move(.first): step = 0
    case .move(.last): step = last
    case .move(.up) where !scrollsByLine(on: desk): turnField(by: -1)
    case .move(.down) where !scrollsByLine(on: desk): turnField(by: 1)
    case .move(let movement): scroll = desk.scrolled(scroll, by: movement, last: lastScroll(desk))
    case .open: showsAll.toggle()
    case .story(.play):
      pace = pace == nil ? Self.usualPace : nil
      if pace != nil, step == last { step = 0 }
    case .story(.faster): pace = max(250, (pace ?? Self.usualPace) / 2)
    case .story(.slower): pace = min(Self.slowest, (pace ?? Self.usualPace) * 2)
    case .story(.whatIf(let number)):
      if let hindrance = hindrance(toChoosing: number) { return desk.tell(hindrance) }
      choose(number)
    case .story(.ruleSet):
      if files != nil { return desk.tell("There is one set of rules for files: those of the system itself.") }
      if showsBothRules(desk.size) { return desk.tell("Both sets of rules stand beside each other here.") }
      isToday.toggle()
    case .story(.nextStory): turn(by: 1)
    case .story(.previousStory): turn(by: -1)
    case .story(.tryIt): return rehearse(on: &desk)
    case .quit, .nextUndecided, .previousUndecided, .record, .take, .edit, .editOutside, .accept,
      .undo, .redo, .review, .mend, .drafts, .filter, .list, .search, .anywhere, .history, .unfold,
      .nextTopic,
      .reload, .line:
      return nil
    }
    return []
  }

  /// A step, or another course of the story, is clicked where its name stands.
  mutating func click(_ point: Point, opens: Bool, on desk: inout DeskState) -> [DeskEffect] {
    if showsAll, files == nil {
      step = LifecycleScreen(desk: desk, page: self).step(at: point) ?? step
      if opens { showsAll = false }
      return []
    }
    let click =
      files.map { FileStoryScreen(desk, self, $0).click(at: point) }
      ?? WalkthroughScreen(desk: desk, page: self).click(at: point)
    switch click {
    case .step(let number)?: step = number
    case .whatIf(let number)?: choose(number)
    case nil: break
    }
    return []
  }

  /// `t`: the viewer's own hands on the conflict, in the record screen. Nothing of it reaches a journal.
  private func rehearse(on desk: inout DeskState) -> [DeskEffect] {
    if let files {
      return desk.tell("The answers of this story are the keys 1 to \(files.story.answers.count).")
    }
    guard let conflict else { return desk.tell("There is no conflict to decide in this story.") }
    desk.open[Self.rehearsal] = DecidedConflict(conflict, resolution)
    desk.pages.append(.record(desk.recordPage(Self.rehearsal)))
    return []
  }

  fileprivate mutating func goOn(with resolution: Resolution) {
    self.resolution = resolution
    step = timeline(isToday: false)?.decision?.step ?? step
  }

  fileprivate mutating func tick() {
    step = min(lastStep, step + 1)
    if step == lastStep { pace = nil }
  }

  /// nil where the number is a course of this story, or an answer in it.
  private func hindrance(toChoosing number: Int) -> String? {
    if let answers = files?.story.answers, !answers.isEmpty {
      let all = answers.count == 1 ? "1 alone" : "1 to \(answers.count)"
      return number > answers.count ? "There is no answer \(number) in this story, but \(all)." : nil
    }
    return hasWhatIfs
      ? nil : "\(number) changes nothing in this story: it has no other course. Tab turns to other stories."
  }

  /// Another clock order, a deletion, or another answer: the rest of the story changes with it.
  private mutating func choose(_ number: Int) {
    if let answers = files?.story.answers, answers.indices.contains(number - 1) {
      answer = answers[number - 1]
      step = min(step, lastStep)
    }
    guard hasWhatIfs, Lifecycle.WhatIf.allCases.indices.contains(number - 1) else { return }
    whatIf = Lifecycle.WhatIf.allCases[number - 1]
    resolution = Resolution()
  }

  private mutating func turnField(by step: Int) {
    let fields = varyingFields
    guard !fields.isEmpty else { return }
    field = fields[Round(fields.count)[place(in: fields) + step]]
  }

  private mutating func turn(by step: Int) {
    let all = [own].compactMap(\.self) + Self.stories.indices.map(Story.told)
    let here = if case .told(let number) = story { number + all.count - Self.stories.count } else { 0 }
    var page = WalkthroughPage(all[Round(all.count)[here + step]], own: own)
    page.record = record
    (page.isToday, page.showsAll) = (isToday, showsAll)
    self = page
  }
}
