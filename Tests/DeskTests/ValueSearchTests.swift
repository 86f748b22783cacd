import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// `/`, `n` and `N` in a whole value.
@Suite struct ValueSearchTests {
  /// Sixty lines, of which the fortieth differs and three name bread, two of them far from that.
  private static let record = {
    let lines = (1...60).map { [3, 39, 58].contains($0) ? "Bread, line \($0)." : "Line \($0)." }
    func text(_ word: String) -> Value {
      .text((lines.prefix(39) + ["The \(word) is late."] + lines.dropFirst(40)).joined(separator: "\n"))
    }
    return Sample.record(
      "60:reminders", title: "Bakery", ancestor: ["notes": text("train")], client: ["notes": text("bus")],
      server: ["notes": text("tram")])
  }()

  private func value(_ keys: String = "", columns: Int = 80, rows: Int = 24) -> TestDesk {
    TestDesk([Self.record], findings: [], columns: columns, rows: rows).typing("<enter><enter>" + keys)
  }

  private func marked(_ desk: TestDesk) -> [String] {
    let grid = desk.screen
    return (0..<grid.size.rows).map { row in
      (0..<grid.size.columns).map { grid[$0, row] }.filter { $0.ink.isSelected && $0.ink.isBold }.map(\.text)
        .joined()
    }.filter { !$0.isEmpty }
  }

  /// Also what is folded, in whatever letters, and around.
  @Test func wordsAreFoundAndMarked() {
    let first = value("/BREAD<enter>")
    #expect(first.state.topic == .value)
    #expect(marked(first).contains("Bread"), "\(first.screen)")
    #expect(first.state.status?.text == "Line 1 of 3 that have it.")
    let whole = value("=/bread<enter>n")
    #expect(whole.state.status?.text == "Line 2 of 3 that have it." && marked(whole).contains("Bread"))
    #expect(whole.screen.description.contains("line 39"), "\(whole.screen)")
    #expect(whole.typing("n").screen.description.contains("line 58"))
    #expect(whole.typing("nn").screen.description.contains("Bread, line 3."))
    #expect(whole.typing("NN").screen.description.contains("line 58"))
  }

  @Test func whatIsFoldedUnfoldsWhereTheWordsStandThereAlone() {
    let found = value("/line 58<enter>")
    #expect(found.screen.description.contains("Bread, line 58.") && found.state.showsAllOfValues)
    let none = value("/cake<enter>")
    #expect(none.state.status == .failed("Nothing in this value has cake.") && !none.state.showsAllOfValues)
    #expect(marked(none) == marked(value()))
    #expect(value("n").state.status?.text == "/ finds words in this value.")
    #expect(value("/bus<esc>").state.topic == .value)
  }

  /// A line that is longer than the screen goes on in the next one, in every layout.
  @Test(arguments: [(40, 12), (60, 15), (80, 24), (120, 40), (200, 50)])
  func wordsThatALineEndPartsAreFound(columns: Int, rows: Int) {
    let words = (1...90).map { "word\($0)" }.joined(separator: " ")
    let record = Sample.record(
      "61:reminders", title: "Long", ancestor: ["notes": .text(words)],
      client: ["notes": .text(words + " mine")], server: ["notes": .text(words + " theirs")])
    let value = TestDesk([record], findings: [], columns: columns, rows: rows).typing("<enter><enter>=")
    for number in 2...89 {
      let desk = value.typing("/word\(number) word\(number + 1)<enter>")
      #expect(marked(desk).joined().contains("word\(number + 1)"), "\(number)\n\(desk.screen)")
    }
  }

  /// An id of 36 letters stands in three rows of a column of 17: it was found in two at most.
  @Test(arguments: [(40, 12), (80, 24), (120, 40)]) func aWordOfSeveralLinesIsFound(columns: Int, rows: Int) {
    let word = (10..<60).map { "\($0)-" }.joined()
    let record = Sample.record(
      "61:reminders", title: "Long", ancestor: ["notes": .text("a \(word)")],
      client: ["notes": .text("a \(word) mine")], server: ["notes": .text("a \(word) theirs")])
    let desk = TestDesk([record], findings: [], columns: columns, rows: rows).typing("<enter><enter>=")
    let found = desk.typing("/\(word)<enter>")
    #expect(found.state.status?.text.hasPrefix("Line 1 of ") == true, "\(found.screen)")
    #expect(marked(found).joined().contains("59-"), "\(found.screen)")
  }

