extension String {
  /// The text that these bytes are; nil if they are not UTF-8.
  ///
  /// Swift's own `String(validating:as:)` looks up the types that it is made of each time, which takes longer than a short text does.
  package init?(exactly bytes: UnsafeBufferPointer<UInt8>) {
    self.init(decoding: bytes, as: UTF8.self)
    // What is no UTF-8 has other characters in its place.
    let isSame = utf8.withContiguousStorageIfAvailable { $0.hasSameBytes(as: bytes) }
    if isSame != true { return nil }
  }

  package init?(exactly bytes: ArraySlice<UInt8>) {
    guard let text = bytes.withUnsafeBufferPointer({ String(exactly: $0) }) else { return nil }
    self = text
  }

  /// Whether the bytes of this one come before those of the other. See ``hasSameBytes(as:)`` for what the compiler is told of it.
  @_effects(readonly)
  package func precedesInBytes(_ other: String) -> Bool {
    let atOnce = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { left.precedes($0) }
    }
    return atOnce.flatMap(\.self) ?? utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// The same text with `other` in the place of each `ascii`.
  ///
  /// Swift's own `replacing` looks for characters, and a quotation mark with a combining accent behind it is another one: what is to be
  /// quoted would end there for everybody who reads bytes.
  package func replacingEach(_ ascii: Unicode.Scalar, with other: String) -> String {
    parts(between: ascii).map { String($0) }.joined(separator: other)
  }

  /// What stands before, between and behind each `ascii`.
  package func parts(between ascii: Unicode.Scalar) -> [Substring] {
    utf8.split(separator: UInt8(ascii: ascii), omittingEmptySubsequences: false).map { Substring($0) }
  }
}
