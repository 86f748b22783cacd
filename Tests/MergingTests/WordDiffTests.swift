import Merging
import Testing

@Suite struct WordDiffTests {
  private func text(_ old: String, _ new: String) -> String {
    WordDiff.pieces(from: old, to: new).map(\.description).joined()
  }

  @Test(arguments: [
    ("Call dentist", "Call dentist today", "Call dentist{+ today+}"),
    ("Call dentist", "Call Dr. Wu", "Call [-dentist-]{+Dr. Wu+}"),
    ("Bring insurance card.", "Bring both cards.", "Bring [-insurance card-]{+both cards+}."),
    ("wisdom tooth and cleaning", "wisdom tooth, X-ray and cleaning", "wisdom tooth{+, X-ray+} and cleaning"),
    ("a b c", "a c", "a [-b -]c"),
    ("", "new", "{+new+}"), ("old", "", "[-old-]"), ("", "", ""), ("same", "same", "same"),
    ("a  b", "a b", "a[-  -]{+ +}b"), ("a\nb", "a\n\nb", "a[-\n-]{+\n\n+}b"),
    ("a\r\nb", "a\nb", "a[-\r\n-]{+\n+}b"),
    ("wait...", "wait..", "wait..[-.-]"),
    ("買い物メモ", "買い物リスト", "買い物[-メモ-]{+リスト+}"),
    ("日本語です", "日本です", "日本[-語-]です"),
    ("한국어 메모", "한국어 목록", "한국어 [-메모-]{+목록+}"),
    ("family 👩‍👩‍👧‍👦!", "family 👩‍👩‍👧!", "family [-👩‍👩‍👧‍👦-]{+👩‍👩‍👧+}!"),
    ("snake_case 12px", "snake_case 13px", "snake_case [-12px-]{+13px+}"),
    ("caf\u{E9} au lait", "cafe\u{301} au lait", "[-caf\u{E9}-]{+cafe\u{301}+} au lait"),
  ])
  func aDifferenceReadsAsGitPrintsIt(old: String, new: String, expected: String) {
    let printed = text(old, new)
    #expect(Array(printed.utf8) == Array(expected.utf8), "\(printed)")
  }

  /// All texts of up to four tokens out of two words, a space and a full stop.
  private static let smallTexts: [String] = (0..<4).reduce(into: [""]) { texts, _ in
    texts += texts.flatMap { text in ["a", "b", " ", "."].map { text + $0 } }
    texts = Array(Set(texts)).sorted()
  }

  @Test func thePiecesAreBothTextsAndNoTwoNeighboursAreAlike() {
    for old in Self.smallTexts {
      for new in Self.smallTexts where (old.utf8.count + new.utf8.count).isMultiple(of: 3) {
        expectLaws(old, new)
      }
    }
  }

  private func expectLaws(_ old: String, _ new: String) {
    let pieces = WordDiff.pieces(from: old, to: new)
    #expect(pieces.compactMap(\.ofOld).joined() == old)
    #expect(pieces.compactMap(\.ofNew).joined() == new)
    // One expectation for all, as there may be a hundred thousand.
    let areNeighboursAlike = zip(pieces, pieces.dropFirst()).contains { $0.isAlike($1) }
    #expect(!areNeighboursAlike, "\(old) to \(new): \(pieces)")
    #expect(pieces.allSatisfy { !$0.text.isEmpty })
    #expect((old == new) == pieces.allSatisfy { $0 == .kept($0.text) })
  }

  @Test func aLongTextIsStillComparedByWordsWhereItsLinesAllow() {
    let lines = (0..<5_000).map { "Line \($0) has a few words." }
    let old = lines.joined(separator: "\n")
    var edited = lines
    edited[10] = "Line 10 has some words."
    edited[4_000] = "Line 4000 has a few words more."
    let pieces = WordDiff.pieces(from: old, to: edited.joined(separator: "\n"))
    #expect(pieces.filter { $0 != .kept($0.text) } == [.removed("a few"), .added("some"), .added(" more")])
  }

  @Test func aLongTextWithoutLinesIsSplitAtItsOwnWords() {
    let words = (0..<20_000).map { "word\($0)" }
    var edited = words
    edited[1] = "first"
    edited[19_000] = "last"
    let pieces = WordDiff.pieces(from: words.joined(separator: " "), to: edited.joined(separator: " "))
    #expect(
      pieces.filter { $0 != .kept($0.text) }
        == [.removed("word1"), .added("first"), .removed("word19000"), .added("last")])
  }

  @Test func megabytesAreCutToWhereTheyDiffer() {
    let text = String(repeating: "Eine lange Zeile, überall dieselbe. ", count: 100_000)
    let old = "\u{301}" + text + "ä b c" + text
    let new = "\u{301}" + text + "ä x c" + text + "  \u{301}"
    #expect(WordDiff.pieces(from: old, to: new).map(\.text.utf8.count).max() ?? 0 > 3_000_000)
    expectLaws(old, new)
    expectLaws(new, old)
    expectLaws(old, old)
    expectLaws(old, text)
    expectLaws("", old)
  }

  @Test func whatDiffersForMegabytesIsOneChange() {
    let (old, new) = (String(repeating: "a b ", count: 200_000), String(repeating: "c d ", count: 200_000))
    #expect(
      WordDiff.pieces(from: "x \(old)y", to: "x \(new)y")
        == [.kept("x "), .removed(old), .added(new), .kept("y")])
  }

  @Test func longTextsAreComparedLikeShortOnes() {
    var random = FixedRandom(state: 7)
    let filling = String(repeating: "word ", count: 20_000)
    for _ in 0..<40 {
      let (old, new) = (random.text(), random.text())
      let short = WordDiff.pieces(from: "(" + old + ")", to: "(" + new + ")")
      let long = WordDiff.pieces(from: filling + "(" + old + ")", to: filling + "(" + new + ")")
      #expect(long.dropFirst().elementsEqual(short.dropFirst()), "\(old) to \(new)")
      expectLaws(filling + old, filling + new)
      expectLaws(old + filling, new + filling)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func textsWithNothingInCommonDoNotTakeLong() {
    // 30,000 words a side, few of them different: the worst case of a difference that is quadratic.
    let old = String(repeating: "a b c d ", count: 7_500)
    let new = String(repeating: "d a d b c c ", count: 5_000)
    expectLaws(old, new)
    expectLaws(String(repeating: ".", count: 100_000), String(repeating: ",.", count: 50_000))
    let lines = (0..<20_000).map { "line \($0)\n" }
    expectLaws(lines.joined(), lines.reversed().joined())
  }
}

extension WordDiff.Piece {
  fileprivate var ofOld: String? {
    if case .added = self { nil } else { text }
  }

  fileprivate var ofNew: String? {
    if case .removed = self { nil } else { text }
  }

  /// Of one kind, or added before removed.
  fileprivate func isAlike(_ next: WordDiff.Piece) -> Bool {
    switch (self, next) {
    case (.kept, .kept), (.removed, .removed), (.added, .added), (.added, .removed): true
    case (.kept, _), (.removed, _), (.added, _): false
    }
  }
}

/// The same numbers on every run (a linear congruential generator).
private struct FixedRandom {
  var state: UInt64

  private mutating func number(below limit: UInt64) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % limit)
  }

  mutating func text() -> String {
    let tokens = ["a", "b", "é", "e\u{301}", " ", "\n", " \u{301}", "漢", "👍🏽", ".", "\r\n"]
    return (0..<number(below: 9)).map { _ in tokens[number(below: UInt64(tokens.count))] }.joined()
  }
}
