/// One frame: a rectangle of cells, each with what it shows and what it means. Nothing here touches a terminal.
package struct Grid: Sendable, Equatable {
  package struct Cell: Sendable, Equatable {
    /// A code point that takes room, with at most four marks; empty for the second column of a wide one.
    ///
    /// A grapheme cluster of several such code points (👩‍💻) takes several cells, as it does in a terminal.
    package fileprivate(set) var points: CodePoints
    package var ink: Ink

    static let blank = Cell(points: CodePoints.blank, ink: .text)

    package var text: String { points.text }

    /// The second column of a wide cell.
    package var isContinuation: Bool { points.isEmpty }
  }

  package let size: Size
  package private(set) var cells: [Cell]
  /// Where the terminal's own cursor stands, in an input field; nil hides it.
  package var cursor: Point?

  package init(_ size: Size) {
    self.size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
    cells = Array(repeating: .blank, count: self.size.columns * self.size.rows)
  }

  /// A cell inside the grid.
  package subscript(column: Int, row: Int) -> Cell { cells[row * size.columns + column] }

  /// A new text replaces what stood there whole: the other half of a wide cell goes blank. A wide text takes the next
  /// cell too, and becomes a blank in the last column.
  package mutating func put(_ text: String, at column: Int, _ row: Int) {
    put(Glyph.all(of: text).first ?? .blank, at: column, row, self[column, row].ink)
  }

  /// Writes `text` and returns the column after it. What does not fit into `width` columns is cut and marked `›`.
  ///
  /// Control characters are shown by their pictures, so that no value can move the cursor or reach the terminal.
  /// What lies left of the grid is not seen.
  @discardableResult
  package mutating func write(
    _ text: String, at column: Int, _ row: Int, _ ink: Ink = .text, width: Int = .max
  ) -> Int {
    guard row >= 0, row < size.rows, column < size.columns else { return column }
    let room = min(width, size.columns - column)
    if column >= 0, let bytes = Glyph.bytes(ofPlain: text), bytes.count <= room {
      return write(bytes, at: column, row, ink)
    }
    var end = column
    for glyph in Glyph.cut(text, to: room) {
      put(glyph, at: end, row, ink)
      end += glyph.width
    }
    return end
  }

  /// A text of one column for each byte that has room: of most lines, so at once.
  private mutating func write(_ bytes: String.UTF8View, at column: Int, _ row: Int, _ ink: Ink) -> Int {
    let end = column + bytes.count
    guard end > column else { return column }
    separate(column, row)
    separate(end - 1, row)
    var index = row * size.columns + column
    cells.withUnsafeMutableBufferPointer { cells in
      for byte in bytes {
        cells[index] = Cell(points: CodePoints(byte: byte), ink: ink)
        index += 1
      }
    }
    return end
  }

  /// Writes pieces of different inks after each other, as one text that is cut at `width`.
  @discardableResult
  package mutating func write(_ runs: [Run], at column: Int, _ row: Int, width: Int = .max) -> Int {
    let end = width < size.columns - column ? column + width : size.columns
    var column = column
    for (index, run) in runs.enumerated() where column < end {
      let isLast = runs[(index + 1)...].allSatisfy { $0.text.isEmpty }
      let room = end - column
      let used = isLast ? 0 : DisplayText.width(run.text, upTo: room)
      // A run that just fits is cut only if more follows, so that the mark is never lost.
      column = write(used == room ? run.text + " " : run.text, at: column, row, run.ink, width: room)
      // Where a wide character has no room, a column is left behind the mark.
      if used >= room { break }
    }
    return column
  }

  /// Writes `text` so that it ends before `column`. Where there is no room for all of it, it is cut.
  package mutating func write(_ text: String, endingAt column: Int, _ row: Int, _ ink: Ink = .text) {
    write(text, at: max(0, column - DisplayText.width(text)), row, ink, width: max(0, column))
  }

  /// Fills a row, or a part of it, with one character.
  package mutating func fill(
    _ character: Character, row: Int, from: Int = 0, to: Int = .max, _ ink: Ink = .text
  ) {
    guard let glyph = Glyph.all(of: String(character)).first else { return }
    let columns = columns(from, to, row)
    if glyph.width == 1 { return fill(columns, row, Cell(points: glyph.points, ink: ink)) }
    for column in columns where (column - max(0, from)) % glyph.width == 0 {
      put(column + glyph.width <= to ? glyph : .blank, at: column, row, ink)
    }
  }

  /// At once, as one column is no half of anything: only what stood at the ends may be.
  private mutating func fill(_ columns: Range<Int>, _ row: Int, _ cell: Cell) {
    guard let last = columns.last else { return }
    separate(columns.lowerBound, row)
    separate(last, row)
    for column in columns { cells[row * size.columns + column] = cell }
  }

  /// Gives every cell of a part of a row the cursor's look.
  package mutating func select(row: Int, from: Int = 0, to: Int = .max) {
    for column in columns(from, to, row) { cells[row * size.columns + column].ink.isSelected = true }
  }

  /// Copies `other` into this grid with its corner at `column`, `row`. What lies outside is not seen.
  package mutating func draw(_ other: Grid, at column: Int, _ row: Int) {
    let first = max(0, -column)
    let seen = first..<max(first, min(other.size.columns, size.columns - column))
    for y in max(0, -row)..<max(0, -row, min(other.size.rows, size.rows - row)) where !seen.isEmpty {
      copy(other, y, seen, to: column + first, row + y)
    }
    if let cursor = other.cursor {
      self.cursor = Point(column: column + cursor.column, row: row + cursor.row)
    }
  }

  /// A part of a row at once: a cell alone may have another half, and inside of a part all have theirs.
  private mutating func copy(_ other: Grid, _ y: Int, _ seen: Range<Int>, to column: Int, _ row: Int) {
    let (source, place) = (y * other.size.columns, row * size.columns + column)
    separate(column, row)
    separate(column + seen.count - 1, row)
    cells[place..<place + seen.count] = other.cells[source + seen.lowerBound..<source + seen.upperBound]
    if cells[place].isContinuation { cells[place].points = CodePoints.blank }
    let isCut = seen.upperBound < other.size.columns && other.cells[source + seen.upperBound].isContinuation
    if isCut { cells[place + seen.count - 1].points = CodePoints.blank }
  }

  /// Whether a row shows the same in a grid of the same size.
  package func isSame(as other: Grid, inRow row: Int) -> Bool {
    let places = row * size.columns..<(row + 1) * size.columns
    return cells.withUnsafeBufferPointer { cells in
      other.cells.withUnsafeBufferPointer { others in places.allSatisfy { cells[$0] == others[$0] } }
    }
  }

  /// Takes the cursor's look from every cell.
  package mutating func deselect() {
    for index in cells.indices where cells[index].ink.isSelected { cells[index].ink.isSelected = false }
  }

  private func columns(_ from: Int, _ to: Int, _ row: Int) -> Range<Int> {
    let first = max(0, from)
    guard row >= 0, row < size.rows else { return first..<first }
    return first..<max(first, min(to, size.columns))
  }
}

