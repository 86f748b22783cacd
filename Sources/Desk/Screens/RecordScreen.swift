import Merging
import StoreInterface
import Telling
import Terminal

/// One record: fields down, versions across, so that the eye compares along one line.
struct RecordScreen {
  let state: DeskState
  let page: RecordPage
  let record: DecidedConflict
  private let shown: ShownRecord
  private let fields: [FieldConflict]

  init(_ state: DeskState, _ page: RecordPage, _ record: DecidedConflict) {
    (self.state, self.page) = (state, page)
    self.record = record.spelledOut
    shown = ShownRecord(record, leaf: page.leaf)
    fields = state.shownFields(record)
  }

  private var conflict: RecordConflict { record.conflict }

  func draw() -> Grid {
    var frame = Frame(state.size)
    guard let layout = RecordLayout(state, page, record) else { return frame.grid }
    drawHeader(&frame, layout)
    drawHeadings(&frame.grid, layout)
    for index in layout.first..<fields.count {
      let row = layout.top + (index - layout.first) * layout.fieldHeight
      guard row + layout.fieldHeight <= layout.top + layout.height else { break }
      draw(fields[index], isSelected: index == selected, at: row, layout, &frame.grid)
    }
    let words = hiddenWords
    frame.grid.write(
      words, at: RecordLayout.nameColumn, layout.top + layout.height,
      words.hasPrefix("!") ? .needs.bold : .dim, width: frame.columns - RecordLayout.nameColumn - 1)
    drawTurn(&frame, layout, after: RecordLayout.nameColumn + DisplayText.width(words))
    drawDetail(&frame, layout)
    return frame.footer(state)
  }

  private var selected: Int { state.selected(record, page) }

  private func drawHeader(_ frame: inout Frame, _ layout: RecordLayout) {
    let title = state.privacy.shown(conflict.title)
    frame.title([Run(conflict.table + " ", .dim), Run(title, .text.bold)], right: counts)
    guard layout.hasResultColumn else { return frame.rule(1) }
    for (index, side) in Side.allCases.enumerated() {
      let start = layout.starts[index]
      frame.grid.write(origin(side), at: start, 1, .side(side), width: layout.starts[index + 1] - start - 1)
    }
    frame.grid.write("From", at: RecordLayout.nameColumn, 1, .dim)
    frame.rule(2)
  }

  private var counts: [Run] {
    let place = state.list.position(of: conflict.id).map { "   \($0 + 1) of \(state.list.count)" } ?? ""
    let left = conflict.undecided(in: record.resolution).count
    let words = left == 0 ? Run("✓ ready", .ready) : Run(RecordWords.counts(conflict))
    return [words, Run(place, .dim)]
  }

  /// Where a side's version comes from.
  private func origin(_ side: Side) -> String {
    if shown.hasTree { return leafOrigin(side) }
    switch side {
    case .ancestor: return conflict.details.ancestorTag.map { "server, tag \($0)" } ?? ""
    case .client: return "this store"
    case .server:
      let device = conflict.details.serverDevice.map(state.privacy.shown)
      return [device, conflict.details.serverTag.map { "tag \($0)" }].compactMap(\.self).joined(
        separator: ", ")
    }
  }

  private func leafOrigin(_ side: Side) -> String {
    switch side {
    case .ancestor: shown.revision(.ancestor) == nil ? "" : "common ancestor"
    case .client: "winner of \(shown.leafCount) leaves"
    case .server: "leaf \(shown.leafNumber) of \(shown.leafCount)"
    }
  }

  private func drawHeadings(_ grid: inout Grid, _ layout: RecordLayout) {
    let row = layout.top - 2
    grid.write("Field", at: RecordLayout.nameColumn, row, .dim)
    for (index, side) in Side.allCases.enumerated() {
      let start = layout.starts[index]
      let width = layout.starts[index + 1] - start - 1
      grid.write(
        "\(side.letter) \(side.rawValue.capitalizedFirst)\(leafPlace(side, layout))", at: start, row,
        .side(side), width: width)
      grid.write(underHeading(side), at: start, row + 1, .dim, width: width)
    }
    grid.write(layout.hasResultColumn ? "R Result" : "Result", at: layout.starts[3], row, .result.bold)
    if layout.hasResultColumn { grid.write("what will be written", at: layout.starts[3], row + 1, .dim) }
  }

