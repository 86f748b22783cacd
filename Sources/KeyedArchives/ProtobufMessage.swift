/// A protobuf message being written; ``Protobuf`` draws the encoding.
package struct ProtobufMessage {
  package private(set) var bytes: [UInt8] = []

  package init() {}
  package init(_ number: UInt64, _ integer: Int64) { append(number, integer) }
  package init(_ number: UInt64, _ real: Double) { append(number, real) }
  package init(_ number: UInt64, _ text: String) { append(number, Array(text.utf8)) }
  package init(_ number: UInt64, _ contents: [UInt8]) { append(number, contents) }

  package mutating func append(_ number: UInt64, _ integer: Int64) {
    appendVarint(number << 3)
    appendVarint(UInt64(bitPattern: integer))
  }

  package mutating func append(_ number: UInt64, _ real: Double) {
    appendVarint(number << 3 | 1)
    withUnsafeBytes(of: real.bitPattern.littleEndian) { bytes += $0 }
  }

  package mutating func append(_ number: UInt64, _ contents: [UInt8]) {
    appendVarint(number << 3 | 2)
    appendVarint(UInt64(contents.count))
    bytes += contents
  }

  private mutating func appendVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
