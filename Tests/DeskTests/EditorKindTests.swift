import ExactJSON
import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// Values that read alike and are of several kinds, as the keys of a document and a column without a type can have them.
@Suite struct EditorKindTests {
  /// A document with one key of two leaves, or more.
  private func editing(
    _ ancestor: Value, _ client: Value, _ server: Value, _ others: Value...
  ) -> TestDesk {
    let document = Bookshop.document(
      "kinds", title: "Kinds", ancestor: Bookshop.version(["q": ancestor]),
      leaves: ([client, server] + others).enumerated().map {
        Bookshop.leaf(Bookshop.id(2, $0 + 1), ["q": $1], of: [:])
      })
    return Bookshop.desk([document]).typing("<enter>ge")
  }

  private static func json(_ text: String) -> Value {
    .opaque(kind: Value.jsonKind, bytes: Array(text.utf8))
  }

  private static let copies: [(keys: String, side: Side)] = [
    ("<down>", .ancestor), ("<down><down>", .client), ("<up>", .server),
  ]

  @Test(arguments: [
    (Value.integer(1), json("true"), Value.text("1")), (.integer(1), .text("1"), .real(1)),
    (json("[1]"), .text("[1]"), json("[1,2]")), (.text("true"), json("true"), .null),
    (.integer(1), .missing, .text("")),
  ])
  func aVersionThatIsCopiedIsTakenFromItsSide(ancestor: Value, client: Value, server: Value) {
    let desk = editing(ancestor, client, server)
    for (keys, side) in Self.copies {
      #expect(
        desk.typing(keys + "<enter>").journal.map(\.choice) == [.take(side)], "\(desk.typing(keys).screen)")
    }
  }

  /// Of whichever two that look the same, also where the third one does not.
  @Test(
    arguments: [
      (Value.integer(1), .integer(1), .text("1"), ["1 (INTEGER)", "1 (INTEGER)", "1 (TEXT)"]),
      (.integer(1), .text("1"), .integer(5), ["1 (INTEGER)", "1 (TEXT)", "5"]),
      (.integer(1), .integer(5), .text("1"), ["1 (INTEGER)", "5", "1 (TEXT)"]),
      (.integer(5), .integer(1), .text("1"), ["5", "1 (INTEGER)", "1 (TEXT)"]),
    ] as [(Value, Value, Value, [String])])
  func eachLineTellsItsKind(ancestor: Value, client: Value, server: Value, told: [String]) {
    let screen = editing(ancestor, client, server).screen.description
    let lines = screen.split(separator: "\n").compactMap { line in
      line.firstMatch(of: #/^│ [ ●][ACS]  (\d( \([A-Z]+\))?) /#).map { String($0.1) }
    }
    #expect(lines == told, "\(screen)")
  }

  @Test func aVersionThatIsCopiedIsTakenFromItsSideInAColumnWithoutATypeToo() {
    let desk = TestDesk.editingColumn(.text("1"), .integer(1), .real(1))
    for (keys, side) in Self.copies {
      #expect(
        desk.typing(keys + "<enter>").journal.map(\.choice) == [.take(side)], "\(desk.typing(keys).screen)")
    }
  }

  @Test func whatIsStoredWithABlankAtItsEndStandsInQuotes() {
    let screen = editing(.text("a"), .text("1\u{A0}"), .text("1")).screen.description
    #expect(screen.contains("Stored as  TEXT \"1\u{A0}\""), "\(screen)")
  }

  @Test func whatIsStoredOfAVersionIsOfItsKind() {
    let copied = editing(.integer(1), Self.json("true"), .text("1")).typing("<up>")
    #expect(copied.screen.description.contains("Stored as  TEXT 1 "), "\(copied.screen)")
    // Where the cursor moves alone, it is that version still.
    #expect(copied.typing("<left><right><home><enter>").journal.map(\.choice) == [.take(.server)])
  }

  private static let typed: [(Value, Value, Value, String, Value)] = [
    (.integer(1), .integer(2), .text("1"), "0", .text("10")),
    (.integer(1), .integer(2), .text("1"), "<c-u>5", .text("5")),
    (.text("a"), .text("b"), .integer(1), "0", .integer(10)),
    (.integer(1), .text("b"), .real(1), "5", .real(1.05)),
    (.text("a"), .text("b"), json("[1]"), "<backspace>,2]", json("[1,2]")),
    // Words are no number, and NULL is of no kind.
    (.text("a"), .text("b"), .integer(1), "x", .text("1x")),
    (.integer(1), .text("b"), .null, "7", .text("7")),
  ]

  /// What is typed is of the kind that stood in the line, if it reads so.
  @Test(arguments: typed)
  func whatIsTypedIsOfTheKindThatStoodThere(
    ancestor: Value, client: Value, server: Value, typed: String, value: Value
  ) {
    let desk = editing(ancestor, client, server).typing("<up>" + typed)
    #expect(desk.typing("<enter>").journal.map(\.choice) == [.edit(value)], "\(desk.screen)")
  }

  /// As what `--set` is given, though a third leaf stands in no column.
  @Test func whatIsTypedMayBeOfTheKindOfAThirdLeaf() {
    let desk = editing(.integer(1), .integer(2), .integer(3), Self.json("[1]")).typing("<c-u>[9]")
    #expect(desk.screen.description.contains("Stored as  JSON [9] "), "\(desk.screen)")
    #expect(desk.typing("<enter>").journal.map(\.choice) == [.edit(Self.json("[9]"))])
  }

  @Test func soItIsInAColumnWithoutATypeToo() {
    let number = TestDesk.editingColumn(.text("a"), .text("b"), .integer(1)).typing("<up>0<enter>")
    #expect(number.journal.map(\.choice) == [.edit(.integer(10))])
    let text = TestDesk.editingColumn(.integer(1), .integer(2), .text("1")).typing("<up>0<enter>")
    #expect(text.journal.map(\.choice) == [.edit(.text("10"))])
  }

  /// Who takes back what was typed, by whichever key, has what was there, of its kind and from its side.
  @Test(arguments: [
    "0<backspace>", "<home>0<backspace>", "<c-u>1", "0<c-_>", "<down><c-_>", "<c-n><c-_>", "<up>0<backspace>",
    "<up>0<c-_>", "<c-u>5<down><c-_><c-_><c-_>",
  ])
  func whatReadsAsBeforeIsThatAgain(keys: String) {
    let decided = editing(.integer(1), .integer(2), .text("1")).typing("<esc>s")
    let desk = decided.typing("e" + keys)
    #expect(desk.screen.description.contains("Stored as  TEXT 1 "), "\(desk.screen)")
    #expect(desk.typing("<enter>").journal == decided.journal, "\(desk.screen)")
    #expect(desk.typing("<esc>").state.topic == .record, "\(desk.screen)")
  }

  /// A key that is not there, NULL and bytes are no text by a key that moves alone, or does nothing.
  @Test(arguments: ["<left>", "<right>", "<home>", "<end>", "<a-b>", "<a-f>", "<c-_>", "<c-y>", "<c-t>"])
  func theCursorMakesNoTextOfWhatIsNone(key: String) {
    for server in [Value.null, .missing] {
      let desk = editing(.integer(1), .integer(2), server).typing("<up>" + (key == "<c-_>" ? "" : key))
      #expect(desk.typing("<enter>").journal.map(\.choice) == [.take(.server)], "\(desk.screen)")
    }
    for desk in [
      editing(.integer(1), .null, .integer(2)), editing(.integer(1), .missing, .integer(2)),
      TestDesk.editingColumn(.text("a"), .blob(Blob(bytes: [1])), .text("b")),
    ] {
      let decided = desk.typing("<esc>c")
      let edited = decided.typing("e" + key)
      #expect(edited.typing("<enter>").journal == decided.journal, "\(edited.screen)")
    }
  }

  /// What erases leaves an empty text of it, as is told.
  @Test(arguments: ["<c-u>", "<backspace>", "<delete>", "<c-k>", "<c-w>"])
  func whatErasesLeavesAnEmptyText(key: String) {
    let desk = editing(.text("a"), .text("b"), .null).typing("<up>" + key)
    #expect(desk.screen.description.contains("Stored as  TEXT empty text"), "\(desk.screen)")
    #expect(desk.typing("<enter>").journal.map(\.choice) == [.edit(.text(""))])
  }

  /// It is an act as any other, though no letter goes by it.
  @Test(arguments: ["<c-u>", "<backspace>", "<delete>", "<c-k>", "<c-w>", "<a-d>", "<backspace><backspace>"])
  func whatIsErasedComesBackAsWhatItWas(key: String) {
    for back in ["<c-_>", "x<c-_><c-_>"] {
      for server in [Value.null, .missing] {
        let desk = editing(.integer(1), .integer(2), server).typing("<up>" + key + back)
        #expect(desk.typing("<enter>").journal.map(\.choice) == [.take(.server)], "\(desk.screen)")
      }
      for desk in [
        editing(.integer(1), .null, .integer(2)), editing(.integer(1), .missing, .integer(2)),
        TestDesk.editingColumn(.text("a"), .blob(Blob(bytes: [1])), .text("b")),
      ] {
        let decided = desk.typing("<esc>c")
        let edited = decided.typing("e" + key + back)
        #expect(edited.typing("<enter>").journal == decided.journal, "\(edited.screen)")
        #expect(edited.typing("<esc>").state.topic == .record, "\(edited.screen)")
      }
    }
  }

  /// What reads like what the editor began with may be of another kind, and Esc asks then.
  @Test func whatReadsAlikeAndIsOfAnotherKindIsAskedAbout() {
    let desk = editing(.integer(5), .text("1"), .text("x")).typing("<down><c-u>1")
    #expect(desk.screen.description.contains("Stored as  INTEGER 1 "), "\(desk.screen)")
    #expect(desk.typing("<esc>").state.topic == .editor)
    #expect(desk.typing("<enter>").journal.map(\.choice) == [.edit(.integer(1))])
  }

  /// What the editor begins with is what is suggested, of its kind.
  @Test func whoChangesNothingKeepsTheKind() {
    let desk = editing(.integer(1), Self.json("true"), .text("1")).typing("<esc>s")
    #expect(desk.typing("e<enter>").journal.map(\.choice) == [.take(.server)], "\(desk.typing("e").screen)")
  }

  /// They cannot be written, and are no empty text, either.
  @Test func bytesThatAreNotHereAreRefused() {
    let elsewhere = Value.blob(Blob(sha256: Array(repeating: 0x5A, count: 32), count: 900))
    let desk = TestDesk.editingColumn(.text("a"), .text("b"), elsewhere).typing("<up>")
    #expect(desk.screen.description.contains("│  blob 900 B #5a5a5a5a, not here "), "\(desk.screen)")
    #expect(!desk.screen.description.contains("✓ fits"), "\(desk.screen)")
    let refused = desk.typing("<enter>")
    #expect(refused.journal.isEmpty && refused.state.topic == .editor)
    #expect(
      refused.state.status
        == .failed("The server's bytes are not here, only their hash. Take another side, or give a file."))
    #expect(desk.typing("x<enter>").journal.map(\.choice) == [.edit(.text("x"))])
  }

  @Test func theShownLeafIsTakenWhereItsValueIsCopied() {
    let desk = Bookshop.desk().typing("<enter>G]]e<up><enter>")
    #expect(desk.journal.map(\.choice) == [.merged(.integer(7))])
    #expect(
      desk.state.status?.text.hasPrefix("stock: this is what leaf 4 has, so it is taken.") == true,
      "\(desk.screen)")
  }

  @Test(arguments: [
    ("1", "TEXT 1", Value.integer(1), "INTEGER 1"), ("1.5", "TEXT 1.5", .real(1.5), "REAL 1.5"),
    ("true", "TEXT true", json("true"), "JSON true"), ("[1]", "TEXT [1]", json("[1]"), "JSON [1]"),
  ])
  func whatReadsAsSeveralKindsIsTurned(typed: String, told: String, value: Value, turned: String) {
    let desk = editing(.text("a"), .text("b"), .text("c")).typing("<c-u>" + typed)
    #expect(desk.screen.description.contains("Stored as  \(told) "), "\(desk.screen)")
    #expect(desk.typing("<enter>").journal.map(\.choice) == [.edit(.text(typed))])
    let other = desk.typing("<tab>")
    #expect(other.screen.description.contains("Stored as  \(turned) "), "\(other.screen)")
    #expect(other.screen.description.contains("Tab: TEXT "), "\(other.screen)")
    #expect(other.typing("<enter>").journal.map(\.choice) == [.edit(value)])
    #expect(other.typing("<tab><enter>").journal.map(\.choice) == [.edit(.text(typed))])
  }

  /// Hexadecimal digits were the real 31.0.
  @Test(arguments: ["0x1F", "+5", ".5", "5.", "007"]) func whatIsNoNumberOfJSONIsAText(typed: String) {
    for server in [Value.real(3.5), .text("x")] {
      let desk = editing(.integer(1), .integer(2), server).typing("<c-u>" + typed)
      #expect(desk.screen.description.contains("Stored as  TEXT \(typed) "), "\(desk.screen)")
      #expect(desk.typing("<enter>").journal.map(\.choice) == [.edit(.text(typed))])
    }
  }

  @Test func noughtKeepsItsSign() {
    let desk = editing(.integer(1), .integer(2), .integer(3)).typing("<c-u>-0<enter>")
    #expect(desk.journal.map(\.choice) == [.edit(Self.json("-0"))])
    let either = editing(.integer(1), .integer(2), .text("x")).typing("<c-u>-0<enter>")
    #expect(either.journal.map(\.choice) == [.edit(Self.json("-0"))])
  }

  @Test func aNumberIsTurnedIntoAText() {
    let desk = editing(.integer(1), .integer(2), .integer(3)).typing("<c-u>5<tab>")
    #expect(desk.typing("<enter>").journal.map(\.choice) == [.edit(.text("5"))])
    // So it is as long as something is typed, and it is asked about before it is dropped.
    #expect(desk.typing("6<enter>").journal.map(\.choice) == [.edit(.text("56"))])
    #expect(desk.typing("<c-u>2<esc>").state.topic == .editor)
    let column = TestDesk.editingColumn(.text("a"), .text("b"), .text("c")).typing("<c-u>7<tab><enter>")
    #expect(column.journal.map(\.choice) == [.edit(.integer(7))])
  }

  @Test func whatIsTurnedBackIsWhatItBeganWith() {
    let desk = editing(.integer(1), .integer(2), .integer(3)).typing("<tab>")
    #expect(desk.screen.description.contains("Stored as  TEXT 2 "), "\(desk.screen)")
    #expect(desk.typing("<esc>").state.topic == .editor)
    let back = desk.typing("<tab>")
    #expect(back.typing("<esc>").state.topic == .record, "\(back.screen)")
    #expect(back.typing("<enter>").journal.map(\.choice) == [.take(.client)])
    // So is a version that was copied.
    let copied = editing(.integer(1), .integer(2), .integer(3)).typing("<up><tab><tab>")
    #expect(copied.typing("<esc>").state.topic == .record, "\(copied.screen)")
    #expect(copied.typing("<enter>").journal.map(\.choice) == [.take(.server)])
  }

  /// What was said of one value is not said of another one, and stays with the first.
  @Test func whatIsCopiedIsNotTurned() {
    let desk = editing(.integer(1), .integer(2), .integer(3)).typing("<tab>")
    #expect(desk.typing("<up>0<enter>").journal.map(\.choice) == [.edit(.integer(30))])
    #expect(desk.typing("<c-n>5<enter>").journal.map(\.choice) == [.edit(.integer(5))])
    for keys in ["<up><down>", "<up><c-_>", "<c-n><c-_>"] {
      let back = desk.typing(keys)
      #expect(back.typing("<enter>").journal.map(\.choice) == [.edit(.text("2"))], "\(back.screen)")
    }
    #expect(desk.typing("<up><esc>").state.topic == .editor)
    // Nor does it go with what is typed on, here or in $EDITOR.
    var outside = desk.typing("<c-x>")
    outside.take(.editedOutside("23"))
    #expect(outside.typing("<enter>").journal.map(\.choice) == [.edit(.text("23"))])
  }

  /// Words are nothing but a text, and a column of texts holds nothing else.
  @Test func whatIsOfOneKindIsNotTurned() {
    for desk in [editing(.text("a"), .text("b"), .text("c")), TestDesk().typing("<enter>ge")] {
      let told = desk.typing("<tab>")
      #expect(!desk.screen.description.contains("Tab:"), "\(desk.screen)")
      #expect(told.state.status?.text == "It can be read in only one way." && told.state.topic == .editor)
    }
  }
}
