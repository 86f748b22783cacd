import ExactJSON
import Merging
import StoreInterface
import Telling
import Terminal

/// Texts of a change, or of a value that nobody changed, of which not all is shown at once: they are read in parts. One of these begins
/// shortly before client and server first differ, and is shown first, as what both begin with tells nobody anything.
///
///     C  [1,2,3,4,5,…      ··· 8 kB before: [ ··· 1998,1999]
///     S  [1,2,3,4,5,…      ··· 8 kB before: [ ··· 1998,1999,2000]
struct LongChange: Equatable {
  /// Of each text, in bytes: what is longer would be broken into lines with every key.
  private static let longest = 8_000
  /// Of what both begin with, in bytes.
  private static let context = 200

  /// Where each part begins, in bytes of every text: in each of them shortly before, where a word would be cut there.
  private let starts: [Int]
  /// The part in which they first differ.
  let first: Int

  var count: Int { starts.count }

  /// nil for what is shown at once.
  ///
  /// - Parameter result: what the field would hold of it.
  init?(_ change: FieldPart, result: String?) {
    let texts = [change.ancestor, change.client, change.server, result]
    let longest = texts.map { $0?.utf8.count ?? 0 }.max() ?? 0
    guard longest > Self.longest else { return nil }
    self.init(bytes: longest, differingAt: Self.difference(change))
  }

  /// Of a text that is the same on all sides.
  init?(_ text: String) {
    guard text.utf8.count > Self.longest else { return nil }
    self.init(bytes: text.utf8.count, differingAt: 0)
  }

  private init(bytes: Int, differingAt place: Int) {
    let start = place < Self.longest / 2 ? 0 : place - Self.context
    let before = start % Self.longest
    starts = (before > 0 ? [0] : []) + stride(from: before, to: bytes, by: Self.longest)
    first = starts.firstIndex(of: start) ?? 0
  }

  /// In bytes. Where client and server have the same it is the ancestor that they differ from.
  private static func difference(_ change: FieldPart) -> Int {
    guard let client = change.client, let server = change.server else { return 0 }
    if !client.hasSameBytes(as: server) { return commonStart(client, server) }
    return change.ancestor.map { commonStart($0, client) } ?? 0
  }

  /// A part of one of several changes.
  struct Place: Equatable {
    let change: Int
    let part: Int
  }

  /// A part of one of the texts.
  struct Part {
    let text: String
    /// In bytes, of what stands before it and behind it.
    let before: Int
    let after: Int
  }

  /// - Parameter words: folded. One that begins in the part is shown, and found, as a whole, though the next part begins within it.
  func part(_ place: Int, of text: String, reaching words: [String] = []) -> Part {
    let place = max(0, min(place, count - 1))
    let start = start(of: place, in: text)
    let end = place + 1 < count ? self.start(of: place + 1, in: text) : text.utf8.count
    let own = text.part(start, max(end, start))
    let shown = own + Self.rest(of: words, begunIn: own, before: text[own.endIndex...])
    let before = text.part(0, start).utf8.count
    return Part(text: String(shown), before: before, after: text.utf8.count - before - shown.utf8.count)
  }

  /// What the longest of these words that begins in a part has behind the end of that.
  private static func rest(of words: [String], begunIn part: Substring, before next: Substring) -> Substring {
    let lengths = words.map { word -> Int in
      let most = max(0, word.count - 1)
      let end = part.suffix(most)
      func isFound(_ length: Int) -> Bool {
        SearchText.isFound(word, in: SearchText.folded(String(end + next.prefix(length))))
      }
      return isFound(most) ? (0...most).first(where: isFound) ?? most : 0
    }
    return next.prefix(lengths.max() ?? 0)
  }

  /// In bytes: behind a blank, a quote or the like that stands shortly before, so that no word is cut; else between two characters.
  private func start(of place: Int, in text: String) -> Int {
    let (start, bytes) = (starts[place], text.utf8)
    guard start > 0, start < bytes.count else { return start }
    let before = bytes[..<bytes.index(bytes.startIndex, offsetBy: start)].suffix(Self.longestWord)
    let length = before.reversed().prefix { !Self.endsWord($0) }.count
    return Self.startOfCharacter(length < before.count ? start - length : start, in: text)
  }

