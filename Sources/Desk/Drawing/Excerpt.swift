import ExactJSON
import Merging
import Telling
import Terminal

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
    let (start, end) = commonEnds(old, new)
    let from = old.part(0, start - Excerpt.context).utf8.count
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
  fileprivate func fits(in lines: Int, _ width: Int) -> Bool {
    [Run(self)].wrapped(width, most: lines + 1).count <= lines
  }

  /// The code point at or before a byte.
  fileprivate func index(atByte offset: Int) -> Index {
    guard offset < utf8.count else { return endIndex }
    return String.Index(utf8.index(startIndex, offsetBy: max(0, offset)), within: unicodeScalars)
      ?? unicodeScalars.index(
        before: unicodeScalars.index(after: utf8.index(startIndex, offsetBy: max(0, offset))))
  }

  /// From one byte to another, by whole code points.
  func part(_ first: Int, _ last: Int) -> Substring {
    let start = index(atByte: first)
    return self[start..<Swift.max(start, index(atByte: last))]
  }
}

/// Two texts for narrow cells: both begin shortly before their first difference, where that would be cut away.
struct ChangedPart {
  private(set) var old: String
  private(set) var new: String

  init(_ old: String, _ new: String, width: Int) {
    (self.old, self.new) = (old, new)
    let excerpt = Excerpt(from: old, to: new, atMost: 8 * width + 1_000)
    let same = zip(excerpt.old, excerpt.new).prefix { $0 == $1 }.count
    let context = width / 3
    let before = DisplayText.width(String(excerpt.old.prefix(same)), upTo: width)
    guard excerpt.sameBefore > 0 || before > width - context else { return }
    let start = ChangedPart.start(excerpt.old.prefix(same), context: context)
    self.old = "…" + excerpt.old.dropFirst(start)
    self.new = "…" + excerpt.new.dropFirst(start)
  }

  /// The same for cells of two widths: it is seen in the narrower one of those that have no room for all of their text. Where both have, and
  /// where nothing differs, they begin at their beginning.
  init(_ texts: (old: String, new: String), widths: (old: Int, new: Int)) {
    let cells = [(texts.old, widths.old), (texts.new, widths.new)]
    let cut = cells.filter { DisplayText.width($0, upTo: $1) > $1 }.map { $1 }.min()
    self.init(texts.old, texts.new, width: cut ?? max(widths.old, widths.new))
    if cut == nil || texts.old.hasSameBytes(as: texts.new) { (old, new) = texts }
  }

  /// Some characters before the end of what is the same, at the beginning of a word if there is one.
  private static func start(_ same: Substring, context: Int) -> Int {
    let last = same.suffix(context)
    let words = last.firstIndex(of: " ").map { last[$0...].dropFirst() } ?? last
    return same.count - words.count
  }
}

/// What only a screen asks.
extension Privacy {
  /// Two values side by side, cut so that it is seen where they differ, and told in what where it is not.
  ///
  /// - Parameter width: in columns, of all lines of a cell together.
  func pair(
    _ old: Value?, _ new: Value?, width: Int, lines: Int = 1, isASCII: Bool = false
  ) -> (old: String, new: String) {
    guard !hides, let unseen = UnseenDifference(old, new, isASCII: isASCII) else {
      return cutPair(old, new, width, lines)
    }
    let ends = unseen.ends
    let room = max(4, width - max(DisplayText.width(ends.old), DisplayText.width(ends.new)))
    let pair = cutPair(old, new, room, lines)
    return (DisplayText.cut(pair.old, to: room) + ends.old, DisplayText.cut(pair.new, to: room) + ends.new)
  }

  private func cutPair(
    _ old: Value?, _ new: Value?, _ width: Int, _ lines: Int
  ) -> (old: String, new: String) {
    guard let (before, after) = texts(old, new) ?? numbers(old, new) else { return (line(old), line(new)) }
    // In one line only the first place has room.
    if width >= Privacy.roomForSeveral, let folded = FoldedPair(before, after, room: width) {
      return (folded.old, folded.new)
    }
    return parts(before, after, width, lines)
  }

