import CTerminal

/// Text as a terminal shows it: how wide it is, how it is cut, and what stands for characters that must not reach it.
public enum DisplayText {
  /// The columns of `text` once made safe.
  public static func width(_ text: String) -> Int { safe(text).reduce(0) { $0 + width($1) } }

  /// The columns of one grapheme cluster, as ncurses places it: by the C library's `wcwidth`.
  public static func width(_ character: Character) -> Int {
    character.unicodeScalars.reduce(0) { $0 + max(0, Int(ct_width($1.value))) }
  }

  /// `text` in at most `width` columns. What does not fit is cut and marked `›`.
  public static func cut(_ text: String, to width: Int) -> String {
    let text = safe(text)
    var used = 0
    var fitting = ""
    var lastFitting = ""
    for character in text {
      let columns = self.width(character)
      if used + columns > width { return width < 1 ? "" : lastFitting + "›" }
      used += columns
      fitting.append(character)
      if used < width { lastFitting = fitting }
    }
    return fitting
  }

  /// Control characters become their pictures (U+2400 and on), and what is invisible or turns the writing direction
  /// becomes U+FFFD, so that a value can neither move the cursor nor hide.
  public static func safe(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map(safe)))
  }

  private static func safe(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    case 0x80...0x9F, 0x202A...0x202E, 0x2066...0x2069: "\u{FFFD}"
    default: scalar
    }
  }
}
