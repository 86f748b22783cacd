import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// The whole of a value, with its result.
@Suite struct ValueTests {
  @Test(arguments: [(80, 24), (120, 40), (200, 50), (40, 12), (60, 15)])
  func theWholeValue(columns: Int, rows: Int) throws {
    try expect(TestDesk(columns: columns, rows: rows).typing("<enter>j<enter>").screen, matches: "value")
  }

  private static func letter(_ changes: [Int: String]) -> Value {
    .text((1...40).map { changes[$0] ?? "This is line \($0) of a long letter." }.joined(separator: "\n"))
  }

  /// The client changed its third and its twentieth line, the server the last one.
  static let letter = Sample.record(
    "31:reminders", title: "Letter", ancestor: ["notes": letter([:])],
    client: ["notes": letter([3: "This is line 3 of my letter.", 20: "Line 20 is mine."])],
    server: ["notes": letter([40: "Yours, Bob"])])

  @Test func aLongTextIsShownWhereItDiffers() throws {
    let desk = TestDesk([Self.letter]).typing("<enter><enter>")
    try expect(desk.screen, matches: "value-letter")
    let wide = TestDesk([Self.letter], columns: 120, rows: 40).typing("<enter><enter>")
    try expect(wide.screen, matches: "value-letter")
  }

  @Test func keysGoFromChangeToChange() {
    var desk = TestDesk([Self.letter]).typing("<enter><enter>")
    let titles = (0..<5).map { _ in
      desk.type("]")
      return desk.screen.description.prefix(80).split(separator: " ").suffix(4).joined(separator: " ")
    }
    #expect(titles.map { $0.prefix(8) } == ["change 2", "change 3", "change 4", "change 5", "change 5"])
    #expect(desk.state.status?.text == "This is the last change.")
    #expect(desk.screen.description.contains("Yours, Bob"))
    desk.type("[[[[[")
    #expect(desk.state.status?.text == "This is the first change.")
    #expect(desk.screen.description.contains("line 3 of"))
  }

  @Test func allOfItIsShownWhenAskedFor() {
    let desk = TestDesk([Self.letter], rows: 60).typing("<enter><enter>")
    #expect(!desk.screen.description.contains("line 10 "))
    #expect(desk.typing("=").screen.description.contains("line 10 "))
  }

  @Test func wideSidesCanStandUnderEachOther() {
    let desk = TestDesk(columns: 120, rows: 40).typing("<enter>j<enter>")
    #expect(desk.screen.description.contains("│ R Result"))
    #expect(!desk.typing("|").screen.description.contains("R Result"))
    #expect(desk.typing("||").screen == desk.screen)
    #expect(
      TestDesk().typing("<enter>j<enter>|").state.status?.text
        == "They stand beside each other from 100 columns on.")
  }

  /// What the keys decide on the value is what they decide on the record.
  @Test(arguments: ["c", "s", "a", "cx", "cu", "cuU", "scuu"])
  func aFieldIsDecidedWhereItIsRead(keys: String) {
    let (value, record) = (TestDesk().typing("<enter>j<enter>" + keys), TestDesk().typing("<enter>j" + keys))
    #expect(value.journal == record.journal)
    #expect(value.state.open["42:reminders"] == record.state.open["42:reminders"])
    #expect(value.state.topic == .value)
  }

  @Test func theResultIsThatOfTheChoice() {
    let desk = TestDesk(columns: 120, rows: 40).typing("<enter>j<enter>")
    #expect(desk.typing("c").screen.description.contains("│ Ask about the wisdom tooth and"))
    #expect(desk.typing("s").screen.description.contains("│ Ask about wisdom tooth, X-ray and"))
    #expect(desk.typing("e<c-u>Nothing<enter>").screen.description.contains("R  Nothing"))
  }

  @Test func aValueThatIsNoTextIsOneChange() throws {
    try expect(TestDesk().typing("<enter>jj<enter>").screen, matches: "value-key")
  }
}