  /// Of bytes shortly before one, or the one itself, the last with which a character begins: an accent belongs to its letter.
  private static func startOfCharacter(_ byte: Int, in text: String) -> Int {
    let places = (max(1, byte - longestWord)...byte).reversed()
    return places.first { String.Index(text.utf8.index(text.startIndex, offsetBy: $0), within: text) != nil }
      ?? byte
  }

  /// In bytes.
  private static let longestWord = 60

  /// Whether no word goes on behind it: dates, paths, addresses and names of all kinds are words here.
  private static func endsWord(_ byte: UInt8) -> Bool {
    byte <= UInt8(ascii: " ") || #"",;|()[]{}<>"#.utf8.contains(byte)
  }

  /// The parts in which one of these words begins, which are folded.
  fileprivate func parts(of texts: [String], with words: [String]) -> [Int] {
    (0..<count).filter { place in
      texts.contains { text in
        let folded = SearchText.folded(part(place, of: text, reaching: words).text)
        return words.contains { SearchText.isFound($0, in: folded) }
      }
    }
  }
}

/// What is shown of a text, with how much of it stands before and behind.
struct ShownText {
  var before = ""
  var text: String
  var after = ""

  /// - Parameter runs: of what is shown.
  func between(_ runs: [Run]) -> [Run] {
    [Run(before, .dim)].filter { !$0.text.isEmpty } + runs + [Run(after, .dim)].filter { !$0.text.isEmpty }
  }

  /// In one run.
  var whole: String { before + text + after }
}

extension ValueContent {
  func longChange(of change: FieldPart) -> LongChange? {
    LongChange(change, result: resultText(change))
  }

  /// The part of it that is shown.
  func placeShown(in long: LongChange) -> Int { min(page.stretch ?? long.first, long.count - 1) }

  /// The part that is so many steps away; nil where there is none.
  func stretch(by step: Int) -> Int? {
    guard let long else { return nil }
    let place = placeShown(in: long) + step
    return (0..<long.count).contains(place) ? place : nil
  }

  /// Of a long change a part. Which keys show the others is told where they do.
  func textShown(_ text: String, of change: FieldPart, isSelected: Bool) -> ShownText {
    guard let long = isSelected ? self.long : longChange(of: change) else { return ShownText(text: text) }
    return textShown(text, long, isSelected ? placeShown(in: long) : long.first, isSelected)
  }

  /// The same of a text that is the same on all sides.
  func textShown(_ text: String) -> String {
    guard let long = LongChange(text) else { return text }
    return textShown(text, long, placeShown(in: long), true).whole
  }

  private func textShown(_ text: String, _ long: LongChange, _ place: Int, _ isSelected: Bool) -> ShownText {
    let part = long.part(place, of: text, reaching: page.search.words)
    let keys = [Command.record(.previousChange), .record(.nextChange)].map { command in
      isSelected ? ": \(desk.key(command))" : ""
    }
    return ShownText(
      before: part.before > 0 ? "··· \(bytesInWords(part.before)) before\(keys[0]) ··· " : "",
      text: part.text,
      after: part.after > 0 ? " ··· \(bytesInWords(part.after)) more\(keys[1]) ···" : "")
  }

  /// "part 2 of 3"; nothing where all is shown at once.
  var partWords: String { long.map { "part \(placeShown(in: $0) + 1) of \($0.count)" } ?? "" }

  /// The parts of long changes in which one of these words stands, which are folded, as far as these columns show it.
  func stretches(with words: [String], in columns: [ValueColumn]) -> [LongChange.Place] {
    if isBytes { return [] }
    var found = allParts.enumerated().flatMap { place, change -> [LongChange.Place] in
      let texts = columns.compactMap { $0.side.map { change.text($0) } ?? resultText(change) }.unique
      let parts = longChange(of: change)?.parts(of: texts, with: words) ?? []
      return parts.map { LongChange.Place(change: place, part: $0) }
    }
    if let text = textOfAll, let long = LongChange(text) {
      found += long.parts(of: [text], with: words).map { LongChange.Place(change: 0, part: $0) }
    }
    return found
  }
}