  /// Which of many leaves the server's column shows, where no line of origins tells it.
  private func leafPlace(_ side: Side, _ layout: RecordLayout) -> String {
    guard side == .server, shown.leafCount > 2, !layout.hasResultColumn else { return "" }
    return "  " + shown.leafPlace
  }

  /// The time of a column; of a history that is a tree, the revision.
  private func underHeading(_ side: Side) -> String {
    let absence = RecordWords.absence(side, shown, state.time)
    if shown.hasTree {
      return [shown.shortRevision(side), absence].compactMap(\.self).joined(separator: " ")
    }
    return absence ?? state.time.short(conflict.commonTime(side))
  }

  private var hiddenWords: String {
    let hidden = conflict.fields.filter { field in !fields.contains { $0.name == field.name } }
    if let reason = conflict.wholeReason {
      return "\(record.resolution[.record] == nil ? "!" : "✓") \(reason): \(wholeWords)"
    }
    if let alternative = conflict.alternative(in: record.resolution) {
      return "✓ the whole record: \(alternative.words)"
    }
    guard !hidden.isEmpty else { return state.showsUnchanged ? "= hides the unchanged fields" : "" }
    let names =
      state.size.columns >= 100
      ? ": " + hidden.map { state.privacy.name($0.name) }.joined(separator: ", ") : ""
    return "\(hidden.count) unchanged hidden, = shows them\(names)"
  }

  /// Tells of the keys that turn the leaves, right under their column.
  private func drawTurn(_ frame: inout Frame, _ layout: RecordLayout, after column: Int) {
    let words = "[ ] show other leaves"
    let start = max(layout.starts[2], column + 3)
    guard shown.leafCount > 2, start + words.count < frame.columns else { return }
    frame.grid.write(words, at: start, layout.top + layout.height, .dim)
  }

  private var wholeWords: String {
    switch record.resolution[.record] {
    case .take(let side)?: "\(side.rawValue) taken"
    default: "c or s"
    }
  }

  private func draw(
    _ field: FieldConflict, isSelected: Bool, at row: Int, _ layout: RecordLayout, _ grid: inout Grid
  ) {
    grid.write([RecordWords.sign(field, shown)], at: 1, row)
    let width = layout.starts[0] - RecordLayout.nameColumn - 1
    grid.write(state.privacy.name(field.name, in: width), at: RecordLayout.nameColumn, row, .text)
    for (index, side) in Side.allCases.enumerated() {
      drawCell(
        of: field, side, row: row, columns: layout.starts[index]..<layout.starts[index + 1],
        height: layout.fieldHeight, on: &grid)
      if isSelected, side == page.side {
        grid.select(row: row, from: layout.starts[index], to: layout.starts[index + 1] - 1)
      }
    }
    drawResult(field, at: row, layout, &grid)
    if isSelected {
      grid.write("▸", at: 0, row)
      grid.select(row: row, from: RecordLayout.nameColumn, to: layout.starts[0] - 1)
    }
  }

  /// The value after its mark, and the field's own time where it says more than the column's.
  private func drawCell(
    of field: FieldConflict, _ side: Side, row: Int, columns: Range<Int>, height: Int, on grid: inout Grid
  ) {
    let (start, end) = (columns.lowerBound, columns.upperBound)
    let isChosen = RecordWords.isChosen(side, field, shown)
    if isChosen { grid.write("▸", at: start - 1, row, .side(side).bold) }
    let time = ownTime(field, side)
    let inline = height == 1 && !time.isEmpty ? DisplayText.width(time) + 1 : 0
    let width = end - start - 2
    let value = state.privacy.line(shown.version(field, side)?.value, of: field.name, in: conflict)
    grid.write(value, at: start, row, isChosen ? .side(side).bold : .side(side), width: width - inline)
    guard !time.isEmpty else { return }
    if height == 1 {
      grid.write(time, endingAt: end - 2, row, .dim)
    } else {
      grid.write(time, at: start, row + 1, .dim)
    }
  }

