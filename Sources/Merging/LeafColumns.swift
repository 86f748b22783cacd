/// What the live leaves of a document have, field by field: the values that differ, and which leaf has which.
///
/// A document may have hundreds of leaves and a thousand fields, of which nearly all leaves have the same. Found out once, all that is
/// asked of a field looks at its few values, and not at all leaves anew.
package struct LeafColumns: Sendable {
  /// One field.
  package struct Column: Sendable {
    /// Each once, in the order of the leaves; nil of those that do not have the field.
    package let values: [Value?]
    /// By the place of the leaf: the place of its value in ``values``.
    package let ofLeaves: ArraySlice<Int32>

    /// How many leaves, but for some of the first, have each of ``values``.
    package func counts(droppingFirst first: Int = 0) -> [Int] {
      var counts = Array(repeating: 0, count: values.count)
      for place in ofLeaves.dropFirst(first) { counts[Int(place)] += 1 }
      return counts
    }

    /// By the value the leaves that have it, of those after some of the first; none of one that nobody asks for.
    func leaves(having isAskedFor: [Bool], droppingFirst first: Int) -> [[Int]] {
      var leaves = Array(repeating: [Int](), count: values.count)
      for place in ofLeaves.indices.dropFirst(first) where isAskedFor[Int(ofLeaves[place])] {
        leaves[Int(ofLeaves[place])].append(place - ofLeaves.startIndex)
      }
      return leaves
    }

    /// The place in ``values`` of what a leaf has.
    package func place(of leaf: Int) -> Int { Int(ofLeaves[ofLeaves.startIndex + leaf]) }

    /// The leaves that have a value, of those after `first`.
    package func leaves(having value: Value, after first: Int) -> [Int] {
      guard let wanted = values.firstIndex(of: value) else { return [] }
      let places = ofLeaves.indices.dropFirst(first + 1).filter { ofLeaves[$0] == Int32(wanted) }
      return places.map { $0 - ofLeaves.startIndex }
    }
  }

  /// By the field.
  private var values: [DistinctValues]
  /// One field after the other, each by the leaf.
  private var ofLeaves: [Int32]
  private let leafCount: Int
  /// Of the leaves.
  let ids: [Leaf.ID]

  /// - Parameter leaves: those that live, the winner first.
  init(_ fields: [Field], _ leaves: [Leaf]) {
    (leafCount, ids) = (leaves.count, leaves.map(\.id))
    values = Array(repeating: DistinctValues(), count: fields.count)
    ofLeaves = Array(repeating: 0, count: fields.count * leaves.count)
    var (places, names) = ([Int?](), FieldNames?.none)
    for (leaf, version) in leaves.lazy.map(\.version).enumerated() {
      let known = version.fields ?? RecordVersion.Fields()
      if names?.isSame(as: known.names) != true {
        places = fields.enumerated().map { known.place(of: $1.name, guess: $0) }
        names = known.names
      }
      add(known, at: places, of: leaf)
    }
  }

  private mutating func add(_ known: RecordVersion.Fields, at places: [Int?], of leaf: Int) {
    let leafCount = leafCount
    known.withSlots { slots in
      values.withUnsafeMutableBufferPointer { values in
        ofLeaves.withUnsafeMutableBufferPointer { ofLeaves in
          for (field, place) in places.enumerated() {
            ofLeaves[field * leafCount + leaf] = values[field].place(
              of: place.flatMap { slots[$0].isThere ? slots[$0].value : nil })
          }
        }
      }
    }
  }

  /// The field at a place in the conflict's fields.
  package subscript(field: Int) -> Column {
    Column(
      values: values[field].values, ofLeaves: ofLeaves[field * leafCount..<(field + 1) * leafCount])
  }
}

/// Found out of the leaves, which are compared themselves.
extension LeafColumns: Equatable {
  package static func == (left: LeafColumns, right: LeafColumns) -> Bool { true }
}

/// Values, each once.
private struct DistinctValues: Sendable {
  private(set) var values: [Value?] = []
  /// Of many values: where each is.
  private var places: [Value?: Int32] = [:]

  private static let few = 16

  /// Where it is, now if not before.
  mutating func place(of value: Value?) -> Int32 {
    // Most have what the first has.
    if let first = values.first, first == value { return 0 }
    if let place = values.count > DistinctValues.few ? places[value] : scanned(value) { return place }
    values.append(value)
    switch values.count {
    case ...DistinctValues.few: break
    case DistinctValues.few + 1:
      for (place, known) in values.enumerated() { places[known] = Int32(place) }
    case let count: places[value] = Int32(count - 1)
    }
    return Int32(values.count - 1)
  }

  private func scanned(_ value: Value?) -> Int32? { values.firstIndex(of: value).map { Int32($0) } }
}
