import Testing

@testable import ExactJSON

/// Texts by their bytes, without what Swift makes of characters.
@Suite struct TextBytesTests {
  /// All of one and two bytes, and what is whole or cut of longer ones. Written piece by piece, as the compiler takes three seconds, three
  /// times, to find out what one expression of all would be.
  private static let bytes: [[UInt8]] = [[]] + short + cut

  private static let short: [[UInt8]] = (UInt8.min...UInt8.max).flatMap { first -> [[UInt8]] in
    [[first]] + (UInt8.min...UInt8.max).map { [first, $0] }
  }

  private static let cut: [[UInt8]] = ["é", "e\u{301}", "🌱", "\u{FEFF}", "\u{FFFD}", "a\u{0}b"].flatMap {
    (text: String) -> [[UInt8]] in
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
