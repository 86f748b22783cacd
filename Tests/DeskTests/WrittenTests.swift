import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// What title, lines, counts and list say after `Y`.
@Suite struct WrittenTests {
  /// Six drafts: one is refused by the check, one moves while it is looked at, one is left out.
  static func reviewed(columns: Int = 80, rows: Int = 24) -> TestDesk {
    var desk = TestDesk(columns: columns, rows: rows)
    desk.outcomes["87:reminders"] = .refused(field: "due", "NOT NULL constraint failed")
    desk.type("sjcjcjsjAjAgw")
    desk.state.leftOut = ["3:reminders"]
    desk.type("<esc>w")
    return desk
  }

  static func written(columns: Int = 80, rows: Int = 24) -> TestDesk {
    var desk = reviewed(columns: columns, rows: rows)
    desk.outcomes["12:reminders"] = .moved("the row's notes are 3% now")
    desk.type("Y")
    return desk
  }

  /// What is no longer in conflict cannot be opened.
  @Test func enterIsOfferedWhereThereIsARecordToOpen() {
    let last = { (desk: TestDesk) in String(desk.screen.description.split(separator: "\n").last ?? "") }
    let written = TestDesk().typing("cwY")
    #expect(!last(written).contains("Enter"), "\(written.screen)")
    #expect(last(TestDesk().typing("cw")).contains("Enter open"))
    #expect(last(Self.written(columns: 120, rows: 40).typing("gj")).contains("Enter open"))
  }

