import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// Rows of the list are marked by the names of their records.
@Suite struct MarkTests {
  private static func marked(_ keys: String) -> [String] { TestDesk().typing(keys).state.list.marked }

  @Test func spaceMarksARowAndGoesOn() {
    #expect(Self.marked("  ") == ["42:reminders", "87:reminders"])
    #expect(Self.marked(" k ") == [])
    #expect(Self.marked("<insert><s-down>") == ["42:reminders", "87:reminders"])
  }

  @Test(arguments: ["jvjj ", "jvjjv", "jjjvkkv"]) func aRangeHasBothItsEndsAndWhatIsBetween(keys: String) {
    let desk = TestDesk().typing(keys)
    #expect(desk.state.list.marked == ["87:reminders", "91:reminders", "3:reminders"])
    #expect(desk.typing("jj").state.list.marked == desk.state.list.marked)
  }

  @Test func aRangeIsSeenWhileItGrows() {
    let desk = TestDesk().typing("vj")
    #expect(desk.screen.description.contains("2 marked, v ends it"))
    #expect(desk.typing("k").state.list.marked == ["42:reminders"])
  }

  /// The beginning of a range, too.
  @Test func whatLeftTheListIsMarkedNoMore() {
    var list = TestDesk().typing(" v").state.list
    list.remove(["42:reminders", "87:reminders"])
    #expect(list.marks.isEmpty && list.markedCount == 0)
  }

  @Test func allThatIsShownIsMarkedAndUnmarkedByTheSameKey() {
    #expect(Self.marked("3*") == ["16:reminders", "66:reminders"])
    #expect(Self.marked("3**") == [])
    #expect(Self.marked("jjjj 3*") == ["16:reminders", "66:reminders"])
    // Also where some of it is.
    #expect(Self.marked("1*").count == 8)
  }

  @Test func escClearsARangeThenMarksThenWordsThenTheFilter() {
    var desk = TestDesk().typing("2/e<enter> v")
    #expect(desk.state.list.marks.start != nil)
    desk.type("<esc>")
    #expect(desk.state.list.marks.start == nil && desk.state.list.marked == ["42:reminders"])
    desk.type("<esc>")
    #expect(desk.state.list.marks.isEmpty && desk.state.list.words == "e")
    desk.type("<esc>")
    #expect(desk.state.list.words.isEmpty && desk.state.list.filter == .toDecide)
    desk.type("<esc>")
    #expect(desk.state.list.filter == .all)
  }

  @Test func marksStayWhateverIsShownAndWhenTheStoreIsReadAgain() {
    var desk = TestDesk().typing(" j ")
    for keys in ["3", "1", "o", "o", "/milk<enter>", "<esc>"] where keys != "<esc>" {
      desk.type(keys)
      #expect(Set(desk.state.list.marked) == ["42:reminders", "91:reminders"], "\(keys)")
      #expect(desk.screen.description.contains("2 marked"), "\(keys)")
    }
    desk.records.reverse()
    desk.type("r")
    #expect(Set(desk.state.list.marked) == ["42:reminders", "91:reminders"])
    desk.records.removeAll { $0.id == "42:reminders" }
    desk.type("r")
    #expect(desk.state.list.marked == ["91:reminders"])
  }

  @Test func whatIsWrittenIsMarkedNoMore() {
    let desk = TestDesk().typing("jc  ")
    #expect(desk.state.list.marked == ["87:reminders", "91:reminders"])
    #expect(desk.typing("wY<esc>").state.list.marked == ["91:reminders"])
  }

  /// Who makes drafts is done with their marks; who takes them back, or makes them again, may have marked them for something else.
  @Test func whatIsTakenBackStaysMarked() {
    #expect(Self.marked("*BY").contains("12:reminders") == false)
    let desk = TestDesk().typing("BY*")
    let all = desk.state.list.marked
    #expect(all.count == 8 && all.contains("12:reminders") && desk.journal.map(\.id).contains("12:reminders"))
    #expect(desk.typing("u").state.list.marked == all && desk.typing("uU").state.list.marked == all)
  }

  /// What is marked and not shown would be decided unseen.
  @Test func marksThatAFilterHidesAreTold() {
    let marked = TestDesk().typing("   ")
    #expect(marked.screen.description.contains("3 marked   ") && marked.state.list.hiddenMarks == 0)
    let hidden = marked.typing("/Rotate<enter>")
    #expect(hidden.screen.description.contains("3 marked, 2 not shown"), "\(hidden.screen)")
    #expect(hidden.typing("B").screen.description.contains("3 marked rows, 2 not shown in the list"))
    #expect(hidden.typing(" ").screen.description.contains("2 marked, 2 not shown"))
    #expect(!hidden.typing("1/<esc>").screen.description.contains("not shown"))
    for filter in ListFilter.allCases {
      let list = marked.typing("\(filter.rawValue)").state.list
      #expect(list.hiddenMarks == list.markedCount - list.shown.count(where: list.marks.ids.contains))
    }
  }

  @Test func aFindingIsNotMarked() {
    let desk = TestDesk().typing("G ")
    #expect(desk.state.list.marks.isEmpty)
    #expect(desk.state.status == .told("Only conflicts can be marked; this is a finding."))
    #expect(TestDesk().typing("6*").state.status?.text.contains("No conflict is shown") == true)
    // One in a range is passed over.
    #expect(Self.marked("GkvG") == ["70:reminders"])
  }

  @Test func marks() throws {
    try expect(TestDesk().typing(" jjvj").screen, matches: "list-marked")
    try expect(TestDesk(columns: 40, rows: 12).typing("  ").screen, matches: "list-marked")
  }
}
