import Terminal

/// A text that is typed, in rows: it is broken at its line breaks, and between words where it is wider. Of a long one what is around
/// the cursor is laid out.
struct InputArea {
  struct Row {
    /// Without its line break.
    let text: String
    /// How many characters of what is laid out stand before it.
    let start: Int
    let count: Int
  }

  private(set) var rows: [Row] = []
  private(set) var cursorRow = 0
  private(set) var cursorColumn = 0
  /// Whether the text goes on before the first of the rows, and behind the last.
  let isCut: (above: Bool, below: Bool)
  private let characters: [Character]
  private let cursor: Int

  /// - Parameter width: in columns, with one for the cursor.
  init(_ line: InputLine, width: Int) {
    let before = line.before.end(fromBlockOf: Self.block)
    let after = line.after.prefix(utf8: Self.block)
    isCut = (before.utf8.count < line.before.utf8.count, after.utf8.count < line.after.utf8.count)
    cursor = before.count
    characters = Array(before) + Array(after)
    lay(width: max(1, width - 1))
  }

  /// In bytes: more than a screen holds, and little enough to be laid out with every key.
  private static let block = 1 << 13

  private mutating func lay(width: Int) {
    var start = 0
    repeat {
      let end = end(ofRowFrom: start, width: width)
      let text = characters[start..<end].filter { !$0.isNewline }
      rows.append(Row(text: String(text), start: start, count: end - start))
      start = end
    } while start < characters.count
    // Behind a line break is a line, though nothing stands in it yet.
    if characters.last?.isNewline == true { rows.append(Row(text: "", start: start, count: 0)) }
    cursorRow = rows.lastIndex { $0.start <= cursor } ?? 0
    cursorColumn = DisplayText.width(String(characters[rows[cursorRow].start..<cursor]))
  }

  private func end(ofRowFrom start: Int, width: Int) -> Int {
    var (used, blank): (Int, Int?) = (0, nil)
    for index in start..<characters.count {
      let character = characters[index]
      if character.isNewline { return index + 1 }
      used += DisplayText.width(character)
      // The blank after a word that fits may be behind the edge.
      if character.isWhitespace { blank = index + 1 }
      if used > width { return index > start ? blank ?? index : index + 1 }
    }
    return characters.count
  }

  /// The first row that is shown of so many: the cursor is in sight.
  func first(height: Int) -> Int { max(0, min(cursorRow - height / 2, rows.count - height)) }

  /// How many characters the cursor goes on, or back, to come to a column of another row; nil where there is no such row.
  func steps(toRow row: Int, column: Int) -> Int? {
    guard rows.indices.contains(row) else { return nil }
    let end = rows[row].start + rows[row].text.count
    // Of a row that is broken between words the last place is the next row's first.
    let last = row + 1 < rows.count && end == rows[row + 1].start ? end - 1 : end
    var (place, used) = (rows[row].start, 0)
    while place < last {
      used += DisplayText.width(characters[place])
      if used > column { break }
      place += 1
    }
    return place - cursor
  }

  /// The same of the row above, or below.
  func steps(by rows: Int) -> Int? { steps(toRow: cursorRow + rows, column: cursorColumn) }
}

extension String {
  /// The end of it from the start of the last but one block of so many bytes: while it is typed the start stays where it is.
  fileprivate func end(fromBlockOf size: Int) -> Substring {
    let start = (utf8.count / size - 1) * size
    guard start > 0 else { return self[...] }
    return self[characterStart(at: utf8.index(startIndex, offsetBy: start))...]
  }

  fileprivate func prefix(utf8 size: Int) -> Substring {
    guard utf8.count > size else { return self[...] }
    return self[..<characterStart(at: utf8.index(startIndex, offsetBy: size))]
  }

  private func characterStart(at index: String.Index) -> String.Index {
    index == endIndex ? index : self.index(before: self.index(after: index))
  }
}
