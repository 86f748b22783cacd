import ExactJSON
import Merging
import Telling
import Terminal
import Testing

@testable import Desk

/// Values that differ and look the same where they stand beside each other.
@Suite struct UnseenDifferenceTests {
  private static func json(_ text: String) -> Value {
    .opaque(kind: Value.jsonKind, bytes: Array(text.utf8))
  }

  /// A document with one key of two leaves, in the tree of another one.
  private func desk(
    _ ancestor: Value, _ client: Value, _ server: Value, columns: Int = 80, rows: Int = 24
  ) -> TestDesk {
    let leaves = [client, server].enumerated().map {
      Bookshop.leaf(Bookshop.id(3, $0 + 1), ["q": $1], of: [:])
    }
    let document = Bookshop.document(
      "walden", title: "Kinds", ancestor: Bookshop.version(["q": ancestor]), leaves: leaves)
    return Bookshop.desk([document], columns: columns, rows: rows)
  }

  private static let sizes = [(80, 24), (120, 40), (200, 50)]

  @Test(arguments: sizes) func aKindAloneIsToldOfAnyTwoVersions(columns: Int, rows: Int) {
    let told: [(Value, Value, Value, String)] = [
      (
        .integer(1), .text("1"), .real(1),
        "Ancestor and client differ in what does not show: A INTEGER, C TEXT"
      ),
      (
        .real(1), .text("1"), .text("1.0"), "Ancestor and server differ in what does not show: A REAL, S TEXT"
      ),
      (
        .integer(1), .integer(1), .text("1"),
        "Client and server differ in what does not show: C INTEGER, S TEXT"
      ),
      (
        .integer(1), .text("1"), .text("1"),
        "Ancestor and client differ in what does not show: A INTEGER, C TEXT"
      ),
      (
        Self.json("[1]"), Self.json("[2]"), .text("[1]"),
        "Ancestor and server differ in what does not show: A JSON, S TEXT"
      ),
    ]
    for (ancestor, client, server, words) in told {
      let screen = desk(ancestor, client, server, columns: columns, rows: rows).typing("<enter>").screen
        .description
      #expect(screen.contains(words), "\(screen)")
      #expect(screen.ranges(of: "does not show").count == 1, "\(screen)")
    }
    let seen = desk(.integer(1), .text("2"), .real(1), columns: columns, rows: rows).typing("<enter>").screen
    #expect(!seen.description.contains("does not show"), "\(seen)")
  }

  @Test(arguments: sizes) func theWholeValueTellsItToo(columns: Int, rows: Int) {
    let screen = desk(.integer(1), .text("1"), .real(1), columns: columns, rows: rows)
      .typing("<enter>g<enter>").screen.description
    #expect(screen.contains("they differ in what does not show: A INTEGER, C TEXT"), "\(screen)")
  }

  /// In ASCII alone neither a mark nor a selector shows, and the letter before it is the same on both sides.
  @Test(arguments: [("cafe\u{301}", "cafe", "C U+0301, S ends"), ("1\u{FE0F}", "1", "C U+FE0F, S ends")])
  func whatOneSideAloneHasBehindALetterIsTold(client: String, server: String, told: String) {
    var desk = desk(.text("dog"), .text(client), .text(server)).typing("<enter>")
    desk.state.isASCII = true
    let screen = desk.screen.description
    #expect(screen.contains("Client and server differ in what does not show: " + told), "\(screen)")
  }

  /// One that breaks no line, one of another width, one as wide as two, Braille without a dot, and one below a mark.
  @Test(arguments: [
    ("1\u{A0}2", "1 2", "C U+00A0, S U+0020"), ("1\u{2003}2", "1 2", "C U+2003, S U+0020"),
    ("1\u{3000}2", "1  2", "C U+3000, S U+0020 U+0020"), ("1\u{2800}2", "1 2", "C U+2800, S U+0020"),
    ("1\u{A0}\u{301}2", "1 \u{301}2", "C U+00A0, S U+0020"),
  ])
  func blanksOfAnotherKindAreTold(client: String, server: String, told: String) {
    let screen = desk(.text("dog"), .text(client), .text(server), columns: 120, rows: 40).typing("<enter>")
      .screen.description
    #expect(screen.contains("Client and server differ in what does not show: " + told), "\(screen)")
    #expect(!screen.contains("U+0032"), "\(screen)")
  }

  /// One that is wider, a mark on one, and the stroke of Ogham.
  @Test(arguments: ["1\u{3000}2", "1\u{A0}\u{301}2", "1\u{1680}2"])
  func blanksThatAreSeenAreNotTold(text: String) {
    for other in ["1 2", "1\u{A0}2"] {
      #expect(UnseenDifference(.text(text), .text(other), isASCII: false) == nil)
    }
  }

