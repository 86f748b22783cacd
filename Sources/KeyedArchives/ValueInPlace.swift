/// A value where it lies in an archive: checked, and not made yet. Nothing is allocated for it.
enum ValueInPlace {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case real(Double)
  case date(secondsSince2001: Double)
  /// UTF-8.
  case utf8(BinaryPropertyList.Extent)
  case data(BinaryPropertyList.Extent)
  /// What is made of several objects, or lies otherwise: made as it was read, and kept beside.
  case made(Int)
}

extension ValueInPlace {
  func value(in bytes: UnsafeRawBufferPointer, _ made: [ArchivedValue]) -> ArchivedValue {
    switch self {
    case .null: .null
    case .bool(let bool): .bool(bool)
    case .integer(let integer): .integer(integer)
    case .unsigned(let unsigned): .unsigned(unsigned)
    case .real(let real): .real(real)
    case .date(let seconds): .date(secondsSince2001: seconds)
    case .utf8(let extent): .string(String(decoding: bytes.part(extent), as: UTF8.self))
    case .data(let extent): .data(Array(bytes.part(extent)))
    case .made(let number): made[number]
    }
  }
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  func part(_ extent: BinaryPropertyList.Extent) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[extent.start..<extent.start + extent.count])
  }

  /// Whether the bytes are the same; there must be as many.
  @inline(__always)
  func equals(_ other: UnsafeRawBufferPointer) -> Bool {
    guard let other = other.baseAddress else { return true }
    return equals(other.assumingMemoryBound(to: UInt8.self))
  }
}
