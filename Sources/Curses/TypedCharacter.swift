/// A character that is put together of its bytes in UTF-8: over a slow line they come one by one.
struct TypedCharacter {
  /// What stands for bytes that are no character.
  static let unreadable: Unicode.Scalar = "\u{FFFD}"

  private var bytes: [UInt8] = []

  /// Whether bytes of a character are there, and not all.
  var isBegun: Bool { !bytes.isEmpty }

  /// The character that is whole with this byte; nil as long as more have to come.
  mutating func take(_ byte: UInt8) -> Unicode.Scalar? {
    bytes.append(byte)
    guard bytes.count >= Self.length(beginningWith: bytes[0]) else { return nil }
    defer { bytes = [] }
    return String(decoding: bytes, as: UTF8.self).unicodeScalars.first
  }

  /// Leaves what was begun.
  mutating func giveUp() -> Unicode.Scalar {
    bytes = []
    return Self.unreadable
  }

  /// Whether a character may go on with it.
  static func isInside(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  /// How many of the last bytes are of a character of which more is to come.
  static func begun(atEndOf bytes: [UInt8]) -> Int {
    (1..<4).first { bytes.count >= $0 && length(beginningWith: bytes[bytes.count - $0]) > $0 } ?? 0
  }

  /// Of what begins none, one byte.
  private static func length(beginningWith byte: UInt8) -> Int {
    switch byte {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }
}
