import Foundation
import Merging
import StoreInterface
import Telling
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

  /// What fits is taken as it is, and what does not is broken between its words.
  @Test(arguments: 1...30) func aPlainTextIsOneLineWhereItFits(width: Int) {
    let runs = [Run("one two ", .dim), Run(""), Run("three")]
    let lines = runs.wrapped(width)
    #expect(lines.allSatisfy { $0.width <= width })
    #expect(lines.joined().map(\.text).joined() == "one two three")
    #expect((lines.count == 1) == (width >= 13), "\(lines)")
    #expect(lines.allSatisfy { $0.allSatisfy { !$0.text.isEmpty } })
    #expect(runs.wrapped(width, most: 0).isEmpty)
  }

  /// Between any two of its letters, so that a line that has begun is used; no mark begins a line, and no word of others is broken.
  @Test func whatIsWrittenWithoutBlanksIsBrokenBetweenItsLetters() {
    func lines(_ text: String, _ width: Int) -> [String] {
      [Run("C  "), Run(text)].wrapped(width).map { $0.map(\.text).joined() }
    }
    #expect(lines("買い物メモ", 8) == ["C  買い", "物メモ"])
    #expect(lines("買い、物「メモ」", 8) == ["C  買", "い、物", "「メモ」"])
    #expect(lines("買い、物「メモ」", 9) == ["C  買い、", "物「メ", "モ」"])
    #expect(lines("買milk物", 8) == ["C  買", "milk物"])
    #expect(lines("買い\n物", 20) == ["C  買い", "物"])
    let cut = [Run("買い物milkメモ")].wrapped(9, cutAfter: 1).map { $0.map(\.text).joined() }
    #expect(cut[0].hasPrefix("買い物milk"), "\(cut)")
  }

  @Test func whatIsCutHasNoSecondBlankWhereItsLineEnded() {
    let cut = [Run("one two three four")].wrapped(10, cutAfter: 1).map { $0.map(\.text).joined() }
    #expect(cut == ["one two three four  "])
    let ended = [Run("one\ntwo")].wrapped(10, cutAfter: 1).map { $0.map(\.text).joined() }
    #expect(ended == ["one two  "])
    // Also where what comes next would have had no room behind letters that need no blank.
    let letters = [Run("買い\nmilkshakes")].wrapped(12, cutAfter: 1).map { $0.map(\.text).joined() }
    #expect(letters[0].hasPrefix("買い milkshakes"), "\(letters)")
  }

  /// An empty line, or a short one, would end in the middle of the screen as if that were all.
  @Test(arguments: ["one\n\ntwo", "one\nb\nc"]) func whatIsCutBehindAShortLineHasItsMark(text: String) {
    var grid = Grid(Size(columns: 10, rows: 1))
    for line in [Run(text)].wrapped(10, cutAfter: 1) { grid.write(line, at: 0, 0, width: 10) }
    #expect(grid.description.hasSuffix("›"), "\(grid)")
  }

  /// Not known, NULL, empty and not there are easily drawn as one blank; nor is a text taken for the sign of one of them.
  @Test func whatIsNoTextIsNotTakenForAnother() {
    let texts = ["", "∅", "-", "(none)", " ", "\"∅\"", "\"\"", "\"\"\""]
    let values = [Value.null, .missing] + texts.map { Value.text($0) }
    var seen: Set<String> = [notes(Sample.noAncestor, under: "A Ancestor")]
    for value in values {
      let record = Sample.edit("1:reminders", client: ["notes": value], at: Sample.now, server: [:])
      seen.insert(notes(record, under: "C Client"))
    }
    #expect(seen.count == values.count + 1 && !seen.contains(""), "\(seen)")
  }

  /// There texts are compared word by word, and stand without quotes.
  @Test func norWhereItStandsBesideAText() {
    let texts = ["", "∅", "-", "(none)", "\"-\"", "\"\""]
    let values: [Value?] = [nil, .null, .missing] + texts.map { Optional(Value.text($0)) }
    let told = values.map { Privacy.open.pair(.text("milk"), $0, width: 24).new }
    #expect(Set(told).count == values.count && told[4] == "\"∅\"", "\(told)")
    let title = Privacy.open.line(.text("E621E1F8"), titles: [.text("E621E1F8"): "∅"])
    #expect(title == "\"∅\"")
  }

  /// Nor is a blank of another kind seen at an end, or alone; quotes of the text's own are no help.
  @Test(arguments: ["\u{A0}", "\u{2009}", "\u{3000}", "\u{2800}", "\u{A0}\u{FE00}"])
  func whatEndsWithAnyBlankStandsInQuotes(blank: String) {
    for text in ["1" + blank, blank + "1", blank, "\"1\(blank)\""] {
      #expect(Privacy.open.line(.text(text)) == "\"\(text)\"")
    }
    #expect(Privacy.open.pair(.text("milk"), .text(blank), width: 24).new == "\"\(blank)\"")
    for seen in ["1\(blank)2", "\(blank)\u{301}1", "1\u{1680}", "1\t"] {
      #expect(Privacy.open.line(.text(seen)) == seen)
    }
  }

  /// Of a long one the words that differ are worth more.
  @Test(arguments: [" ", "\u{A0}"]) func soAShortOneDoesBesideAText(blank: String) {
    let pair = Privacy.open.pair(.text("1"), .text("1" + blank), width: 24)
    #expect([pair.old, pair.new] == ["1", "\"1\(blank)\""])
    let client = ["notes": Value.text("1" + blank)]
    let record = Sample.edit("1:reminders", client: client, at: Sample.now, server: [:])
    let shown = notes(record, under: "C Client")
    #expect(shown.contains("\"1\(blank)\""), "\(shown)")
    let long = String(repeating: "All of this stays. ", count: 5)
    #expect(Privacy.open.texts(.text(long), .text(long + blank)) != nil)
  }

  @Test func whatStandsInQuotesForItsEndIsWhatLooksLikeABlank() {
    let texts = (0x20...0x3100).compactMap { Unicode.Scalar($0) }.map { "1" + String(Character($0)) }
    let told = texts.filter { Privacy.open.line(.text($0)) != $0 }
    #expect(told == texts.filter { SeenText.line($0).last == " " } && told.count == 17)
  }

  /// What stands in the row of the notes under a heading, up to the mark of the next column.
  private func notes(_ record: RecordConflict, under heading: String) -> String {
    let lines = TestDesk([record]).typing("<enter>").screen.description.split(separator: "\n")
    guard let head = lines.first(where: { $0.contains(heading) }),
      let row = lines.first(where: { $0.contains(" notes ") })
    else { return "" }
    let place = head.prefix { $0 != heading.first }.count
    return row.dropFirst(place).prefix(17).trimmingCharacters(in: .whitespaces)
  }

  /// Nobody should believe that what the app's engine has merged already waits for a decision.
  @Test func whatTheEngineMergedByItselfIsTold() {
    var record = Sample.dentist
    record.details.mergedRow = [
      "title": .text("Call dentist today"), "priority": .integer(3), "due": .text("2026-11-30"),
      "done": .integer(1),
    ]
    let screen = { (field: String) in
      TestDesk([record], columns: 120, rows: 40).typing("<enter>g" + field).screen.description
    }
    let title = screen("")
    #expect(title.contains("The app kept the client's value; the row still has it"), "\(title)")
    #expect(!title.contains("Left alone"))
    #expect(screen("jjjj").contains("The app took the server's value meanwhile; the row already has it"))
    #expect(screen("jjj").contains("The row has 2026-11-30 by now, which neither side has"))
    #expect(!screen("jjjjj").contains("by itself"), "both have it")
    record.details.mergedRow = ["title": .text("Call Dr. Wu")]
    let taken = TestDesk([record], columns: 120, rows: 40).typing("<enter>g").screen.description
    #expect(taken.contains("The row already has the server's value: the app took it, or"), "\(taken)")
  }

  /// Else a write of what the row was before the engine took the server's would be told to change nothing.
  @Test func theReviewShowsWhatTheRowHasByNow() {
    var record = Sample.dentist
    record.details.mergedRow = [
      "title": .text("Call Dr. Wu"), "notes": record["notes"]?.client?.value ?? .null,
    ]
    let screen = TestDesk([record], columns: 120, rows: 40).typing("cw").screen.description
    let title = screen.split(separator: "\n").first { $0.contains("Call Dr. Wu") } ?? ""
    #expect(title.contains("title") && title.contains("Call dentist today"), "\(screen)")
  }

  /// "yours" is somebody's own side in other tools, as are "ours" and "theirs".
  @Test(arguments: ["", "<enter>", "2", "?", "jj<enter>", "jjj<enter>", "L", "A"])
  func nothingIsCalledYours(way: String) {
    for size in [(40, 12), (80, 24), (200, 50)] {
      let screen = TestDesk(columns: size.0, rows: size.1).typing(way).screen.description
      #expect(!screen.contains(/\b([yY]ours|[oO]urs|[tT]heirs)\b/), "\(screen)")
    }
  }

  @Test func whatALeftAloneRecordBecomesIsNothingToDecide() {
    let screen = TestDesk(columns: 120, rows: 40).typing("jjjj<enter>").screen.description
    #expect(!screen.contains("! Left alone"))
    #expect(
      TestDesk(columns: 120, rows: 40).typing("j<enter>").screen.description.contains("a tie suggests C"))
  }

  /// Letters lose their accents there, and what somebody has to decide between would be one and the same.
  @Test func whatLooksAlikeInASCIIAloneIsSaidThere() {
    let cafe = Sample.edit(
      "50:reminders", title: "Cafe", client: ["title": .text("Cafe noir")], at: Sample.now - Sample.minute,
      server: ["title": (.text("Café noir"), Sample.now)])
    var desk = TestDesk([cafe]).typing("<enter>")
    let words = "Client and server differ in what does not show"
    #expect(!desk.screen.description.contains(words), "\(desk.screen)")
    desk.state.isASCII = true
    #expect(desk.screen.description.contains(words), "\(desk.screen)")
  }

  /// A law: whatever the width, two values beside each other are not cut to the same words.
  @Test(arguments: [10, 14, 16, 20, 40])
  func longNumbersAreCutWhereTheyDiffer(width: Int) {
    let numbers: [(Value, Value)] = [
      (.integer(9_007_199_254_740_993), .integer(9_007_199_254_740_995)),
      (.real(0.1), .real(0.10000000000000002)),
      (.integer(1), .integer(2)),
    ]
    for (old, new) in numbers {
      let pair = Privacy.open.pair(old, new, width: width)
      #expect(DisplayText.cut(pair.old, to: width) != DisplayText.cut(pair.new, to: width), "\(pair)")
    }
  }

  /// Of a number that fits nothing is left out, and of two that are the same the beginning is not.
  @Test func whatFitsIsShownWholeAndWhatIsTheSameFromItsBeginning() {
    let (one, other) = (Value.integer(4_503_599_624_740_993), Value.integer(4_503_599_624_740_995))
    for width in [16, 20] {
      let pair = Privacy.open.pair(one, other, width: width)
      #expect([pair.old, pair.new] == ["4503599624740993", "4503599624740995"])
    }
    #expect(Privacy.open.pair(one, other, width: 15).new.hasPrefix("…"))
    let words = Privacy.open.pair(.text("Call the dentist"), .text("Call the dentists!"), width: 18)
    #expect(words.new == "Call the dentists!")
    for width in [14, 20] {
      let same = Privacy.open.change(one, one, of: "priority", in: Sample.clock, widths: (width, width))
      #expect(same.now == "4503599624740993")
      #expect(same.after == "stays as it is")
    }
    let two = Value.integer(2)
    for (width, after) in [(14, "stays as it is"), (10, "2")] {
      let short = Privacy.open.change(two, two, of: "priority", in: Sample.clock, widths: (width, width))
      #expect(short.now == "2" && short.after == after)
    }
    let hidden = Privacy.hidden.change(two, two, of: "priority", in: Sample.clock, widths: (20, 20))
    #expect(hidden.after == hidden.now)
  }
}
