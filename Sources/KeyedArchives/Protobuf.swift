/// The fields of one protobuf message, one after the other.
///
/// ```
/// 32 06 73 65 63 72 65 74     field 6, wire type 2: 6 bytes, "secret"
/// ```
///
/// The tag is `number << 3 | wire type`, the wire types are 0 varint, 1 eight bytes, 2 a length and that many bytes,
/// 5 four bytes (protobuf.dev, "Encoding"). Groups, 3 and 4, were never used here and are refused.
package struct Protobuf {
  package enum Contents {
    case varint(UInt64)
    case eightBytes(UInt64)
    case bytes(UnsafeRawBufferPointer)
    case fourBytes
  }

  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  package mutating func next() throws(ArchiveError) -> (number: UInt64, contents: Contents)? {
    if position == bytes.count { return nil }
    let tag = try varint()
    switch tag & 7 {
    case 0: return (tag >> 3, .varint(try varint()))
    case 1: return (tag >> 3, .eightBytes(try eightBytes()))
    case 2: return (tag >> 3, .bytes(try take(try varint())))
    case 5:
      _ = try take(4)
      return (tag >> 3, .fourBytes)
    case let type: throw ArchiveError(.damagedPayload("wire type \(type)"))
    }
  }

  package var isAtEnd: Bool { position == bytes.count }

  package mutating func varint() throws(ArchiveError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      guard position < bytes.count else { throw ArchiveError(.damagedPayload("it ends inside a number")) }
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7F) << UInt64(shift)
      if byte < 0x80 { return value }
    }
    throw ArchiveError(.damagedPayload("a number of more than 10 bytes"))
  }

  package mutating func eightBytes() throws(ArchiveError) -> UInt64 {
    try take(8).loadUnaligned(as: UInt64.self).littleEndian
  }

  private mutating func take(_ count: UInt64) throws(ArchiveError) -> UnsafeRawBufferPointer {
    guard count <= bytes.count - position else {
      throw ArchiveError(.damagedPayload("it ends inside a value"))
    }
    defer { position += Int(count) }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + Int(count)])
  }
}

extension Protobuf.Contents {
  package func integer() throws(ArchiveError) -> Int64 {
    guard case .varint(let value) = self else { throw wrongType("an integer") }
    return Int64(bitPattern: value)
  }

  package func real() throws(ArchiveError) -> Double {
    guard case .eightBytes(let bits) = self else { throw wrongType("a real number") }
    return Double(bitPattern: bits)
  }

  package func message() throws(ArchiveError) -> UnsafeRawBufferPointer {
    guard case .bytes(let bytes) = self else { throw wrongType("bytes") }
    return bytes
  }

  private func wrongType(_ expected: String) -> ArchiveError {
    ArchiveError(.damagedPayload("another wire type where \(expected) belongs"))
  }
}

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
