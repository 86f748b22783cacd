import Testing

@testable import Terminal

@Suite struct CodePointsTests {
  @Test func areWhatTheyWereMadeOf() {
    #expect(CodePoints().text.isEmpty && CodePoints().isEmpty)
    #expect(CodePoints("a").text == "a" && CodePoints(byte: 0x20) == .blank)
    var marked = CodePoints("e")
    for count in 1...6 {
      marked.append("\u{301}")
      let marks = String(repeating: "\u{301}", count: min(count, Glyph.marksAtMost))
      #expect(Array(marked.text.unicodeScalars) == Array(("e" + marks).unicodeScalars))
      var values: [UInt32] = []
      marked.each { values.append($0) }
      #expect(values.count == 1 + min(count, Glyph.marksAtMost) && values.count <= CodePoints.most)
    }
    #expect(marked != CodePoints("e"))
  }

  /// The ranges of the Unicode Character Database, which are asked for each letter of each text.
  @Test func theVariationSelectorsAreThoseOfUnicode() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.properties.isVariationSelector else { continue }
      // Between two letters it is left out.
      #expect(
        DisplayText.safe("é\(Character(scalar))é").unicodeScalars.allSatisfy {
          $0 != scalar && $0 != "\u{FFFD}"
        })
    }
  }
}
