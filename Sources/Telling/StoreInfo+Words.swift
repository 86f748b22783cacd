import StoreInterface

extension StoreInfo {
  /// What is said where a record can be decided in no way that has a name of its own.
  package func wordsWithoutWays(isWhole: Bool) -> String {
    let how = isWhole ? "It is decided as a whole, for one side" : "It is decided field by field"
    return ["\(how), and in no other way.", notBoth].compactMap(\.self).joined(separator: " ")
  }
}
