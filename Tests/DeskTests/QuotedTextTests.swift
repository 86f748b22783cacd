import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// A text that reads like a number, in a field of numbers.
@Suite struct QuotedTextTests {
  /// Only the editor told that it is a text, and nothing did once that was left.
  @Test func whatWasTypedIsToldAsTheTextThatIsWritten() {
    let desk = TestDesk.editingColumn(.integer(1), .real(3.5), .integer(2)).typing("<c-u>1e400<enter>")
    #expect(desk.journal.last?.choice == .edit(.text("1e400")))
    #expect(desk.screen.description.contains(#"R  "1e400""#), "\(desk.screen)")
    for keys in ["w", "wYu"] {
      let screen = desk.typing(keys).screen.description
      #expect(screen.contains(#""1e400""#), "\(keys): \(screen)")
    }
    for keys in ["P", "wP"] {
      let screen = desk.typing(keys).screen.description
      #expect(!screen.contains("1e400"), "\(keys): \(screen)")
    }
  }

  @Test func soIsAVersion() {
    let record = TestDesk.editingColumn(.integer(1), .integer(2), .text("5")).typing("<esc>")
    let screen = record.screen.description
    #expect(screen.contains(#""5""#), "\(screen)")
  }

  /// Each of them told 5 there, as of the number.
  @Test(arguments: [80, 120]) func soItIsOnItsOwnPageAndInTheEditor(columns: Int) {
    var editor = TestDesk.editingColumn(.integer(1), .integer(2), .text("5"))
    editor.take(.terminal(.resized(Size(columns: columns, rows: 24))))
    #expect(editor.screen.description.contains(#"│  S  "5" "#), "\(editor.screen)")
    let value = editor.typing("<esc><enter>")
    #expect(value.state.topic == .value && value.screen.description.contains(#""5""#), "\(value.screen)")
    let hidden = value.typing("P").screen.description
    #expect(!hidden.contains("5\""), "\(hidden)")
  }

  @Test(arguments: [80, 120]) func soIsTheResultOfAValue(columns: Int) {
    var desk = TestDesk.editingColumn(.integer(1), .real(3.5), .integer(2)).typing("<c-u>1e400<enter><enter>")
    desk.take(.terminal(.resized(Size(columns: columns, rows: 24))))
    let screen = desk.screen.description
    #expect(desk.state.topic == .value && screen.contains(#"R  "1e400""#), "\(screen)")
    #expect(!screen.replacing(#""1e400""#, with: "").contains("1e400"), "\(screen)")
  }

  /// Nothing there tells the kinds of what looks the same: both ways made the same of it.
  @Test func soIsWhatAWayMakesOfAField() {
    let desk = Self.ways(.integer(1), [.text("5"), .integer(5)])
    #expect(desk.screen.description.contains(#"q: "5""#), "\(desk.screen)")
    #expect(desk.typing("j").screen.description.contains("q: 5"), "\(desk.typing("j").screen)")
    let hidden = desk.typing("P").screen.description
    #expect(hidden.contains(": ***"), "\(hidden)")
  }

