/// What the computing policies do with values whose type is known only now. nil where a policy does not fit the values.
enum ValueArithmetic {
  static func counter(ancestor: Value?, client: Value, server: Value) -> Value? {
    switch (ancestor, client, server) {
    case (.integer(let ancestor), .integer(let client), .integer(let server)):
      return counted(from: ancestor, client: client, server: server).map(Value.integer)
    case (.real(let ancestor), .real(let client), .real(let server)):
      return counted(from: ancestor, client: client, server: server).map(Value.real)
    default: return nil
    }
  }

  static func larger(_ left: Value, _ right: Value) -> Value? {
    isLess(left, right).map { $0 ? right : left }
  }

  static func smaller(_ left: Value, _ right: Value) -> Value? {
    isLess(left, right).map { $0 ? left : right }
  }

  /// Integers and reals by size, texts by their bytes (as SQLite's BINARY does); nil for anything that has no order
  /// here, and for two storage classes, which SQLite would order and an app would not expect.
  private static func isLess(_ left: Value, _ right: Value) -> Bool? {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    // The total order puts -0.0 below 0.0, which `<` calls equal though other bits are stored.
    case (.real(let left), .real(let right)):
      left.isNaN || right.isNaN ? nil : !right.isTotallyOrdered(belowOrEqualTo: left)
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    default: nil
    }
  }

  /// A set in a field is a JSON array of texts or numbers: `["red","blue"]`. The client's order is kept, and what only
  /// the server added follows. Where the result has the elements of one side, that side's own text is kept.
  static func set(ancestor: Value?, client: Value, server: Value) -> Value? {
    guard let known = ElementList(client), let incoming = ElementList(server) else { return nil }
    guard let ancestor else { return merged(known.adding(incoming), known, client, incoming, server) }
    guard let former = ElementList(ancestor) else { return nil }
    let kept = known.filter { !former.contains($0) || incoming.contains($0) }
    let added = incoming.filter { !former.contains($0) }
    return merged(kept.adding(added), known, client, incoming, server)
  }

  private static func merged(
    _ result: ElementList, _ known: ElementList, _ client: Value, _ incoming: ElementList, _ server: Value
  ) -> Value {
    if result == known { return client }
    return result == incoming ? server : .text(result.json)
  }
}
