extension BinaryPropertyList {
  func data(_ extent: Extent) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[extent.start..<extent.start + extent.count])
  }

  func asciiText(_ extent: Extent) throws(ArchiveError) -> String {
    let data = data(extent)
    guard data.isASCII else { throw ArchiveError(.invalidText(encoding: "ASCII"), byte: extent.start) }
    return String(decoding: data, as: UTF8.self)
  }

  /// Half a surrogate pair is refused: no String can hold it, and to replace it would change what is stored.
  func utf16Text(_ extent: Extent) throws(ArchiveError) -> String {
    let units = (0..<extent.count).lazy.map { unit in
      UInt16(truncatingIfNeeded: bytes.unsigned(at: extent.start + 2 * unit, size: 2))
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw ArchiveError(.invalidText(encoding: "UTF-16"), byte: extent.start)
    }
    return text
  }
}

extension UnsafeRawBufferPointer {
  var isASCII: Bool {
    var seen: UInt8 = 0
    for byte in self { seen |= byte }
    return seen < 0x80
  }
}
