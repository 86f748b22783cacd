/// What the computing policies do with values whose type is known only now. nil where a policy does not fit the values.
struct ValueArithmetic {
  /// Whether an integer and a real are two numbers. SQLite keeps 3.0 as the integer 3 in a NUMERIC column, whatever the app has there.
  let mixesNumbers: Bool

  func counter(ancestor: Value?, client: Value, server: Value) -> Value? {
    if case (.integer(let ancestor), .integer(let client), .integer(let server)) = (ancestor, client, server)
    {
      return counted(from: ancestor, client: client, server: server).map(Value.integer)
    }
    guard let ancestor = ancestor.flatMap(real), let client = real(client), let server = real(server) else {
      return nil
    }
    return counted(from: ancestor, client: client, server: server).map(Value.real)
  }

  func larger(_ left: Value, _ right: Value) -> Value? {
    isLess(left, right).map { $0 ? right : left }
  }

  func smaller(_ left: Value, _ right: Value) -> Value? {
    isLess(left, right).map { $0 ? left : right }
  }

  /// Numbers by size, texts by their bytes (as SQLite's BINARY does); nil for anything that has no order here, and for a
  /// number and a text, which SQLite would order and an app would not expect.
  private func isLess(_ left: Value, _ right: Value) -> Bool? {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): return left < right
    case (.text(let left), .text(let right)): return left.utf8.lexicographicallyPrecedes(right.utf8)
    default:
      guard let left = real(left), let right = real(right), !left.isNaN, !right.isNaN else { return nil }
      // The total order puts -0.0 below 0.0, which `<` calls equal though other bits are stored.
      return !right.isTotallyOrdered(belowOrEqualTo: left)
    }
  }

  /// An integer that no Double has exactly is none beside reals.
  private func real(_ value: Value) -> Double? {
    switch value {
    case .real(let real): real
    case .integer(let integer): mixesNumbers ? Double(exactly: integer) : nil
    case .null, .text, .blob, .opaque: nil
    }
  }

  /// A set in a field is a JSON array of texts or numbers: `["red","blue"]`, in a document or as a text in a column, and the same on all
  /// sides. The client's order is kept, and what only the server added follows. Where the result has the elements of one side, that side's
  /// own value is kept.
  static func set(ancestor: Value?, client: Value, server: Value) -> Value? {
    guard let known = ElementList(client), let incoming = ElementList(server), known.isText == incoming.isText
    else { return nil }
    guard let ancestor else { return merged(known.adding(incoming), known, client, incoming, server) }
    guard let former = ElementList(ancestor), former.isText == known.isText else { return nil }
    let kept = known.filter { !former.contains($0) || incoming.contains($0) }
    let added = incoming.filter { !former.contains($0) }
    return merged(kept.adding(added), known, client, incoming, server)
  }

  private static func merged(
    _ result: ElementList, _ known: ElementList, _ client: Value, _ incoming: ElementList, _ server: Value
  ) -> Value {
    if result == known { return client }
    return result == incoming ? server : result.value
  }
}
