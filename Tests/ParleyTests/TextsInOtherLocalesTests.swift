import Foundation
import Testing

@testable import parley

/// Texts that are asked for where the locale is not UTF-8.
@Suite struct TextsInOtherLocalesTests {
  private func run(_ arguments: [String], _ letters: LineWriter.Letters, width: Int? = nil) -> String {
    var bytes: [UInt8] = []
    let output = LineWriter(letters, width: width) { bytes += $0 }
    let status = Program.run(arguments, in: .live(output: output))
    #expect(status == .nothingLeft)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The page that is packed, and the examples of JSON.
  @Test(arguments: [["help", "--man"], ["help", "output"]])
  func aFileHasAllSignsWhateverTheLocale(arguments: [String]) {
    let text = run(arguments, .all)
    #expect(text.contains("…") && text.contains("✓") == (arguments == ["help", "--man"]))
    #expect(run(arguments, .allButSigns) == text)
  }

  /// What stands for … elsewhere is a redirection to a shell.
  @Test func anExampleCanBeTypedAsATerminalShowsIt() {
    let text = run(["help", "output"], .ascii, width: 80)
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("parley list .. | head -1"), "\(words)")
  }
}
