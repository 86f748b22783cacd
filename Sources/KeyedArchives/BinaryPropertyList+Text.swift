extension BinaryPropertyList {
  package func data(_ extent: Extent) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[extent.start..<extent.start + extent.count])
  }

  /// The bytes of a key of a dictionary; nil if it is not ASCII. By far the most frequent question, so it has a way of its
  /// own that makes no ``Node`` for short keys.
  @inline(__always)
  package func asciiKey(_ index: Int) throws(ArchiveError) -> UnsafeRawBufferPointer? {
    if let extent = try shortASCII(index) { return data(extent) }
    switch try node(index) {
    case .ascii(let extent): return data(extent)
    case .utf16: return nil
    case let node: throw ArchiveError(.unexpected(found: node.kind, expected: "a key"))
    }
  }

  package func asciiText(_ extent: Extent) throws(ArchiveError) -> String {
    let data = data(extent)
    guard data.isASCII else { throw ArchiveError(.invalidText(encoding: "ASCII"), byte: extent.start) }
    return String(decoding: data, as: UTF8.self)
  }

  /// Half a surrogate pair is refused: no String can hold it, and to replace it would change what is stored.
  package func utf16Text(_ extent: Extent) throws(ArchiveError) -> String {
    let units = (0..<extent.count).lazy.map { unit in
      UInt16(truncatingIfNeeded: bytes.unsigned(at: extent.start + 2 * unit, size: 2))
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw ArchiveError(.invalidText(encoding: "UTF-16"), byte: extent.start)
    }
    return text
  }
}

extension BinaryPropertyList.Node {
  /// In words, for errors.
  package var kind: String {
    switch self {
    case .null: "nothing"
    case .bool: "a truth value"
    case .integer, .unsigned: "an integer"
    case .real: "a real number"
    case .date: "a date"
    case .data: "data"
    case .ascii, .utf16: "text"
    case .uid: "a reference"
    case .array: "an array"
    case .set: "a set"
    case .dictionary: "a dictionary"
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes at `other` are the same; as many as these must be there. Most names differ in their first eight.
  @inline(__always)
  package func equals(_ other: UnsafePointer<UInt8>) -> Bool {
    let other = UnsafeRawPointer(other)
    var position = 0
    while position + 8 <= count {
      let isEqual =
        loadUnaligned(fromByteOffset: position, as: UInt64.self)
        == other.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      if !isEqual { return false }
      position += 8
    }
    while position < count {
      if self[position] != other.load(fromByteOffset: position, as: UInt8.self) { return false }
      position += 1
    }
    return true
  }

  package var isASCII: Bool {
    var seen: UInt8 = 0
    for byte in self { seen |= byte }
    return seen < 0x80
  }
}
