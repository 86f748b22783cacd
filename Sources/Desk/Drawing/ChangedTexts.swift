import Merging
import Terminal

/// The texts of one field, for places that are too small for them: each begins shortly before what differs, as what all of
/// them begin with tells nobody anything.
struct ChangedTexts {
  private let reference: String
  /// How many bytes it begins with like every other text.
  private let shared: Int

  /// - Parameter texts: the first is what the others are compared with.
  init?(_ texts: [String]) {
    guard let reference = texts.first else { return nil }
    let starts = texts.dropFirst().filter { $0 != reference }.map { commonStart(reference, $0) }
    guard let shared = starts.min() else { return nil }
    (self.reference, self.shared) = (reference, shared)
  }

  /// `text` as a cell of this width shows it. All begin at the same place, that the eye can compare them, unless what
  /// differs in this one would be out of sight.
  func cell(_ text: String, width: Int) -> String {
    let own = text == reference ? shared : commonStart(reference, text)
    // A result may be none of them.
    let shared = min(shared, own)
    let start = start(of: text, before: shared, width: width)
    let isInSight = DisplayText.width(String(text.part(start, own)), upTo: width) < width - width / 3
    let first = isInSight ? start : self.start(of: text, before: own, width: width)
    return first == 0 ? text : "…" + text.part(first, text.utf8.count)
  }

  private func start(of text: String, before place: Int, width: Int) -> Int {
    guard place > 0 else { return 0 }
    let context = width / 3
    // Of a long text only the end of what is the same matters.
    let before = text.part(max(0, place - 8 * width), place)
    if before.utf8.count == place, DisplayText.width(String(before), upTo: width) <= width - context {
      return 0
    }
    return place - before.ending(context).utf8.count
  }

  /// Of a long text nobody asks.
  private func fits(_ text: String, _ lines: Int, _ width: Int) -> Bool {
    text.utf8.count <= lines * 4 * width
      && [Run(text)].wrapped(width, most: lines + 2).withoutEmptyEnd.count <= lines
  }

  /// In which byte of `text` a place of so many lines begins to tell of it: that of what differs, with some of what is before
  /// it; 0 where all of it fits.
  func start(of text: String, lines: Int, width: Int) -> Int {
    let own = text == reference ? shared : commonStart(reference, text)
    guard own > 0, !fits(text, lines, width) else { return 0 }
    let before = text.part(max(0, own - lines * 8 * width), own)
    let used = [Run(String(before))].wrapped(width, most: lines + 1)
    let isBegun = used.count == 1 && used[0].width <= width * 2 / 3
    let isNear = lines == 1 ? isBegun : used.count <= (lines + 1) / 2
    return isNear && before.utf8.count == own ? 0 : own - before.ending(width / 2).utf8.count
  }
}

extension Substring {
  /// Some columns of its end, from the beginning of a line or a word where that is near.
  fileprivate func ending(_ columns: Int) -> Substring {
    let last = last(columns)
    if let line = last.lastIndex(where: \.isNewline) { return last[last.index(after: line)...] }
    if let space = last.firstIndex(of: " ") { return last[space...].dropFirst() }
    let word = self.last(columns * 3 / 2 + 1)
    return word.lastIndex(where: \.isWhitespace).map { word[$0...].dropFirst() } ?? last
  }

  /// The characters at its end that have room in so many columns.
  private func last(_ columns: Int) -> Substring {
    var last = suffix(columns)
    while DisplayText.width(String(last), upTo: columns) > columns { last = last.dropFirst() }
    return last
  }
}
