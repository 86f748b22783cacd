import ExactJSON

/// Whether two values are stored alike: texts and sets of texts by their bytes, as ``Value`` has it, and all else as its type says.
///
/// String's own `==` takes two Unicode normal forms of a text for one, which a store keeps apart: an edit of the form alone would be
/// none in an app and one on the desk.
func areAlike<Value: Equatable>(_ left: Value, _ right: Value) -> Bool {
  if let (left, right) = texts(left, right) { return left.hasSameBytes(as: right) }
  if let (left, right) = setsOfTexts(left, right) { return left.holdsSame(as: right) }
  return left == right
}

/// Whether one value is less than another: texts by their bytes, as SQLite's BINARY has it, and all else as its type says.
func isLess<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
  guard let (left, right) = texts(left, right) else { return left < right }
  return left.utf8.lexicographicallyPrecedes(right.utf8)
}

/// The types are compared first, which costs nothing where the compiler knows them.
private func texts<Value>(_ left: Value, _ right: Value) -> (String, String)? {
  guard Value.self == String.self || Value.self == String?.self, let left = left as? String,
    let right = right as? String
  else { return nil }
  return (left, right)
}

private func setsOfTexts<Value>(_ left: Value, _ right: Value) -> (Set<String>, Set<String>)? {
  guard Value.self == Set<String>.self || Value.self == Set<String>?.self, let left = left as? Set<String>,
    let right = right as? Set<String>
  else { return nil }
  return (left, right)
}

extension Set<String> {
  /// Whether it has a text of these bytes. Of two normal forms of one text a set has one.
  func holds(_ text: String) -> Bool { firstIndex(of: text).map { self[$0].hasSameBytes(as: text) } ?? false }

  fileprivate func holdsSame(as other: Set) -> Bool { count == other.count && allSatisfy(other.holds) }
}
