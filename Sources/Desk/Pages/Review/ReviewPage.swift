import ExactJSON
import Merging
import StoreInterface
import Telling

/// Before and after of every draft, what the store says to them, and in the end what became of them.
package struct ReviewPage: DeskPage, Equatable {
  package enum Stage: Sendable, Equatable {
    case reading
    case checking
    case ready
    case writing
    case done
  }

  package enum Action: Sendable, Equatable {
    case write
    /// Takes back the last write, of this session or an earlier one.
    case undo(LastWrite)
    /// Mends what is stuck.
    case mend(Finding)

    var mends: Bool { if case .mend = self { true } else { false } }

    /// What the journal calls it.
    var act: JournalEntry.Act {
      switch self {
      case .write, .mend: .write
      case .undo: .undo
      }
    }
  }

  /// What the cursor stands on: a record, or one of its fields.
  package struct Place: Sendable, Equatable {
    package var record: String { name.text }
    private let name: JSONText
    package var field: String?
    /// Of what is said of the record, where that is more than a screen has room for.
    package var line: Int?

    package init(record: String, field: String? = nil, line: Int? = nil) {
      (name, self.field, self.line) = (JSONText(record), field, line)
    }
  }

  package var action: Action { didSet { stamp = ReviewStamp() } }
  /// In the order of the screen, see ``order(on:)``.
  package var drafts: [ReviewedDraft] = [] { didSet { stamp = ReviewStamp() } }
  /// What was ready when it was asked for, and is no draft any more: told with its reason, before the drafts, and never written.
  package var moved: [DecidedConflict] = [] { didSet { stamp = ReviewStamp() } }
  /// The records that are read for it.
  var asked: [String] = []
  /// Those of them that are not to be missing without a word.
  var expected: RecordNames = []
  /// The drafts that were shown before they are read again.
  private var former: [String] = []
  /// What the store says to the drafts.
  package var checks: [CheckedWrite] = [] { didSet { stamp = ReviewStamp() } }
  /// Why the store said nothing to them when it was asked last.
  private var failure: String?
  /// What became of those that were tried.
  package var results: [CheckedWrite] = [] { didSet { stamp = ReviewStamp() } }
  /// Another one with each change of these.
  private(set) var stamp = ReviewStamp()
  package var stage: Stage
  /// What of interrupted writes was finished before this one.
  var finishedFirst = FinishedFirst()
  /// Of what is written, or mended; nil where nothing surely is.
  var standing: StandingWrite? {
    didSet { if standing?.takenBack != oldValue?.takenBack { stamp = ReviewStamp() } }
  }
  /// How far the check is, or the write; nil before it is known.
  var progress: StoreCall.Progress?
  /// When the store said it. Nanoseconds since 1970.
  package var time: Int64 = 0
  /// The note for the log, while it is typed.
  var noting: InputLine?
  /// What is looked for, while it is typed.
  var looking: InputLine?
  var lookedFor = ""
  /// Whether that was before there was anything to find it in.
  var isSearchOpen = false
  /// Where the cursor stood then.
  var lookedFrom: Place?
  /// nil for the first. Where a field is no longer shown, its record is meant.
  package var cursor: Place?
  /// Of what has no places to stand on.
  package var scroll = 0
  /// The drafts that were shown for programs to read, if that is what was shown last.
  var exported: [Planned] = []
  /// Of a write that is taken back, the records that stay as it wrote them.
  var kept: RecordNames = []
  /// Whether the drafts are in order since they were read. Later they stay where they are, so that nothing jumps away.
  var isOrdered = false
  let memory = ReviewMemory()

  package init(_ action: Action, stage: Stage) { (self.action, self.stage) = (action, stage) }

  var page: Page? { .review(self) }
  var topic: Topic { .review }

  func isTyping(on desk: DeskState) -> Bool { noting != nil || looking != nil }

  func hint(of binding: Binding, width: Int, on desk: DeskState) -> String? {
    // Where there is much to tell.
    if binding.command == .back, stage == .writing { return "stop" }
    if binding.command == .back, binding.hint != nil, isOpen, noting == nil, width < 100 { return "" }
    if binding.command == .drafts(.leaveOut), cursorIsOnLeftOut(desk) { return "take in" }
    guard binding.command == .drafts(.confirm) else { return binding.hint }
    return switch action {
    case .write: "write \(facts(on: desk).writable)"
    case .undo: kept.isEmpty ? "take back" : "take back \(count - kept.count)"
    case .mend: "mend"
    }
  }

  /// Whether drafts are shown that can still be left out, edited or written.
  var isOpen: Bool { action == .write && stage != .done && stage != .writing }

  func tells(of command: Command, on desk: DeskState) -> Bool { command != .undo || takesBack(on: desk) }

  /// Whether there is something to take back again.
  var hasWritten: Bool {
    if case .undo = action { return false }
    return !mendsAnInterruptedWrite && stage == .done && results.contains { $0.outcome == .fine }
  }

  /// The same of a write of which nobody knows all, or that came in by a part: the store is asked what there is of it.
  var mayBeTakenBack: Bool { hasWritten || action == .write && stage == .done && hasChangedTheStore }

  /// Whether it is said that something is taken back: of what is surely in the store, and not held by a write that cannot be finished now.
  func canBeTakenBack(on desk: DeskState) -> Bool {
    mayBeTakenBack && results.contains(where: \.outcome.isWritten) && !isHeld(on: desk)
      && isTakenBackNext(on: desk)
  }

  /// Whether something was decided since, which is taken back first.
  func isDecidedSince(on desk: DeskState) -> Bool { desk.history.lastAct != nil }

  /// Whether others wrote since, or took back all of it, as far as was heard.
  var isOvertaken: Bool { standing?.count == 0 }

  /// Whether it is what `u` takes back, where anything is.
  func isTakenBackNext(on desk: DeskState) -> Bool {
    !isDecidedSince(on: desk) && !isOvertaken && desk.store.notUndone == nil
  }

  /// Whether `u` takes something back from here.
  func takesBack(on desk: DeskState) -> Bool {
    mayBeTakenBack && (isDecidedSince(on: desk) || isTakenBackNext(on: desk))
  }

  /// Whether nothing has a receipt before a write is finished that cannot be finished now.
  func isHeld(on desk: DeskState) -> Bool {
    !hasWritten && desk.holds(results.lazy.filter(\.outcome.mayBeWritten).map(\.id))
  }

  /// Whether the store is, or may be, another one than before.
  var hasChangedTheStore: Bool { results.contains(where: \.outcome.mayBeWritten) }

  /// Whether a result has to be looked at before anything is said of the store.
  var isUnclear: Bool { results.contains(where: \.outcome.isHalf) }

  var mendsAnInterruptedWrite: Bool {
    if case .mend(let finding) = action { finding.isInterrupted } else { false }
  }

  /// Whether mending gives up a write of which nobody knows how it ended.
  var givesUp: Bool { if case .mend(let finding) = action { finding.isGivenUp } else { false } }

  /// Whether what it would mend is not found any more: somebody else mended it, or it is so no longer.
  func isGone(on desk: DeskState) -> Bool {
    if case .mend(let finding) = action, stage == .ready { desk.list.isGone(finding) } else { false }
  }

  /// The records that are written, or taken back.
  var ids: [String] {
    if case .undo(let write) = action { write.records.map(\.id) } else { drafts.map(\.id) }
  }

  /// How many these are.
  var count: Int {
    if case .undo(let write) = action { write.records.count } else { drafts.count }
  }

  /// What becomes of the records on the server, as the check says, or the write.
  var uploads: ByRecord<UploadForecast> {
    (results.isEmpty ? checks : results).reduce(into: [:]) { $0[$1.id] = $1.upload }
  }

  func facts(on desk: DeskState) -> ReviewFacts { memory.facts(of: self, leftOut: leftOut(on: desk)) }

  func fates(on desk: DeskState) -> Fates { facts(on: desk).fates }

  func hasSomethingToSee(on desk: DeskState) -> Bool {
    action == .write && facts(on: desk).counts.keys.contains(where: \.isToBeSeen)
  }

  /// The drafts that nobody has left out, as far as records of their kind can be written at all.
  private func included(on desk: DeskState) -> [Planned] {
    drafts.filter { !desk.leftOut.contains($0.id) && $0.unwritable == nil }.map(\.planned)
  }

  /// Those of them that can be written as they stand.
  func writable(on desk: DeskState) -> [Planned] {
    let fates = fates(on: desk)
    return included(on: desk).filter { fates[$0.seen.id] == .toWrite }
  }

  /// Whether `Y` would change the store.
  func canConfirm(on desk: DeskState) -> Bool {
    guard stage == .ready, desk.access == .writable else { return false }
    return switch action {
    case .write: facts(on: desk).writable > 0
    case .undo: fates(on: desk).count(.fine, of: ids) > 0
    case .mend: !isGone(on: desk)
    }
  }
}

