/// Base64 as property lists have it: with padding, and with white space anywhere.
enum Base64 {
  private static let values: [UInt8: UInt32] = {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return Dictionary(uniqueKeysWithValues: zip(alphabet.utf8, 0...))
  }()

  /// nil if `text` is anything else.
  static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.utf8.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let padding = digits.suffix(2).count { $0 == UInt8(ascii: "=") }
    guard digits.count % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3)
    var bits: UInt32 = 0
    for (position, digit) in digits.dropLast(padding).enumerated() {
      guard let value = values[digit] else { return nil }
      bits = bits << 6 | value
      switch position % 4 {
      case 0: break
      case 1: bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
      case 2: bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
      default: bytes.append(UInt8(truncatingIfNeeded: bits))
      }
    }
    return bytes
  }
}
