import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// How values and words stand on the screen.
@Suite struct ReadingTests {
  private func inks(_ runs: [Run], _ isWanted: (Ink) -> Bool) -> String {
    runs.filter { isWanted($0.ink) }.map(\.text).joined()
  }

  private func difference(_ desk: TestDesk) throws -> [Run] {
    let record = try #require(desk.state.open["42:reminders"])
    let field = try #require(record.conflict["title"])
    return ShownRecord(record).difference(field, .server, desk.state, atMost: 1_000)
  }

  @Test func whereStrokesAreSeenNoBracketsStand() throws {
    let runs = try difference(TestDesk())
    #expect(runs.map(\.text).joined() == "Call dentist Dr. Wu")
    #expect(inks(runs, \.isStruck) == "dentist" && inks(runs, \.isUnderlined) == "Dr. Wu")
  }

  @Test func whereTheyAreNotTheyDo() throws {
    var desk = TestDesk()
    desk.state.bracketsWords = true
    #expect(try difference(desk).map(\.text).joined() == "Call [-dentist-]{+Dr. Wu+}")
  }

  @Test func aLineBreakBreaksTheLineAndNothingElse() {
    let kept = [Run("one\ntwo\n\nfour")].wrapped(20)
    #expect(kept.map { $0.map(\.text).joined() } == ["one", "two", "", "four"])
    let added = [Run("one"), Run("\n", Ink.client.underlined), Run("two")].wrapped(20)
    #expect(added.map { $0.map(\.text).joined() } == ["one\n", "two"])
    let words = [Run("one\ntwo", Ink.client.underlined)].wrapped(20)
    #expect(words.map { $0.map(\.text).joined() } == ["one", "two"])
    #expect([Run("one\r\ntwo")].wrapped(20).map { $0.map(\.text).joined() } == ["one\r\n", "two"])
  }

  /// "yours" is somebody's own side in other tools.
  @Test(arguments: ["", "<enter>", "2", "?", "jj<enter>", "jjj<enter>", "L", "A"])
  func nothingIsCalledYours(way: String) {
    for size in [(40, 12), (80, 24), (200, 50)] {
      let screen = TestDesk(columns: size.0, rows: size.1).typing(way).screen.description
      #expect(!screen.contains(/\b[yY]ours\b/), "\(screen)")
    }
  }

  @Test func whatALeftAloneRecordBecomesIsNothingToDecide() {
    let screen = TestDesk(columns: 120, rows: 40).typing("jjjj<enter>").screen.description
    #expect(!screen.contains("! Left alone"))
    #expect(
      TestDesk(columns: 120, rows: 40).typing("j<enter>").screen.description.contains("a tie suggests C"))
  }
}
