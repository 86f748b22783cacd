#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What two long texts begin and end with alike, found by comparing bytes: cutting megabytes into words takes seconds.
struct LongTexts {
  /// In bytes of both texts together. Longer ones are cut to where they differ before they are compared by words.
  static let longest = 64_000
  /// What differs for more than this is not compared by words at all: that would take a second.
  static let longestCompared = 600_000

  let prefix: Substring
  let old: Substring
  let new: Substring
  let suffix: Substring

  /// nil for texts that are short enough as they are.
  init?(_ old: String, _ new: String) {
    guard old.utf8.count + new.utf8.count > LongTexts.longest else { return nil }
    let (start, end) = LongTexts.common([Array(old.utf8), Array(new.utf8)])
    let (from, to) = (old.utf8Index(start), old.utf8Index(old.utf8.count - end))
    prefix = old[..<from]
    suffix = old[to...]
    self.old = old[from..<to]
    self.new = new[new.utf8Index(start)..<new.utf8Index(new.utf8.count - end)]
  }

  var isTooLong: Bool { old.utf8.count + new.utf8.count > LongTexts.longestCompared }

  /// How many bytes all begin with, and how many of the rest all end with, as far as words end there.
  fileprivate static func common(_ texts: [[UInt8]]) -> (start: Int, end: Int) {
    let pairs = texts.dropFirst().map { commonEnds(texts[0], $0) }
    var (start, end) = (pairs.map(\.start).min() ?? 0, pairs.map(\.end).min() ?? 0)
    while start > 0, !texts.allSatisfy({ isBetweenWords($0, start) }) { start -= 1 }
    while end > 0, !texts.allSatisfy({ isBetweenWords($0, $0.count - end) }) { end -= 1 }
    return (start, end)
  }

  /// Whether a word, and no accent for what is before it, begins at `place`: after a space or the end of a line.
  private static func isBetweenWords(_ bytes: [UInt8], _ place: Int) -> Bool {
    guard place > 0 else { return true }
    guard bytes[place - 1] == UInt8(ascii: " ") || bytes[place - 1] == UInt8(ascii: "\n") else {
      return false
    }
    return place == bytes.count || (0x21..<0x7F).contains(bytes[place])
  }
}

/// What is left of several texts without what all begin and end with, where they are long.
struct Middle {
  /// In bytes of all texts together.
  private static let longestByWords = 100_000
  private static let longestByLines = 4_000_000

  private(set) var prefix = ""
  private(set) var texts: [String]
  private(set) var suffix = ""

  init(_ texts: [String]) {
    self.texts = texts
    guard texts.reduce(0, { $0 + $1.utf8.count }) > LongTexts.longest else { return }
    let (start, end) = LongTexts.common(texts.map { Array($0.utf8) })
    prefix = String(texts[0][..<texts[0].utf8Index(start)])
    suffix = String(texts[0][texts[0].utf8Index(texts[0].utf8.count - end)...])
    self.texts = texts.map { String($0[$0.utf8Index(start)..<$0.utf8Index($0.utf8.count - end)]) }
  }

  /// How finely they can be compared while somebody waits.
  var unit: Words.Unit {
    let bytes = texts.reduce(0) { $0 + $1.utf8.count }
    return bytes <= Middle.longestByWords ? .words : bytes <= Middle.longestByLines ? .lines : .whole
  }
}

extension String {
  fileprivate func utf8Index(_ offset: Int) -> Index { utf8.index(startIndex, offsetBy: offset) }
}

/// How many bytes both begin with, and how many of the rest both end with, in whole characters: the bytes of two letters may begin
/// or end alike, and an accent belongs to the letter before it. A place inside of one is none to begin to show a text at.
package func commonEnds(_ old: String, _ new: String) -> (start: Int, end: Int) {
  let bytes = commonEnds(Array(old.utf8), Array(new.utf8))
  let ends = [old, new].map { $0.utf8.count - $0.character(at: $0.utf8.count - bytes.end).upperBound }
  return (wholeCharacters(of: bytes.start, old, new), min(ends[0], ends[1]))
}

/// How many bytes both begin with, in whole characters.
package func commonStart(_ old: String, _ new: String) -> Int {
  let atOnce = old.utf8.withContiguousStorageIfAvailable { old in
    new.utf8.withContiguousStorageIfAvailable { commonStart(old, $0) }
  }
  let bytes = atOnce.flatMap(\.self) ?? commonEnds(Array(old.utf8), Array(new.utf8)).start
  return wholeCharacters(of: bytes, old, new)
}

/// What is a place between characters in one of them may be inside of one in the other: where an accent is put to the last letter.
private func wholeCharacters(of bytes: Int, _ old: String, _ new: String) -> Int {
  min(old.character(at: bytes).lowerBound, new.character(at: bytes).lowerBound)
}

extension String {
  /// The bytes of the character that this place is inside of; none of them where one begins there, or the text ends.
  fileprivate func character(at offset: Int) -> Range<Int> {
    let place = utf8Index(offset)
    guard String.Index(place, within: self) == nil else { return offset..<offset }
    let end = index(after: place)
    let bytes = { (place: Index) in self.utf8.distance(from: self.startIndex, to: place) }
    return bytes(index(before: end))..<bytes(end)
  }
}

/// How many bytes both begin with, and how many of the rest both end with, wherever that is.
private func commonEnds(_ old: [UInt8], _ new: [UInt8]) -> (start: Int, end: Int) {
  old.withUnsafeBufferPointer { old in
    new.withUnsafeBufferPointer { new in
      let shorter = min(old.count, new.count)
      var (start, end) = (commonStart(old, new), 0)
      while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
      return (start, end)
    }
  }
}

private func commonStart(_ old: UnsafeBufferPointer<UInt8>, _ new: UnsafeBufferPointer<UInt8>) -> Int {
  let shorter = min(old.count, new.count)
  var start = equalBlocks(old, new, shorter)
  while start < shorter, old[start] == new[start] { start += 1 }
  return start
}

/// The bytes both begin with, counted by blocks.
private func equalBlocks(
  _ old: UnsafeBufferPointer<UInt8>, _ new: UnsafeBufferPointer<UInt8>, _ count: Int
) -> Int {
  guard let left = old.baseAddress, let right = new.baseAddress else { return 0 }
  let block = 4096
  var start = 0
  while start + block <= count, memcmp(left + start, right + start, block) == 0 { start += block }
  return start
}

extension String {
  /// How many lines end within some of its bytes.
  package func lineEnds(in range: Range<Int>) -> Int {
    var text = self
    return text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return 0 }
      var (place, lines) = (range.lowerBound, 0)
      while let end = memchr(start + place, Int32(UInt8(ascii: "\n")), range.upperBound - place) {
        lines += 1
        place = UnsafeRawPointer(end) - UnsafeRawPointer(start) + 1
      }
      return lines
    }
  }
}
