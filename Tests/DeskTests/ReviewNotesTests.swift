import Foundation
import StoreInterface
import Testing

@testable import Desk

/// What a review says of each draft beside its fields.
@Suite struct ReviewNotesTests {
  /// The unchanged fields of a record are none of the drafts'.
  @Test func whatARecordShowsIsNotShownInAReview() {
    #expect(TestDesk().typing("<enter>=<esc>cw").screen == TestDesk().typing("cw").screen)
    #expect(TestDesk().typing("cw=").screen != TestDesk().typing("cw").screen)
  }

  @Test func whatBecomesOfADraftOnTheServerIsToldWithEach() {
    var desk = TestDesk([Sample.sure, Sample.clock])
    desk.uploads = [Sample.sure.id: .notNeeded, Sample.clock.id: .atNextLaunch]
    let screen = desk.typing("AjAw").screen.description
    #expect(screen.contains("not uploaded: the server already has it"), "\(screen)")
    #expect(screen.contains("uploaded at the app's next launch"), "\(screen)")
  }

  /// With the first of them.
  @Test func whatIsSaidOfSeveralIsSaidOnce() {
    var (sure, clock) = (Sample.sure, Sample.clock)
    sure.details.notes = ["The lock has ended."]
    clock.details.notes = ["The lock has ended.", "It was moved."]
    let screen = TestDesk([sure, clock]).typing("AjAw").screen.description
    #expect(screen.components(separatedBy: "The lock has ended.").count == 2, "\(screen)")
    #expect(screen.contains("! 2 of these: The lock has ended.") && screen.contains("! It was moved."))
  }

  @Test(arguments: [(80, 24), (60, 15), (40, 10)])
  func aLongNoteCanBeReadToItsEnd(columns: Int, rows: Int) {
    var sure = Sample.sure
    sure.details.notes = [String(repeating: "Something to know. ", count: 20) + "This ends it."]
    var desk = TestDesk([sure], columns: columns, rows: rows).typing("Aw")
    var seen = desk.screen.description
    for _ in 0..<40 {
      desk.type("j")
      seen += desk.screen.description
    }
    #expect(seen.contains("ends it."), "\(desk.screen)")
    #expect(desk.typing("<enter>").state.topic == .record)
  }
}
