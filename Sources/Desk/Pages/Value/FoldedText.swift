import Merging

/// What of a long text is shown: each change with some lines around it, and how much is the same between them.
struct FoldedText {
  enum Block: Equatable {
    /// A line that is the same on all sides.
    case same([Fragment])
    /// Lines with these changes, by their places.
    case changed([Fragment], changes: [Int])
    /// What is left out.
    case folded(lines: Int, bytes: Int)
    case foldedChanges(Int)
  }

  enum Fragment: Equatable {
    case text(String)
    /// Left out inside a line, in bytes.
    case gap(Int)
    case change(Int)
  }

  private(set) var blocks: [Block] = []
  private var line: [Fragment] = []
  private let showsUnchanged: Bool

  /// Lines of what is the same, on each side of a change.
  private static let context = 2
  /// Of a line, in bytes.
  private static let longestLine = 300
  /// In bytes: many screens full, where everything is wanted. What is longer is read better in an editor.
  private static let longest = 10_000
  /// How many changes are shown on each side of the one under the cursor.
  private static let around = 40

  init(_ pieces: [FieldParts.Piece], at change: Int, showsUnchanged: Bool) {
    self.showsUnchanged = showsUnchanged
    let places = pieces.indices.filter { pieces[$0].part != nil }
    let shown = max(0, change - Self.around)..<max(0, min(places.count, change + Self.around + 1))
    foldChanges(shown.lowerBound)
    for (index, piece) in pieces.enumerated() {
      let before = places.firstPosition(after: index)
      switch piece {
      case .part(let part): if shown.contains(before) { add(part, at: before) }
      case .kept(let text):
        let (follows, leads) = (shown.contains(before - 1), shown.contains(before))
        if follows || leads || places.isEmpty { add(text, follows: follows, leads: leads) }
      }
    }
    endLine()
    foldChanges(places.count - shown.upperBound)
  }

  private mutating func foldChanges(_ count: Int) { if count > 0 { blocks.append(.foldedChanges(count)) } }

  private mutating func add(_ part: FieldPart, at place: Int) {
    line.append(.change(place))
    let texts = [part.ancestor, part.client, part.server].compactMap(\.self)
    let endsLine = texts.contains { $0.last?.isNewline == true }
    if endsLine, texts.allSatisfy({ $0.isEmpty || $0.last?.isNewline == true }) { endLine() }
  }

  private mutating func endLine() {
    guard !line.isEmpty else { return }
    let changes = line.compactMap { if case .change(let place) = $0 { place } else { nil } }
    blocks.append(changes.isEmpty ? .same(line) : .changed(line, changes: changes))
    line = []
  }

  private mutating func add(lines text: Substring) {
    var rest = text
    while let end = rest.firstIndex(where: \.isNewline) {
      line.append(.text(String(rest[..<end])))
      endLine()
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { line.append(.text(String(rest))) }
  }

  /// What is the same.
  ///
  /// - Parameters:
  ///   - follows: whether a change is before it.
  ///   - leads: whether one is behind it.
  private mutating func add(_ text: String, follows: Bool, leads: Bool) {
    var text = text
    // Not copied: there may be megabytes on each side of a change, for every frame.
    let (start, end, isAtLine) = text.withUTF8 { bytes in
      let isAlone = !follows && !leads
      let start = follows || isAlone ? beginning(bytes) : 0
      let end = leads ? self.end(bytes) : bytes.count
      let isAtLine = start == 0 ? line.isEmpty : bytes[start - 1] == newline
      return (start, end, isAtLine && (end == bytes.count || end == 0 || bytes[end - 1] == newline))
    }
    let count = text.utf8.count
    let lines = start < end ? text.lineEnds(in: start..<end) : 0
    guard start < end, end - start > 80 || lines > 0 else { return add(lines: text[...]) }
    add(lines: text.part(0, start))
    if isAtLine {
      blocks.append(.folded(lines: lines, bytes: end - start))
    } else {
      line.append(.gap(end - start))
    }
    add(lines: text.part(end, count))
  }

  private var newline: UInt8 { UInt8(ascii: "\n") }

  /// Where what is shown behind a change ends: the rest of its line, and some more.
  private func beginning(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let most = showsUnchanged ? Self.longest : Self.longestLine * (Self.context + 1)
    var lines = showsUnchanged ? .max : Self.context + 1
    var lineStart = 0
    for (index, byte) in bytes.enumerated() {
      if index >= most { return lineStart > 0 ? lineStart : index }
      if byte == newline {
        lines -= 1
        lineStart = index + 1
        if lines == 0 { return lineStart }
      } else if !showsUnchanged, index - lineStart > Self.longestLine {
        return index
      }
    }
    return bytes.count
  }

  /// Where what is shown before a change begins.
  private func end(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let most = showsUnchanged ? Self.longest : Self.longestLine * (Self.context + 1)
    var lines = showsUnchanged ? .max : Self.context + 1
    var lineEnd = bytes.count
    for index in bytes.indices.reversed() {
      if bytes.count - index > most { return lineEnd < bytes.count ? lineEnd + 1 : index + 1 }
      if bytes[index] == newline {
        lines -= 1
        lineEnd = index
        if lines == 0 { return index + 1 }
      } else if !showsUnchanged, lineEnd - index > Self.longestLine {
        return index + 1
      }
    }
    return 0
  }
}

extension FieldParts.Piece {
  fileprivate var part: FieldPart? { if case .part(let part) = self { part } else { nil } }
}

extension [Int] {
  /// How many of these ascending places are before one.
  fileprivate func firstPosition(after place: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] >= place { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
