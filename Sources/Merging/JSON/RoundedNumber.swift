import ExactJSON

/// A number in JSON of which a store keeps another one, as it makes a Double of all that has a point or an exponent.
package struct RoundedNumber: Sendable, Equatable {
  /// As it was written.
  package let text: String
  package let kept: Double
  /// Whether it can be written in digits alone, which are kept.
  package let isWhole: Bool

  /// nil for what nobody takes for another number, as ``Numeral/isRounded`` tells; and for what is read back as it was written, in the
  /// fewest digits that tell its Double.
  init?(_ text: String) {
    guard text.contains(where: { ".eE".contains($0) }), let numeral = Numeral(text), numeral.isRounded,
      let kept = numeral.nearest, Numeral("\(kept)")?.isSame(as: numeral) != true
    else { return nil }
    (self.text, self.kept, isWhole) = (text, kept, numeral.isWholeNumber)
  }
}

extension FieldConflict {
  /// The first number of a value, at any depth, that would be kept as another; nil where there is none. What a side has was kept by the
  /// store as it is.
  package func roundedNumber(in value: Value) -> RoundedNumber? {
    let sides = Side.allCases.compactMap { version($0)?.value }
    if sides.contains(value) { return nil }
    guard let rounded = value.json?.literals.filter({ RoundedNumber($0) != nil }), !rounded.isEmpty else {
      return nil
    }
    let known = Set(sides.compactMap(\.json).flatMap(\.literals))
    return rounded.first { !known.contains($0) }.flatMap { RoundedNumber($0) }
  }
}

extension JSONValue {
  /// At any depth, as they are written.
  fileprivate var literals: [String] {
    switch self {
    case .literal(let text): [text]
    case .string: []
    case .array(let elements): elements.flatMap(\.literals)
    case .object(let members): members.values.flatMap(\.literals)
    }
  }
}
