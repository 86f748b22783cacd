import StoreInterface

/// What rows say in words, folded, to be looked for: their titles, and what is said beside them. A hundred thousand stand behind each
/// other, each with a 0 at its end, as a text each would take most of the time of the first key.
struct ToldWords: Sendable, Equatable {
  private var bytes: [UInt8] = []
  /// Where the words of each row begin.
  private var starts: [Int] = []

  var count: Int { starts.count }

  /// - Parameters:
  ///   - title: as it is.
  ///   - rest: folded.
  mutating func append(title: some Collection<UInt8>, _ rest: [UInt8]) {
    starts.append(bytes.count)
    put(title, rest)
  }

  /// The old ones are left behind: of a few rows that somebody decided.
  mutating func replace(_ row: Int, title: some Collection<UInt8>, _ rest: [UInt8]) {
    starts[row] = bytes.count
    put(title, rest)
  }

  private mutating func put(_ title: some Collection<UInt8>, _ rest: [UInt8]) {
    let start = bytes.count
    bytes += title
    if Self.isPlain(bytes[start...]) {
      for place in start..<bytes.count where UInt8(ascii: "A")...UInt8(ascii: "Z") ~= bytes[place] {
        bytes[place] |= 0x20
      }
    } else {
      let folded = SearchText.folded(String(decoding: bytes[start...], as: UTF8.self))
      bytes.replaceSubrange(start..., with: folded.utf8)
    }
    bytes.append(UInt8(ascii: " "))
    bytes += rest
    bytes.append(0)
  }

  /// ASCII without a 0, which has one form.
  private static func isPlain(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.allSatisfy { 1..<0x80 ~= $0 }
  }

  /// Whether a row has these, which are folded and have no 0.
  func has(_ words: String, _ row: Int) -> Bool {
    bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      return SearchText.isFound(words, in: (start + starts[row]).assumingMemoryBound(to: CChar.self))
    }
  }
}
