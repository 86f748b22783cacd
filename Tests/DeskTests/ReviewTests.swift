import Merging
import Terminal
import Testing

@testable import Desk

@Suite struct ReviewTests {
  @Test func onlyTheReviewScreenWritesAndOnlyAfterY() {
    let ready = TestDesk().typing("cYjcY")
    #expect(ready.written.isEmpty)
    #expect(ready.typing("w").written.isEmpty)
    #expect(Set(ready.typing("wY").written.keys) == ["42:reminders", "87:reminders"])
  }

  @Test func whatIsWrittenLeavesTheListAndComesBackWithUndo() {
    let written = TestDesk().typing("cwY<esc>")
    #expect(written.state.list.summary("42:reminders") == nil)
    let undone = written.typing("uY<esc>")
    #expect(undone.written.isEmpty)
    #expect(undone.state.list.summary("42:reminders")?.isReady == true)
  }

  @Test func fromARecordThatWasWrittenEscGoesBackToTheList() {
    let written = TestDesk().typing("<enter>cAcwY<esc>")
    #expect(written.state.pages.isEmpty)
    #expect(written.state.status?.isFailure != true)
  }

  @Test func whatCouldNotBeCheckedIsNotCalledFine() {
    var desk = TestDesk()
    desk.checkFailure = "locked"
    desk.type("cw")
    #expect(desk.state.status == .failed("locked"))
    #expect(desk.state.draw().description.contains("not checked"))
  }

  @Test func whatTheStoreRefusesIsNotEvenTried() {
    var desk = TestDesk()
    desk.outcomes["42:reminders"] = .refused(field: "title", "no")
    desk.type("cjcwY")
    #expect(Set(desk.written.keys) == ["87:reminders"])
    #expect(desk.state.list.summary("42:reminders") != nil)
  }

  @Test func aReadOnlyStoreIsNotWritten() {
    let desk = TestDesk(access: .readOnly(reason: "in use")).typing("cwY")
    #expect(desk.written.isEmpty && desk.state.status == .failed("in use"))
  }

  @Test func theNoteGoesWithTheWrite() {
    #expect(TestDesk().typing("cwecalled Ana<enter>Y").notes == ["called Ana"])
    #expect(TestDesk().typing("cwY").notes == [nil])
  }

  @Test func yInTheNoteIsALetter() {
    #expect(TestDesk().typing("cweY").written.isEmpty)
  }

  @Test func whereAllHasMovedTheWayPastItIsTold() {
    var desk = TestDesk().typing("cwY<esc>")
    for id in desk.written.keys { desk.outcomes[id] = .moved("the row has changed") }
    desk.type("uY")
    #expect(desk.screen.description.contains("Nothing was taken back"))
    #expect(desk.screen.description.contains("parley undo --skip"))
  }

  @Test func whereNothingCanBeTakenBackItIsSaidAtOnce() {
    let desk = TestDesk(findings: []).typing("u")
    #expect(desk.state.pages.isEmpty)
    #expect(desk.state.status?.text.hasPrefix("There is nothing to take back") == true)
  }

  @Test func takingBackShowsWhatIsThereNowAndWhatWasBefore() {
    let screen = TestDesk().typing("cwY<esc>u").screen.description
    for text in ["Take back the last write", "after taking back", "Put back as before.", "Y take back"] {
      #expect(screen.contains(text), "\(text)\n\(screen)")
    }
    #expect(!screen.contains(Sample.store.writing))
    let edited = TestDesk().typing("<enter>e<c-u>Ring<enter>A<tab>cwY<esc>u").screen
    #expect(edited.description.contains("title             Ring"), "\(edited)")
    #expect(edited.description.contains("Call dentist today"))
  }

  @Test func whatWroteNothingOffersNothingToTakeBack() {
    var desk = TestDesk().typing("cw")
    desk.outcomes["42:reminders"] = .moved("the row changed")
    desk.type("Y")
    #expect(desk.state.status == .failed("Nothing was written: see why above."))
    #expect(!desk.screen.description.contains("take"), "\(desk.screen)")
    desk.type("u")
    #expect(!desk.effects.contains(.readLastWrite))
  }

  @Test func afterAWriteTheKeysAreTold() {
    let screen = TestDesk().typing("cwY").screen.description
    #expect(screen.contains("1 written. u takes the write back."))
    #expect(screen.hasSuffix("Esc back   u take back   ? help"))
  }

  @Test func whatDoesNotFitInALineIsToldInMore() {
    let screen = TestDesk(columns: 40, rows: 10).typing("w").screen.description
    #expect(screen.contains("Nothing is ready: decide every field\n"))
    #expect(screen.hasSuffix(" of a record first."))
  }

  @Test func nothingReadyIsSaid() {
    #expect(TestDesk().typing("w").state.status?.text.hasPrefix("Nothing is ready") == true)
  }

  @Test func aFailureLeavesTheReviewAsItWas() {
    var desk = TestDesk().typing("cw")
    desk.take(.failed("the disk is full"))
    #expect(desk.state.status == .failed("the disk is full"))
    #expect(desk.typing("Y").written.count == 1)
  }
}
