import Terminal
import Testing

@testable import Desk

/// What comes in one piece, as over a slow line, or by tmux half a second behind an Esc, was typed by somebody who had seen nothing of
/// what it is about.
@Suite struct UnseenTests {
  private static let confirm = TerminalEvent.key("Y")

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
    #expect(desk.state.status?.text.contains("Y was pressed before this was shown") == true, "\(desk.screen)")
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
    let footer = try #require(above.screen.description.split(separator: "\n").last)
    let hint = try #require(footer.firstRange(of: "close"))
    let column = footer.distance(from: footer.startIndex, to: hint.lowerBound)
    let click = TerminalEvent.click(Point(column: column, row: above.state.size.rows - 1))
    let desk = above.taking(atOnce: [click, Self.confirm])
    #expect(desk.written.isEmpty && desk.state.topic == .review, "\(desk.screen)")
    #expect(!above.taking(.terminal(click)).taking(.terminal(Self.confirm)).written.isEmpty)
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
  @Test(arguments: ["/dent<enter>", "4"], ["j", "<down>"])
  func norIsTheNextOne(filter: String, move: String) {
    let filtered = TestDesk().typing(filter)
    let desk = filtered.typing(atOnce: "<esc>" + move + "s")
    #expect(desk.journal.isEmpty, "\(desk.screen)")
    #expect(!filtered.typing("<esc>" + move + "s").journal.isEmpty)
    let wheel = filtered.taking(atOnce: [.key(.escape), .wheel(1), .key("s")])
    #expect(wheel.journal.isEmpty, "\(wheel.screen)")
  }

  /// Where its words are erased a filter is gone as well.
  @Test(arguments: ["<c-u><c-c>", "<c-u><enter>", "<c-u><down>", "<c-w><c-c>"])
  func norWhereTheWordsAreErased(leaving: String) {
    let filtered = TestDesk().typing("jj/dent")
    #expect(filtered.typing(atOnce: leaving + "s").journal.isEmpty)
    #expect(!filtered.typing(leaving + "s").journal.isEmpty)
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
