import CTerminal

/// What fills one place of a terminal: a code point that takes room, with the marks that sit on it.
///
/// Terminals and ncurses place code points, not grapheme clusters: 👩‍💻 is two places, however it is drawn. So a
/// cluster may be several glyphs, and columns never shift.
struct Glyph: Equatable {
  var points: CodePoints
  /// 1 or 2.
  var width: Int

  /// ncurses holds no more in a cell (CCHARW_MAX is 5, and the base is one of them).
  static let marksAtMost = 4
  static let blank = Glyph(points: .blank, width: 1)

  var text: String { points.text }

  /// The glyphs of `text`, made safe, until `body` has enough and returns false. What comes after is not looked at: a value
  /// may have megabytes.
  static func each(of text: String, while body: (Glyph) -> Bool) {
    if let bytes = bytes(ofPlain: text) {
      for byte in bytes {
        guard body(Glyph(points: CodePoints(byte: byte), width: 1)) else { return }
      }
    } else {
      eachNotASCII(of: text, while: body)
    }
  }

  /// The bytes of a text that is a glyph for each; nil for another one, and for one that is too long to look at all of it.
  static func bytes(ofPlain text: String) -> String.UTF8View? {
    let bytes = text.utf8
    return bytes.count < 1_000 && text.isPlain ? bytes : nil
  }

  /// All of ``each(of:while:)``, as an array.
  static func all(of text: String) -> [Glyph] { beginning(of: text, columns: .max) }

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

  /// The glyphs of `text` in at most `width` columns. What does not fit is cut and marked `›`.
  static func cut(_ text: String, to width: Int) -> [Glyph] {
    var glyphs = beginning(of: text, columns: width)
    guard glyphs.reduce(0, { $0 + $1.width }) > width else { return glyphs }
    if width < 1 { return [] }
    glyphs.removeSubrange(glyphs.count(fitting: width - 1)...)
    return glyphs + [cutMark]
  }

  private static let cutMark = Glyph(points: CodePoints("›"), width: 1)

  private static func eachNotASCII(of text: String, while body: (Glyph) -> Bool) {
    guard let plain = eachPlain(of: text, while: body) else { return }
    let start = text.utf8.index(text.startIndex, offsetBy: plain)
    var builder = GlyphBuilder()
    for scalar in SafeScalars(text[start...]) {
      if let finished = builder.add(scalar), !body(finished) { return }
    }
    if let last = builder.glyph { _ = body(last) }
  }

  /// The glyphs before the first code point that is no byte, but for the last of them, on which a mark may sit.
  ///
  /// - Returns: how many they are; nil once `body` has enough.
  private static func eachPlain(of text: String, while body: (Glyph) -> Bool) -> Int? {
    let plain = text.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
      var count = 0
      while count + 1 < bytes.count, isPlainByte(bytes[count]), isPlainByte(bytes[count + 1]) {
        guard body(Glyph(points: CodePoints(byte: bytes[count]), width: 1)) else { return nil }
        count += 1
      }
      return count
    }
    return plain ?? 0
  }
}

extension [Glyph] {
  /// How many of them fit into `columns`.
  func count(fitting columns: Int) -> Int {
    var used = 0
    for (index, glyph) in enumerated() {
      used += glyph.width
      if used > columns { return index }
    }
    return count
  }
}

/// Collects a base and its marks until the next base comes.
private struct GlyphBuilder {
  var glyph: Glyph?

  /// Returns the glyph that `scalar` ends, if it does.
  mutating func add(_ scalar: Unicode.Scalar) -> Glyph? {
    // What is left of ASCII is all shown.
    let width = scalar.isASCII ? 1 : Int(ct_width(scalar.value))
    guard width == 0 else { return start(CodePoints(scalar), width) }
    // A mark with nothing to sit on would sit on a stranger's cell: it gets the dotted circle of the code charts.
    guard glyph != nil else { return start(CodePoints("\u{25CC}"), 1, mark: scalar) }
    glyph?.points.append(scalar)
    return nil
  }

  private mutating func start(_ base: CodePoints, _ width: Int, mark: Unicode.Scalar? = nil) -> Glyph? {
    let last = glyph
    glyph = Glyph(points: base, width: width)
    if let mark { glyph?.points.append(mark) }
    return last
  }
}

/// The code points of a text as a terminal may see them.
///
/// - Control characters become their pictures (U+2400 and on): ␉ ␛. A line's end, which is no mistake where a text has no more than one
///   line of a screen, is the sign of the key that makes it: the letters of its picture are specks.
/// - What is invisible, turns the writing direction or is unknown to the C library becomes U+FFFD.
/// - Variation selectors, and joiners between letters or emoji, are left out: they change only a shape, and a terminal
///   that obeys them disagrees with ncurses about the columns.
struct SafeScalars: Sequence, IteratorProtocol {
  private var rest: Substring.UnicodeScalarView.Iterator
  /// The code point that was looked at last.
  private(set) var previous: Unicode.Scalar?
  private var following: Unicode.Scalar?

  init(_ text: Substring) {
    rest = text.unicodeScalars.makeIterator()
    following = rest.next()
  }

  mutating func next() -> Unicode.Scalar? {
    while let scalar = following {
      following = rest.next()
      defer { previous = scalar }
      if 0x20..<0x7F ~= scalar.value { return scalar }
      if Self.isVariationSelector(scalar) || isShapingJoiner(scalar) { continue }
      return Self.safe(scalar)
    }
    return nil
  }

  /// Whether it takes room, and is shown as it is whatever stands beside it.
  static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7F: true
    case 0..<0x80: false
    default:
      ct_width(scalar.value) > 0 && !hides(scalar) && !isJoiner(scalar) && !isVariationSelector(scalar)
    }
  }

  /// A joiner with nothing to join hides in a text, so it is shown; between two that it joins it is not.
  private func isShapingJoiner(_ scalar: Unicode.Scalar) -> Bool {
    guard Self.isJoiner(scalar), let previous, let following else { return false }
    return Self.canJoin(previous) && Self.canJoin(following)
  }

  private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{200C}" || scalar == "\u{200D}"
  }

  private static func canJoin(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII && !isJoiner(scalar) && (isVariationSelector(scalar) || isShown(scalar))
  }

  private static func isVariationSelector(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x180B...0x180D, 0x180F, 0xFE00...0xFE0F, 0xE0100...0xE01EF: true
    default: false
    }
  }

  private static func safe(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x0A: "↵"
    case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? unknown
    case 0x20..<0x7F: scalar
    case 0x7F: "\u{2421}"
    default: isShown(scalar) ? scalar : unknown
    }
  }

  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    ct_width(scalar.value) >= 0 && !hides(scalar)
  }

  /// Whether the code point moves the cursor, cannot be seen, or turns the writing direction.
  static func hides(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? scalar.value < 0x20 || scalar.value == 0x7F
      : hides(scalar.properties) || annotations.contains(scalar)
  }

  private static func hides(_ properties: Unicode.Scalar.Properties) -> Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
    // Directions, tags, fillers, zero-width spaces. Not every format character: U+06DD is one and is drawn.
    default: properties.isDefaultIgnorableCodePoint
    }
  }

  /// Interlinear annotation: invisible, though Unicode does not call it ignorable.
  private static let annotations: ClosedRange<Unicode.Scalar> = "\u{FFF9}"..."\u{FFFB}"
  private static let unknown: Unicode.Scalar = "\u{FFFD}"
}
