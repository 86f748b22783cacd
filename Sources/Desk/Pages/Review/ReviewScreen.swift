import Merging
import StoreInterface
import Telling
import Terminal

extension ReviewPage {
  func draw(_ desk: DeskState) -> Grid { ReviewScreen(desk, self).draw() }
}

/// Before and after of every draft, what the store says to it, and how it will be written. The only screen that writes.
struct ReviewScreen {
  private let desk: DeskState
  private let page: ReviewPage
  private let layout: ReviewLayout
  private let rows: ReviewRows

  init(_ desk: DeskState, _ page: ReviewPage) {
    (self.desk, self.page) = (desk, page)
    layout = ReviewLayout(desk, page)
    rows = ReviewRows(desk, page)
  }

  func draw() -> Grid {
    var frame = Frame(desk.size)
    frame.header(ReviewWords(desk: desk, page: page).title, right: [Run(position, .dim)])
    if layout.hasHeadings { drawHeadings(&frame.grid) }
    let first = layout.first(rows)
    for (index, row) in rows.all.enumerated().dropFirst(first).prefix(layout.height) {
      let line = layout.top + index - first
      draw(row, at: line, &frame.grid)
      if rows.hasPlaces, index == rows.cursorRow {
        frame.grid.write("▸", at: 0, line)
        frame.grid.select(row: line)
      }
    }
    drawFoot(&frame)
    return frame.footer(desk, keepsHints: page.stage == .done)
  }

  /// "lines 1-12 of 41".
  private var position: String {
    let first = layout.first(rows)
    let last = min(rows.all.count, first + layout.height)
    if rows.all.isEmpty { return "" }
    return layout.isNarrow
      ? "\(first + 1)-\(last)/\(rows.all.count)" : "lines \(first + 1)-\(last) of \(rows.all.count)"
  }

  private func drawHeadings(_ grid: inout Grid) {
    guard let headings else { return }
    grid.write(headings.0, at: ReviewLayout.titleColumn, 2, .dim)
    grid.write(headings.1, at: layout.now, 2, .dim)
    grid.write(headings.2, at: layout.after, 2, .dim)
  }

  /// nil where there are no columns.
  private var headings: (String, String, String)? {
    switch (page.action, page.stage) {
    case (.mend, _): nil
    case (_, .done): ("Record", "what became of it", "")
    case (.write, _): ("Record, field", "now in the store", "after the write")
    // What moved since is told with the record, and not by values; before the check nobody knows.
    case (.undo, _):
      ("Record, field", page.checks.isEmpty ? "as it was written" : "now in the store", "after taking back")
    }
  }

  private func drawFoot(_ frame: inout Frame) {
    let foot = ReviewFoot(desk: desk, page: page)
    if !ReviewFoot.isShort(desk.size) { frame.rule(layout.footTop - 1) }
    frame.grid.write(lines: foot.lines, at: 1, layout.footTop, width: frame.columns - 2)
    guard page.isTypingNote else { return }
    frame.grid.cursor = Point(
      column: min(1 + foot.noteColumn, frame.columns - 1), row: layout.footTop + foot.lines.count - 1)
  }

  private func draw(_ row: ReviewRow, at line: Int, _ grid: inout Grid) {
    switch row.content {
    case .record(let sign, let table, let title, let beside):
      grid.write([sign], at: ReviewLayout.signColumn, line)
      let end = beside.isEmpty ? layout.columns : layout.now
      let name = [Run(table.isEmpty ? "" : table + " ", .dim), Run(title, .text.bold)]
      grid.write(name, at: ReviewLayout.titleColumn, line, width: end - ReviewLayout.titleColumn - 1)
      grid.write(beside, at: layout.now, line, width: layout.columns - layout.now - 1)
    case .field(let field, let record): cells(field, record).draw(at: line, &grid)
    case .now(let field, let record): cells(field, record).drawNow(at: line, &grid)
    case .after(let field, let record): cells(field, record).drawAfter(at: line, &grid)
    case .lost(let edits, let record): drawLost(edits, record, at: line, &grid)
    case .undone(let field): drawUndone(field, at: line, &grid)
    case .words(let runs, let column): grid.write(runs, at: column, line, width: layout.columns - column - 1)
    }
  }

  private func cells(_ field: FieldDraft, _ record: DecidedConflict) -> ReviewCells {
    ReviewCells(desk: desk, layout: layout, record: record, field: field)
  }