  /// From their beginning where nothing is cut, and where they do not differ.
  private func parts(_ old: String, _ new: String, _ width: Int, _ lines: Int) -> (old: String, new: String) {
    let areWhole = [old, new].allSatisfy { text in
      // In one line the end of another one is a sign, and breaks nothing.
      lines == 1 ? DisplayText.width(text, upTo: width) <= width : text.fits(in: lines, width / lines)
    }
    if areWhole || old.hasSameBytes(as: new) { return (old, new) }
    let part = ChangedPart(old, new, width: width)
    return (part.old, part.new)
  }

  /// In columns, of all lines of a cell.
  private static let roomForSeveral = 120

  /// The same of a field, where what points to a record is told by that record's title.
  func pair(
    _ old: Value?, _ new: Value?, of field: String, in conflict: RecordConflict, width: Int, lines: Int = 1,
    isASCII: Bool = false
  ) -> (old: String, new: String) {
    let isTitled = [old, new].contains { title(of: $0, in: field, of: conflict) != nil }
    guard isTitled else { return pair(old, new, width: width, lines: lines, isASCII: isASCII) }
    // What bytes are is told first, and how many there are.
    if [old, new].contains(where: { if case .blob? = $0 { true } else { false } }) {
      return (line(old, of: field, in: conflict), line(new, of: field, in: conflict))
    }
    return parts(line(old, of: field, in: conflict), line(new, of: field, in: conflict), width, lines)
  }

  /// Two values in cells of several lines: as a whole where these have room for that.
  func pair(
    _ old: Value?, _ new: Value?, widths: (old: Int, new: Int), lines: Int, isASCII: Bool = false
  ) -> (old: String, new: String) {
    let fit = { (texts: (old: String, new: String)) in
      texts.old.fits(in: lines, widths.old) && texts.new.fits(in: lines, widths.new)
    }
    if lines > 1, let both = texts(old, new), fit(both) {
      let told = UnseenDifference.telling(both, of: old, new, isASCII: isASCII)
      if fit(told) { return told }
    }
    return pair(old, new, width: min(widths.old, widths.new) * lines, lines: lines, isASCII: isASCII)
  }

  /// The same of a field, where what points to a record is told by that record's title.
  func pair(
    _ old: Value?, _ new: Value?, of field: String, in conflict: RecordConflict,
    widths: (old: Int, new: Int), lines: Int, isASCII: Bool = false
  ) -> (old: String, new: String) {
    let isTitled = [old, new].contains { title(of: $0, in: field, of: conflict) != nil }
    return isTitled
      ? pair(old, new, of: field, in: conflict, width: min(widths.old, widths.new) * lines, lines: lines)
      : pair(old, new, widths: widths, lines: lines, isASCII: isASCII)
  }

  /// What a value becomes: of one that stays the same value twice would be read as a change, and of a long text the beginning beside the
  /// same beginning leaves open whether anything differs.
  func change(
    _ old: Value?, _ new: Value?, of field: String, in conflict: RecordConflict,
    widths: (old: Int, new: Int), lines: Int = 1, isASCII: Bool = false
  ) -> (now: String, after: String) {
    let pair = pair(old, new, of: field, in: conflict, widths: widths, lines: lines, isASCII: isASCII)
    let width = min(widths.old, widths.new) * lines
    let hasRoom =
      !hides && widths.new >= Privacy.staying.count || DisplayText.width(pair.old, upTo: width + 1) > width
    return (pair.old, old == new && hasRoom ? Privacy.staying : pair.new)
  }

  /// What a value becomes that does not change.
  static let staying = "stays as it is"

  /// nil unless both are numbers: those of many digits may differ in their last ones alone.
  private func numbers(_ old: Value?, _ new: Value?) -> (String, String)? {
    let areNumbers = [old, new].allSatisfy { value in
      switch value {
      case .integer?, .real?: true
      case .null?, .text?, .blob?, .opaque?, nil: false
      }
    }
    return areNumbers ? (line(old), line(new)) : nil
  }

  /// A field's name in at most `width` columns: what does not fit is left out of its middle.
  func name(_ field: String, in width: Int) -> String { DisplayText.cutInside(name(field), to: width) }

  /// The revision that a column shows.
  func revision(_ side: Side, of record: ShownRecord) -> String? {
    record.revision(side).map { revision($0, short: record.shortRevision(side) ?? "") }
  }
}