extension Grid {
  /// The one place where a cell's text changes, so that no half of a wide cell is ever left alone.
  private mutating func put(_ glyph: Glyph, at column: Int, _ row: Int, _ ink: Ink) {
    let seen = max(0, column)..<max(0, min(column + glyph.width, size.columns))
    let isWhole = seen.count == glyph.width
    for place in seen {
      separate(place, row)
      let points = isWhole ? (place == column ? glyph.points : CodePoints()) : CodePoints.blank
      cells[row * size.columns + place] = Cell(points: points, ink: ink)
    }
  }

  /// Blanks the other half of the wide cell that covers this one.
  private mutating func separate(_ column: Int, _ row: Int) {
    let index = row * size.columns + column
    if cells[index].isContinuation, column > 0 { cells[index - 1].points = CodePoints.blank }
    if column + 1 < size.columns, cells[index + 1].isContinuation {
      cells[index + 1].points = CodePoints.blank
    }
  }
}

extension Grid: CustomStringConvertible {
  /// The frame as plain text, without trailing blanks: what a golden file holds.
  package var description: String { (0..<size.rows).map(line).joined(separator: "\n") }

  private func line(_ row: Int) -> String {
    var (text, end) = ("", (row + 1) * size.columns)
    while end > row * size.columns, cells[end - 1].points == CodePoints.blank { end -= 1 }
    for index in row * size.columns..<end { text += cells[index].text }
    return text
  }
}

extension Grid {
  /// The frame as a terminal takes it: cleared, then line by line with the escapes of a theme. For recordings; the desk
  /// itself draws through ncurses.
  package func ansi(theme: Theme) -> String {
    let lines = (0..<size.rows).map { row in line(row, theme) }
    return "\u{1B}[H\u{1B}[2J" + lines.joined(separator: "\r\n")
  }

  private func line(_ row: Int, _ theme: Theme) -> String {
    var text = ""
    var style: Style?
    for column in 0..<size.columns {
      let cell = self[column, row]
      let next = theme.style(for: cell.ink)
      if next != style { text += "\u{1B}[0" + next.codes + "m" }
      style = next
      text += cell.text
    }
    return text + "\u{1B}[0m"
  }
}

extension Style {
  /// Parameters of SGR (ECMA-48), each with its semicolon.
  fileprivate var codes: String {
    let attributes = [
      (isBold, ";1"), (isDim, ";2"), (isUnderlined, ";4"), (isReversed, ";7"), (isStruck, ";9"),
    ]
    return attributes.filter(\.0).map(\.1).joined() + colour.codes
  }
}

extension Colour {
  fileprivate var codes: String {
    switch self {
    case .standard: ""
    case .palette(let number): ";38;5;\(number)"
    case .rgb(let red, let green, let blue): ";38;2;\(red);\(green);\(blue)"
    }
  }
}
