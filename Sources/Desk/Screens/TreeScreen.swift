import Merging
import Telling
import Terminal

/// Where the parts of the tree screen stand; drawing and the mouse agree on it.
struct TreeLayout {
  let top = 2
  /// Rows for lines of the tree.
  let height: Int
  let treeWidth: Int
  /// Beside the tree where there is room, otherwise below it.
  let panel: (at: Point, size: Size)
  let isBeside: Bool
  /// The last row above the footer tells what the signs mean, if there is room.
  let hasLegend: Bool

  /// - Parameter lineCount: the lines that the tree has; what it does not need is the panel's.
  init(_ state: DeskState, lineCount: Int) {
    let (columns, rows) = (state.size.columns, state.size.rows)
    hasLegend = rows >= 16
    let room = rows - 2 - top - (hasLegend ? 1 : 0)
    isBeside = columns >= 120
    if isBeside {
      let width = max(50, columns * 2 / 5)
      (height, treeWidth) = (room, columns - width - 1)
      panel = (Point(column: columns - width + 1, row: top), Size(columns: width - 2, rows: room))
    } else {
      // The panel has no rule over it where every row counts.
      let rule = rows >= 16 ? 1 : 0
      let least = rows >= 16 ? max(6, room * 2 / 5) : 2
      height = max(1, min(lineCount, room - least - rule))
      let panelHeight = room - height - rule
      treeWidth = columns
      panel = (
        Point(column: 1, row: rows - 2 - (hasLegend ? 1 : 0) - panelHeight),
        Size(columns: columns - 2, rows: panelHeight)
      )
    }
  }

  /// The first line shown: the cursor is kept in sight, and moves before the tree does.
  func first(_ page: TreePage, _ tree: DrawnTree) -> Int {
    max(0, min(page.line - height / 2, tree.lines(isUnfolded: page.isUnfolded).count - height))
  }
}

/// All revisions of a record: branches, leaves, the winner, what is deleted and what is not kept; and the fields of one leaf.
struct TreeScreen {
  let state: DeskState
  let page: TreePage
  func draw() -> Grid {
    var frame = Frame(state.size)
    guard case .read(let tree) = state.tree, tree.id == page.id else {
      drawHeader(&frame, [])
      frame.grid.write("Reading the revisions...", at: 4, 3, .dim)
      return frame.footer(state)
    }
    drawHeader(&frame, [Run(counts(tree), .dim), Run(position(tree))])
    draw(tree, &frame)
    return footer(&frame)
  }

  private func drawHeader(_ frame: inout Frame, _ right: [Run]) {
    let title = state.privacy.shown(page.title)
    frame.header([Run("Revisions   ", .dim), Run(title, .text.bold)], right: right)
  }

  private func counts(_ tree: DrawnTree) -> String {
    if state.size.columns < 60 { return "" }
    return "\(tree.liveCount) live" + (tree.deletedCount > 0 ? ", \(tree.deletedCount) deleted" : "") + "   "
  }

  private func position(_ tree: DrawnTree) -> String {
    let count = tree.lines(isUnfolded: page.isUnfolded).count
    return state.size.columns < 60 ? "\(page.line + 1)/\(count)" : "line \(page.line + 1) of \(count)"
  }

  private func draw(_ tree: DrawnTree, _ frame: inout Frame) {
    let record = state.shownRecord(page)
    let layout = TreeLayout(state, page, tree)
    var view = TreeView(tree: tree, lines: tree.lines(isUnfolded: page.isUnfolded), record: record)
    view.cursor = (page.line, page.place)
    let size = Size(columns: layout.treeWidth, rows: layout.height)
    frame.grid.draw(view.draw(size, first: layout.first(page, tree)), at: 0, layout.top)
    drawPanel(RevisionPanel(state: state, page: page, tree: tree, record: record), layout, &frame)
    if layout.hasLegend {
      frame.grid.write(RevisionPanel.legend, at: 1, frame.bottom - 1, width: frame.columns - 2)
    }
  }

