import CTerminal

/// Text as an eye takes it where a terminal shows all letters: two texts of which this is the same look the same. Where ASCII alone is
/// shown, ``ASCII/text(_:)`` is that.
package enum SeenText {
  /// A line of text, made safe, with plain blanks in the place of others, as many as these have columns.
  package static func line(_ line: String) -> String {
    if line.isPlain { return line }
    var text = String.UnicodeScalarView()
    for scalar in DisplayText.safe(line).unicodeScalars {
      let blanks = scalar.looksBlank ? Int(ct_width(scalar.value)) : 0
      if blanks == 0 { text.append(scalar) }
      text.append(contentsOf: repeatElement(" ", count: blanks))
    }
    return String(text)
  }
}

extension Unicode.Scalar {
  /// Whether it is another blank than the plain one, and looks like that. U+1680 is a stroke in most fonts, and U+2800 is Braille without
  /// a dot, which Unicode does not call a blank.
  var looksBlank: Bool {
    switch self {
    case " ", "\u{1680}": false
    case "\u{2800}": true
    default: properties.generalCategory == .spaceSeparator
    }
  }
}
