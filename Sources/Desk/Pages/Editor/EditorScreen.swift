import Merging
import StoreInterface
import Telling
import Terminal

extension EditorPage {
  func draw(_ desk: DeskState) -> Grid {
    var below = desk
    below.pages.removeLast()
    below.status = nil
    // Esc is about what is typed here.
    below.waits = [:]
    return EditorScreen(desk: desk, page: self).draw(over: below.draw())
  }
}

/// The field editor, a window over the record: the one box of the desk, as it is the one place where keys are text.
struct EditorScreen {
  let desk: DeskState
  let page: EditorPage

  func draw(over below: Grid) -> Grid {
    var grid = below
    grid.cursor = nil
    grid.fill(" ", row: desk.size.rows - 1)
    grid.draw(drawBox(), at: corner.column, corner.row)
    if let status = desk.status { grid.write(status, above: desk.size.rows) }
    return grid
  }

  /// Where the parts of the box stand; without lines between them where there is no room for those, or what is typed needs it.
  private struct Lines {
    let sides, input, check, bottom: Int
    /// nil where the row is what is typed.
    let label: Int?
    /// Rows of what is typed: as many as it needs, as far as there is room.
    let height: Int
    let isShort: Bool

    /// - Parameters:
    ///   - rows: of the screen.
    ///   - needed: by what is typed.
    init(rows: Int, needed: Int) {
      isShort = rows < 15 || needed > rows - 14
      label = isShort ? needed + 8 < rows ? 4 : nil : 6
      sides = isShort ? 1 : 2
      input = (label ?? 3) + 1
      // Of what is said of the value two lines at least.
      height = isShort ? max(1, min(needed, rows - input - 3)) : needed
      check = input + height + (isShort ? 0 : 1)
      bottom = isShort ? rows - 1 : check + 5
    }
  }

  private let lines: Lines
  /// What is typed.
  let area: InputArea

  init(desk: DeskState, page: EditorPage) {
    (self.desk, self.page) = (desk, page)
    area = InputArea(page.input, width: Self.columns(of: desk) - 6)
    lines = Lines(rows: desk.size.rows, needed: area.rows.count)
  }

  private static func columns(of desk: DeskState) -> Int {
    desk.size.columns <= 130 ? desk.size.columns : 126
  }

  private var size: Size { Size(columns: Self.columns(of: desk), rows: lines.bottom + 1) }

  /// Where the box begins.
  private var corner: Point {
    Point(
      column: (desk.size.columns - size.columns) / 2, row: max(0, (desk.size.rows - size.rows) / 2))
  }

  /// The version in whose line a click falls.
  func side(at point: Point) -> Side? {
    let (line, column) = (point.row - corner.row - lines.sides, point.column - corner.column)
    guard (1..<size.columns - 1).contains(column), Side.allCases.indices.contains(line) else { return nil }
    return Side.allCases[line]
  }

  /// How far the cursor goes to the place of a click; nil for one beside the text.
  func steps(to point: Point) -> Int? {
    let (row, column) = (point.row - corner.row - lines.input, point.column - corner.column - 3)
    guard (0..<lines.height).contains(row), (0..<size.columns - 5).contains(column), whole == nil else {
      return nil
    }
    return area.steps(toRow: area.first(height: lines.height) + row, column: column)
  }

  private func drawBox() -> Grid {
    let width = size.columns
    var box = Grid(size)
    let keys = desk.hintLines(width: width - 6)
    border(&box, "Edit \(desk.privacy.name(page.field.name))   \(typeWords)", keys.first ?? "")
    for (index, side) in Side.allCases.enumerated() { draw(side, at: lines.sides + index, &box) }
    if let row = lines.label { box.write(label, at: 3, row, .dim, width: width - 5) }
    drawInput(&box)
    drawCheck(&box)
    if !lines.isShort {
      box.fill("─", row: lines.check - 1, from: 3, to: width - 3, .dim)
      for line in keys.dropFirst().prefix(1) {
        box.write(line, at: 3, lines.check + 3, .dim, width: width - 5)
      }
    }
    return box
  }

  private var label: String {
    guard page.field.kind != .blob else { return "New value   @ and a path takes the bytes of a file" }
    return page.takesLines ? "New value   \(desk.key(.line(.breakLine))) breaks the line" : "New value"
  }

  private var typeWords: String {
    let type = page.field.declaredType.isEmpty ? page.field.kind.rawValue : page.field.declaredType
    return page.field.isRequired ? "\(type), NOT NULL" : type
  }

