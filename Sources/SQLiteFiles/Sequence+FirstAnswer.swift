extension Sequence {
  /// The first of what `body` makes of the elements that is not nil.
  ///
  /// Each is asked once. `lazy.compactMap { … }.first` asks the one that it finds twice, and where the second answer is nil, as of a lock
  /// that was let go in between, it ends the program.
  package func firstAnswer<Answer>(_ body: (Element) throws -> Answer?) rethrows -> Answer? {
    for element in self {
      if let answer = try body(element) { return answer }
    }
    return nil
  }
}