/// What the store answers.
extension ReviewPage {
  mutating func take(_ event: DeskEvent, on desk: inout DeskState) -> [DeskEffect] {
    switch event {
    case .drafts(let drafts):
      take(read: drafts)
      desk.note.forget(unlessOf: self.drafts.lazy.map(\.id))
      tellMoved(drafts, on: &desk)
      let effects = lookFor(asked, beside: drafts, on: &desk) + readMovedAgain(on: &desk) + check(on: desk)
      searchAgain(on: &desk)
      return effects
    case .progressed(let progress): self.progress = progress
    case .checked(let checks, let access): checked(checks, access, on: &desk)
    case .wrote(let results): return wrote(results, on: &desk)
    case .undid(let results): return undid(results, on: &desk)
    case .mended(let results): return mended(results, on: &desk)
    case .reviewFailed(let words):
      if stage == .reading { return desk.leaveUnread(told(words, desk)) }
      if stage == .checking { (checks, failure) = ([], words) }
      if stage != .done { stage = .ready }
      return desk.tell(failed: told(words, desk))
    default: break
    }
    return []
  }

  /// What is not there any more was settled by somebody else, of which the list has not heard.
  private func lookFor(_ asked: [String], beside drafts: [DecidedConflict], on desk: inout DeskState)
    -> [DeskEffect]
  {
    let found = RecordNames(drafts.map(\.conflict.id))
    return desk.readAgain(asked.filter { !found.contains($0) })
  }

