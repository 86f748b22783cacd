import Terminal

/// Lines in columns whose widths grow with what was seen so far, so that a list of any length can be printed page by
/// page. Nothing in a line can move the cursor.
struct ColumnLayout {
  private var widths: [Int]
  /// Cut to this many columns; nil leaves lines whole.
  private let limit: Int?
  /// Those whose cells are cut as long as a line is too long, the widest first.
  private let shrinking: [Int]
  /// What wider cells than this do not widen: they push the rest of their own line alone.
  private let widest: Int
  private static let gap = "  "
  /// What is left of a column that shrinks.
  private static let leastWidth = 12
  /// What the last column needs to be read beside the others.
  private static let leastRoom = 40

  init(columns: Int, limit: Int?, shrinking: [Int] = [], widest: Int = .max) {
    widths = Array(repeating: 0, count: columns)
    (self.limit, self.shrinking, self.widest) = (limit, shrinking, widest)
  }

  /// The rows as lines. The last column is not filled up.
  mutating func lines(_ rows: [[String]]) -> [String] {
    let rows = measured(rows)
    guard limit != nil else { return rows.map { line($0) } }
    let widths = fittedWidths
    return rows.map { row in line(zip(row, widths).map { $0.width > $1 ? $0.cut(to: $1) : $0 }, widths) }
  }

  private var fittedWidths: [Int] {
    guard let limit else { return widths }
    var widths = widths
    var excess = widths.reduce(0, +) + (widths.count - 1) * ColumnLayout.gap.count - limit
    while excess > 0, let widest = shrinking.max(by: { widths[$0] < widths[$1] }),
      widths[widest] > ColumnLayout.leastWidth
    {
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  /// The rows with the last column broken between words, in a column of its own where it has room, otherwise below the others. What
  /// takes too many lines is cut.
  mutating func brokenLines(_ rows: [[String]]) -> [String] {
    guard let limit else { return lines(rows) }
    let rows = measured(rows)
    let start = widths.dropLast().reduce(0) { $0 + $1 + ColumnLayout.gap.count }
    let isBeside = limit - start >= ColumnLayout.leastRoom
    return rows.flatMap { row -> [String] in
      guard let text = row.last?.text else { return [] }
      let broken = brokenLines(of: text, indent: isBeside ? start : 4, limit)
      let head = row.dropLast().map(\.text).filter { !$0.isEmpty }.joined(separator: ColumnLayout.gap)
      if head.isEmpty { return broken }
      return isBeside
        ? [line(row.dropLast() + [Cell(String((broken.first ?? "").dropFirst(start)))])] + broken.dropFirst()
        : BrokenLine.lines(head, width: limit) + broken
    }
  }

  private func brokenLines(of text: String, indent: Int, _ limit: Int) -> [String] {
    let text = (blanks: text.prefix { $0 == " " }.count, words: String(text.drop { $0 == " " }))
    let head = String(repeating: " ", count: indent + text.blanks)
    return HangingLine.lines(head, text.words, width: limit, most: HangingLine.mostOfValue)
  }

  private mutating func measured(_ rows: [[String]]) -> [[Cell]] {
    let rows = rows.map { $0.map { Cell($0) } }
    for row in rows {
      for (column, cell) in row.enumerated() { widths[column] = max(widths[column], min(cell.width, widest)) }
    }
    return rows
  }

  /// A text made safe, measured once.
  private struct Cell {
    let text: String
    let width: Int

    init(_ text: String) {
      self.text = DisplayText.safe(text)
      width = DisplayText.width(self.text)
    }

    func cut(to width: Int) -> Cell { Cell(DisplayText.cut(text, to: width)) }
  }

  private func line(_ row: [Cell]) -> String { line(row, widths) }

  private func line(_ row: [Cell], _ widths: [Int]) -> String {
    let cells = row.enumerated().map { column, cell in
      column == row.count - 1
        ? cell.text : cell.text + String(repeating: " ", count: max(0, widths[column] - cell.width))
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
