import Foundation
import Merging
import Telling
import Terminal
import Testing

@testable import Desk

/// What is too long for its place is shown where it differs.
@Suite struct ChangedTextsTests {
  private static let words = (0..<40).map { "word\($0)" }

  private static func text(_ place: Int?, _ word: String) -> String {
    var words = words
    if let place { words[place] = word }
    return words.joined(separator: " ")
  }

  /// A law over all pairs of places: each side's own change is in its cell, and so is the ancestor's word there.
  @Test(arguments: [14, 20, 46]) func everyCellShowsItsChange(width: Int) throws {
    for client in 0..<40 {
      for server in 0..<40 {
        let texts = [Self.text(nil, ""), Self.text(client, "zebra"), Self.text(server, "tiger")]
        let changed = try #require(ChangedTexts(texts))
        let cells = texts.map { DisplayText.cut(changed.cell($0, width: width), to: width) }
        #expect(cells[1].contains("zebr") && cells[2].contains("tige"), "\(cells)")
        #expect(cells[0].contains("word\(min(client, server))".prefix(5)), "\(cells)")
      }
    }
  }

  /// The same words put in at two places: from the ancestor on both would read the same, as if nothing differed.
  @Test(arguments: [(80, 24), (120, 40)]) func sidesThatDifferDoNotReadTheSame(columns: Int, rows: Int) throws
  {
    let paragraphs = (1...40).map { "This is paragraph \($0) of the letter." }
    func text(_ place: Int) -> Value {
      var all = paragraphs
      all[place] = "Settled by telephone, so that nobody has to write about it once more. " + all[place]
      return .text(all.joined(separator: "\n"))
    }
    let letter = Sample.record(
      "59:reminders", title: "Letter", ancestor: ["notes": .text(paragraphs.joined(separator: "\n"))],
      client: ["notes": text(3)], server: ["notes": text(36)])
    let desk = TestDesk([letter], findings: [], columns: columns, rows: rows)
    let preview = try #require(
      desk.screen.description.split(separator: "\n").first { $0.contains(" notes ") })
    let sides = preview.split(separator: " S ", maxSplits: 1).map { side in
      side.components(separatedBy: "   ")[0].components(separatedBy: " C ").last?.trimmingCharacters(
        in: .whitespaces)
    }
    #expect(sides.count == 2 && sides[0] != sides[1], "\(preview)")
    guard columns < 100 else { return }
    let record = desk.typing("<enter>")
    let row = try #require(record.screen.description.split(separator: "\n").first { $0.contains(" notes ") })
    let page = try #require(record.state.top(RecordPage.self))
    let shown = try #require(record.state.open["59:reminders"])
    let starts = try #require(RecordLayout(record.state, page, shown)).starts
    let cells = [1, 2].map { String(row).prefix(starts[$0 + 1] - 2).dropFirst(starts[$0]) }
    #expect(cells[0] != cells[1], "\(row)")
  }

  @Test func allBeginAtTheSamePlaceAsLongAsEachShowsItsChange() throws {
    let texts = [Self.text(nil, ""), Self.text(20, "zebra"), Self.text(21, "tiger")]
    let changed = try #require(ChangedTexts(texts))
    #expect(
      texts.map { changed.cell($0, width: 30).prefix(22) } == [
        "…word19 word20 word21 ", "…word19 zebra word21 w", "…word19 word20 tiger w",
      ])
  }

  @Test func whatFitsOrDiffersAtTheStartBeginsThere() throws {
    let changed = try #require(ChangedTexts(["Milk, 2 litres of it", "Milk, 3 litres of it"]))
    #expect(changed.cell("Milk, 3 litres of it", width: 12) == "Milk, 3 litres of it")
    #expect(ChangedTexts(["same", "same", "same"]) == nil)
    let long = try #require(ChangedTexts([Self.text(nil, ""), Self.text(20, "zebra")]))
    #expect(long.cell("Nothing", width: 12) == "Nothing")
  }

  /// Bytes that two characters share are no place to cut at.
  @Test func onlyWholeCharactersAreShown() throws {
    let before = String(repeating: "ö", count: 50)
    let changed = try #require(ChangedTexts([before + "ä", before + "ü"]))
    for width in 1...60 { #expect(!changed.cell(before + "ü", width: width).contains("\u{FFFD}")) }
  }

  /// Many letters of one script begin with the same byte, or two.
  @Test(arguments: [["買い物", "買い牛", "買い物メモ"], ["שלום", "שרת"], ["犬", "牛", "物"], ["e", "e\u{301}"]])
  func nothingIsCutAwayWhereOnlyBytesAreTheSame(texts: [String]) throws {
    let changed = try #require(ChangedTexts(texts))
    for text in texts { #expect(changed.cell(text, width: 18) == text) }
  }

  /// What stands before it is counted in columns, of which such a letter has two.
  @Test func whatDiffersIsInSightBehindWideLetters() throws {
    let before = String(repeating: "買い物メモ", count: 60)
    let texts = ["犬", "牛", "物"].map { before + $0 }
    let changed = try #require(ChangedTexts(texts))
    for text in texts {
      let last = String(text.suffix(1))
      let start = changed.start(of: text, lines: 1, width: 40)
      #expect(DisplayText.cut(changed.cell(text, width: 18), to: 18).hasSuffix(last))
      #expect(DisplayText.cut("… " + text.part(start, text.utf8.count), to: 40).hasSuffix(last))
    }
  }

  /// Of a text without blanks the line that has begun is used, too.
  @Test func theSidesOfALongTextWithoutBlanksShowTheirFirstLetter() throws {
    let rest = String(repeating: "買い物メモ", count: 66)
    let record = Sample.record(
      "31:reminders", title: "Animals", ancestor: ["notes": .text("犬" + rest)],
      client: ["notes": .text("牛" + rest)], server: ["notes": .text("物" + rest)])
    let screen = TestDesk([record], columns: 100, rows: 30).typing("<enter>").screen.description
    #expect(["…犬", "…牛", "…物"].allSatisfy { !screen.contains($0) }, "\(screen)")
    let lines = screen.split(separator: "\n")
    for (letter, sign) in [("C", "牛買"), ("S", "物買")] {
      #expect(lines.contains { $0.hasPrefix("   \(letter)  ") && $0.contains(sign) }, "\(screen)")
    }
  }

  private static let letter: RecordConflict = {
    let greeting = (1...9).map { "This is line \($0) of a letter which nobody has changed." }
    func letter(_ end: String) -> Value { .text((greeting + [end]).joined(separator: "\n")) }
    return Sample.record(
      "31:reminders", title: "Letter", ancestor: ["notes": letter("Yours, Ann")],
      client: ["notes": letter("Kind regards, Ann")], server: ["notes": letter("Yours, Ann and Bob")])
  }()

  @Test(arguments: [(80, 24), (120, 40)])
  func theRecordOfALetterShowsItsLastLine(columns: Int, rows: Int) throws {
    let desk = TestDesk([Self.letter], columns: columns, rows: rows).typing("<enter>")
    try expect(desk.screen, matches: "record-letter")
  }

  @Test func ofJSONTheWordsThatDifferAreShown() throws {
    let before = #"{"colour":"red","shelf":"A","sizes":[1,2,3],"title":"Walden"}"#
    let (old, new) = (Value.opaque(kind: Value.jsonKind, bytes: Array(before.utf8)), Value.text("x"))
    let other = Value.opaque(
      kind: Value.jsonKind, bytes: Array(before.replacing("red", with: "blue").utf8))
    let texts = try #require(Privacy.open.texts(old, other))
    #expect(texts.old == before && texts.new.contains("blue"))
    #expect(Privacy.open.texts(old, new) != nil)
    #expect(Privacy.hidden.texts(old, other) == nil)
  }
}