  /// There they are signs as all that is no ASCII, and no blanks.
  @Test(arguments: [
    ("1\u{A0}2", "1?2", "C U+00A0, S U+003F"), ("1\u{A0}2", "1\u{44B}2", "C U+00A0, S U+044B"),
    ("1\u{3000}2", "1? 2", "C U+3000, S U+003F U+0020"),
  ])
  func inASCIIAloneBlanksOfAnotherKindLookLikeSigns(client: String, server: String, told: String) {
    var desk = desk(.text("dog"), .text(client), .text(server), columns: 120, rows: 40).typing("<enter>")
    desk.state.isASCII = true
    let screen = desk.screen.description
    #expect(screen.contains("Client and server differ in what does not show: " + told), "\(screen)")
    for plain in ["1 2", "1  2"] {
      #expect(UnseenDifference(.text(client), .text(plain), isASCII: true) == nil)
    }
  }

  /// What follows is the same on both sides, and what differs behind that is not all told.
  @Test(arguments: [
    ("1\u{A0}2", "1 2", "U+00A0", "U+0020"), ("1\u{A0}2\u{A0}3", "1 2 3", "U+00A0 …", "U+0020 …"),
    ("1\u{3000}2\u{3000}3", "1  2  3", "U+3000 …", "U+0020 U+0020 …"),
    ("1\u{A0}2\u{3000}3", "1 2  3", "U+00A0 …", "U+0020 …"),
    ("caf\u{E9}s", "cafe\u{301}s", "U+00E9", "U+0065 U+0301"),
    ("\u{E9}t\u{E9}", "e\u{301}te\u{301}", "U+00E9 …", "U+0065 U+0301 …"),
  ])
  func onlyWhatDiffersIsNamed(old: String, new: String, ofOld: String, ofNew: String) throws {
    let unseen = try #require(UnseenDifference(.text(old), .text(new), isASCII: false))
    #expect([unseen.old, unseen.new] == [ofOld, ofNew])
  }

  /// Where the text goes on behind it nothing ends.
  @Test(arguments: [("cafe\u{301}s", "cafes", "nothing"), ("cafe\u{301}", "cafe", "ends")])
  func whatIsNotThereIsNoOtherLetter(old: String, new: String, ofNew: String) throws {
    let unseen = try #require(UnseenDifference(.text(old), .text(new), isASCII: true))
    #expect([unseen.old, unseen.new] == ["U+0301", ofNew])
    let turned = try #require(UnseenDifference(.text(new), .text(old), isASCII: true))
    #expect([turned.old, turned.new] == [ofNew, "U+0301"])
  }

  /// Before and after, in the review, where it is taken back, and in the tree.
  @Test func whatABecomesOfAnotherKindIsTold() {
    for (now, then, words) in [
      (Value.integer(1), Value.text("1"), ("1 (INTEGER)", "1 (TEXT)")),
      (Self.json("true"), .text("true"), ("true (JSON)", "true (TEXT)")),
      (.text("caf\u{E9}"), .text("cafe\u{301}"), ("caf\u{E9} (U+00E9)", "(U+0065")),
    ] {
      let desk = desk(now, now, then)
      for keys in ["<enter>Aw", "<enter>AwYu", "L"] {
        let screen = desk.typing(keys).screen.description
        #expect(screen.contains(words.0) && screen.contains(words.1), "\(keys): \(screen)")
      }
    }
  }

  /// Where a cell is narrow, what is told of it has room all the same.
  @Test(arguments: [12, 16, 24, 40]) func aCellTellsTheKindOfALongValue(width: Int) {
    let list = "[" + Array(repeating: "1", count: 40).joined(separator: ",") + "]"
    let pair = Privacy.open.pair(Self.json(list), .text(list), width: width)
    #expect(DisplayText.cut(pair.old, to: width).hasSuffix(" (JSON)"), "\(pair)")
    #expect(DisplayText.cut(pair.new, to: width).hasSuffix(" (TEXT)"), "\(pair)")
    let hidden = Privacy.hidden.pair(.integer(1), .text("1"), width: width)
    #expect(hidden.old == "***" && hidden.new == "***")
  }

  @Test func nothingIsToldOfWhatIsHidden() {
    for keys in ["<enter>", "<enter>g<enter>", "<enter>Aw", "L"] {
      let screen = desk(.integer(1), .integer(1), .text("1")).typing(keys + "P").screen.description
      #expect(!screen.contains("INTEGER") && !screen.contains("does not show"), "\(keys): \(screen)")
    }
  }
}
