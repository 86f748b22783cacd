import Terminal
import Testing

@testable import Desk

/// What comes in one piece, as over a slow line, or by tmux half a second behind an Esc, was typed by somebody who had seen nothing of
/// what it is about.
@Suite struct UnseenTests {
  private static let confirm = TerminalEvent.key("Y")

  /// On what stands on the screen, the last time.
  private func click(on text: String, of desk: TestDesk) throws -> TerminalEvent {
    let lines = desk.screen.description.split(separator: "\n", omittingEmptySubsequences: false)
    let row = try #require(lines.lastIndex { $0.contains(text) })
    let start = try #require(lines[row].firstRange(of: text)?.lowerBound)
    return .click(Point(column: lines[row].distance(from: lines[row].startIndex, to: start), row: row))
  }

  /// A review comes in sight, or what becomes of many: whoever leaves the page above it has not read it, whatever is between the two keys.
  @Test(
    arguments: ["jjjjjAw?", "jjjjjAw:", "B?"],
    [
      [.key(.escape), .key(.function(12))], [.key(.escape), .paste("x")], [.key(.escape), .wheel(1)],
      [.key(.escape), .key(.control("x"))], [.key(.escape), .resumed],
    ] as [[TerminalEvent]])
  func nothingIsConfirmedBehindEsc(way: String, keys: [TerminalEvent]) {
    let above = TestDesk().typing(way)
    let desk = above.taking(atOnce: keys + [Self.confirm])
    #expect(desk.journal == above.journal && desk.written.isEmpty, "\(desk.screen)")
    #expect(
      desk.state.status?.text.contains("Y was pressed before this screen was shown") == true, "\(desk.screen)"
    )
    let shown = keys.reduce(above) { $0.taking(.terminal($1)) }.taking(.terminal(Self.confirm))
    #expect(shown.journal != above.journal || !shown.written.isEmpty)
  }

  /// By whatever key it is left.
  @Test(arguments: ["q", "?", "<enter>", "<f1>", "<esc>"])
  func norBehindAnyOtherKeyThatLeaves(key: String) {
    let above = TestDesk().typing("jjjjjAw?")
    let desk = above.typing(atOnce: key + "Y")
    #expect(desk.written.isEmpty && desk.state.topic == .review, "\(desk.screen)")
    #expect(!above.typing(key + "Y").written.isEmpty)
  }

  /// Nor behind a click that closes it: Esc stands in its footer.
  @Test func norBehindAClickThatLeaves() throws {
    let above = TestDesk().typing("jjjjjAw?")
    let click = try click(on: "close", of: above)
    let desk = above.taking(atOnce: [click, Self.confirm])
    #expect(desk.written.isEmpty && desk.state.topic == .review, "\(desk.screen)")
    #expect(!above.taking(.terminal(click)).taking(.terminal(Self.confirm)).written.isEmpty)
  }

  /// Nor is anything decided there, as behind Esc.
  @Test(arguments: ["s", "c"] as [Key]) func norIsAnythingDecidedBehindAClickThatLeaves(key: Key) throws {
    let above = TestDesk().typing("<enter>?")
    try expectNothing(atOnceBy: [click(on: "close", of: above), .key(key)], on: above)
  }

  /// Who leaves a filter has the whole list again, in which the cursor stands elsewhere.
  @Test(arguments: ["<esc>", "<esc><esc>", "<c-c>"], ["s", "c"])
  func aRowThatComesBackIsNotDecided(leaving: String, key: String) {
    let filtered = TestDesk().typing("jj/milk")
    let row = filtered.state.list.selectedConflict
    #expect(filtered.typing(leaving).state.list.selectedConflict != row)
    let desk = filtered.typing(atOnce: leaving + key)
    #expect(desk.journal.isEmpty, "\(desk.screen)")
    #expect(!filtered.typing(leaving + key).journal.isEmpty)
    let both = filtered.taking(atOnce: [.key(.escape), .keyBehindEscape(.character(Character(key)))])
    #expect(both.journal.isEmpty, "\(both.screen)")
  }

  /// Nor is the row that the cursor goes to from there: it was hidden, too.
  @Test(
    arguments: [("/dent<enter>", .escape), ("4", .escape), ("4", "1"), ("4", "3")] as [(String, Key)],
    [.key("j"), .key(.down), .wheel(1)] as [TerminalEvent])
  func norIsTheNextOne(way: (filter: String, leaving: Key), move: TerminalEvent) {
    expectNothing(atOnceBy: [.key(way.leaving), move, .key("s")], on: TestDesk().typing(way.filter))
  }

  @Test(arguments: [("/dent<enter>", "Esc clear"), ("4", "Esc clear"), ("4", "1 All"), ("4", "3 Clock")])
  func norIsTheNextOneBehindAClick(filter: String, words: String) throws {
    let filtered = TestDesk().typing(filter)
    let click = try click(on: words, of: filtered)
    expectNothing(atOnceBy: [click, .key("j"), .key("s")], on: filtered)
  }

  /// At once nothing is decided by what decides something where each key is shown.
  private func expectNothing(atOnceBy keys: [TerminalEvent], on before: TestDesk) {
    let desk = before.taking(atOnce: keys)
    #expect(desk.journal.isEmpty, "\(desk.screen)")
    let shown = keys.reduce(before) { $0.taking(.terminal($1)) }
    #expect(!shown.journal.isEmpty, "\(shown.screen)")
  }

  /// Where its words are erased a filter is gone as well, also where a part of them is left.
  @Test(arguments: [
    "<c-u><c-c>", "<c-u><enter>", "<c-u><down>", "<c-w><c-c>", "<backspace><backspace><enter>j",
  ])
  func norWhereTheWordsAreErased(leaving: String) {
    let filtered = TestDesk().typing("jj/dent")
    #expect(filtered.typing(atOnce: leaving + "s").journal.isEmpty)
    #expect(!filtered.typing(leaving + "s").journal.isEmpty)
  }

  /// Nor where of the whole name of a table a part is made, which others have as well.
  @Test func norWhereAWholeNameBecomesAPart() {
    let (whole, part) = (ListNarrowing(words: ["table:=lists"]), ListNarrowing(words: ["table:lists"]))
    #expect(whole.hides(rowsOf: part) && !part.hides(rowsOf: whole))
  }

  /// Who types other words goes to what they find, as who types the first ones does.
  @Test(arguments: ["/milk", "/<c-u>milk", "/<backspace><backspace><backspace><backspace>milk", "/<end>ist"])
  func whatIsFoundByOtherWordsIsDecided(keys: String) {
    let filtered = TestDesk().typing("/dent<enter>")
    let (desk, single) = (filtered.typing(atOnce: keys + "<enter>A"), filtered.typing(keys + "<enter>A"))
    #expect(!single.journal.isEmpty && desk.journal == single.journal, "\(desk.screen)")
  }

  @Test func noClickTakesWhatEscHasShown() {
    let help = TestDesk().typing("<enter>?")
    let record = help.typing("<esc>")
    for row in 2..<20 {
      let click = TerminalEvent.click(Point(column: 45, row: row))
      let desk = help.taking(atOnce: [.key(.escape), click, click])
      #expect(desk.journal.isEmpty && desk.state.pages == record.state.pages, "\(desk.screen)")
    }
  }

  /// A draft that is left out, or a rule that is, changes what is confirmed next; rules that are kept decide what they fit.
  @Test(arguments: [("jjjjjAw?", " "), ("B?", " "), ("B?", "<enter>"), ("R<enter>j<enter>?", "t")])
  func norIsThatChangedWhichIsToBeConfirmed(way: String, key: String) {
    let above = TestDesk().typing(way)
    let left = above.typing("<esc>")
    let desk = above.typing(atOnce: "<esc>" + key)
    #expect(desk.state.pages == left.state.pages, "\(desk.screen)")
    let shown = left.typing(key)
    #expect(shown.state.pages != left.state.pages, "\(shown.screen)")
  }

  /// A key that is still down is no answer to what was told of it; pressed again it is.
  @Test func aKeyThatIsHeldConfirmsNothing() {
    var desk = TestDesk().typing("jjjjjAw?").taking(.terminal(.keyBehindEscape("Y")))
    for _ in 0..<20 {
      desk.now += 30_000_000
      desk.take(.terminal(Self.confirm))
      #expect(desk.written.isEmpty, "\(desk.screen)")
    }
    desk.now += 500_000_000
    desk.take(.terminal(Self.confirm))
    #expect(!desk.written.isEmpty, "\(desk.screen)")
  }

  /// Who goes from one record to the next, and back, has sent the cursor there.
  @Test(arguments: ["<enter>cqj<enter>s", "c?qjs", "<enter>n<esc>j<enter>?qn", "/milk<enter>A", "<enter>??c"])
  func whatTheCursorIsSentToIsDecided(keys: String) {
    let (desk, single) = (TestDesk().typing(atOnce: keys), TestDesk().typing(keys))
    #expect(desk.journal == single.journal && desk.state.pages == single.state.pages, "\(desk.screen)")
  }
}
