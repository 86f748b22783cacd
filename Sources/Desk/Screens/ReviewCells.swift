import Merging
import Telling
import Terminal

/// One field of a draft: what the store has now, what it will have, and where that comes from.
struct ReviewCells {
  private let state: DeskState
  private let layout: ReviewLayout
  private let record: OpenConflict
  private let field: FieldDraft

  init(_ state: DeskState, _ layout: ReviewLayout, _ record: OpenConflict, _ field: FieldDraft) {
    self.state = state
    self.layout = layout
    self.record = record
    self.field = field
  }

  func draw(at line: Int, _ grid: inout Grid) {
    let column = ReviewLayout.fieldColumn
    let width = (now: layout.after - layout.now - 1, after: layout.columns - layout.after - 10)
    let text = texts(width: min(width.now, width.after))
    grid.write(state.privacy.name(field.name, in: layout.now - column - 1), at: column, line, .dim)
    grid.write(text.now, at: layout.now, line, .client, width: width.now)
    grid.write(text.after, at: layout.after, line, ink, width: width.after)
    grid.write(origin, endingAt: layout.columns - 1, line, .dim)
  }

  func drawNow(at line: Int, _ grid: inout Grid) {
    let width = layout.columns - layout.now - 1
    grid.write(state.privacy.name(field.name, in: layout.now - 12), at: 5, line, .dim)
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
    if case .refused(field.name?, _)? = state.unwritten[record.conflict.id] { return "e edits" }
    return ReviewWords.origin(field, ShownRecord(record))
  }

  private func texts(width: Int) -> (now: String, after: String) {
    let conflict = record.conflict
    let old = conflict.hasRow ? conflict[field.name]?.client?.value : nil
    if conflict.details.references[field.name] == nil {
      let pair = state.privacy.pair(old, field.value, width: width)
      return (pair.old, pair.new)
    }
    let text = { state.privacy.line($0, of: field.name, in: conflict) }
    return (text(old), text(field.value))
  }
}
