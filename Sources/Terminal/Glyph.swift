import CTerminal

/// What fills one place of a terminal: a code point that takes room, with the marks that sit on it.
///
/// Terminals and ncurses place code points, not grapheme clusters: 👩‍💻 is two places, however it is drawn. So a
/// cluster may be several glyphs, and columns never shift.
struct Glyph: Equatable {
  /// The base code point and at most ``marksAtMost`` marks.
  var text: String
  /// 1 or 2.
  var width: Int

  /// ncurses holds no more in a cell (CCHARW_MAX is 5, and the base is one of them).
  static let marksAtMost = 4

  /// The glyphs of `text`, made safe, until `body` has enough and returns false. What comes after is not looked at: a value
  /// may have megabytes.
  static func each(of text: String, while body: (Glyph) -> Bool) {
    if text.utf8.count < 1_000, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
      for byte in text.utf8 { guard body(ascii(byte)) else { return } }
    } else {
      eachNotASCII(of: text, while: body)
    }
  }

  /// All of ``each(of:while:)``, as an array.
  static func all(of text: String) -> [Glyph] {
    var glyphs: [Glyph] = []
    each(of: text) { glyph in
      glyphs.append(glyph)
      return true
    }
    return glyphs
  }

  /// The first glyphs of `text`, and at least one more than fit into `columns`, if there is one: megabytes need not be looked
  /// at for one line of them.
  static func beginning(of text: String, columns: Int) -> [Glyph] {
    var (glyphs, used) = ([Glyph](), 0)
    each(of: text) { glyph in
      glyphs.append(glyph)
      used += glyph.width
      return used <= columns
    }
    return glyphs
  }

  private static func ascii(_ byte: UInt8) -> Glyph {
    Glyph(text: String(Unicode.Scalar(byte)), width: 1)
  }

  private static func eachNotASCII(of text: String, while body: (Glyph) -> Bool) {
    var builder = GlyphBuilder()
    for scalar in SafeScalars(text) {
      if let finished = builder.add(scalar), !body(finished) { return }
    }
    if let last = builder.glyph { _ = body(last) }
  }
}

/// Collects a base and its marks until the next base comes.
private struct GlyphBuilder {
  var glyph: Glyph?
  private var marks = 0

  /// Returns the glyph that `scalar` ends, if it does.
  mutating func add(_ scalar: Unicode.Scalar) -> Glyph? {
    let width = Int(ct_width(scalar.value))
    guard width == 0 else { return start(String(scalar), width) }
    // A mark with nothing to sit on would sit on a stranger's cell: it gets the dotted circle of the code charts.
    guard glyph != nil else { return start("\u{25CC}" + String(scalar), 1, marks: 1) }
    if marks < Glyph.marksAtMost { glyph?.text.unicodeScalars.append(scalar) }
    marks += 1
    return nil
  }

  private mutating func start(_ text: String, _ width: Int, marks: Int = 0) -> Glyph? {
    defer { (glyph, self.marks) = (Glyph(text: text, width: width), marks) }
    return glyph
  }
}
