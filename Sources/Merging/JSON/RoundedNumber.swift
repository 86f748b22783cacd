import ExactJSON

/// A number in JSON of which a store keeps another one, as it makes a Double of all that has a point or an exponent.
package struct RoundedNumber: Sendable, Equatable {
  /// As it was written.
  package let text: String
  package let kept: Double
  /// Whether it can be written in digits alone, which are kept.
  package let isWhole: Bool

  /// nil for what is read back as it was written, be it in other digits: 1.10 as 1.1, 1e23 as 1e+23.
  init?(_ text: String) {
    guard text.contains(where: { ".eE".contains($0) }), let numeral = Numeral(text),
      let kept = RoundedNumber.kept(text, numeral), kept.isFinite,
      Numeral("\(kept)")?.isSame(as: numeral) != true
    else { return nil }
    (self.text, self.kept, isWhole) = (text, kept, numeral.isWholeNumber)
  }

  /// The nearest Double. But where that has not all of its bits, a whole number with an exponent is multiplied out: 5e-324 is 0, as ten to
  /// the power of -324 is.
  private static func kept(_ text: String, _ numeral: Numeral) -> Double? {
    guard let nearest = numeral.nearest, nearest.magnitude < .leastNormalMagnitude, !text.contains(".")
    else { return numeral.nearest }
    let parts = text.split { "eE".contains($0) }
    guard parts.count == 2, let whole = Double(parts[0]), let power = Double("1e" + parts[1]) else {
      return nearest
    }
    return whole * power
  }
}

extension FieldConflict {
  /// The first number of a value, at any depth, that would be kept as another; nil where there is none. What a leaf has was kept by the
  /// store as it is; an ancestor may be lent by a place that keeps each digit.
  package func roundedNumber(in value: Value) -> RoundedNumber? {
    let leaves = [Side.client, .server].compactMap { version($0)?.value }
    if leaves.contains(value) { return nil }
    guard let rounded = value.json?.literals.filter({ RoundedNumber($0) != nil }), !rounded.isEmpty else {
      return nil
    }
    let known = Set(leaves.compactMap(\.json).flatMap(\.literals))
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
