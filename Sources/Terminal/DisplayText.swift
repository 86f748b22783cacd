/// Text as a terminal shows it: how wide it is, how it is cut, and what stands for characters that must not reach it.
package enum DisplayText {
  /// The columns of `text` once made safe.
  package static func width(_ text: String) -> Int { width(text, upTo: .max) }

  /// The columns of `text`, or some number above `most` if it is wider: the rest is not looked at.
  package static func width(_ text: String, upTo most: Int) -> Int {
    if let plain = plainWidth(text) { return plain }
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
    if let plain = plainWidth(text) {
      return plain <= width ? text : width < 1 ? "" : text.bytes(width - 1) + "›"
    }
    return joined(Glyph.cut(text, to: width))
  }

  /// `text` in at most `width` columns. What does not fit ends with the last whole word before, if that is not far away.
  package static func cutAtWord(_ text: String, to width: Int) -> String {
    guard width > 8, self.width(text, upTo: width) > width else { return cut(text, to: width) }
    let (part, next) = parted(text, at: width - 1)
    let isWhole = part.utf8.last == blank || next == " "
    let end = isWhole ? part.endIndex : part.utf8.lastIndex(of: blank)
    guard let end, self.width(String(part[..<end])) > width / 2 else { return part + "…" }
    let words = part[..<end]
    return (words.utf8.last == blank ? Substring(words.utf8.dropLast()) : words) + "…"
  }

  private static let blank = UInt8(ascii: " ")

  /// What of a text that is wider fits, and the glyph after it.
  private static func parted(_ text: String, at width: Int) -> (fitting: String, next: String) {
    if plainWidth(text) != nil {
      let next = text.utf8.dropFirst(width).prefix(1)
      return (text.bytes(width), String(Substring(next)))
    }
    let glyphs = Glyph.beginning(of: text, columns: width + 1)
    let count = glyphs.count(fitting: width)
    return (joined(glyphs.prefix(count)), joined(glyphs.dropFirst(count).prefix(1)))
  }

  /// `text` in at most `width` columns. What does not fit is left out of its middle: names that begin alike end otherwise.
  package static func cutInside(_ text: String, to width: Int) -> String {
    guard width > 2, self.width(text, upTo: width) > width else { return cut(text, to: width) }
    let room = (width - 1) / 2
    var end = safe(String(text.suffix(room)))
    while self.width(end) > room { end.removeFirst() }
    let beginning = Glyph.beginning(of: text, columns: width - 1 - room)
    return joined(beginning.prefix(beginning.count(fitting: width - 1 - room))) + "…" + end
  }

  /// What a terminal is given for `text`.
  ///
  /// Control characters become their pictures (U+2400 and on); what is invisible, turns the writing direction or has no
  /// known width becomes U+FFFD; a mark on nothing gets a dotted circle; joiners and variation selectors that only shape
  /// their neighbours are left out. So a value can neither move the cursor, nor hide, nor shift a column. Safe text
  /// stays as it is.
  package static func safe(_ text: String) -> String {
    if text.isPlain || text.isShownAsItIs { return text }
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

  /// The columns of a text that has one for each byte; nil for another one, and for one that is too long to look at all of it.
  package static func plainWidth(_ text: String) -> Int? { Glyph.bytes(ofPlain: text)?.count }

  private static func joined(_ glyphs: some Sequence<Glyph>) -> String {
    // Not through the view of code points: that copies the whole text for each.
    glyphs.reduce(into: "") { $0 += $1.text }
  }
}

extension String {
  /// The first bytes of a text of ASCII.
  fileprivate func bytes(_ count: Int) -> String { String(Substring(utf8.prefix(count))) }
}
