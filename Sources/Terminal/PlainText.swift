extension String {
  /// Whether each byte is a glyph of one column: the part of ASCII that can be seen, and blanks. Nearly all texts are.
  var isPlain: Bool { utf8.withContiguousStorageIfAvailable(arePlain) ?? utf8.allSatisfy(isPlainByte) }
}

extension String {
  /// Whether each code point of it is a glyph, and none is another one's mark or shape.
  var isShownAsItIs: Bool { unicodeScalars.allSatisfy(SafeScalars.standsAlone) }
}

/// Without a way out in the middle, so that many bytes are compared at once.
private func arePlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  var others: UInt8 = 0
  for byte in bytes { others |= isPlainByte(byte) ? 0 : 1 }
  return others == 0
}

func isPlainByte(_ byte: UInt8) -> Bool { byte &- 0x20 <= 0x7E - 0x20 }
