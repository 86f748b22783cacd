import Merging
import StoreInterface
import Telling
import Terminal

/// One field at a time, for 40 to 59 columns: its versions down, and in the last line what else is to decide.
extension RecordScreen {
  /// A version, or the result.
  private struct Entry {
    var letter: String
    var right: String
    var ink: Ink
    /// The value in lines, at most so many.
    var lines: (_ most: Int) -> [String]
  }

  func drawOneField(_ frame: inout Frame) {
    frame.header([Run(desk.privacy.shown(conflict.title), .text.bold)], right: counts)
    // Three versions and the result have a line each.
    let most = max(1, min(3, frame.bottom - 7))
    let strip = refused.map { [$0].wrapped(frame.columns, cutAfter: most) } ?? [strip]
    frame.grid.write(lines: strip, at: 0, frame.bottom - strip.count, width: frame.columns)
    guard let field = selectedField else { return }
    let name = Run(" " + desk.privacy.name(field.name), .text.bold)
    frame.grid.write([shown.sign(field), page.found == nil ? Run("") : found(field), name], at: 0, 2)
    frame.grid.write("field \(selected + 1) of \(fields.count)", endingAt: frame.columns, 2, .dim)
    let entries = Side.allCases.map { version(field, $0, frame.columns) } + result(field, frame.columns)
    let room = frame.bottom - 3 - strip.count
    var row = 3
    for (index, share) in shares(of: room, among: entries.map { $0.lines(room).count }).enumerated() {
      write(entries[index], at: row, share, &frame.grid)
      if index < 3, Side.allCases[index] == page.side(in: record, on: desk) {
        frame.grid.select(row: row, to: 2)
      }
      row += share
    }
  }

  private func version(_ field: FieldConflict, _ side: Side, _ columns: Int) -> Entry {
    let version = shown.version(field, side)
    let place = side == .server && shown.leafCount > 2 ? shown.leafPlace : nil
    let right = DisplayText.cut(place ?? desk.time.short(version?.time), to: 20)
    let width = max(1, columns - 4 - DisplayText.width(right))
    let absence = shown.absence(side, desk.time)
    return Entry(letter: side.letter, right: right, ink: .side(side)) { most in
      absence.map { [$0] } ?? cellText.lines(version?.value, field, width: width, most: most)
    }
  }

  private func result(_ field: FieldConflict, _ columns: Int) -> [Entry] {
    if record.isGoneOrOwn { return [] }
    if conflict.isWhole { return wholeResult(field, columns) }
    if field.field.isGenerated { return [Entry(letter: "R", right: "", ink: .dim) { _ in ["generated"] }] }
    let choice = record.resolution[.field(field.name)]
    let isOpen = shown.letters(field) == "?"
    let right = DisplayText.cut(choice.map { shown.words($0, field) } ?? shown.reason(field), to: 20)
    let width = max(1, columns - 4 - DisplayText.width(right))
    return [
      Entry(letter: "R", right: right, ink: isOpen ? .needs.bold : .result) { most in
        isOpen
          ? ["to decide"] : cellText.lines(field.draft(choice).value, field, width: width, most: most)
      }
    ]
  }

  /// What becomes of the record, and not of the field alone.
  private func wholeResult(_ field: FieldConflict, _ columns: Int) -> [Entry] {
    let detail = RecordDetail(desk: desk, shown: shown, field: field)
    let lines = { (most: Int) in
      detail.resultLines(field, columns, most).map { $0.left.dropFirst().map(\.text).joined() }
    }
    let ink: Ink = record.isDecided ? .result : .needs.bold
    return lines(1).isEmpty ? [] : [Entry(letter: "R", right: "", ink: ink, lines: lines)]
  }

  private func write(_ entry: Entry, at row: Int, _ lines: Int, _ grid: inout Grid) {
    grid.write(entry.letter, at: 0, row, entry.ink.bold)
    let width = max(1, grid.size.columns - 4 - DisplayText.width(entry.right))
    for (index, line) in entry.lines(lines).prefix(lines).enumerated() {
      grid.write(line, at: 3, row + index, entry.ink, width: width)
    }
    grid.write(entry.right, endingAt: grid.size.columns, row, .dim)
  }

  /// What else is to decide: "^ title   ! notes   ~ 3 sure"; or that the record is decided as a whole.
  private var strip: [Run] {
    if let words = record.alternativeWords(desk.privacy) { return [Run(words, .ready)] }
    if let reason = conflict.wholeReason { return [Run("! \(reason)", .needs.bold)] }
    let undecided = Set(record.undecided)
    let others = fields.filter { undecided.contains(.field($0.name)) && $0.name != selectedField?.name }
    let named = others.filter { $0.suggestion.certainty != .sure }.flatMap { field in
      [shown.sign(field), Run(" \(desk.privacy.name(field.name))   ")]
    }
    let sure = others.count { $0.suggestion.certainty == .sure }
    return named + (sure > 0 ? [Run("~ \(sure) sure", .dim)] : [])
  }
}
