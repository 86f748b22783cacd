import Testing

@testable import Merging

/// Places of fields are what a sorted set of them would be, also where a table has more fields than a word has bits.
@Suite struct FieldPlacesTests {
  private static let fields = [1, 63, 64, 65, 128, 200]
  private static let some: [Set<Int>] = fields.flatMap { count in
    [[], [0], Set(0..<count), Set(stride(from: 1, to: count, by: 3)), [count - 1], [0, count - 1]]
  }

  @Test(arguments: some) func areASortedSet(places: Set<Int>) {
    for ordered in [places.sorted(), places.sorted().reversed()] {
      let found = FieldPlaces(ordered)
      #expect(Array(found) == places.sorted() && found.count == places.count)
      #expect(found.isEmpty == places.isEmpty)
      for place in 0..<300 {
        #expect(found.contains(place) == places.contains(place))
        #expect(found.rank(of: place) == places.count { $0 < place })
      }
      #expect(found == FieldPlaces(places))
    }
  }
}
