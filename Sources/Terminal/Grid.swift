/// One frame: a rectangle of cells, each with what it shows and what it means. Nothing here touches a terminal.
public struct Grid: Sendable, Equatable {
  public struct Cell: Sendable, Equatable {
    /// One grapheme cluster; empty for the second column of a wide one.
    public var text: String
    public var ink: Ink

    public static let blank = Cell(text: " ", ink: .text)
  }

  public let size: Size
  public private(set) var cells: [Cell]
  /// Where the terminal's own cursor stands, in an input field; nil hides it.
  public var cursor: Point?

  public init(_ size: Size) {
    self.size = size
    cells = Array(repeating: .blank, count: max(0, size.columns) * max(0, size.rows))
  }

  public subscript(column: Int, row: Int) -> Cell {
    get { cells[row * size.columns + column] }
    set { cells[row * size.columns + column] = newValue }
  }

  /// Writes `text` and returns the column after it. What does not fit into `width` columns is cut and marked `›`.
  ///
  /// Control characters are shown by their pictures, so that no value can move the cursor or reach the terminal.
  @discardableResult
  public mutating func write(
    _ text: String, at column: Int, _ row: Int, _ ink: Ink = .text, width: Int = .max
  ) -> Int {
    guard row >= 0, row < size.rows, column < size.columns else { return column }
    let room = min(width, size.columns - column)
    var column = column
    for character in DisplayText.cut(text, to: room) {
      column = put(character, at: column, row, ink)
    }
    return column
  }

  /// Writes pieces of different inks after each other, as one text that is cut at `width`.
  @discardableResult
  public mutating func write(_ runs: [Run], at column: Int, _ row: Int, width: Int = .max) -> Int {
    let end = min(size.columns, width == .max ? .max : column + width)
    var column = column
    for (index, run) in runs.enumerated() where column < end {
      let isLast = runs[(index + 1)...].allSatisfy { $0.text.isEmpty }
      let room = end - column
      // A run that just fits is cut only if more follows, so that the mark is never lost.
      let fits = DisplayText.width(run.text) < room || (isLast && DisplayText.width(run.text) == room)
      column = write(fits ? run.text : run.text + " ", at: column, row, run.ink, width: room)
    }
    return column
  }

  /// Writes `text` so that it ends before `column`.
  public mutating func write(_ text: String, endingAt column: Int, _ row: Int, _ ink: Ink = .text) {
    write(text, at: max(0, column - DisplayText.width(text)), row, ink)
  }

  /// Fills a row, or a part of it, with one character.
  public mutating func fill(_ character: Character, row: Int, from: Int = 0, to: Int = .max, _ ink: Ink = .text) {
    guard row >= 0, row < size.rows else { return }
    for column in max(0, from)..<max(max(0, from), min(to, size.columns)) {
      self[column, row] = Cell(text: String(character), ink: ink)
    }
  }

  /// Gives every cell of a part of a row the cursor's look.
  public mutating func select(row: Int, from: Int = 0, to: Int = .max) {
    guard row >= 0, row < size.rows else { return }
    for column in max(0, from)..<max(max(0, from), min(to, size.columns)) {
      self[column, row].ink.isSelected = true
    }
  }

  /// Copies `other` into this grid with its corner at `column`, `row`.
  public mutating func draw(_ other: Grid, at column: Int, _ row: Int) {
    for y in 0..<other.size.rows where row + y < size.rows {
      for x in 0..<other.size.columns where column + x < size.columns {
        self[column + x, row + y] = other[x, y]
      }
    }
    if let cursor = other.cursor { self.cursor = Point(column: column + cursor.column, row: row + cursor.row) }
  }

  private mutating func put(_ character: Character, at column: Int, _ row: Int, _ ink: Ink) -> Int {
    let width = DisplayText.width(character)
    guard column >= 0, column + width <= size.columns else { return column + width }
    self[column, row] = Cell(text: String(character), ink: ink)
    for extra in 1..<max(1, width) { self[column + extra, row] = Cell(text: "", ink: ink) }
    return column + width
  }
}

/// A piece of text of one ink.
public struct Run: Sendable, Equatable {
  public var text: String
  public var ink: Ink

  public init(_ text: String, _ ink: Ink = .text) {
    self.text = text
    self.ink = ink
  }
}

extension Grid: CustomStringConvertible {
  /// The frame as plain text, without trailing blanks: what a golden file holds.
  public var description: String {
    (0..<size.rows).map { row in
      let line = (0..<size.columns).map { self[$0, row].text }.joined()
      return String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}
