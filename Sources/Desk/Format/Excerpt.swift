import Merging

/// The part of a long text that a screen shows: from where it differs from an older one, or its beginning. The rest is
/// compared byte by byte and never cut into words, wrapped or copied, so that megabytes cost a key next to nothing.
struct Excerpt {
  /// In bytes, of what both begin with.
  private(set) var sameBefore = 0
  private(set) var old: Substring = ""
  let new: Substring
  /// In bytes, of what both end with.
  private(set) var sameAfter = 0
  /// In bytes, of what else is not shown.
  private(set) var more = 0

  /// What is shown of the same text around a difference, in bytes.
  private static let context = 200

  /// The beginning of `text`.
  init(of text: String, atMost limit: Int) {
    new = text[..<text.index(atByte: limit)]
    more = text.utf8.count - new.utf8.count
  }

  /// What differs.
  ///
  /// - Parameter limit: in bytes, of each text.
  init(from old: String, to new: String, atMost limit: Int) {
    let (start, end) = commonEnds(Array(old.utf8), Array(new.utf8))
    let from = max(0, start - Excerpt.context)
    let longest = max(old.utf8.count, new.utf8.count) - end - from
    // Where not all of it can be shown, what follows it is far away.
    let context = longest + Excerpt.context <= limit ? min(end, Excerpt.context) : 0
    let (first, last) = (from, min(from + limit, new.utf8.count - end + context))
    self.new = new.part(first, last)
    self.old = old.part(first, min(from + limit, old.utf8.count - end + context))
    sameBefore = from
    let isWhole = last == new.utf8.count - end + context
    sameAfter = isWhole ? end - context : 0
    more = isWhole ? 0 : new.utf8.count - from - self.new.utf8.count
  }
}

extension String {
  /// The code point at or before a byte.
  fileprivate func index(atByte offset: Int) -> Index {
    guard offset < utf8.count else { return endIndex }
    return String.Index(utf8.index(startIndex, offsetBy: max(0, offset)), within: unicodeScalars)
      ?? unicodeScalars.index(
        before: unicodeScalars.index(after: utf8.index(startIndex, offsetBy: max(0, offset))))
  }

  fileprivate func part(_ first: Int, _ last: Int) -> Substring {
    let start = index(atByte: first)
    return self[start..<Swift.max(start, index(atByte: last))]
  }
}
