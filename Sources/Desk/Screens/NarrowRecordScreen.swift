import Merging
import Telling
import Terminal

/// One field at a time, for 40 to 59 columns.
struct NarrowRecordScreen {
  let state: DeskState
  let page: RecordPage
  let record: OpenConflict
  private let shown: ShownRecord

  init(_ state: DeskState, _ page: RecordPage, _ record: OpenConflict) {
    self.state = state
    self.page = page
    self.record = record
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
    frame.rule(1)
    drawField(&frame.grid)
    frame.footer(state)
    return frame.grid
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
