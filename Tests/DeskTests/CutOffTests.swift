import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// A write of which the answer was lost: what the desk says once the store was looked at again.
@Suite struct CutOffTests {
  private static let words = "a request that is on its way may write the rest until 4:21"

  /// Four drafts of which nobody knows what became.
  private static func cutOff(columns: Int = 80, rows: Int = 24) -> TestDesk {
    var desk = TestDesk(BulkTests.many(4), findings: [], columns: columns, rows: rows).typing("BYw")
    for record in desk.records { desk.outcomes[record.id] = .notKnown("the server hung up") }
    desk.type("Y")
    desk.outcomes = [:]
    return desk
  }

  private static func ids(_ desk: TestDesk) -> [String] { desk.records.map(\.id) }

  private static func interrupted(
    _ ids: some Collection<String>, _ states: [InterruptedWrite.State], _ hindrance: String? = words
  ) -> DeskEvent {
    let records = zip(ids, states).map { InterruptedWrite.Record(id: $0, title: $0, state: $1) }
    return .interrupted([InterruptedWrite(act: .write, records: records, hindrance: hindrance, id: 1)])
  }

  private static func finished(_ ids: some Collection<String>, _ outcomes: [FinishedWrite.Outcome])
    -> DeskEvent
  {
    let records = zip(ids, outcomes).map { FinishedWrite.Record(id: $0, title: $0, outcome: $1) }
    return .finished([FinishedWrite(act: .write, records: records)])
  }

  /// The server has two of the four; the rest may come still.
  private static func halfWritten(columns: Int = 80, rows: Int = 24) -> TestDesk {
    var desk = cutOff(columns: columns, rows: rows)
    let ids = ids(desk)
    desk.cannotFinish = true
    desk.take(interrupted(ids, [.complete, .complete, .awaited, .awaited]))
    for record in desk.records.prefix(2) { desk.written[record.id] = desk.state.draft(of: record.id) }
    desk.take(interrupted(ids.suffix(2), [.awaited, .awaited]))
    desk.take(finished(ids.prefix(2), [.completed, .completed]))
    return desk
  }

  @Test func whatTheStoreTellsIsFinishedWithoutBeingAskedFor() {
    var desk = Self.cutOff()
    let ids = Self.ids(desk)
    desk.cannotFinish = true
    desk.effects = []
    desk.take(Self.interrupted(ids, [.complete, .complete, .awaited, .awaited]))
    #expect(desk.effects == [.finishInterrupted])
    // What is on its way cannot be hurried.
    var late = Self.cutOff()
    late.effects = []
    late.take(Self.interrupted(ids, [.awaited, .awaited, .awaited, .awaited]))
    #expect(late.effects.isEmpty)
    // What another session left is its person's to finish.
    var other = TestDesk()
    other.effects = []
    other.take(Self.interrupted([Sample.dentist.id], [.complete], nil))
    #expect(other.effects.isEmpty)
  }

  /// The store is watched all the time, so also between the request and its answer.
  @Test(arguments: [InterruptedWrite.State.awaited, .complete])
  func aLookBeforeTheWriteCameToItsEndChangesNothingOfThat(state: InterruptedWrite.State) {
    var desk = TestDesk(BulkTests.many(2), findings: []).typing("BYw")
    (desk.answersWait, desk.cannotFinish) = (true, true)
    desk.type("Y")
    let ids = Self.ids(desk)
    desk.take(Self.interrupted(ids, [state, state]))
    desk.effects = []
    desk.take(
      .wrote(ids.map { CheckedWrite(id: $0, title: $0, outcome: .notKnown("the server hung up")) }))
    desk.take(Self.interrupted(ids, [.complete, .complete]))
    #expect(desk.effects.contains(.finishInterrupted))
    #expect(!desk.screen.description.contains("hung up"), "\(desk.screen)")
  }

  @Test func titleAndRowsFollowWhatTheStoreHas() throws {
    let desk = Self.halfWritten(columns: 120, rows: 40)
    let screen = desk.screen.description
    #expect(screen.hasPrefix(" Written 2 of 4   2 not known"), "\(screen)")
    #expect(!screen.contains("the server hung up"), "\(screen)")
    #expect(screen.contains("not known whether written: untouched so far"), "\(screen)")
    #expect(screen.contains("Of an interrupted write 2 are completed."), "\(screen)")
    #expect(screen.contains("of its 2 records 2 are untouched so far"), "\(screen)")
    try expect(desk.typing("<down>").screen, matches: "written-cut-off-120x40")
  }