  private func border(_ box: inout Grid, _ title: String, _ keys: String) {
    let (width, bottom) = (box.size.columns, box.size.rows - 1)
    for row in 0...bottom {
      box.write("│", at: 0, row)
      box.write("│", at: width - 1, row)
    }
    for (row, left, right) in [(0, "┌", "┐"), (bottom, "└", "┘")] {
      box.fill("─", row: row, from: 1, to: width - 1)
      box.write(left, at: 0, row)
      box.write(right, at: width - 1, row)
    }
    box.write(" \(title) ", at: 2, 0, .text.bold, width: width - 4)
    box.write(" \(keys) ", at: 2, bottom, .dim, width: width - 4)
  }

  private func draw(_ side: Side, at row: Int, _ box: inout Grid) {
    let shown = desk.open[page.id].map { ShownRecord($0, leaf: page.leaf) }
    let field = shown?.columns[page.field.name]
    let version = field?.version(side)
    let ink: Ink = page.copied == side ? .side(side).bold : .side(side)
    box.write(page.copied == side ? "●" : " ", at: 2, row, ink)
    box.write(side.letter, at: 3, row, ink)
    let value = told(side, of: field, in: shown?.conflict, width: box.size.columns - 22)
    let title = desk.open[page.id].flatMap {
      desk.privacy.title(of: version?.value, in: page.field.name, of: $0.conflict)
    }
    let text = value + (title.map { "  " + $0 } ?? "")
    box.write(text, at: 6, row, ink, width: box.size.columns - 22)
    let origin = shown?.shortRevision(side) ?? desk.time.short(version?.time)
    box.write(origin, endingAt: box.size.columns - 3, row, .dim)
  }

  /// A text has quotes where it would be taken for what another version is, and its kind behind it where it looks the same.
  private func told(
    _ side: Side, of field: FieldConflict?, in conflict: RecordConflict?, width: Int
  ) -> String {
    let value = field?.version(side)?.value
    if let field, let conflict, let quoted = desk.privacy.quoted(value, of: field, in: conflict) {
      return quoted
    }
    return desk.privacy.pair(other(than: side, of: field), value, width: width, isASCII: desk.isASCII).new
  }

  /// Each is shown from where it differs from another one, where that would be cut away; from one that looks the same and is not, if
  /// there is one.
  private func other(than side: Side, of field: FieldConflict?) -> Value? {
    let sides = [Side.client, .server, .ancestor].filter { $0 != side }
    let (own, others) = (field?.version(side)?.value, sides.map { field?.version($0)?.value })
    return others.first { UnseenDifference($0, own, isASCII: desk.isASCII) != nil } ?? others[0]
  }

  /// A value that is no text, which the first letter replaces.
  private var whole: String? {
    page.wholeValue.map { $0 == .null ? "∅ NULL" : desk.privacy.line($0) }
  }

  /// The rows around the cursor, so that it is always in sight.
  private func drawInput(_ box: inout Grid) {
    if let whole {
      box.write(whole, at: 3, lines.input, .text.bold, width: box.size.columns - 6)
      return
    }
    let first = area.first(height: lines.height)
    let shown = area.rows.dropFirst(first).prefix(lines.height)
    for (line, row) in shown.enumerated() {
      box.write(row.text, at: 3, lines.input + line, .text.bold, width: box.size.columns - 5)
    }
    let (last, isCutAbove) = (lines.input + shown.count - 1, first > 0 || area.isCut.above)
    if isCutAbove { box.write("↑", at: 1, lines.input, .dim) }
    if first + shown.count < area.rows.count || area.isCut.below {
      box.write(isCutAbove && shown.count == 1 ? "↕" : "↓", at: 1, last, .dim)
    }
    box.cursor = Point(column: 3 + area.cursorColumn, row: lines.input + area.cursorRow - first)
  }

  private func drawCheck(_ box: inout Grid) {
    guard let record = desk.open[page.id]?.conflict, let conflict = record[page.field.name] else { return }
    let width = box.size.columns - 6
    if let words = unchecked {
      box.write([words], at: 3, lines.check, width: width)
      return
    }
    switch page.value(like: conflict, in: record) {
    case .success(let value): drawVerdict(on: value, like: conflict, in: record, &box)
    case .failure(let refusal):
      let words = [Run("✗ " + hint(refusal), .failed.bold)].wrapped(width).prefix(3)
      box.write(lines: words, at: 3, lines.check)
      drawOtherKind(like: conflict, in: record, at: lines.check + words.count, &box)
    }
  }