  /// A draft whose record has changed is to decide again, and goes: from under a record that lies over the review nobody sees that.
  private mutating func tellMoved(_ read: [DecidedConflict], on desk: inout DeskState) {
    let (shown, list) = (RecordNames(recordsShown), desk.list)
    let moved = RecordNames(read.filter { !$0.outdated.isEmpty }.map(\.conflict.id))
    let gone = former.filter {
      !shown.contains($0) && (moved.contains($0) || list.summary($0).map { $0.outdated > 0 } == true)
    }
    former = []
    if gone.isEmpty { return }
    let known = read.first { $0.conflict.id.hasSameBytes(as: gone[0]) } ?? desk.open[gone[0]]
    let deleted = known?.deletedSince
    let words =
      gone.count == 1
      ? "\(desk.shownTitle(of: gone[0])) is in this review no longer: \(deleted ?? "it has changed in the store")."
      : "\(gone.count) drafts are in this review no longer: they have changed in the store."
    let said = desk.status?.text.beforeMore ?? ""
    desk.status = Status(text: said + words, isFailure: desk.status?.isFailure ?? false)
  }

  /// Why they are not checked, where no line tells it: who was elsewhere has not read that.
  func untoldFailure(on desk: DeskState) -> String? {
    guard let words = failure.map({ told($0, desk) }) else { return nil }
    return desk.status?.text.contains(words) == true ? nil : words
  }

  /// What a store says of one record by its name may quote its values, too.
  private func told(_ words: String, _ desk: DeskState) -> String {
    guard desk.privacy.hides, ids.contains(where: { words.contains($0) }) else { return words }
    return "It failed, and the reason names a record. P shows values, and the next try tells the reason."
  }

  mutating func check(on desk: DeskState) -> [DeskEffect] {
    if case .mend = action { return [] }
    stage = .checking
    (progress, failure) = (nil, nil)
    return switch action {
    case .write: [.check(included(on: desk))]
    case .undo(let write): [.checkUndo(write)]
    case .mend: []
    }
  }

  /// An answer about other drafts than those that are included by now is passed over: another is on its way.
  private mutating func checked(_ checks: [CheckedWrite], _ access: StoreAccess, on desk: inout DeskState) {
    let answered = RecordNames(checks.map(\.id))
    if stage == .checking { leave(takenBack: answered, on: &desk) }
    guard stage == .checking, answered == tried(on: desk) || answered.isEmpty && action != .write else {
      return
    }
    self.checks = drafts.compactMap(\.unwritable) + checks
    if action != .write, answered.isEmpty { failure = Self.isTakenBack }
    stage = .ready
    time = desk.time.now
    desk.access = access
    if action == .write { desk.note(self.checks, areOfReview: true) }
    if !isOrdered { order(on: desk) }
    if !exported.isEmpty, exportable(on: desk) != exported { desk.tellThatTextIsOfBefore() }
  }

