import Terminal

/// Lines in columns whose widths grow with what was seen so far, so that a list of any length can be printed page by
/// page. Nothing in a line can move the cursor.
struct ColumnLayout {
  private var widths: [Int]
  /// Cut to this many columns; nil leaves lines whole.
  private let limit: Int?
  private static let gap = "  "

  init(columns: Int, limit: Int?) {
    widths = Array(repeating: 0, count: columns)
    self.limit = limit
  }

  /// The rows as lines. The last column is not filled up.
  mutating func lines(_ rows: [[String]]) -> [String] {
    let rows = rows.map { $0.map { Cell($0) } }
    for row in rows {
      for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.width) }
    }
    return rows.map { line($0) }
  }

  /// A text made safe, measured once.
  private struct Cell {
    let text: String
    let width: Int

    init(_ text: String) {
      self.text = DisplayText.safe(text)
      width = DisplayText.width(self.text)
    }
  }

  private func line(_ row: [Cell]) -> String {
    let cells = row.enumerated().map { column, cell in
      column == row.count - 1
        ? cell.text : cell.text + String(repeating: " ", count: widths[column] - cell.width)
    }
    let line = cells.joined(separator: ColumnLayout.gap)
    return withoutSpacesAtTheEnd(limit.map { DisplayText.cut(line, to: $0) } ?? line)
  }
}

/// `text` made safe, in at most `width` columns and without spaces at its end.
func cut(_ text: String, to width: Int?) -> String {
  withoutSpacesAtTheEnd(width.map { DisplayText.cut(text, to: $0) } ?? DisplayText.safe(text))
}

private func withoutSpacesAtTheEnd(_ text: String) -> String {
  var text = text
  while text.last == " " { text.removeLast() }
  return text
}
