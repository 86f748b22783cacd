import Foundation

/// Text as a voice may say it, and an eye take it for: two texts of which this is the same may be told apart by nothing.
package enum SpokenText {
  /// A line of text, made safe: letters without the marks that they may be said without, those of another script that look like a
  /// Latin one as that, all blanks that follow one another as one, and signs as in ASCII. All others, which nobody takes for another one,
  /// stay.
  package static func line(_ line: String) -> String {
    let scalars = DisplayText.safe(line).decomposedStringWithCanonicalMapping.unicodeScalars
    var text = String.UnicodeScalarView()
    for scalar in scalars where !isMark(scalar) {
      let heard = isBlank(scalar) ? " " : lookalikes[scalar] ?? scalar
      if heard != " " || text.last != " " { text.append(heard) }
    }
    return ASCII.signs(in: String(text))
  }

  /// Whether nothing of a text is heard: it has blanks of whichever kind, and ends of lines, alone.
  package static func isSilent(_ text: some StringProtocol) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isWhitespace || isBlank(scalar) || scalar.properties.isVariationSelector
    }
  }

  /// Also U+1680, which is seen and not heard.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar.looksBlank || scalar == "\u{1680}"
  }

  /// Accents, and the vowels of Hebrew and Arabic. A mark of kana makes another letter.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x300...0x36F, 0x591...0x5C7, 0x64B...0x65F: true
    default: false
    }
  }

  /// Cyrillic and Greek letters, and what they look like.
  private static let lookalikes: [Unicode.Scalar: Unicode.Scalar] = {
    let pairs: KeyValuePairs = [
      "АВЕЅІЈКМНОРСТУХаеѕіјорсух": "ABESIJKMHOPCTYXaesijopcyx", "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧον": "ABEZHIKMNOPTYXov",
    ]
    let letters = pairs.flatMap { zip($0.unicodeScalars, $1.unicodeScalars) }
    return Dictionary(uniqueKeysWithValues: letters)
  }()
}