  @Test(arguments: [
    (FinishedWrite.Outcome.completed, " Written 4 of 4 "), (.rolledBack, " Nothing written   4 not reached"),
    (.left, " Nothing written   4 moved meanwhile"),
  ])
  func whatIsFinishedIsSo(outcome: FinishedWrite.Outcome, title: String) {
    var desk = Self.cutOff()
    let ids = Self.ids(desk)
    desk.interrupted = [
      FinishedWrite(
        act: .write,
        records: ids.map { FinishedWrite.Record(id: $0, title: $0, outcome: outcome) })
    ]
    if outcome == .completed { for id in ids { desk.written[id] = desk.state.draft(of: id) } }
    desk.take(
      Self.interrupted(ids, Array(repeating: outcome == .completed ? .complete : .untouched, count: 4), nil))
    #expect(desk.screen.description.hasPrefix(title), "\(desk.screen)")
    let list = desk.typing("<esc>")
    #expect(!list.screen.description.contains("interrupted"), "\(list.screen)")
    #expect(!list.screen.description.contains("? not known"), "\(list.screen)")
    #expect(list.state.list.count == (outcome == .completed ? 0 : 4), "\(list.screen)")
  }

  @Test func theKeyThatFinishesItIsInTheFooterAndNoOtherWayIsTold() {
    let desk = Self.halfWritten().typing("<down>")
    let screen = desk.screen.description
    #expect(screen.contains("r look again") && screen.contains("r looks again"), "\(screen)")
    #expect(!screen.contains("Look again") && !screen.contains("finish it "), "\(screen)")
    var asked = desk
    asked.effects = []
    asked.type("r")
    #expect(asked.effects.contains(.finishInterrupted))
    #expect(asked.state.status?.text.contains("Then r finishes it.") == true, "\(asked.screen)")
    var list = desk.typing("<esc>")
    #expect(list.screen.description.contains("r look again"), "\(list.screen)")
    list.take(Self.interrupted(Self.ids(desk).suffix(2), [.untouched, .untouched], nil))
    list.type("<down>")
    #expect(list.screen.description.contains("r finish it"), "\(list.screen)")
    for words in ["finish it", "look again"] { #expect(!TestDesk().screen.description.contains(words)) }
  }

  /// Of what has no receipt nothing can be taken back, and what was decided before it is not what was done last.
  @Test func whatMayStillArriveIsNotTakenBack() {
    var desk = Self.cutOff()
    #expect(!desk.screen.description.contains("u take"), "\(desk.screen)")
    desk.cannotFinish = true
    desk.take(Self.interrupted(Self.ids(desk), [.awaited, .awaited, .awaited, .awaited]))
    #expect(!desk.screen.description.contains("u take"), "\(desk.screen)")
    let words =
      "Nothing is taken back before it is known what of the last write is in the store. It cannot be finished now: "
      + "\(Self.words). Then r finishes it."
    let asked = desk.typing("u")
    #expect(asked.state.topic == .review && asked.state.status == .failed(words), "\(asked.screen)")
    desk.half = []
    let list = desk.typing("<esc>u")
    #expect(list.state.topic == .list && list.state.status == .failed(words), "\(list.screen)")
    #expect([asked, list].allSatisfy { $0.journal.count == desk.journal.count })
  }

  /// As `parley undo` does: of two writes the later one was done last, and that may be what is not known.
  @Test(
    arguments: [(.write, 1, false), (.write, 0, false), (.write, 2, true), (.undo, 0, false)]
      as [(JournalEntry.Act, Int64, Bool)])
  func whatMayHaveBeenDoneLaterHidesTheLastWrite(act: JournalEntry.Act, id: Int64, isHidden: Bool) {
    var desk = TestDesk(BulkTests.many(2), findings: []).typing("BYwY<esc>")
    #expect(desk.lastWrite?.id == 1)
    desk.state.filling = { $0.replacing("PATH", with: "a.sqlite") }
    let late = InterruptedWrite.Record(id: "M9:reminders", title: "Rice", state: .awaited)
    desk.take(
      .interrupted([InterruptedWrite(act: act, records: [late], hindrance: Self.words, id: id)]))
    let asked = desk.typing("u")
    #expect((asked.state.topic == .list) == isHidden, "\(asked.screen)")
    let way = "What was written before is taken back by name: parley undo a.sqlite RECORD."
    #expect((asked.state.status?.text.hasSuffix(way) == true) == isHidden, "\(asked.screen)")
  }

  @Test(arguments: [nil, words]) func whereNothingCanBeWrittenNoOtherWayIsTold(hindrance: String?) {
    var desk = TestDesk(BulkTests.many(2), findings: []).typing("BYwY<esc>")
    let late = InterruptedWrite.Record(id: "M9:reminders", title: "Rice", state: .awaited)
    desk.take(.interrupted([InterruptedWrite(act: .write, records: [late], hindrance: hindrance, id: 2)]))
    desk.take(.accessChanged(.readOnly(reason: "the app has it open")))
    let told = desk.typing("u").state.status?.text ?? ""
    #expect(told.hasPrefix("Nothing is taken back before it is known"), "\(told)")
    #expect(told.hasSuffix("Then r finishes it."), "\(told)")
  }

  /// What was decided for it is not what was done last: "0 drafts taken back. 4 were left out: they changed meanwhile."
  @Test func behindAnUndoThatIsNotKnownNoDecisionIsTakenBack() {
    var desk = TestDesk(BulkTests.many(4), findings: []).typing("BYwY<esc>u")
    let ids = Self.ids(desk)
    for id in ids { desk.outcomes[id] = .notKnown("the server hung up") }
    desk.type("Y")
    (desk.outcomes, desk.cannotFinish) = ([:], true)
    let records = ids.map { InterruptedWrite.Record(id: $0, title: $0, state: .awaited) }
    desk.take(.interrupted([InterruptedWrite(act: .undo, records: records, hindrance: Self.words)]))
    let asked = desk.typing("<esc>u")
    let words = "Nothing else is taken back before the interrupted undo is finished."
    #expect(asked.state.status?.text.hasPrefix(words) == true, "\(asked.screen)")
    #expect(asked.journal.count == desk.journal.count)
  }

  /// What has its receipt is.
  @Test func whatIsSurelyWrittenIsTakenBackThoughTheRestIsNotKnown() {
    let desk = Self.halfWritten()
    #expect(desk.screen.description.contains("u takes all 2 back."), "\(desk.screen)")
    #expect(desk.typing("u").screen.description.hasPrefix(" Take back the last write"))
  }

  @Test func draftsThatCannotBeReadAreNotCalledNone() {
    var desk = TestDesk(BulkTests.many(3)).typing("BY")
    desk.draftsWait = true
    desk.type("w")
    desk.take(.reviewFailed("the server is gone"))
    #expect(desk.state.topic != .review, "\(desk.screen)")
    let words = "3 drafts are ready, and not checked: the server is gone. w tries again."
    #expect(desk.state.status == .failed(words))
    // Of the write that was cut off it is told what to do first.
    var held = Self.cutOff()
    held.type("<esc>")
    held.take(Self.interrupted(Self.ids(held), [.awaited, .awaited, .awaited, .awaited]))
    held.draftsWait = true
    held.type("w")
    held.take(.reviewFailed("the server is gone"))
    let told = held.state.status?.text
    #expect(
      told?.hasPrefix("4 drafts are ready, and not checked: the server is gone.") == true, "\(held.screen)")
    #expect(told?.hasSuffix("it is not known how it ended; r finishes it.") == true, "\(held.screen)")
  }