  private static let isTakenBack = "Somebody has taken it back meanwhile. Esc, and u shows what is now."

  /// Of a write that is to be taken back, what somebody has taken back meanwhile has no answer, and goes from the page.
  private mutating func leave(takenBack answered: RecordNames, on desk: inout DeskState) {
    guard case .undo(var write) = action, !answered.isEmpty, answered.isSubset(of: RecordNames(ids)) else {
      return
    }
    let gone = write.records.filter { !answered.contains($0.id) }
    if gone.isEmpty { return }
    write.records.removeAll { !answered.contains($0.id) }
    action = .undo(write)
    kept.subtract(gone.map(\.id))
    let what = gone.count == 1 ? desk.privacy.shown(gone[0].title) : "\(gone.count) of these"
    desk.status = .told("Somebody has taken back \(what) meanwhile.")
  }

  /// The records that are written, or taken back, as far as nobody left them out.
  private func tried(on desk: DeskState) -> RecordNames {
    RecordNames(action == .write ? included(on: desk).map(\.seen.id) : ids)
  }

  /// Problems first, then what is left out, then the rest.
  private mutating func order(on desk: DeskState) {
    let fates = fates(on: desk)
    drafts = fates.ordered(drafts, by: \.id)
    if case .undo(var write) = action {
      write.records = fates.ordered(write.records, by: \.id)
      action = .undo(write)
    }
    isOrdered = true
    memory.keepFacts(at: stamp)
  }

  private mutating func finish(_ results: [CheckedWrite], on desk: DeskState) {
    self.results = results
    (stage, time, standing) = (.done, desk.time.now, StandingWrite(ownResults) ?? StandingWrite(results))
    (cursor, scroll) = (nil, 0)
  }

  /// At once, so that no later write is taken for this one.
  private var hearing: [DeskEffect] { standing == nil ? [] : [.readNewestWrite(beside: nil)] }

  private mutating func wrote(_ told: [CheckedWrite], on desk: inout DeskState) -> [DeskEffect] {
    // It may say that it is being stopped.
    desk.status = finishedFirst.isAny ? desk.toldFinished : nil
    let results = finishedFirst.take(told)
    finish(results, on: desk)
    order(on: desk)
    desk.note(results)
    let ids = RecordNames(results.filter { $0.outcome == .fine }.map(\.id))
    desk.forgetMarks(of: Array(ids))
    record(ownResults, on: &desk)
    // Where nothing may be written the log has no entry for it.
    if ownResults.contains(where: \.outcome.mayBeWritten), desk.note.text(for: results.lazy.map(\.id)) != nil
    {
      desk.note = LogNote()
    }
    // The store may have been looked at before the write came to its end.
    lookAgain(desk.interrupted.flatMap(\.records))
    for result in results { desk.open[result.id] = nil }
    desk.tree = .none
    desk.leave(written: ids)
    // What was not written may have moved; what is left to the app still waits in the list.
    return desk.ending + hearing
      + (desk.store.can.contains(.leaveToApp)
        ? desk.readAgain() : desk.readAgain(results.map(\.id).filter { !ids.contains($0) }))
  }

  /// The store was looked at since: of what no answer came for it tells what it has.
  mutating func lookAgain(_ records: [InterruptedWrite.Record]) {
    guard case .write = action, stage == .done else { return }
    let states = ByRecord(records.map { ($0.id, $0.state) }) { first, _ in first }
    for index in results.indices {
      guard case .notKnown = results[index].outcome, let state = states[results[index].id] else { continue }
      results[index].outcome = state.outcome
    }
  }

  /// What became of those of which nobody knew.
  mutating func learn(_ records: [FinishedWrite.Record], on desk: inout DeskState) {
    guard case .write = action, stage == .done else { return }
    let ends = ByRecord(records.map { ($0.id, $0.ending) }) { first, _ in first }
    let learned = results.indices.filter { results[$0].outcome.isHalf && ends[results[$0].id] != nil }
    if learned.isEmpty { return }
    for index in learned { results[index].outcome = ends[results[index].id] ?? results[index].outcome }
    standing = StandingWrite(results)
    order(on: desk)
    take(away: learned.map { results[$0] }, on: &desk)
  }

