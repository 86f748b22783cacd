/// Base64 as property lists and JSON have it: with padding, white space anywhere, and a backslash before a slash.
package enum Base64 {
  private static let unknown: UInt8 = 0xFF
  private static let values: [UInt8] = {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    var values = [UInt8](repeating: unknown, count: 256)
    for (value, digit) in alphabet.utf8.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  /// nil if `text` is anything else.
  package static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.utf8.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return digits.withUnsafeBytes { bytes($0) }
  }

  /// The same of digits without white space.
  package static func bytes(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var (bits, count, padding) = (0 as UInt32, 0, 0)
    for (place, digit) in text.enumerated() {
      if digit == UInt8(ascii: "\\"), place + 1 < text.count, text[place + 1] == UInt8(ascii: "/") {
        continue
      }
      if digit == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      let value = values[Int(digit)]
      guard value != unknown, padding == 0 else { return nil }
      bits = bits << 6 | UInt32(value)
      if count % 4 > 0 { bytes.append(UInt8(truncatingIfNeeded: bits >> [0, 4, 2, 0][count % 4])) }
      count += 1
    }
    return (count + padding) % 4 == 0 && padding <= 2 ? bytes : nil
  }
}
