/// Places of fields, from the first to the last: a bit of each, as a list would be another piece of memory for each conflict.
package struct FieldPlaces: Sendable, Equatable {
  private var first: UInt64 = 0
  /// Of the places from 64 on, which few tables have, and some documents.
  private var more: [UInt64] = []

  package init() {}

  package init(_ places: some Sequence<Int>) {
    for place in places { insert(place) }
  }

  package var isEmpty: Bool { first == 0 && more.allSatisfy { $0 == 0 } }

  package var count: Int { more.reduce(first.nonzeroBitCount) { $0 + $1.nonzeroBitCount } }

  package func contains(_ place: Int) -> Bool { word(place / 64) >> (place % 64) & 1 == 1 }

  package mutating func insert(_ place: Int) {
    let bit: UInt64 = 1 << UInt64(place % 64)
    if place < 64 {
      first |= bit
      return
    }
    while more.count < place / 64 { more.append(0) }
    more[place / 64 - 1] |= bit
  }

  /// How many are before a place.
  func rank(of place: Int) -> Int {
    (0..<place / 64).reduce((word(place / 64) & (1 << (place % 64) - 1)).nonzeroBitCount) {
      $0 + word($1).nonzeroBitCount
    }
  }

  fileprivate var words: Int { 1 + more.count }

  fileprivate func word(_ number: Int) -> UInt64 {
    number == 0 ? first : number <= more.count ? more[number - 1] : 0
  }
}

extension FieldPlaces: Sequence {
  package struct Iterator: IteratorProtocol {
    fileprivate let places: FieldPlaces
    fileprivate var number = 0
    fileprivate var word: UInt64

    package mutating func next() -> Int? {
      while word == 0 {
        number += 1
        if number >= places.words { return nil }
        word = places.word(number)
      }
      defer { word &= word - 1 }
      return number * 64 + word.trailingZeroBitCount
    }
  }

  package func makeIterator() -> Iterator { Iterator(places: self, word: first) }

  package var underestimatedCount: Int { count }
}