  /// What is said of a value that is not looked at; nil for one that is.
  private var unchecked: Run? {
    if page.isSettled { return Run("✗ It is no longer in conflict.", .failed.bold) }
    let open = desk.open[page.id]?.conflict[page.field.name].map {
      ConflictMarks.count(in: page.input.text, of: $0)
    }
    if let open, open > 0 { return Run("✗ \(EditorPage.words(stillOpen: open))", .failed.bold) }
    if page.path != nil { return Run("The bytes of this file, read when you press Enter") }
    return page.isShort ? nil : Run("Checked when you press Enter")
  }

  private func drawVerdict(
    on value: Value, like conflict: FieldConflict, in record: RecordConflict, _ box: inout Grid
  ) {
    let width = box.size.columns - 6
    var verdict = verdictWords(value)
    let date = verdict.ink == .ready ? DateHint(value, like: conflict, now: desk.time) : nil
    // The column takes it, but no mark may say that all is well.
    if let date, date.ink != .dim { verdict = Run(date.text, date.ink) }
    let words = [verdict].wrapped(width).prefix(2)
    box.write(lines: words, at: 3, lines.check)
    if let date, date.ink == .dim { box.write(date.text, at: 23, lines.check, date.ink, width: width - 20) }
    let row = lines.check + max(1, words.count)
    let other = drawOtherKind(like: conflict, in: record, at: row, &box)
    box.write(
      [Run("Stored as  \(Value.typeName(value)) ", .dim), Run(stored(value), .dim)],
      at: 3, row, width: width - other)
  }

  /// At the end of a row: "Tab: INTEGER", where the same words can be of another kind.
  ///
  /// - Returns: how many columns it takes.
  @discardableResult
  private func drawOtherKind(
    like conflict: FieldConflict, in record: RecordConflict, at row: Int, _ box: inout Grid
  ) -> Int {
    guard row < lines.bottom, let other = page.turned(like: conflict, in: record) else { return 0 }
    let words = "\(desk.key(.line(.otherKind))): \(Value.typeName(other))"
    box.write(words, endingAt: box.size.columns - 3, row, .dim)
    return DisplayText.width(words) + 2
  }

  /// Nobody should take what fits for what is there, nor a text for the words for none.
  private func stored(_ value: Value) -> String {
    let empty = "empty text"
    if value == .text("") { return empty }
    let line = desk.privacy.line(value)
    return line == empty ? "\"\(line)\"" : line
  }

  /// No mark before the store has answered.
  private func verdictWords(_ value: Value) -> Run {
    if desk.open[page.id]?.isRehearsal == true { return Run("✓ fits", .ready) }
    return switch page.verdict(on: value) {
    case nil: Run("asking the store...", .dim)
    case .fits?: Run("✓ fits the \(desk.store.words.field)", .ready)
    case .odd(let reason)?: Run("! the app may not be able to read it: \(reason)", .needs.bold)
    case .refused(let reason)?: Run("✗ \(reason)", .failed.bold)
    case .notKnown(let reason)?: Run("only the write can tell: \(reason)", .needs)
    }
  }

  private func hint(_ refusal: ChoiceRefusal) -> String {
    if case .notAtHand = refusal { return desk.privacy.words(refusal) }
    return page.field.kind == .blob
      ? "bytes come from a file: type @ and its path" : desk.privacy.words(refusal)
  }
}

/// Dates as SQLiteData stores them: text `yyyy-MM-dd HH:mm:ss.SSS` in UTC. The column's type does not say so, its
/// values do.
struct DateHint {
  var text: String
  var ink: Ink

  /// What to tell about a text in a field whose other versions are dates.
  init?(_ value: Value, like conflict: FieldConflict, now: TimeText) {
    let others = Side.allCases.compactMap { conflict.version($0)?.value }.filter { $0 != .null }
    guard !others.isEmpty, others.allSatisfy({ DateHint.day($0) != nil }), value != .null else { return nil }
    guard let day = DateHint.day(value) else {
      (text, ink) = ("! the others are dates: yyyy-MM-dd HH:mm:ss.SSS", .needs.bold)
      return
    }
    let today = now.now.dividedDown(by: 86_400_000_000_000).quotient
    text = "\(CalendarTime(seconds: day * 86_400).weekdayName), \(DateHint.distance(day - today))"
    ink = .dim
  }

  /// Since 1970.
  private static func day(_ value: Value) -> Int64? {
    if case .text(let text) = value { CalendarTime.days(text.prefix(10)) } else { nil }
  }

  private static func distance(_ days: Int64) -> String {
    switch days {
    case 0: "today"
    case 1: "tomorrow"
    case -1: "yesterday"
    default: days > 0 ? "in \(days) days" : "\(-days) days ago"
    }
  }
}
