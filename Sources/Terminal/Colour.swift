/// A colour as a theme names it; what the terminal makes of it is the terminal's matter.
package enum Colour: Sendable, Hashable {
  /// The terminal's own: whatever the user has chosen.
  case standard
  /// One of the 256: 0 to 15 are the user's palette, 16 to 255 the fixed cube and greys.
  case palette(UInt8)
  case rgb(red: UInt8, green: UInt8, blue: UInt8)

  /// The names of the first 16, in their order.
  package static let names = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
    "bright-black", "bright-red", "bright-green", "bright-yellow",
    "bright-blue", "bright-magenta", "bright-cyan", "bright-white",
  ]

  /// Reads `default`, a name, 0 to 255, or `#RRGGBB`; nil for anything else.
  package init?(_ word: String) {
    if word == "default" {
      self = .standard
    } else if let index = Self.names.firstIndex(of: word) {
      self = .palette(UInt8(index))
    } else if word.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt8(word) {
      self = .palette(number)
    } else {
      self.init(hex: word)
    }
  }

  private init?(hex word: String) {
    let digits = word.dropFirst()
    guard word.hasPrefix("#"), digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit),
      let number = UInt32(digits, radix: 16)
    else { return nil }
    self = .rgb(
      red: UInt8(number >> 16), green: UInt8(number >> 8 & 0xFF), blue: UInt8(number & 0xFF))
  }
}