  /// What is written is in no list any more; why others are not is told there.
  private func take(away results: [CheckedWrite], on desk: inout DeskState) {
    desk.note(results)
    let ids = RecordNames(results.filter { $0.outcome == .fine }.map(\.id))
    for id in ids { desk.open[id] = nil }
    desk.leave(written: ids)
  }

  /// What may be in the store was done last, however well it went, and is taken back first.
  private func record(_ results: [CheckedWrite], on desk: inout DeskState) {
    let ids = RecordNames(results.filter(\.outcome.mayBeWritten).map(\.id))
    guard !ids.isEmpty else { return }
    desk.history.recordWrite(of: ids, isDoubted: results.allSatisfy { $0.outcome != .fine })
  }

  private var isDecided: Bool { if case .undo(let write) = action { write.isDecided } else { true } }

  private mutating func undid(_ results: [CheckedWrite], on desk: inout DeskState) -> [DeskEffect] {
    finish(results, on: desk)
    desk.forgetMarks(of: results.filter { $0.outcome == .fine }.map(\.id))
    // Of what nobody knows the write was done last still: what was decided for it cannot be taken back.
    if kept.isEmpty, !isUnclear { desk.history.forgetLastWrite(of: results.map(\.id)) }
    let words: Status? =
      isUnclear
      ? .failed("Look again at what is marked ½ or ?.")
      : results.allSatisfy(\.outcome.isLeftAlone)
        ? .failed(desk.filling(ReviewWords.goingPast))
        : isDecided ? .told(desk.store.staysDecided) : nil
    return desk.readAgain() + (words.map { desk.tell($0) } ?? [])
  }

  /// Mending one finding may make others appear or go, so the store is walked again.
  private mutating func mended(_ results: [CheckedWrite], on desk: inout DeskState) -> [DeskEffect] {
    finish(results, on: desk)
    guard hasChangedTheStore else { return [] }
    let ids = RecordNames(results.filter { $0.outcome == .fine }.map(\.id))
    if hasWritten { desk.history.recordWrite(of: ids) }
    // What is mended is nothing to look at any more: Esc goes back to the list, and u is there.
    desk.pages.removeAll {
      guard case .finding(let shown) = $0 else { return false }
      return [shown.finding, shown.finding.takingServer].contains { $0.map { ids.contains($0.id) } ?? false }
    }
    return hearing + desk.readAgain()
  }

  /// Somebody else decided, or the person did, in a record that was opened from here: what is shown is read again, and nothing
  /// of it can be written until it is seen.
  mutating func readAgain(_ ids: [String], on desk: DeskState) -> [DeskEffect] {
    guard action == .write, stage == .ready || stage == .checking else { return [] }
    former = drafts.map(\.id)
    ask(for: ids, on: desk)
    (drafts, moved, checks, stage) = ([], [], [], .reading)
    return [.readDrafts(ids)]
  }
}

extension CheckedWrite.Outcome {
  fileprivate var isMoved: Bool { if case .moved = self { true } else { false } }
}

extension DeskState {
  /// Esc goes back to the list then: there is nothing left to see of these records.
  fileprivate mutating func leave(written ids: RecordNames) {
    let typing = top(EditorPage.self)?.id
    let known = typing.flatMap { open[$0] }
    removeFromList(ids)
    if let typing, ids.contains(typing), settleEditor(of: typing, known) { return }
    pages.removeAll { $0.record.map(ids.contains) ?? false }
  }

  /// For the list: why a record is not written. What may be half in the store stays so, whatever a check says of the rest.
  ///
  /// - Parameter areOfReview: whether nobody has tried to write it: then what has moved is told by its row alone, which is read anew.
  fileprivate mutating func note(_ checks: [CheckedWrite], areOfReview: Bool = false) {
    let news = checks.filter { $0.outcome.isHalf || !isHalf($0.id) }
    changeUnwritten { unwritten in
      for check in news {
        let isTold = check.outcome != .fine && !(areOfReview && check.outcome.isMoved)
        unwritten[check.id] = isTold ? check.outcome : nil
      }
    }
    for check in news { unwrittenSince[check.id] = time.now }
    begunHere.formUnion(news.lazy.filter(\.outcome.isHalf).map(\.id))
  }
}
