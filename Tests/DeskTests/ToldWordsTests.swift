import StoreInterface
import Testing

@testable import Desk

/// What rows say in words, each found as if it were a text of its own.
@Suite struct ToldWordsTests {
  private static let titles = [
    "", "Call Dentist", "CAFE\u{301}", "Ångström 買い物", "a\0b", "Ünder Straße", "[x]@Z`",
  ]
  private static let words = [
    "call", "dentist", "café", "å", "買", "b", "straße", "z", "@", "due", "lists", "x] ", "t l",
  ]

  private static func told(_ rest: String) -> ToldWords {
    var told = ToldWords()
    for title in titles { told.append(title: Array(title.utf8), Array(rest.utf8)) }
    return told
  }

  private static func isFound(_ words: String, _ title: String, _ rest: String) -> Bool {
    SearchText.isFound(words, in: SearchText.folded(title) + " " + rest)
  }

  @Test(arguments: ["", "lists due: same time"]) func eachRowHasItsOwn(rest: String) {
    let told = Self.told(rest)
    #expect(told.count == Self.titles.count)
    for (row, title) in Self.titles.enumerated() {
      for words in Self.words {
        #expect(told.has(words, row) == Self.isFound(words, title, rest), "\(words) in \(title)")
      }
    }
  }

  @Test func aRowThatSaysSomethingElseIsFoundByThatAlone() {
    var told = Self.told("first")
    told.replace(2, title: Array("New".utf8), Array("second".utf8))
    #expect(told.count == Self.titles.count && told.has("new second", 2) && !told.has("first", 2))
    for row in [1, 3, 6] { #expect(told.has("first", row) && !told.has("second", row)) }
  }
}
