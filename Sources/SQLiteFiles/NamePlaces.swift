/// The places of names in a list, found by the bytes of a name: who reads thousands of them makes no text of each.
package struct NamePlaces: Sendable, Equatable {
  private let names: [String]
  /// One after the other.
  private var bytes: [UInt8] = []
  private var ends: [Int] = [0]
  /// Twice as many as names, or more; -1 in those that are free.
  private var slots: [Int] = []
  private let isASCII: Bool

  package init(_ names: [String]) {
    self.names = names
    isASCII = names.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
    var size = 4
    while size < 2 * names.count { size *= 2 }
    slots = Array(repeating: -1, count: size)
    for (place, name) in names.enumerated() {
      bytes += name.utf8
      ends.append(bytes.count)
      let free = Array(name.utf8).withUnsafeBytes { self.slot(of: $0) }
      if slots[free] < 0 { slots[free] = place }
    }
  }

  /// The first of these bytes; or else the first that is the same text by Unicode's equivalence, as everywhere in Swift.
  package subscript(name: UnsafeRawBufferPointer) -> Int? {
    let place = slots[slot(of: name)]
    if place >= 0 { return place }
    if isASCII, name.allSatisfy({ $0 < 0x80 }) { return nil }
    return names.firstIndex(of: String(decoding: name, as: UTF8.self))
  }

  /// The one that has the name, or the free one that it would get.
  private func slot(of name: UnsafeRawBufferPointer) -> Int {
    var slot = NamePlaces.hash(name) & (slots.count - 1)
    while slots[slot] >= 0, !isNamed(slots[slot], name) { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  private func isNamed(_ place: Int, _ name: UnsafeRawBufferPointer) -> Bool {
    guard ends[place + 1] - ends[place] == name.count else { return false }
    return bytes.withUnsafeBytes { bytes in
      for position in 0..<name.count where bytes[ends[place] + position] != name[position] { return false }
      return true
    }
  }

  private static func hash(_ name: UnsafeRawBufferPointer) -> Int {
    var hash = UInt32(truncatingIfNeeded: name.count)
    for byte in name { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return Int(hash ^ hash >> 15)
  }
}