  /// Also where no blank parts them, and a line ends before a word that had no room.
  @Test(arguments: [(40, 12), (41, 12), (80, 24), (120, 40)])
  func lettersThatALineEndPartsAreFound(columns: Int, rows: Int) {
    let letters = (0..<90).compactMap { Unicode.Scalar(0x5000 + $0).map { String($0) } }
    let words = letters.enumerated().map { place, letter in place % 5 == 4 ? letter + "milk" : letter }
    let text = words.joined()
    let record = Sample.record(
      "61:reminders", title: "Long", ancestor: ["notes": .text(text)],
      client: ["notes": .text(text + " mine")], server: ["notes": .text(text + " theirs")])
    let value = TestDesk([record], findings: [], columns: columns, rows: rows).typing("<enter><enter>=")
    for place in 1..<89 {
      let desk = value.typing("/" + words[place] + letters[place + 1] + "<enter>")
      #expect(marked(desk).joined().contains(letters[place + 1]), "\(place)\n\(desk.screen)")
    }
  }

  /// However little room there would have been for what comes next.
  @Test(arguments: [
    ("買い\nmilkshakes", "いmilk"), ("one \ntwo", "one two"), ("twelve words\nmore", "wordsmore"),
  ])
  func wordsThatTheTextItselfPartsAreNotFound(text: String, words: String) {
    let rows = ValueRows([Run(text)].wrappedLines(12))
    #expect(rows.count == 2 && !rows.hasWords([SearchText.folded(words)], row: 0))
    let parted = ValueRows([Run("買い物milkshakes")].wrappedLines(12))
    #expect(parted.count == 2 && parted.hasWords([SearchText.folded("物milk")], row: 0))
  }

  /// The line that `n` came to is told from others that have the words.
  @Test func theLineThatWasFoundHasASign() {
    let found = value("=/bread<enter>n").screen.description.split(separator: "\n")
    #expect(found.filter { $0.contains("Bread") && $0.hasPrefix("›") }.count == 1, "\(found)")
  }

  /// In a merge the change under the cursor is the one in sight.
  @Test func aMergeIsSearchedToo() {
    let merge = value("m=/bread<enter>n")
    #expect(merge.state.topic == .merge && marked(merge).joined().contains("Bread"), "\(merge.screen)")
    let text = (1...30).map { "Line \($0)." }
    func changed(_ line: Int, _ words: String) -> Value {
      .text(text.map { $0 == "Line \(line)." ? words : $0 }.joined(separator: "\n"))
    }
    let record = Sample.record(
      "62:reminders", title: "Two", ancestor: ["notes": .text(text.joined(separator: "\n"))],
      client: ["notes": changed(4, "Mine.")], server: ["notes": changed(24, "Theirs.")])
    let second = TestDesk([record], findings: []).typing("<enter>m/theirs<enter>")
    #expect(second.state.top(ValuePage.self)?.change == 1, "\(second.screen)")
    #expect(second.typing("c").state.status?.text.hasPrefix("Change 2: client taken") == true)
  }

  /// What the list found the record by is on the screen, and marked.
  @Test func theValueOpensAtWhatTheListFound() {
    let desk = TestDesk([Self.record], findings: [], rows: 16).typing("/tram<enter><enter><enter>")
    #expect(desk.state.topic == .value && marked(desk).joined().contains("tram"), "\(desk.screen)")
  }

  /// What is hidden is not searched.
  @Test func hiddenNothingIsFound() {
    let desk = value("P/bread<enter>")
    #expect(
      desk.state.status?.text == "What is hidden is not searched. P shows it."
        && marked(desk) == marked(value("P")))
  }
}
