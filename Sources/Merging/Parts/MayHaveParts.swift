extension ThreeWay<Value> {
  /// Whether a change of it may stand without the others. Texts are not taken apart for that: of those that may have parts some have
  /// one alone.
  package var mayHaveParts: Bool {
    switch (client, server) {
    case (.text(let left), .text(let right)):
      let old: [String] = if case .text(let old)? = ancestor { [old] } else { [] }
      return (old + [left, right]).contains(where: \.hasPieces)
    case (.opaque(Value.jsonKind, let left), .opaque(Value.jsonKind, let right)):
      let shape = left.shapeOfJSON
      guard shape != .other, right.shapeOfJSON == shape else { return false }
      return ancestor.map { $0.shapeOfJSON == shape } ?? true
    default: return false
    }
  }
}

/// What JSON is, as far as that tells whether it has parts: objects have theirs by their keys, and lists by their places, where they are of
/// one length.
private enum ShapeOfJSON: Equatable {
  case object
  case list(commas: Int)
  case other
}

extension Value {
  fileprivate var shapeOfJSON: ShapeOfJSON {
    guard case .opaque(Value.jsonKind, let bytes) = self else { return .other }
    return bytes.shapeOfJSON
  }
}

extension [UInt8] {
  /// Told without reading it as JSON, as it is asked with every frame.
  fileprivate var shapeOfJSON: ShapeOfJSON {
    guard let first else { return .other }
    return switch first {
    case UInt8(ascii: "{"): .object
    // An empty one has as few commas as one of a single element.
    case UInt8(ascii: "["): .list(commas: count == 2 ? -1 : commasOfList)
    default: .other
    }
  }

  /// Between its own elements.
  private var commasOfList: Int {
    var (commas, depth, isInString, isEscaped) = (0, 0, false, false)
    for byte in self {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = isInString
      case UInt8(ascii: "\""): isInString.toggle()
      case _ where isInString: break
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ",") where depth == 1: commas += 1
      default: break
      }
    }
    return commas
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
