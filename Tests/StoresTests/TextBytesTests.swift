import Testing

@testable import ExactJSON

/// Texts by their bytes, without what Swift makes of characters.
@Suite struct TextBytesTests {
  /// All of one and two bytes, and what is whole or cut of longer ones.
  private static let bytes: [[UInt8]] =
    [[]] + (0...255).map { [$0] } + (0...255).flatMap { first in (0...255).map { [first, $0] } }
    + ["é", "e\u{301}", "🌱", "\u{FEFF}", "\u{FFFD}", "a\u{0}b"].flatMap { text in
      let whole = Array(text.utf8)
      return whole.indices.map { Array(whole[...$0]) } + [whole + [0xFF], [0xC3] + whole]
    }

  @Test func whatIsNoUTF8IsNoTextAndNothingOfItIsReplaced() {
    let wrong = Self.bytes.filter { bytes in
      let text = String(exactly: bytes[...])
      let isText = String(validating: bytes, as: UTF8.self) != nil
      return (text != nil) != isText || text.map { Array($0.utf8) != bytes } ?? false
    }
    #expect(wrong.isEmpty)
  }

  @Test func theOrderIsThatOfTheBytes() {
    let texts = Self.bytes.compactMap { String(exactly: $0[...]) }.filter { $0.utf8.count != 2 }
    let wrong = texts.filter { left in
      texts.contains { left.precedesInBytes($0) != left.utf8.lexicographicallyPrecedes($0.utf8) }
    }
    #expect(wrong.isEmpty)
  }
}
