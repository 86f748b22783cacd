/// Text as a terminal shows it: how wide it is, how it is cut, and what stands for characters that must not reach it.
package enum DisplayText {
  /// The columns of `text` once made safe.
  package static func width(_ text: String) -> Int { width(text, upTo: .max) }

  /// The columns of `text`, or some number above `most` if it is wider: the rest is not looked at.
  package static func width(_ text: String, upTo most: Int) -> Int {
    var columns = 0
    Glyph.each(of: text) {
      columns += $0.width
      return columns <= most
    }
    return columns
  }

  /// The columns of one grapheme cluster, as ncurses places it: by the C library's `wcwidth`, code point for code point.
  package static func width(_ character: Character) -> Int { width(String(character)) }

  /// `text` in at most `width` columns. What does not fit is cut and marked `›`.
  package static func cut(_ text: String, to width: Int) -> String {
    let glyphs = Glyph.beginning(of: text, columns: width)
    guard glyphs.reduce(0, { $0 + $1.width }) > width else { return joined(glyphs) }
    return width < 1 ? "" : joined(glyphs.prefix(fitting(glyphs, width - 1))) + "›"
  }

  /// `text` in at most `width` columns. What does not fit ends with the last whole word before, if that is not far away.
  package static func cutAtWord(_ text: String, to width: Int) -> String {
    guard width > 8, self.width(text, upTo: width) > width else { return cut(text, to: width) }
    let glyphs = Glyph.beginning(of: text, columns: width)
    let count = fitting(glyphs, width - 1)
    let part = joined(glyphs.prefix(count))
    let isWhole = part.last == " " || joined(glyphs.dropFirst(count).prefix(1)) == " "
    let end = isWhole ? part.endIndex : part.lastIndex(of: " ")
    guard let end, self.width(String(part[..<end])) > width / 2 else { return part + "…" }
    let words = part[..<end]
    return (words.last == " " ? words.dropLast() : words) + "…"
  }

  /// `text` in at most `width` columns. What does not fit is left out of its middle: names that begin alike end otherwise.
  package static func cutInside(_ text: String, to width: Int) -> String {
    guard width > 2, self.width(text, upTo: width) > width else { return cut(text, to: width) }
    let room = (width - 1) / 2
    var end = safe(String(text.suffix(room)))
    while self.width(end) > room { end.removeFirst() }
    let beginning = Glyph.beginning(of: text, columns: width - 1 - room)
    return joined(beginning.prefix(fitting(beginning, width - 1 - room))) + "…" + end
  }

  /// What a terminal is given for `text`.
  ///
  /// Control characters become their pictures (U+2400 and on); what is invisible, turns the writing direction or has no
  /// known width becomes U+FFFD; a mark on nothing gets a dotted circle; joiners and variation selectors that only shape
  /// their neighbours are left out. So a value can neither move the cursor, nor hide, nor shift a column. Safe text
  /// stays as it is.
  package static func safe(_ text: String) -> String {
    if isPlainASCII(text) { return text }
    var safe = ""
    Glyph.each(of: text) { glyph in
      safe += glyph.text
      return true
    }
    return safe
  }

  /// Whether ``safe(_:)`` shows `text` as it is.
  package static func isSafe(_ text: String) -> Bool { safe(text) == text }

  /// Whether a code point moves the cursor, cannot be seen, or turns the writing direction: what a text that other programs
  /// read should rather escape.
  package static func hides(_ scalar: Unicode.Scalar) -> Bool { SafeScalars.hides(scalar) }

  /// Most lines are, and need no look at their glyphs.
  private static func isPlainASCII(_ text: String) -> Bool { text.utf8.allSatisfy { 0x20...0x7E ~= $0 } }

  private static func joined(_ glyphs: some Sequence<Glyph>) -> String {
    // Not through the view of code points: that copies the whole text for each.
    glyphs.reduce(into: "") { $0 += $1.text }
  }

  /// How many glyphs fit into `columns`.
  private static func fitting(_ glyphs: [Glyph], _ columns: Int) -> Int {
    var used = 0
    for (index, glyph) in glyphs.enumerated() {
      used += glyph.width
      if used > columns { return index }
    }
    return glyphs.count
  }
}