  /// What is not there afterwards has no place in a column of what is.
  private func drawLost(_ edits: [LostEdit], _ record: DecidedConflict, at line: Int, _ grid: inout Grid) {
    let column = ReviewLayout.fieldColumn + 3
    let width = layout.columns - column - 1
    guard edits.count <= 3 else {
      grid.write("given up: \(edits.count) edits, of other leaves", at: column, line, .dim, width: width)
      return
    }
    let room = (width - 10) / edits.count
    let words = edits.map { edit in
      let origin = ", " + edit.origin
      let value = desk.privacy.line(edit.value, of: edit.field, in: record.conflict)
      return DisplayText.cut(value, to: max(4, room - origin.count - 2)) + origin
    }
    grid.write("given up: " + words.joined(separator: "; "), at: column, line, .dim, width: width)
  }

  private func drawUndone(_ field: LastWrite.FieldChange, at line: Int, _ grid: inout Grid) {
    let column = ReviewLayout.fieldColumn
    let (now, after) = layout.isNarrow ? (16, 28) : (layout.now, layout.after)
    let width = (now: after - now - 1, after: layout.columns - after - 1)
    let text = desk.privacy.pair(field.after, field.before, width: min(width.now, width.after))
    grid.write(desk.privacy.name(field.name, in: now - column - 1), at: column, line, .dim)
    grid.write(text.old, at: now, line, .dim, width: width.now)
    grid.write(text.new, at: after, line, .result.bold, width: width.after)
  }
}

/// Where the parts of the review stand; drawing, moving and the mouse agree on it.
struct ReviewLayout {
  static let signColumn = 2
  static let titleColumn = 5
  static let fieldColumn = 7

  let columns: Int
  /// The row of the first line.
  let top: Int
  /// Rows for lines.
  let height: Int
  let footTop: Int
  /// Whether there is no room for before and after beside each other.
  let isNarrow: Bool
  /// Where the values of now and afterwards start.
  let now: Int
  let after: Int

  init(_ desk: DeskState, _ page: ReviewPage) {
    columns = desk.size.columns
    isNarrow = columns < 60
    top = isNarrow || desk.size.rows < 12 ? 2 : 3
    footTop = desk.size.rows - 2 - ReviewFoot(desk: desk, page: page).lines.count
    height = max(1, footTop - top - (ReviewFoot.isShort(desk.size) ? 0 : 1))
    now = isNarrow ? 23 : Self.titleColumn + max(20, min(34, columns * 5 / 16))
    after = isNarrow ? now : now + (columns - now) / 2
  }

  var hasHeadings: Bool { top == 3 }

  /// The first line shown: the cursor is kept in sight, and moves before the lines do.
  func first(_ rows: ReviewRows) -> Int {
    let wanted = rows.hasPlaces ? rows.cursorRow - height / 2 : rows.page.scroll
    return max(0, min(wanted, rows.all.count - height))
  }
}

/// One field of a draft: what the store has now, what it will have, and where that comes from.
struct ReviewCells {
  let desk: DeskState
  let layout: ReviewLayout
  let record: DecidedConflict
  let field: FieldDraft

  func draw(at line: Int, _ grid: inout Grid) {
    let column = ReviewLayout.fieldColumn
    let width = (now: layout.after - layout.now - 1, after: layout.columns - layout.after - 10)
    let text = texts(width: min(width.now, width.after))
    grid.write(desk.privacy.name(field.name, in: layout.now - column - 1), at: column, line, .dim)
    grid.write(text.now, at: layout.now, line, .client, width: width.now)
    grid.write(text.after, at: layout.after, line, ink, width: width.after)
    grid.write(origin, endingAt: layout.columns - 1, line, .dim)
  }

  func drawNow(at line: Int, _ grid: inout Grid) {
    let width = layout.columns - layout.now - 1
    grid.write(desk.privacy.name(field.name, in: layout.now - 12), at: 5, line, .dim)
    grid.write("now", at: layout.now - 6, line, .dim)
    grid.write(texts(width: width).now, at: layout.now, line, .client, width: width)
  }

  func drawAfter(at line: Int, _ grid: inout Grid) {
    let width = layout.columns - layout.now - 1
    grid.write(origin, at: 5, line, .dim, width: layout.now - 12)
    grid.write("after", at: layout.now - 6, line, .dim)
    grid.write(texts(width: width).after, at: layout.now, line, ink, width: width)
  }

  private var ink: Ink { record.changes(field) ? .result.bold : .dim }

  /// A value that the store refuses is mended where it came from.
  private var origin: String {
    if case .refused(field.name?, _)? = desk.unwritten[record.conflict.id] { return "e edits" }
    return ReviewWords.origin(field, ShownRecord(record))
  }

  private func texts(width: Int) -> (now: String, after: String) {
    let conflict = record.conflict
    let old = conflict.hasRow ? conflict[field.name]?.client?.value : nil
    if conflict.details.references[field.name] == nil {
      let pair = desk.privacy.pair(old, field.value, width: width)
      return (pair.old, pair.new)
    }
    let text = { desk.privacy.line($0, of: field.name, in: conflict) }
    return (text(old), text(field.value))
  }
}
