import CNcurses
import Terminal

extension CursesTerminal {
  /// Shows `grid`, from the top left corner. The rows that are not as they were are drawn, and ncurses sends what differs in them.
  package func draw(_ grid: Grid) {
    let shown = isASCII ? grid.inASCII : grid
    let seen = shown.size.columns > size.columns ? clipped(shown) : shown
    let before = drawn?.size == seen.size ? drawn : nil
    if before == nil { erase() }
    for row in 0..<min(seen.size.rows, size.rows) where before?.isSame(as: seen, inRow: row) != true {
      draw(seen, row)
    }
    drawn = seen
    screen.inOnePiece {
      placeCursor(grid.cursor)
      wrefresh(window)
    }
  }

  private func erase() {
    setBackground()
    werase(window)
  }

  /// The part that fits: a wide character at the edge goes as a whole.
  private func clipped(_ grid: Grid) -> Grid {
    var seen = Grid(size)
    seen.draw(grid, at: 0, 0)
    return seen
  }

  private func draw(_ grid: Grid, _ row: Int) {
    var cells: [cchar_t] = []
    let columns = grid.size.columns
    cells.reserveCapacity(columns)
    var last: Grid.Cell?
    for cell in grid.cells[row * columns..<(row + 1) * columns] where !cell.isContinuation {
      // Most are as the one before them: blanks, and lines.
      cells.append(cell == last ? cells[cells.count - 1] : character(cell.points, palette.look(cell.ink)))
      last = cell
    }
    mvwadd_wchnstr(window, Int32(row), 0, cells, Int32(cells.count))
  }

  /// A base and its marks with their look.
  private func character(_ points: CodePoints, _ look: Palette.Look) -> cchar_t {
    var result = cchar_t()
    var pair = look.pair
    withUnsafeTemporaryAllocation(of: wchar_t.self, capacity: CodePoints.most + 1) { scalars in
      var count = 0
      points.each {
        scalars.initializeElement(at: count, to: wchar_t(bitPattern: $0))
        count += 1
      }
      scalars.initializeElement(at: count, to: 0)
      // The pair fits a short only for the first 32767; ncurses takes it from the last argument.
      setcchar(&result, scalars.baseAddress, look.attributes, Int16(truncatingIfNeeded: pair), &pair)
    }
    return result
  }

  private func setBackground() {
    var blank = character(.blank, palette.ground)
    wbkgrndset(window, &blank)
  }

  private func placeCursor(_ cursor: Point?) {
    guard let cursor, cursor.row >= 0, cursor.column >= 0, cursor.row < size.rows,
      cursor.column < size.columns
    else {
      // A terminal that cannot hide its cursor has it where it disturbs least; of a hidden one the place is not worth a byte.
      let isHidden = curs_set(0) != ERR
      leaveok(window, isHidden)
      if !isHidden { wmove(window, Int32(size.rows - 1), Int32(size.columns - 1)) }
      return
    }
    leaveok(window, false)
    wmove(window, Int32(cursor.row), Int32(cursor.column))
    curs_set(1)
  }
}
