import CTerminal

/// The code points of a text as a terminal may see them.
///
/// - Control characters become their pictures (U+2400 and on): ␉ ␊ ␛.
/// - What is invisible, turns the writing direction or is unknown to the C library becomes U+FFFD.
/// - Variation selectors, and joiners between letters or emoji, are left out: they change only a shape, and a terminal
///   that obeys them disagrees with ncurses about the columns.
struct SafeScalars: Sequence, IteratorProtocol {
  private var rest: String.UnicodeScalarView.Iterator
  private var previous: Unicode.Scalar?
  private var following: Unicode.Scalar?

  init(_ text: String) {
    rest = text.unicodeScalars.makeIterator()
    following = rest.next()
  }

  mutating func next() -> Unicode.Scalar? {
    while let scalar = following {
      following = rest.next()
      defer { previous = scalar }
      if Self.isVariationSelector(scalar) || isShapingJoiner(scalar) { continue }
      return Self.safe(scalar)
    }
    return nil
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
    scalar.value >= 0x180B && scalar.properties.isVariationSelector
  }

  private static func safe(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
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
