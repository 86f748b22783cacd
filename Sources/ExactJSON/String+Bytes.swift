extension String {
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
