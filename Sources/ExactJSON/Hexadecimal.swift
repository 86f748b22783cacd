/// Bytes as hexadecimal digits, two for each, lowercase.
package enum Hexadecimal {
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    bytes.withContiguousStorageIfAvailable(text(of:)) ?? Array(bytes).withUnsafeBufferPointer(text(of:))
  }

  private static func text(of bytes: UnsafeBufferPointer<UInt8>) -> String {
    String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
      for (place, byte) in bytes.enumerated() {
        buffer[2 * place] = digit(byte >> 4)
        buffer[2 * place + 1] = digit(byte & 15)
      }
      return bytes.count * 2
    }
  }

  private static func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
  }

  /// nil if these are no pairs of hexadecimal digits.
  package static func bytes(_ hexadecimal: String) -> [UInt8]? {
    let digits = Array(hexadecimal.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = nibble(digits[index]), let low = nibble(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// What a digit of either case stands for.
  static func nibble(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
