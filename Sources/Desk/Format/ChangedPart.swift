import Merging
import Telling
import Terminal

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

  /// Some characters before the end of what is the same, at the beginning of a word if there is one.
  private static func start(_ same: Substring, context: Int) -> Int {
    let last = same.suffix(context)
    let words = last.firstIndex(of: " ").map { last[$0...].dropFirst() } ?? last
    return same.count - words.count
  }
}

/// What only a screen asks.
extension Privacy {
  /// Two values side by side, cut so that it is seen where they differ.
  func pair(_ old: Value?, _ new: Value?, width: Int) -> (old: String, new: String) {
    guard let (before, after) = texts(old, new) else { return (line(old), line(new)) }
    let part = ChangedPart(before, after, width: width)
    return (part.old, part.new)
  }

  /// A field's name in at most `width` columns: what does not fit is left out of its middle.
  func name(_ field: String, in width: Int) -> String { DisplayText.cutInside(name(field), to: width) }

  /// The revision that a column shows.
  func revision(_ side: Side, of record: ShownRecord) -> String? {
    record.revision(side).map { revision($0, short: record.shortRevision(side) ?? "") }
  }
}
