extension ThreeWay<Value> {
  /// Whether a change of it may stand without the others. Texts are not taken apart for that: of those that may have parts some have
  /// one alone.
  package var mayHaveParts: Bool {
    switch (client, server) {
    case (.text(let left), .text(let right)):
      let old: [String] = if case .text(let old)? = ancestor { [old] } else { [] }
      return (old + [left, right]).contains(where: \.hasPieces)
    case (.opaque(Value.jsonKind, let left), .opaque(Value.jsonKind, let right)):
      return [left, right].allSatisfy { [UInt8(ascii: "{"), UInt8(ascii: "[")].contains($0.first) }
    default: return false
    }
  }
}

extension String {
  /// Whether a piece of it can stand without the rest: of a date, a key, or a name of one word that would be something that nobody ever
  /// meant. Words stand beside each other, or are written without blanks between them; and what begins like JSON may be that.
  fileprivate var hasPieces: Bool {
    // What is long is no date and no key, and is not to be looked through.
    if utf8.count > 1_000 { return true }
    if let first = first(where: { !$0.isWhitespace }), "{[".contains(first) { return true }
    let words = lazy.split(whereSeparator: \.isWhitespace).filter { $0.contains(where: \.isLetter) }
    return words.prefix(2).count == 2
      || unicodeScalars.lazy.filter { $0.value >= 0x0E00 && $0.properties.isAlphabetic }.prefix(2).count == 2
  }
}
