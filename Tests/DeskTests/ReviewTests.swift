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
