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
    let rows = rows.map { $0.map { DisplayText.safe($0) } }
    for row in rows {
      for (column, text) in row.enumerated() { widths[column] = max(widths[column], DisplayText.width(text)) }
    }
    return rows.map { line($0) }
  }

  private func line(_ row: [String]) -> String {
    let cells = row.enumerated().map { column, text in
      column == row.count - 1
        ? text : text + String(repeating: " ", count: widths[column] - DisplayText.width(text))
    }
    return cut(cells.joined(separator: ColumnLayout.gap), to: limit)
  }
}

/// `text` made safe, in at most `width` columns and without spaces at its end.
func cut(_ text: String, to width: Int?) -> String {
  var text = width.map { DisplayText.cut(text, to: $0) } ?? DisplayText.safe(text)
  while text.last == " " { text.removeLast() }
  return text
}
