import Foundation

/// Text as a voice may say it, and an eye take it for: two texts of which this is the same may be told apart by nothing.
package enum SpokenText {
  /// A text as it is said, line by line: nobody hears by what a line ends, nor whether the last one does, nor what blanks a blank one has.
  ///
  /// - Parameter isASCII: whether ASCII alone is sent, in which many letters have one stand-in.
  package static func text(_ text: String, isASCII: Bool = false) -> String {
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    if lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
    let said = lines.map { line in
      if lines.count > 1, isSilent(line) { return "" }
      return isASCII ? ASCII.text(naming(String(line))) : self.line(String(line))
    }
    return said.joined(separator: "\n")
  }

  /// A line of which what nobody hears is told: a code point that is invisible, or turns the writing direction, by its number, as
  /// "[U+200B]", a tab and the end of a line by their names. What only shapes its neighbours is left out.
  package static func naming(_ line: String) -> String {
    let unknown: Unicode.Scalar = "\u{FFFD}"
    if line.isPlain || line.isShownAsItIs && !line.unicodeScalars.contains(unknown) { return line }
    var (named, scalars) = (String.UnicodeScalarView(), SafeScalars(line[...]))
    while let safe = scalars.next() {
      // It was the last one that was looked at.
      guard let scalar = scalars.previous, scalar != safe || safe == unknown else {
        named.append(safe)
        continue
      }
      named.append(contentsOf: "[\(name(scalar))]".unicodeScalars)
    }
    return String(named)
  }

  private static func name(_ scalar: Unicode.Scalar) -> String {
    scalar == "\t" ? "tab" : Character(scalar).isNewline ? "line break" : scalar.number
  }

  /// A line of text, made safe: letters without the marks that they may be said without, those of another script that look like a
  /// Latin one as that, all blanks that follow one another as one, and signs as in ASCII. All others, which nobody takes for another one,
  /// stay.
  package static func line(_ line: String) -> String {
    let scalars = DisplayText.safe(naming(line)).decomposedStringWithCanonicalMapping.unicodeScalars
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

extension Unicode.Scalar {
  /// "U+200B"
  package var number: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: Swift.max(0, 4 - digits.count)) + digits
  }
}