  /// What is ready again is not offered as if nothing were on its way.
  @Test func theReviewTellsOfAWriteThatMayStillArrive() {
    var desk = Self.halfWritten(columns: 120, rows: 40).typing("<esc>w")
    let words = "! An earlier write of it may still arrive: of both the first counts"
    #expect(desk.screen.description.components(separatedBy: words).count == 3, "\(desk.screen)")
    desk.take(.interrupted([]))
    #expect(!desk.screen.description.contains(words), "\(desk.screen)")
    // What the store has by half is finished with it.
    desk.take(Self.interrupted(Self.ids(desk).suffix(1), [.half], nil))
    #expect(
      desk.screen.description.contains("! Y finishes the interrupted write of it first."), "\(desk.screen)")
  }

  /// What the review says is finished first is not told as what somebody else did.
  @Test func whatTheInterruptedWriteHasWrittenIsToldAsWrittenByIt() {
    var desk = TestDesk(BulkTests.many(2), findings: [], columns: 120, rows: 40).typing("BY")
    let ids = Self.ids(desk)
    desk.take(Self.interrupted(ids, [.half, .half], nil))
    desk.type("w")
    let records = ids.map { FinishedWrite.Record(id: $0, title: $0, outcome: .completed) }
    desk.interrupted = [FinishedWrite(act: .write, records: records)]
    for id in ids {
      desk.written[id] = desk.state.draft(of: id)
      desk.outcomes[id] = .moved("it is no longer in conflict")
    }
    desk.type("Y")
    let screen = desk.screen.description
    #expect(screen.hasPrefix(" Written 2 of 2 ") && !screen.contains("it moved"), "\(screen)")
    #expect(screen.contains("written: by the interrupted write, which was finished first"), "\(screen)")
    #expect(
      screen.contains("An interrupted write is finished: of its 2 records 2 are completed."), "\(screen)")
    #expect(screen.contains("✓ 2 records by the interrupted write. u takes it back."), "\(screen)")
    #expect(desk.typing("u").screen.description.hasPrefix(" Take back the last write"))
  }

  private static func finding(_ id: String) -> Finding {
    Finding(
      id: Finding.interrupted(id), table: "reminders", record: id, title: id, what: "interrupted write",
      evidence: "no receipt", cause: "Parley was ended.", remedy: "Finish it.", isInterrupted: true)
  }

  /// Nobody was asked for an answer, and what is untouched is known to be so.
  @Test(arguments: [
    (
      JournalEntry.Act.import, InterruptedWrite.State.untouched, "✗ interrupted",
      "interrupted import: untouched"
    ),
    (.write, .complete, "✗ interrupted", "interrupted write: complete, but"),
    (.undo, .half, "½ in part", "interrupted undo: half written"),
    (.undo, .awaited, "? not known", "interrupted undo: untouched so far"),
  ])
  func theRowTellsWhatWasInterruptedAndHowItStands(
    act: JournalEntry.Act, state: InterruptedWrite.State, mark: String, why: String
  ) {
    var desk = TestDesk(BulkTests.many(2), findings: [], columns: 120)
    let record = InterruptedWrite.Record(id: Self.ids(desk)[0], title: "a", state: state)
    desk.take(.interrupted([InterruptedWrite(act: act, records: [record])]))
    let screen = desk.typing("g").screen.description
    #expect(screen.contains(mark) && screen.contains(why), "\(screen)")
    #expect(!screen.contains("no answer"), "\(screen)")
  }

  /// The row of a conflict tells that its write is not finished; what is no longer in conflict is a finding.
  @Test func eachRecordIsCountedOnce() {
    let records = BulkTests.many(2)
    var desk = TestDesk(
      records, findings: [Self.finding(records[0].id), Self.finding("gone")], columns: 120)
    desk.take(Self.interrupted([records[0].id, "gone"], [.half, .complete], nil))
    desk.type("g")
    #expect(desk.state.list.counts[.all] == 3 && desk.state.list.counts[.stuck] == 2, "\(desk.screen)")
    // Nobody may take it for a draft that is ready, or for one that is to decide.
    #expect((desk.state.list.counts[.ready] ?? 0) == 0 && desk.typing("6").state.list.count == 2)
    let screen = desk.screen.description
    #expect(screen.contains("½ in part") && screen.contains("interrupted write: half written"), "\(screen)")
    // Another Parley has finished it.
    desk.take(.interrupted([]))
    #expect(!desk.screen.description.contains("½ in part"), "\(desk.screen)")
  }
}

extension DeskState {
  fileprivate func draft(of id: String) -> Draft? {
    page(ReviewPage.self)?.drafts.first { $0.id == id }?.draft
  }
}
