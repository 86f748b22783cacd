import ExactJSON

/// Where a row with a name is, in four bytes for each: an open table of places, and no second copy of the names.
struct PlaceTable: Sendable, Equatable {
  private static let empty: UInt32 = .max

  /// A power of two of them, at most three quarters taken.
  private var slots = [UInt32](repeating: empty, count: 64)
  private var count = 0

  /// - Parameter name: the name of the row at a place.
  func find(_ id: String, _ name: (Int) -> String) -> Int? {
    let place = slots[slot(of: id, name)]
    return place == Self.empty ? nil : Int(place)
  }

  mutating func add(_ place: Int, _ name: (Int) -> String) {
    count += 1
    if count * 4 > slots.count * 3 { grow(name) }
    slots[slot(of: name(place), name)] = UInt32(place)
  }

  /// The one that has it, or the empty one where it belongs.
  private func slot(of id: String, _ name: (Int) -> String) -> Int {
    var slot = id.hashValue & (slots.count - 1)
    while slots[slot] != Self.empty, !name(Int(slots[slot])).hasSameBytes(as: id) {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private mutating func grow(_ name: (Int) -> String) {
    let places = slots.filter { $0 != Self.empty }
    slots = [UInt32](repeating: Self.empty, count: slots.count * 2)
    for place in places { slots[slot(of: name(Int(place)), name)] = place }
  }
}