  @Test func theTitleCountsWhatHappened() {
    #expect(
      Self.reviewed().screen.description.hasPrefix(
        " Review   6 drafts: 1 refused, 4 to write, 1 left out"))
    #expect(
      Self.written().screen.description.hasPrefix(
        " Written 3 of 4   1 moved meanwhile   1 refused, 1 left out"), "\(Self.written().screen)")
  }

  /// How many are well is told by the footer's Y, too.
  @Test(arguments: [(40, 10), (60, 15), (80, 24)]) func whatIsWrongIsNeverCutFromTheTitle(
    columns: Int, rows: Int
  ) {
    var desk = Self.reviewed(columns: columns, rows: rows)
    #expect(Self.title(desk).contains("1 refused, 4 to wri"), "\(desk.screen)")
    for (outcome, words) in [
      (CheckedWrite.Outcome.refused(field: nil, "no"), "2 refused"), (.moved("it changed"), "1 moved"),
      (.notReached("the disk is full"), "1 not reached"), (.notKnown("no answer"), "1 not known"),
      (.partly(written: "title", "no"), "1 in part"),
    ] {
      desk.outcomes = ["12:reminders": outcome]
      let title = Self.title(desk.typing("Y"))
      #expect(title.contains(words), "\(title)")
    }
  }

  private static func title(_ desk: TestDesk) -> Substring {
    desk.screen.description.prefix { !$0.isNewline }
  }

  @Test func aRecordThatWasRefusedIsNotAmongTheWritten() throws {
    let desk = Self.written()
    #expect(desk.screen.description.contains("✗  reminders Rotate"))
    #expect(desk.screen.description.contains("not written: due: NOT NULL constraint failed"))
    let list = desk.typing("<esc>")
    #expect(list.screen.description.contains("✗ refused     reminders Rotate garden be› due: NOT NULL"))
    #expect(list.state.list.summary("87:reminders") != nil)
    // Until something is decided about it.
    #expect(!list.typing("1gs").screen.description.contains("✗ refused"), "\(list.typing("1gs").screen)")
    // The same once more is the same draft.
    #expect(list.typing("1gc").screen.description.contains("✗ refused"))
  }

  /// Nor do the panel below the list and the record's own header say that it is ready.
  @Test(arguments: [(80, 24), (120, 40), (200, 50)]) func aRecordThatWasRefusedIsCalledSo(
    columns: Int, rows: Int
  ) {
    let list = Self.written(columns: columns, rows: rows).typing("<esc>/Rotate<enter>")
    #expect(!list.screen.description.contains("✓ ready"), "\(list.screen)")
    let record = list.typing("<enter>")
    #expect(record.screen.description.contains("✗ refused"), "\(record.screen)")
    #expect(!record.screen.description.contains("✓ ready"), "\(record.screen)")
  }

  /// Whatever the screen, and with the cursor on what was refused.
  @Test(arguments: [(80, 24), (120, 40), (200, 50), (60, 15), (50, 15), (40, 10)])
  func anOpenRecordSaysWhyItWasRefused(columns: Int, rows: Int) throws {
    let record = Self.written(columns: columns, rows: rows).typing("<esc>/Rotate<enter><enter>")
    let screen = record.screen.description
    #expect(screen.contains("The store refuses the draft: due"), "\(record.screen)")
    #expect(
      columns < 60 || screen.contains("NOT NULL constraint") && screen.contains("failed"), "\(record.screen)")
    #expect(try #require(record.state.top(RecordPage.self)).field == "due")
  }

  @Test func thePreviewOfWhatWasRefusedSaysWhy() {
    let list = Self.written().typing("<esc>/Rotate<enter>")
    #expect(list.screen.description.contains("The store refuses the draft: due: NOT NULL"), "\(list.screen)")
  }

  @Test(arguments: ["NOT NULL", "is:refused", "is:ref table:rem"])
  func whatWasRefusedIsFoundByWhatItsStoreSaid(words: String) {
    let list = Self.written().typing("<esc>/\(words)<enter>")
    #expect(list.state.list.count == 1 && list.state.list.position(of: "87:reminders") == 0, "\(list.screen)")
    let decided = list.typing("s<esc>/\(words)<enter>")
    #expect(decided.state.list.count == 0, "\(decided.screen)")
  }

  @Test func theTakeBackShowsWhatAKeyPointsTo() {
    var change = LastWrite.FieldChange(
      name: "list", before: .text("key-of-a-list"), after: .text("key-of-another"))
    change.titles = [.text("key-of-a-list"): "Health", .text("key-of-another"): "Family"]
    let record = LastWrite.Record(
      id: Sample.dentist.id, title: "Call dentist", changes: WrittenChanges(fields: [change]))
    var desk = TestDesk()
    desk.take(.lastWrite(LastWrite(id: 1, records: [record], takingBack: "Put back.")))
    let undo = desk.screen.description
    #expect(undo.contains("Health") && undo.contains("Family") && !undo.contains("key-of"), "\(undo)")
    let hidden = desk.typing("P").screen.description
    #expect(!hidden.contains("Health") && !hidden.contains("Family"), "\(hidden)")
  }

  /// It is a person's to decide again, wherever rows are counted, found or gone to.
  /// A side may hold what the store has no place for: that is told with the decision, which stays, and not in the review alone.
  @Test func whatTheStoreWouldRefuseIsToldWhenItIsDecided() {
    var desk = TestDesk([Sample.sure], columns: 120, rows: 40)
    desk.rehearsals = [Sample.sure.id: .refused(field: "list", "there is no record 9 in lists")]
    let decided = desk.typing("A")
    let words = "Milk: the store would refuse this draft: list: there is no record 9 in lists"
    #expect(decided.state.status == .failed(words) && !decided.journal.isEmpty)
    #expect(decided.screen.description.contains("✗ refused"), "\(decided.screen)")
    #expect(decided.state.list.counts[.ready] == 0)
    #expect(decided.typing("u").state.list.refused.isEmpty)
    // Half decided nothing is asked, nor of a store without rules.
    var documents = desk
    documents.state.store.words.rules = nil
    #expect(documents.typing("A").state.list.refused.isEmpty)
    #expect(!desk.typing("<enter>c").screen.description.contains("refuse"))
  }

  @Test func whatWasRefusedIsReadyOnceItFitsBesideWhatWasDecidedSince() {
    var desk = TestDesk([Sample.sure], columns: 120, rows: 40)
    desk.rehearsals = [Sample.sure.id: .refused(field: "list", "there is no record 9 in lists")]
    var decided = desk.typing("A")
    #expect(decided.state.list.counts[.ready] == 0)
    decided.take(.fitNow([Sample.sure.id]))
    #expect(decided.state.list.counts[.ready] == 1 && decided.state.list.refused.isEmpty)
  }

  @Test func aRecordThatWasRefusedIsNotReady() {
    let list = Self.written().typing("<esc>")
    let counts = list.state.list.counts
    #expect(list.typing("5").state.list.position(of: "87:reminders") == nil)
    #expect(list.typing("2").state.list.position(of: "87:reminders") != nil)
    #expect(list.typing("/is:ready<enter>").state.list.position(of: "87:reminders") == nil)
    #expect(ListFilter.allCases.dropFirst().compactMap { counts[$0] }.reduce(0, +) == counts[.all])
    for filter in ListFilter.allCases {
      #expect(list.typing("\(filter.rawValue)").state.list.count == counts[filter] ?? 0)
    }
    let ready = counts[.ready] ?? 0
    let decided = list.typing("1/Rotate<enter>s")
    #expect(decided.state.list.counts[.ready] == ready + 1 && decided.state.list.refused.isEmpty)
  }

  @Test func aRecordThatMovedIsToldAndComesBackToTheList() {
    let desk = Self.written()
    #expect(desk.screen.description.contains("↻  reminders Milk"))
    #expect(desk.screen.description.contains("not written: it moved: the row's notes are 3% now"))
    #expect(desk.screen.description.contains("it is in the list again with its new difference"))
    #expect(desk.typing("<esc>").screen.description.contains("↻ moved when written"))
  }

  /// Nobody has tried to write it: the log has no write.
  @Test func aRecordThatMovedUnderItsReviewIsNotSaidToHaveMovedWhenWritten() {
    var desk = TestDesk().typing("c")
    desk.outcomes["42:reminders"] = .moved("the row changed")
    desk.type("w")
    #expect(desk.state.topic == .review && desk.screen.description.contains("1 moved"), "\(desk.screen)")
    desk.type("<esc>")
    #expect(desk.state.topic == .list && mark(desk) == nil, "\(desk.screen)")
    #expect(!desk.screen.description.contains("when written"), "\(desk.screen)")
  }

  /// Another program has settled it meanwhile.
  @Test func whatIsNoConflictAnyMoreIsNotSaidToBeInTheList() {
    var desk = Self.written()
    desk.records.removeAll { $0.id == "12:reminders" }
    desk.take(.storeChanged)
    let screen = desk.screen.description
    #expect(
      screen.contains("not written: it moved") && !screen.contains("it is in the list again"), "\(screen)")
  }

  @Test func whereNothingWasWrittenTheTitleSaysSo() {
    var desk = TestDesk().typing("cw")
    desk.outcomes["42:reminders"] = .moved("the row has changed")
    desk.type("Y")
    #expect(desk.screen.description.hasPrefix(" Nothing written   1 moved meanwhile"))
    #expect(desk.screen.description.contains("This changed nothing in the store."))
    #expect(!desk.screen.description.contains("u take"))
  }

  /// Six drafts: of one a part is written, of one nobody knows, one is not reached, the rest is written.
  static func unfinished(columns: Int = 80, rows: Int = 24) -> TestDesk {
    var desk = TestDesk(columns: columns, rows: rows).typing("sjcjcjsjAjAgw")
    desk.outcomes["87:reminders"] = .partly(written: "its title", "the server took no more")
    desk.outcomes["12:reminders"] = .notKnown("the server did not answer")
    desk.outcomes["3:reminders"] = .notReached("the network is gone")
    desk.type("Y")
    return desk
  }

  @Test func whatBecameOfEachIsToldForEach() throws {
    let desk = Self.unfinished()
    let screen = desk.screen.description
    #expect(screen.hasPrefix(" Written 3 of 6   1 in part, 1 not known   1 not reached"), "\(screen)")
    #expect(screen.contains("written in part: its title; not the rest"), "\(screen)")
    #expect(screen.contains("not known whether written: the server did not"), "\(screen)")
    #expect(screen.contains("not written: not reached: the network is gone"), "\(screen)")
    #expect(screen.contains("Look again at what is marked ½"), "\(screen)")
    let signs = screen.split(separator: "\n").filter { $0.contains("  reminders ") }.map {
      $0.prefix(3).suffix(1)
    }
    #expect(signs == ["½", "?", "·", "✓", "✓", "✓"], "\(screen)")
    try expect(desk.screen, matches: "written-unfinished")
  }

  @Test func theListMarksWhatIsUnfinished() {
    let list = Self.unfinished().typing("<esc>").screen.description
    for words in [
      "½ in part", "? not known", "written: its title;", "no answer: the server",
      "· not reached",
    ] { #expect(list.contains(words), "\(list)") }
    #expect(!Self.unfinished().typing("P<esc>").screen.description.contains("server did not"))
  }

  @Test(arguments: [CheckedWrite.Outcome.partly(written: "its title", "no"), .notKnown("no answer")])
  func whereSomethingMayBeWrittenNobodySaysThatNothingIs(outcome: CheckedWrite.Outcome) {
    var desk = TestDesk().typing("cw")
    desk.outcomes["42:reminders"] = outcome
    let screen = desk.typing("Y").screen.description
    #expect(screen.hasPrefix(" Written 0 of 1   1 "), "\(screen)")
    #expect(!screen.contains("This changed nothing") && !screen.contains("1 record at"), "\(screen)")
  }

  /// It is not gone back from first, as it need not be after a write that is whole.
  @Test(arguments: halves) func whatIsHalfWrittenIsTakenBackFromWhereItIsTold(outcome: CheckedWrite.Outcome) {
    var desk = TestDesk().typing("cw")
    desk.outcomes["42:reminders"] = outcome
    desk.type("Y")
    // Of what nobody knows there may be nothing to take back.
    let isSure = outcome != .notKnown("no answer")
    #expect(desk.screen.description.contains("u takes it back.") == isSure, "\(desk.screen)")
    desk.outcomes = [:]
    desk.type("u")
    #expect(desk.screen.description.hasPrefix(" Take back the last write"), "\(desk.screen)")
    desk.type("Y<esc>")
    #expect(desk.half.isEmpty && mark(desk) == nil, "\(desk.screen)")
  }

  private static func undo(at time: Int64, _ outcome: FinishedWrite.Outcome? = nil) -> JournalEntry {
    JournalEntry(time: time, record: "42:reminders", event: .ended(.undo, interrupted: outcome))
  }

  /// This desk hears of it by the journal alone: the list may show the same row as before.
  @Test(arguments: halves) func whatAnotherParleyTookBackIsMarkedNoLonger(outcome: CheckedWrite.Outcome) {
    var desk = Self.half(outcome)
    desk.take(.journalChanged)
    #expect(mark(desk) == outcome, "nothing was taken back")
    desk.writes = [Self.undo(at: Sample.now + 1)]
    desk.take(.journalChanged)
    #expect(mark(desk) == nil && !desk.screen.description.contains("½ in part"), "\(desk.screen)")
  }

  @Test(arguments: [undo(at: Sample.now), undo(at: Sample.now + 1, .left)])
  func anOlderUndoAndOneInPartLeaveTheMark(entry: JournalEntry) {
    var desk = Self.half(.notKnown("no answer"))
    desk.writes = [entry]
    desk.take(.journalChanged)
    #expect(mark(desk) == .notKnown("no answer"))
  }

  @Test func whereNothingIsHalfTheJournalIsNotAsked() {
    var desk = TestDesk()
    desk.take(.journalChanged)
    #expect(desk.effects.last == .hear)
  }

  private static let halves = [
    CheckedWrite.Outcome.partly(written: "its title", "no"), .notKnown("no answer"),
  ]

  /// One draft, of which a part is written, or of which nobody knows; in the list again, of a store that is well again.
  private static func half(_ outcome: CheckedWrite.Outcome) -> TestDesk {
    var desk = TestDesk().typing("cw")
    desk.outcomes["42:reminders"] = outcome
    desk.type("Y<esc>")
    desk.outcomes = [:]
    return desk
  }

  private func mark(_ desk: TestDesk) -> CheckedWrite.Outcome? { desk.state.unwritten["42:reminders"] }

  /// As in CouchDB's `_users`: the key was named, and its review told that it is refused.
  @Test func whereNothingIsTakenBackNoKeyIsSaidToDoIt() {
    var store = Sample.store
    store.notUndone = "its function refuses it"
    let written = TestDesk(store: store).typing("cwY").screen.description
    #expect(written.contains(". It cannot be taken back."), "\(written)")
    #expect(TestDesk().typing("cwY").screen.description.contains(". u takes it back."))
  }

  @Test(arguments: halves) func whatIsHalfWrittenIsMarkedUntilItIsTakenBack(outcome: CheckedWrite.Outcome) {
    var desk = Self.half(outcome)
    #expect(mark(desk) == outcome)
    desk.take(.lastWrite(desk.lastWrite))
    desk.type("Y<esc>")
    #expect(desk.half.isEmpty && mark(desk) == nil, "\(desk.screen)")
  }

  @Test func whatWasFinishedMeanwhileIsMarkedNoLonger() {
    var desk = Self.half(.notKnown("no answer"))
    let record = FinishedWrite.Record(id: "42:reminders", title: "42", outcome: .rolledBack)
    desk.take(.finished([FinishedWrite(act: .write, records: [record])]))
    #expect(mark(desk) == nil, "\(desk.screen)")
  }

  /// What another Parley began and this one finished is what this one did last.
  @Test func whatWasFinishedHereIsTakenBackBeforeWhatWasDecided() {
    var desk = TestDesk().typing("<enter>gs<esc>")
    let decisions = desk.journal.count
    let record = FinishedWrite.Record(id: "12:reminders", title: "12", outcome: .completed)
    desk.take(.finished([FinishedWrite(act: .write, records: [record])]))
    (desk.effects, desk.mended) = ([], ["12:reminders"])
    desk.type("u")
    #expect(desk.effects.contains(.readLastWrite(of: nil)) && desk.journal.count == decisions)
  }

  @Test(arguments: halves) func theWriteIsTakenBackBeforeWhatWasDecidedForIt(outcome: CheckedWrite.Outcome) {
    let desk = Self.half(outcome)
    let offered = desk.typing("u")
    #expect(
      offered.state.topic == .review && offered.journal.count == desk.journal.count, "\(offered.screen)")
    let back = offered.typing("Y<esc>u")
    #expect(back.journal.last?.choice == nil && mark(back) == nil, "\(back.screen)")
  }

  /// As if the store had rolled it back: then nothing of it is there to be taken back, and what was decided is the last act.
  @Test(arguments: halves) func aWriteOfWhichNothingIsLeftIsPassedOver(outcome: CheckedWrite.Outcome) {
    var desk = Self.half(outcome)
    desk.half = []
    desk.type("u")
    #expect(desk.state.topic == .list && desk.journal.last?.choice == nil, "\(desk.screen)")
  }

  /// It is finished first, and where it cannot be, that is told.
  @Test func aWriteThatWasInterruptedIsFinishedBeforeItIsTakenBack() {
    var desk = Self.half(.notKnown("no answer"))
    desk.half = []
    let record = InterruptedWrite.Record(id: "42:reminders", title: "42", state: .awaited)
    desk.take(.interrupted([InterruptedWrite(act: .write, records: [record])]))
    #expect(desk.typing("u").effects.suffix(20).contains(.finishInterrupted))
    desk.cannotFinish = true
    let (count, told) = (desk.journal.count, desk.typing("u"))
    #expect(told.journal.count == count && told.state.status?.isFailure == true, "\(told.screen)")
  }

  @Test(arguments: halves) func whatIsHalfWrittenStaysMarkedWhateverIsDecided(outcome: CheckedWrite.Outcome) {
    for keys in ["s", "w", "<enter>s"] {
      #expect(mark(Self.half(outcome).typing(keys)) == outcome, "\(keys)")
    }
  }

  @Test func whatIsLeftOutIsNotWrittenAndSaysSo() {
    let desk = Self.written()
    #expect(Set(desk.written.keys) == ["42:reminders", "91:reminders", "16:reminders"])
    #expect(desk.screen.description.contains("–  reminders Trip plan"))
    #expect(desk.screen.description.contains("left out by you"))
    #expect(desk.typing("<esc>").state.list.summary("3:reminders")?.isReady == true)
  }

  @Test func whatWasNotWrittenStandsFirst() {
    let titles = Self.written().screen.description.split(separator: "\n").filter {
      $0.contains("  reminders ")
    }
    #expect(titles.map { $0.prefix(3).suffix(1) } == ["✗", "↻", "–", "✓", "✓", "✓"], "\(titles)")
  }

  @Test func enterOpensWhatWasNotWrittenAndNothingElse() {
    let opened = Self.written().typing("<enter>").state
    guard case .record(let page)? = opened.pages.last else {
      Issue.record("no record")
      return
    }
    #expect(page.id == "87:reminders" && page.field == "due")
    let written = Self.written().typing("G<enter>").state
    #expect(written.topic == .review && written.status?.text.hasPrefix("It is written") == true)
  }

  @Test func tabGoesToTheNextProblem() {
    let desk = Self.written().typing("<tab>")
    #expect(desk.screen.description.contains("▸ ↻  reminders Milk"))
    #expect(desk.typing("<tab>").screen.description.contains("▸ ✗  reminders Rotate"))
    #expect(TestDesk().typing("cwY<tab>").state.status == .told("There is no problem here."))
  }

  @Test func allOfItIsTakenBack() {
    #expect(Self.written().typing("uY").written.isEmpty)
  }

  /// What was decided since is taken back first.
  @Test func aWriteIsNotSaidToBeTakenBackOnceSomethingNewerIs() {
    let desk = TestDesk().typing("cjcw Y")
    #expect(desk.screen.description.contains("u takes it back."), "\(desk.screen)")
    let newer = desk.typing("g<enter>gs<esc>")
    let screen = newer.screen.description
    #expect(newer.state.topic == .review && !screen.contains("u takes it back."), "\(screen)")
    #expect(!screen.contains("u take back"), "\(screen)")
    #expect(screen.contains("u takes back first what was decided since."), "\(screen)")
    let told = newer.typing("G<enter>").state.status
    #expect(told == .told("It is written and no longer in conflict."), "\(newer.screen)")
    let undone = newer.typing("u")
    #expect(undone.state.topic == .list && undone.written.count == 1, "\(undone.screen)")
    #expect(undone.typing("u").screen.description.hasPrefix(" Take back the last write"))
  }

  private static let nothingHere =
    Status.told("u takes nothing back here. Esc goes back, and u there takes back what was done last.")

  /// Whatever is written already.
  @Test(arguments: [
    ("cw", nothingHere), ("cjcwY<esc>u YY", nothingHere), ("cwY<esc>jcw", nothingHere),
    // Where that is what the page is for, no second u does it.
    ("cjcwY<esc>u", Status.told("Y takes these back. Esc leaves them as they are.")),
    ("cwY<esc>u ", .told("All are left out: Space takes one in again.")),
  ])
  func whereNothingIsTakenBackTheWayToThatIsTold(keys: String, words: Status) {
    let desk = TestDesk().typing(keys)
    let told = desk.typing("u")
    #expect(told.state.status == words && told.state.topic == .review, "\(told.screen)")
    #expect(told.written == desk.written && told.journal.count == desk.journal.count)
  }

  @Test func theHelpTellsOfTakingBackWhereSomethingIsTakenBack() {
    let help = { (keys: String) in TestDesk(columns: 120, rows: 60).typing(keys + "?").screen.description }
    for keys in ["cw", "cjcwY<esc>u", "cwY<esc>u ", "cwY<esc>jcw"] {
      #expect(help(keys).contains("write, or take back") && !help(keys).contains("u F8"), "\(help(keys))")
    }
    #expect(help("cwY").contains("u F8"), "\(help("cwY"))")
  }

  @Test func whatAnotherWroteIsNotSaidToBeUnwritten() {
    var desk = TestDesk().typing("cw")
    desk.outcomes["42:reminders"] = .moved("it is no longer in conflict")
    #expect(desk.typing("Yu").state.status == Self.nothingHere)
  }

  /// Neither key does anything any more, and both say so.
  @Test func whatIsOverIsNotWrittenByEitherKey() {
    let desk = TestDesk().typing("cwY")
    let over = "It has ended: Y does nothing more here. Esc goes back."
    #expect(desk.typing("Y").state.status == .told(over) && desk.typing("Y").notes.count == 1)
    #expect(desk.typing("y").state.status == .told("y does nothing here. ? shows the keys."))
  }

  @Test func hiddenValuesStayHiddenInReasons() {
    let screen = Self.written().typing("P").screen.description
    #expect(!screen.contains("3%") && !screen.contains("Milk"))
    #expect(!Self.written().typing("P<esc>").screen.description.contains("NOT NULL"))
  }

  /// What was made at once is one step again, once its write was taken back.
  @Test func draftsCanBeTakenBackAfterTheirWriteWas() {
    let desk = TestDesk(BulkTests.many(2)).typing("BYwYuY<esc>")
    let count = desk.journal.count
    let back = desk.typing("u")
    #expect(back.state.status?.text.hasPrefix("2 drafts taken back") == true, "\(back.screen)")
    #expect(back.journal.count > count && back.journal.suffix(2).allSatisfy { $0.choice == nil })
  }
}