  private func drawPanel(_ panel: RevisionPanel, _ layout: TreeLayout, _ frame: inout Frame) {
    let (start, size) = layout.panel
    if layout.isBeside {
      for row in layout.top..<frame.bottom - 1 { frame.grid.write("│", at: start.column - 2, row, .dim) }
    } else if layout.hasLegend {
      frame.rule(start.row - 1)
    }
    frame.grid.write(lines: panel.lines(size), at: start.column, start.row, width: size.columns)
  }

  /// What is looked for stands where the keys are told otherwise.
  private func footer(_ frame: inout Frame) -> Grid {
    guard let words = page.words else { return frame.footer(state) }
    frame.rule(frame.bottom)
    let end = frame.grid.write(
      [Run("/ ", .text.bold), Run(words.text), Run("_", .dim)], at: 1, frame.bottom + 1,
      width: frame.columns - 24)
    let status = state.status.map { Run($0.text, .failed.bold) } ?? Run(state.hints(width: 22), .dim)
    frame.grid.write([status], at: end + 3, frame.bottom + 1, width: frame.columns - end - 4)
    return frame.grid
  }
}

extension TreeLayout {
  init(_ state: DeskState, _ page: TreePage, _ tree: DrawnTree) {
    self.init(state, lineCount: tree.lines(isUnfolded: page.isUnfolded).count)
  }
}

extension DeskState {
  /// The record of a tree, with the leaf that its own screen shows; nil if it is not in conflict, or not read yet.
  func shownRecord(_ page: TreePage) -> ShownRecord? {
    open[page.id].map { ShownRecord($0, leaf: leafBelow(page)) }
  }
}

/// The tree beside the record on a wide screen, with all that are many folded.
struct TreeBeside {
  let desk: DeskState
  let record: ShownRecord

  func draw(_ size: Size) -> Grid {
    var frame = Frame(size)
    frame.header([Run("Revisions", .text.bold)], right: [Run("L opens them", .dim)])
    frame.rule(frame.bottom)
    guard case .read(let tree) = desk.tree, tree.id == record.conflict.id else {
      frame.grid.write(words, at: 1, 2, .dim)
      return frame.grid
    }
    draw(tree, &frame)
    return frame.grid
  }

  /// The tree, and below it what the leaf in the server's column has.
  private func draw(_ tree: DrawnTree, _ frame: inout Frame) {
    let lines = tree.lines(isUnfolded: false)
    let width = frame.columns
    let height = min(lines.count, frame.bottom - 14)
    var view = TreeView(tree: tree, lines: lines, record: record)
    view.focus = lines.firstIndex { $0.leaf == record.revision(.server) } ?? 0
    frame.grid.draw(view.draw(Size(columns: width, rows: height), first: 0), at: 0, 2)
    frame.rule(2 + height)
    var page = TreePage(id: tree.id, title: "")
    page.go(toLeaf: record.revision(.server), in: tree)
    let panel = RevisionPanel(state: desk, page: page, tree: tree, record: record)
    let size = Size(columns: width - 2, rows: frame.bottom - 6 - height)
    let legend = RevisionPanel.legend.wrapped(width - 2)
    frame.grid.write(lines: panel.lines(size), at: 1, 3 + height, width: width - 2)
    frame.grid.write(lines: legend, at: 1, frame.bottom - legend.count, width: width - 2)
  }

  private var words: String {
    if case .failed = desk.tree {
      "They could not be read; L tries again."
    } else {
      "Reading the revisions..."
    }
  }
}

/// The lines of a revision tree in a rectangle: what is deeper than it is wide is shifted so that the cursor stays in sight.
///
/// ```
/// ▸ 1-b534b6 ── 2-8d6a33 ── 3-94cc21   winner  C client
///   ├─ 2-70f546   live  S server
///   └─ 2-e1d3b2 ── 3-47aa51   deleted
/// ```
struct TreeView {
  let tree: DrawnTree
  let lines: [RevisionTreeLine]
  /// The record as its screen shows it; nil for one that is not in conflict.
  let record: ShownRecord?
  var cursor: (line: Int, place: Int?)?
  /// Without a cursor, the line whose leaf is kept in sight, with what is told of it.
  var focus = 0