  /// It is in no column.
  @Test func alsoBesideTheNumberOfAThirdLeaf() {
    let screen = Self.ways(.text("4"), [.text("5"), .text("6"), .integer(7)]).screen.description
    for told in [#"q "5""#, #"q "6""#, "q 7", #"q: "5""#] { #expect(screen.contains(told), "\(screen)") }
    let texts = Self.ways(.text("4"), [.text("5"), .text("6"), .text("7")]).screen.description
    #expect(texts.contains("q 5") && !texts.contains(#""5""#), "\(texts)")
  }

  /// It is in the server's column, and what the store gave there is a text.
  @Test(arguments: ["]", "]<enter>"]) func alsoBesideTheNumberOfALeafThatIsShown(keys: String) {
    let leaves: [Value] = [.text("5"), .text("6"), .integer(7)]
    let given = Self.document(.text("4"), leaves).typing("<enter>")
    #expect(!given.screen.description.contains(#""4""#), "\(given.screen)")
    let turned = given.typing(keys)
    #expect(turned.state.topic == (keys == "]" ? .record : .value))
    for told in [#""4""#, #""5""#] { #expect(turned.screen.description.contains(told), "\(turned.screen)") }
  }

  /// Beside the number that is taken: it was told as that.
  @Test(
    arguments: [
      ([.integer(1), .integer(2), .text("2")], #"given up, of leaf 3: "2""#),
      ([.integer(1), .integer(2), .text("3")], #"given up, of leaf 3: "3""#),
      ([.integer(1), json("[1]"), .text("[1]")], "given up, of leaf 3: [1] (TEXT)"),
      ([.text("1"), .text("2"), .text("3")], "given up, of leaf 3: 3"),
    ] as [([Value], String)])
  func soIsWhatIsGivenUpInTheReview(leaves: [Value], told: String) {
    let review = Self.document(.null, leaves).typing("<enter>sw")
    #expect(review.state.topic == .review && review.screen.description.contains(told), "\(review.screen)")
    let hidden = review.typing("P").screen.description
    #expect(hidden.contains("given up, of leaf 3: ***"), "\(hidden)")
  }

  /// Beside what is there now, which is taken: as `resolve` and D tell them, but where the kind stands behind what looks the same.
  @Test(
    arguments: [
      (.integer(2), .text("2"), "2 (TEXT)"), (.text("2"), .integer(2), "2 (INTEGER)"),
      (.integer(2), .text("3"), #""3""#), (.integer(2), .text("true"), #""true""#),
      (.text("2"), .text("3"), "3"), (json("[1]"), .text("[1]"), "[1] (TEXT)"),
      (.integer(2), .text("Ann"), "Ann"), (.integer(2), .null, "∅"),
    ] as [(Value, Value, String)])
  func soIsWhatTheServerLoses(client: Value, server: Value, told: String) {
    let review = Self.document(.missing, [client, server]).typing("<enter>cw").screen.description
    #expect(review.contains("given up, of the server: \(told)"), "\(review)")
  }

  @Test func soAreTextsThatANumberIsTypedOver() {
    let leaves: [Value] = [.text("1"), .text("2"), .text("3")]
    let review = Self.document(.text("0"), leaves).typing("<enter>e<c-u>2<tab><enter>w").screen.description
    for told in [#"given up, of leaf 2: "2""#, #"given up, of leaf 3: "3""#] {
      #expect(review.contains(told), "\(review)")
    }
  }

  private static func json(_ text: String) -> Value {
    .opaque(kind: Value.jsonKind, bytes: Array(text.utf8))
  }

  /// The list with a document of one key.
  private static func document(_ ancestor: Value, _ leaves: [Value]) -> TestDesk {
    let document = Bookshop.document(
      "quoted", title: "Quoted", ancestor: Bookshop.version(["q": ancestor]),
      leaves: leaves.enumerated().map { Bookshop.leaf(Bookshop.id(2, $0 + 1), ["q": $1], of: [:]) })
    return Bookshop.desk([document], columns: 120, rows: 30)
  }

  /// The list of ways of a document with one key.
  private static func ways(_ ancestor: Value, _ leaves: [Value]) -> TestDesk {
    var document = Bookshop.document(
      "ways", title: "Ways", ancestor: Bookshop.version(["q": ancestor]),
      leaves: leaves.enumerated().map { Bookshop.leaf(Bookshop.id(2, $0 + 1), ["q": $1], of: [:]) })
    document.details.alternatives = document.versionsAsAlternatives
    return Bookshop.desk([document], columns: 160).typing("<enter>o")
  }

  /// In what they differ is told in words, and where all are texts there is nothing to take one for.
  @Test(arguments: [
    (Value.integer(1), Value.text("5"), Value.integer(5)), (.text("4"), .text("5"), .text("6")),
  ])
  func noQuotesStandWhereNoneAreNeeded(ancestor: Value, client: Value, server: Value) {
    for keys in ["", "<esc>", "<esc><enter>"] {
      let screen = TestDesk.editingColumn(ancestor, client, server).typing(keys).screen.description
      #expect(!screen.contains(#""5""#), "\(keys): \(screen)")
    }
  }
}
