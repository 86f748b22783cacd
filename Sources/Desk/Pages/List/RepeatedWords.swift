/// Words that many rows have, such as the name of their table: each is kept once.
struct RepeatedWords: Sendable, Equatable {
  typealias Index = UInt32

  /// The first stands for none.
  private var words: [String?] = [nil]
  private var indexes: [String: Index] = [:]

  subscript(index: Index) -> String? { words[Int(index)] }

  mutating func index(of word: String?) -> Index {
    guard let word else { return 0 }
    if let index = indexes[word] { return index }
    indexes[word] = Index(words.count)
    words.append(word)
    return Index(words.count - 1)
  }
}

/// What rows near each other often have alike: it is kept once.
struct Repeated<Element: Sendable & Equatable>: Sendable, Equatable {
  typealias Index = UInt32

  private var elements: [Element] = []

  subscript(index: Index) -> Element { elements[Int(index)] }

  /// - Parameter nearest: how many of the last are looked at for the same. Where all differ, as with times of their own, it would be looked
  ///   for in vain with every row.
  mutating func index(of new: Element, among nearest: Int = 8) -> Index {
    if let known = elements.suffix(nearest).lastIndex(of: new) { return Index(known) }
    elements.append(new)
    return Index(elements.count - 1)
  }

  /// Takes no more room than it needs.
  mutating func trim() { elements = elements.withUnsafeBufferPointer { Array($0) } }
}
