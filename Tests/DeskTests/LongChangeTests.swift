import ExactJSON
import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// Of a change of kilobytes a part is shown, at first where its sides differ, and all of it is reached.
@Suite struct LongChangeTests {
  private static func list(_ last: Int) -> Value {
    Value(.array((1...last).map { JSONValue.string("n\($0) ") }))
  }

  /// The server put one more text at the end of a list: 1,200 of them have 10 kB, 20,000 have 190 kB.
  private static func desk(
    _ last: Int, columns: Int = 80, rows: Int = 24, ancestor: [JSONValue] = []
  ) -> TestDesk {
    let leaves = [list(last), list(last + 1)].enumerated().map { place, list in
      Bookshop.leaf(Bookshop.id(2, place + 1), ["f": list], of: [:])
    }
    let ancestor = Bookshop.version(["f": Value(.array(ancestor))])
    let record = Bookshop.document("long", title: "Long", ancestor: ancestor, leaves: leaves)
    return TestDesk([record], findings: [], columns: columns, rows: rows, store: Bookshop.store)
  }

  /// Wherever lines are broken.
  private static func words(_ desk: TestDesk) -> String {
    desk.screen.description.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// A list is one change, of which the beginning alone was shown, that both sides have, and no key showed more.
  @Test(arguments: [(1_200, 80, 24), (1_200, 120, 40), (20_000, 80, 24)])
  func whereTwoLongListsDifferIsShownFirst(last: Int, columns: Int, rows: Int) {
    let desk = Self.desk(last, columns: columns, rows: rows).typing("<enter><enter>")
    #expect(desk.screen.description.contains("n\(last + 1)"), "\(desk.screen)")
    #expect(desk.screen.description.split(separator: "\n").last?.contains(" part") == true, "\(desk.screen)")
  }

  /// From the beginning to the end, by the keys that the value tells.
  @Test func allOfALongValueIsReached() {
    var desk = Self.desk(20_000).typing("<enter><enter>")
    #expect(desk.typing("<enter>").state.status?.text == "] and [ show the other parts of it.")
    var steps = 0
    while Self.words(desk).contains("before: [ ···"), steps < 40 {
      desk.type("[")
      steps += 1
    }
    #expect(Self.words(desk).contains("part 1 of \(steps + 1)"), "\(desk.screen)")
    #expect(desk.screen.description.contains(#""n1 ","n2 ","n3 "#), "\(desk.screen)")
    #expect(Self.words(desk.typing("G")).contains("more: ] ···"), "\(desk.typing("G").screen)")
    for _ in 0..<steps { desk.type("]") }
    #expect(desk.screen.description.contains("n20001"), "\(desk.screen)")
    #expect(desk.typing("]").state.status?.text == "This is the last change.")
  }

  /// The parts of a text are the text, wherever they are cut.
  @Test func thePartsJoinedAreTheText() {
    let server = String(repeating: "ä買", count: 9_000)
    let client = server + "!"
    let change = FieldPart.whole(ancestor: "x", client: client, server: server, change: .different)
    guard let long = LongChange(change, result: nil) else {
      Issue.record("45 kB are shown at once")
      return
    }
    for text in ["x", client, server] {
      let parts = (0..<long.count).map { long.part($0, of: text) }
      #expect(parts.map(\.text).joined() == text)
      #expect(parts.allSatisfy { $0.before + $0.text.utf8.count + $0.after == text.utf8.count })
    }
    #expect(long.part(long.first, of: client).text.utf8.count < 300)
  }

  /// "Nothing in this value has n1200.", where one part ended with "n".
  @Test func noWordIsCut() {
    let words = (1...3_000).map { "word\($0)" }
    let server = words.joined(separator: " ")
    let change = FieldPart.whole(ancestor: "x", client: server + "!", server: server, change: .different)
    guard let long = LongChange(change, result: nil) else {
      Issue.record("26 kB are shown at once")
      return
    }
    let parts = (0..<long.count).map { long.part($0, of: server).text }
    #expect(parts.joined() == server && parts.count > 3)
    #expect(parts.flatMap { $0.split(separator: " ").map(String.init) } == words)
  }

  /// Texts of more than 8 kB, of which a word lies where that ends.
  private static let cutWords: [(name: String, words: [String], between: String)] = [
    ("dates", (1_000..<2_000).map { "\($0)-02-28" }, " "),
    ("mail", (1_000..<2_000).map { "anna.\($0)@example.org" }, ","),
    ("none", ["wxyz"] + (0..<1_000).map { "語\($0)買" }, ""),
    ("last", Array(repeating: "lorem", count: 1_332) + ["abcdefghijklmnop"], " "),
    ("accents", ["ab"] + (1_000..<2_000).map { "e\u{301}\($0)e\u{301}" }, ""),
  ]

  /// "Nothing in this value has 1727-02-28.", nor the last word of a text, nor one of a text without blanks.
  @Test(arguments: cutWords.indices) func aWordOverACutIsFoundOnce(place: Int) throws {
    let (name, words, between) = Self.cutWords[place]
    let text = words.joined(separator: between)
    let long = try #require(LongChange(text))
    let parts = (0..<long.count).map { long.part($0, of: text).text }
    #expect(parts.joined() == text && parts.map(\.count).reduce(0, +) == text.count, "\(name)")
    for word in words.suffix(400).unique where word != "lorem" {
      let folded = SearchText.folded(word)
      let found = (0..<long.count).filter { place in
        let shown = long.part(place, of: text, reaching: [folded]).text
        return SearchText.isFound(folded, in: SearchText.folded(shown))
      }
      #expect(found.count == 1, "\(name): \(word) in \(found)")
    }
  }

  /// What is found there is shown as a whole, and the next of it is somewhere else.
  @Test(arguments: [(80, 24), (120, 40)]) func aWordOverACutIsShownAsAWhole(columns: Int, rows: Int) throws {
    let text = Self.cutWords[2].words.joined() + "語900買"
    let record = Sample.record(
      "7:reminders", title: "Long", ancestor: ["notes": .text(text)],
      client: ["notes": .text(text), "priority": .integer(7)],
      server: ["notes": .text(text), "priority": .integer(8)])
    var desk = TestDesk([record], columns: columns, rows: rows).typing("<enter>")
    desk.state.pages.append(.value(ValuePage(id: record.id, field: "notes")))
    let told = "Line 1 of 1 that have it. So have other parts of it."
    desk.type("/語900買<enter>")
    #expect(desk.state.status?.text == told, "\(desk.screen)")
    #expect(Self.words(desk).contains("part 1 of 2"), "\(desk.screen)")
    desk.type("n")
    #expect(desk.state.status?.text == told, "\(desk.screen)")
    #expect(Self.words(desk).contains("part 2 of 2"), "\(desk.screen)")
  }

  @Test func wordsAreFoundInThePartsThatAreNotShown() {
    var desk = Self.desk(20_000).typing("<enter><enter>/n1234<enter>")
    #expect(desk.screen.description.contains("n1234"), "\(desk.screen)")
    #expect(desk.state.status?.text.contains("So have other parts of it.") == true)
    for _ in 0..<12 where !desk.screen.description.contains("n12340") { desk.type("n") }
    #expect(desk.screen.description.contains("n12340"), "\(desk.screen)")
    #expect(desk.typing("/nobody<enter>").state.status?.text == "Nothing in this value has nobody.")
  }

  /// The ancestor has no column there: the part was shown in which it has the word, and then it was said that nothing has it.
  @Test(arguments: [(120, false), (80, true)]) func whatHasNoColumnIsNotLookedThrough(
    columns: Int, isFound: Bool
  ) {
    let desk = Self.desk(20_000, columns: columns, ancestor: [.string("only")]).typing("<enter><enter>")
    let found = desk.typing("/only<enter>")
    let told = found.state.status?.text
    #expect((told == "Nothing in this value has only.") != isFound, "\(found.screen)")
    guard case .value(let page)? = found.state.pages.last else {
      Issue.record("the value is shown still")
      return
    }
    #expect((page.stretch == nil) != isFound, "\(found.screen)")
  }

  /// What nobody changed ended after 10 kB.
  @Test func aLongValueThatIsTheSameIsReadToItsEnd() {
    let text = Value.text((1...2_000).map { "word\($0)" }.joined(separator: " "))
    let record = Sample.record(
      "7:reminders", title: "Long", ancestor: ["notes": text],
      client: ["notes": text, "priority": .integer(7)], server: ["notes": text, "priority": .integer(8)])
    var desk = TestDesk([record]).typing("<enter>")
    desk.state.pages.append(.value(ValuePage(id: record.id, field: "notes")))
    #expect(desk.screen.description.contains("word1 word2") && Self.words(desk).contains("part 1 of 3"))
    desk.type("]]G")
    #expect(desk.screen.description.contains("word2000"), "\(desk.screen)")
  }

  /// Below the fields both were shown by their beginning, which is the same.
  @Test(arguments: [(80, 24), (120, 40)]) func twoLongListsAreNotShownAlike(columns: Int, rows: Int) {
    let screen = Self.desk(1_200, columns: columns, rows: rows).typing("<enter>").screen.description
    let below = screen.split(separator: "   A  ").last ?? ""
    #expect(below.contains("n1201") && !below.contains("n1 "), "\(screen)")
  }

  /// 64 more lines were told of what has 143 more, as no more than 4 kB are broken into lines.
  @Test func ofALongValueTheRecordTellsThatThereAreAtLeastSoManyLines() {
    for (count, isAll) in [(2_000, false), (300, true)] {
      let text = Value.text((1...count).map { "word\($0)" }.joined(separator: " "))
      let record = Sample.record(
        "7:reminders", title: "Long", ancestor: ["notes": .text("word")],
        client: ["notes": text, "priority": .integer(7)],
        server: ["notes": .text("word"), "priority": .integer(8)])
      let screen = TestDesk([record], columns: 120, rows: 40).typing("<enter>k").screen.description
      let words = screen.contains("› at least ") || screen.contains("+ more")
      #expect(words == !isAll && screen.contains(" more"), "\(screen)")
    }
  }
}