  private func ownTime(_ field: FieldConflict, _ side: Side) -> String {
    guard side != .ancestor, field.change != .unchanged, let time = field.version(side)?.time,
      field.version(side)?.value != field.ancestor?.value
    else { return "" }
    if case .sameTime = field.suggestion.reason { return state.time.short(time) }
    let text = state.time.short(time)
    return text == state.time.short(conflict.commonTime(side)) ? "" : text
  }

  private func drawResult(_ field: FieldConflict, at row: Int, _ layout: RecordLayout, _ grid: inout Grid) {
    let start = layout.starts[3]
    let choice = record.resolution[.field(field.name)]
    let letters = RecordWords.letters(field, shown)
    guard layout.hasResultColumn else {
      let ink: Ink = letters == "?" ? .needs.bold : choice == nil ? .result : .result.bold
      grid.write(letters + (choice == nil ? "" : " ✓"), at: start, row, ink)
      return
    }
    guard !record.isGoneOrOwn, !conflict.isWhole else { return }
    let isOpen = letters == "?"
    let value = field.field.isWritable ? field.draft(choice).value : field.client?.value
    let text = isOpen ? "choose" : state.privacy.line(value, of: field.name, in: conflict)
    grid.write(text, at: start, row, isOpen ? .needs.bold : choice == nil ? .result : .result.bold)
    guard layout.fieldHeight > 1 else { return }
    grid.write([reason(field, choice)], at: start + 2, row + 1)
  }

  private func reason(_ field: FieldConflict, _ choice: Choice?) -> Run {
    if let choice { return Run("✓ \(RecordWords.words(choice, field, shown))", .ready) }
    if field.field.isGenerated { return Run("generated", .dim) }
    if field.field.isPrimaryKey { return Run("primary key", .dim) }
    return Run(RecordWords.reason(field, shown), .dim)
  }

  private func drawDetail(_ frame: inout Frame, _ layout: RecordLayout) {
    let height = frame.bottom - layout.detailTop
    guard height >= 3 else { return }
    frame.rule(layout.detailTop - 1)
    let field = fields.isEmpty ? nil : fields[selected]
    let lines = RecordDetail(state: state, shown: shown, field: field).lines(
      width: frame.columns - 2, height: height)
    for (index, line) in lines.prefix(height).enumerated() {
      frame.grid.write(line.left, at: 1, layout.detailTop + index, width: frame.columns - 2)
      frame.grid.write(line.right, endingAt: frame.columns - 1, layout.detailTop + index, .dim)
    }
  }
}

extension RecordConflict {
  /// The time that stands over a side's column: the newest of its changed fields, else the newest of all.
  func commonTime(_ side: Side) -> Int64? {
    if case .deleted(let time) = version(side) { return time }
    let changed = fields.filter { side == .ancestor || $0.version(side)?.value != $0.ancestor?.value }
    return (changed.isEmpty ? fields : changed).compactMap { $0.version(side)?.time }.max()
  }
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

/// Where the parts of the record screen stand; drawing and the mouse agree on it.
struct RecordLayout {
  static let nameColumn = 4
  /// The first row of the fields.
  let top: Int
  /// Rows for fields.
  let height: Int
  /// Lines a field takes: two where there is room for a reason under its value.
  let fieldHeight: Int
  /// The first field shown.
  let first: Int
  let fieldCount: Int
  /// Where the cells of A, C, S and the result start.
  let starts: [Int]
  let detailTop: Int
  let hasResultColumn: Bool

  init?(_ state: DeskState, _ page: RecordPage, _ record: DecidedConflict) {
    let size = state.size
    guard size.columns >= 60 else { return nil }
    hasResultColumn = size.columns >= 100
    let longest = state.shownFields(record).map { DisplayText.width(state.privacy.name($0.name)) }.max() ?? 0
    let names = Self.nameColumn + 2 + max(8, min(longest, hasResultColumn ? 18 : 12))
    let letters = hasResultColumn ? 0 : 7
    let cells = hasResultColumn ? 4 : 3
    let cell = (size.columns - names - letters) / cells
    starts = (0...3).map { names + $0 * cell }

    fieldCount = state.shownFields(record).count
    fieldHeight = hasResultColumn && size.rows >= 30 ? 2 : 1
    top = hasResultColumn ? 5 : 4
    let detail = size.rows >= 20 ? max(9, (size.rows - 16) / 2) : 0
    let rows = size.rows - 2 - top - 1 - (detail > 0 ? detail + 1 : 0)
    height = max(1, min(rows, max(1, fieldCount) * fieldHeight))
    let shown = max(1, height / fieldHeight)
    first = max(0, min(state.selected(record, page) - shown / 2, fieldCount - shown))
    detailTop = top + height + 2
  }