  private static let gutter = 2

  func draw(_ size: Size, first: Int) -> Grid {
    var grid = Grid(size)
    var inner = Grid(Size(columns: size.columns - Self.gutter, rows: size.rows))
    let shift = shift(inner.size.columns)
    for row in 0..<size.rows {
      guard lines.indices.contains(first + row) else { break }
      draw(lines[first + row], shift, row, &inner)
    }
    grid.draw(inner, at: Self.gutter, 0)
    if let cursor, (first..<first + size.rows).contains(cursor.line) {
      grid.write("▸", at: 0, cursor.line - first)
    }
    return grid
  }

  private func draw(_ line: RevisionTreeLine, _ shift: Int, _ row: Int, _ grid: inout Grid) {
    for bar in line.bars where bar >= shift { grid.write("│", at: bar - shift, row, .dim) }
    var column = line.column - shift
    for piece in line.pieces {
      let end = column + piece.text.count
      if end > 0, column < grid.size.columns { grid.write(piece.text, at: column, row, ink(piece, line)) }
      if isUnderCursor(piece, line) { grid.select(row: row, from: column, to: end) }
      column = end
    }
    if (1..<grid.size.columns).contains(column) { grid.write(words(line), at: column + 3, row) }
    if line.column < shift { grid.write("‹", at: 0, row, .dim) }
    if column > grid.size.columns { grid.write("›", at: grid.size.columns - 1, row, .dim) }
  }

  /// How many columns are out of sight at the left.
  private func shift(_ width: Int) -> Int {
    guard lines.indices.contains(cursor?.line ?? focus) else { return 0 }
    let line = lines[cursor?.line ?? focus]
    var (start, end) = (line.column, line.column)
    for piece in line.pieces {
      let next = end + piece.text.count
      if case .stroke = piece {} else { start = end }
      end = next
      if isUnderCursor(piece, line) { break }
    }
    if cursor == nil { end += 3 + words(line).width }
    return max(0, min(start - 4, end - width + 1))
  }

  private func isUnderCursor(_ piece: RevisionTreeLine.Piece, _ line: RevisionTreeLine) -> Bool {
    guard let cursor, lines.indices.contains(cursor.line), lines[cursor.line] == line else { return false }
    guard let branch = line.branch else { return piece == line.pieces.last }
    return piece.places.contains(cursor.place ?? tree.picture.branches[branch].revisions.count - 1)
  }

  /// The column that shows this leaf.
  private func side(_ line: RevisionTreeLine) -> Side? {
    guard let record, let leaf = line.leaf else { return nil }
    return [.client, .server].first { record.revision($0) == leaf }
  }

  private func ink(_ piece: RevisionTreeLine.Piece, _ line: RevisionTreeLine) -> Ink {
    guard case .revision(_, let place) = piece, let branch = line.branch else { return .dim }
    let revisions = tree.picture.branches[branch].revisions
    let revision = revisions[place]
    if revision.id == record?.revision(.ancestor) { return .ancestor.underlined }
    if revision.isDeleted { return .dim.struck }
    guard place == revisions.count - 1 else { return revision.hasBody ? .ancestor : .dim }
    return side(line).map { .side($0).bold } ?? .text
  }

  /// What a leaf is, in words: no colour tells it alone.
  private func words(_ line: RevisionTreeLine) -> [Run] {
    guard let branch = line.branch, let leaf = tree.picture.branches[branch].revisions.last else { return [] }
    let mark = line.mark.isEmpty ? "live" : line.mark
    let body = leaf.hasBody || leaf.isDeleted ? "" : ", body not here"
    let side = side(line).map { [Run("  \($0.letter) \($0.rawValue)", .side($0).bold)] } ?? []
    return [Run(mark + body, line.isWinner ? .text.bold : .dim)] + side
  }
}
