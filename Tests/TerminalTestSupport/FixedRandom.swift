/// The same numbers on every run (SplitMix64).
package struct FixedRandom: RandomNumberGenerator {
  package var state: UInt64

  package init(state: UInt64) { self.state = state }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension FixedRandom {
  /// The bytes with at most so many changes: bits turned, bytes that mean something to many formats, and ends cut off.
  package mutating func damaged(_ bytes: [UInt8], changes: Int) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...changes, using: &self) {
      guard let place = bytes.indices.randomElement(using: &self) else { break }
      switch UInt8.random(in: 0..<8, using: &self) {
      case 0 where bytes.count < 4096: bytes.removeSubrange(place...)
      case 1: bytes[place] = [0, 0x7F, 0x80, 0xFF, 0x3A].randomElement(using: &self) ?? 0
      default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
      }
    }
    return bytes
  }

  package mutating func oneOf<Element>(_ choices: [Element]) -> Element {
    choices[Int.random(in: choices.indices, using: &self)]
  }
}