  /// The field drawn at a row of the screen.
  func field(at row: Int) -> Int? {
    guard (top..<top + height).contains(row) else { return nil }
    let field = first + (row - top) / fieldHeight
    return field < fieldCount ? field : nil
  }

  func side(at column: Int) -> Side? {
    for (index, side) in Side.allCases.enumerated() where (starts[index]..<starts[index + 1]).contains(column)
    {
      return side
    }
    return nil
  }
}

/// One field at a time, for 40 to 59 columns.
struct NarrowRecordScreen {
  let state: DeskState
  let page: RecordPage
  let record: DecidedConflict
  private let shown: ShownRecord

  init(_ state: DeskState, _ page: RecordPage, _ record: DecidedConflict) {
    (self.state, self.page, self.record) = (state, page, record)
    shown = ShownRecord(record, leaf: page.leaf)
  }

  func draw() -> Grid {
    var frame = Frame(state.size)
    let conflict = record.conflict
    let place = state.list.position(of: conflict.id).map { "  \($0 + 1)/\(state.list.count)" } ?? ""
    let left = conflict.undecided(in: record.resolution).count
    frame.header(
      [Run(state.privacy.shown(conflict.title), .text.bold)],
      right: [Run(left == 0 ? "✓ ready" : "\(left) open", left == 0 ? .ready : .text), Run(place, .dim)])
    drawField(&frame.grid)
    return frame.footer(state)
  }

  private func drawField(_ grid: inout Grid) {
    if let reason = record.conflict.wholeReason { grid.write("! \(reason)", at: 0, 7, .needs.bold) }
    guard let field = state.selectedField(record, page) else { return }
    let number = "field \(state.selected(record, page) + 1) of \(state.shownFields(record).count)"
    grid.write(
      [RecordWords.sign(field, shown), Run(" " + state.privacy.name(field.name), .text.bold)], at: 0, 2)
    grid.write(number, endingAt: grid.size.columns, 2, .dim)
    for (index, side) in Side.allCases.enumerated() { draw(field, side, at: 3 + index, &grid) }
    let choice = record.resolution[.field(field.name)]
    let isOpen = RecordWords.letters(field, shown) == "?"
    let value = isOpen ? "choose" : text(field.draft(choice).value, field)
    let reason = choice.map { RecordWords.words($0, field, shown) } ?? RecordWords.reason(field, shown)
    line("R", value, reason, isOpen ? .needs.bold : .result, at: 6, &grid)
  }

  private func draw(_ field: FieldConflict, _ side: Side, at row: Int, _ grid: inout Grid) {
    let version = shown.version(field, side)
    let value = RecordWords.absence(side, shown, state.time) ?? text(version?.value, field)
    let place = side == .server && shown.leafCount > 2 ? shown.leafPlace : nil
    line(side.letter, value, place ?? state.time.short(version?.time), .side(side), at: row, &grid)
    if side == page.side { grid.select(row: row, to: 2) }
  }

  private func text(_ value: Value?, _ field: FieldConflict) -> String {
    state.privacy.line(value, of: field.name, in: record.conflict)
  }

  private func line(
    _ letter: String, _ value: String, _ right: String, _ ink: Ink, at row: Int, _ grid: inout Grid
  ) {
    let right = DisplayText.cut(right, to: 20)
    grid.write(letter, at: 0, row, ink.bold)
    grid.write(value, at: 3, row, ink, width: max(1, grid.size.columns - 4 - DisplayText.width(right)))
    grid.write(right, endingAt: grid.size.columns, row, .dim)
  }
}
