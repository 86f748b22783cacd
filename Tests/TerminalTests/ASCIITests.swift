import Foundation
import Testing

@testable import Terminal

@Suite struct ASCIITests {
  @Test(arguments: [
    ("─ ✓ ✗ ▸ ⇡ ∅ ›", "- v x > w # >"), ("╭─┤x├╯", "+-+x++"), ("“é” ñ ß", "\"e\" n ?"), ("買い物", "? ? ? "),
    ("e\u{301}x", "ex"), ("a\u{1B}b", "a?b"), ("plain", "plain"), ("½ … ⋯ ·", "/ > . ."), ("a\nb␣", "a$b_"),
    ("●1", "=1"),
  ])
  func aLineKeepsItsColumns(line: String, shown: String) {
    #expect(ASCII.text(line) == shown)
    #expect(DisplayText.width(line) == shown.count)
  }

  @Test func aFrameKeepsItsColumnsAndInks() {
    var grid = Grid(Size(columns: 12, rows: 1))
    grid.write([Run("─ 買", .dim), Run(" é", .client.bold), Run("│", .needs)], at: 0, 0)
    let ascii = grid.inASCII
    #expect(ascii.description == "- ?  e|")
    #expect(ascii.cells.map(\.ink) == grid.cells.map(\.ink))
    #expect(ascii.inASCII == ascii)
  }

  /// Every sign that any screen draws: a golden file holds the screen as text.
  @Test func everySignOfTheScreensHasOneThatLooksLikeIt() throws {
    let folder = URL(fileURLWithPath: #filePath).appending(path: "../../DeskTests/Golden").standardized
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    var signs: Set<Unicode.Scalar> = []
    for name in names {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      signs.formUnion(text.unicodeScalars.filter { $0.value > 0x7F && !$0.properties.isEmojiPresentation })
    }
    // Pictures of control characters, and what stands for what cannot be shown, are of values.
    let ours = signs.filter { scalar in
      switch scalar.properties.generalCategory {
      case .mathSymbol, .otherSymbol, .dashPunctuation, .otherPunctuation, .initialPunctuation,
        .finalPunctuation,
        .otherNumber:
        !(0x2400...0x2426).contains(scalar.value) && scalar != "\u{FFFD}"
      default: false
      }
    }
    #expect(ours.count > 15)
    for sign in ours { #expect(ASCII.standIn(for: String(sign)) != "?", "\(sign)") }
  }

  @Test(
    arguments: [
      ([:], false), (["LANG": "C"], true), (["LANG": "C.UTF-8"], false), (["LANG": "de_DE.utf8"], false),
      (["LANG": "de_DE.ISO-8859-1"], true), (["LANG": "de_DE.UTF-8", "LC_ALL": "C"], true),
      (["LANG": "C", "LC_CTYPE": "UTF-8"], false), (["LANG": "", "LC_ALL": ""], false),
      (["LANG": "POSIX"], true),
    ] as [([String: String], Bool)])
  func theLocaleSaysWhetherASCIIIsAllThatIsShown(environment: [String: String], isAll: Bool) {
    #expect(ASCII.isAllThatIsShown(in: environment) == isAll)
  }
}
