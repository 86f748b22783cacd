import StoreInterface
import Terminal
import Testing

@testable import Desk

/// A server that is asked and says nothing.
@Suite struct SilentServerTests {
  private static let wait = StoreCall.Wait(seconds: 12, most: 60)
  private static let words = "Waiting for the server for 12 s, of 60."

  /// A desk on which a check, or a write, has no answer.
  private func silent(_ keys: String) -> TestDesk {
    var desk = TestDesk().typing("cw")
    desk.answersWait = true
    desk.type(keys)
    desk.take(.waits(Self.wait, for: .page))
    return desk
  }

  @Test func aWriteTellsHowLongItWaits() throws {
    try expect(silent("Y").screen, matches: "silent-write")
  }

  @Test func theListTellsHowLongItWaitsAndWhatEndsThat() throws {
    var desk = TestDesk()
    desk.take(.waits(Self.wait, for: .walk))
    try expect(desk.screen, matches: "silent-list")
  }

  @Test func everySecondIsAnotherOneAndNothingStaysOnceItAnswers() {
    var desk = silent("Y")
    desk.take(.waits(StoreCall.Wait(seconds: 13, most: 60), for: .page))
    #expect(desk.screen.description.contains("for 13 s, of 60."))
    desk.take(.waits(nil, for: .page))
    #expect(!desk.screen.description.contains("Waiting for"))
  }

  /// Of two that are asked at once.
  @Test func theLongestIsTold() {
    var desk = TestDesk()
    desk.take(.waits(StoreCall.Wait(seconds: 3, most: 60), for: .page))
    desk.take(.waits(Self.wait, for: .walk))
    #expect(desk.screen.description.contains(Self.words))
    desk.take(.waits(nil, for: .walk))
    #expect(desk.screen.description.contains("for 3 s, of 60."))
  }

  @Test(arguments: ["", "<enter>", "<enter><enter>"]) func escEndsTheWaitAndNothingElse(keys: String) {
    var desk = TestDesk().typing(" " + keys)
    let topic = desk.state.topic
    desk.take(.waits(Self.wait, for: .walk))
    desk.type("<esc>")
    #expect(desk.effects.last == .stopWaiting && desk.state.topic == topic)
    #expect(desk.state.list.marked == ["42:reminders"], "nothing is lost")
    #expect(desk.state.status == .told("The server is waited for no longer. r asks it again."))
    #expect(!desk.screen.description.contains(Self.words))
  }

  /// What is begun is finished, and what became of it is told.
  @Test func escInAWriteStopsItAndStaysToTellWhatBecameOfIt() {
    var desk = silent("Y")
    desk.type("<esc>")
    #expect(desk.effects.last == .stop && desk.state.topic == .review)
    #expect(desk.screen.description.contains("Stopping: the outcome comes next."))
    #expect(desk.screen.description.contains(Self.words), "it is waited for still: \(desk.screen)")
    desk.take(.wrote([CheckedWrite(id: "42:reminders", title: "42", outcome: .notKnown("no answer came"))]))
    desk.take(.waits(nil, for: .page))
    #expect(desk.screen.description.contains("not known whether written: no answer came"), "\(desk.screen)")
  }

  @Test func escInACheckLeavesTheReview() {
    var desk = TestDesk().typing("c")
    desk.answersWait = true
    desk.type("w")
    desk.take(.waits(Self.wait, for: .page))
    desk.type("<esc>")
    #expect(desk.effects.contains(.stop) && desk.state.topic == .list && !desk.effects.contains(.stopWaiting))
    #expect(!desk.journal.isEmpty && desk.journal.allSatisfy { $0.choice != nil }, "it stays decided")
  }

  /// Esc there is about what is typed.
  @Test func theEditorPromisesNothingOfEsc() {
    var desk = TestDesk().typing("<enter>e")
    desk.take(.waits(Self.wait, for: .page))
    #expect(!desk.screen.description.contains("waits no longer"), "\(desk.screen)")
    desk.type("<esc>")
    #expect(desk.state.topic == .record && !desk.effects.contains(.stopWaiting))
  }
}
