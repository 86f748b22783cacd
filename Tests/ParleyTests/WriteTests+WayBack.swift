import StoreInterface
import Testing

@testable import parley

/// What is told behind a write of how it is taken back.
extension WriteTests {
  @Test("a write that is there in part alone is taken back by the same command")
  func partlyTakenBack() {
    let part = CheckedWrite.Outcome.partly(written: "the title", "no room")
    let way = "To take this write back: parley undo a.sqlite"
    #expect(
      ready(["D1:reminders": part, "M2:reminders": part]).run("write a.sqlite --yes").output.contains(way))
    let refused = CheckedWrite.Outcome.refused(field: nil, "no")
    let run = ready(["D1:reminders": refused, "M2:reminders": refused]).run("write a.sqlite --yes")
    #expect(!run.output.contains(way))
  }

  @Test("no way back is told of a store that takes nothing back")
  func noWayBack() {
    var info = ready().store.info
    #expect(WriteCommand.wayBack(info, "a.sqlite") == "To take this write back: parley undo a.sqlite")
    info.notUndone = "its function refuses it"
    let words = "This write cannot be taken back: its function refuses it."
    #expect(WriteCommand.wayBack(info, "a.sqlite") == words)
  }
}
