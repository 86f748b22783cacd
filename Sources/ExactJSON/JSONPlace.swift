/// A place in a text as an editor counts it, from 1, columns in characters.
package struct JSONPlace: CustomStringConvertible {
  package private(set) var line = 1
  package private(set) var column = 1

  package init() {}

  package mutating func pass(_ byte: UInt8) {
    if byte == UInt8(ascii: "\n") {
      (line, column) = (line + 1, 1)
    } else if byte & 0xC0 != 0x80 {
      column += 1
    }
  }

  /// The place so many bytes further.
  package func advanced(over bytes: some Sequence<UInt8>) -> JSONPlace {
    var place = self
    for byte in bytes { place.pass(byte) }
    return place
  }

  package var description: String { "line \(line), column \(column)" }
}
