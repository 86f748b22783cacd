import Merging
import StoreInterface
import Telling
import Terminal

/// What stands in one column of a row.
struct ReviewCell {
  let runs: [Run]
  let column: Int
  let width: Int

  /// The line of a row of so many.
  func draw(_ line: Int, of height: Int, at row: Int, _ grid: inout Grid) {
    // What is in one line shows its breaks by their signs.
    let lines = height == 1 ? [runs] : runs.wrapped(width, cutAfter: height)
    if lines.indices.contains(line) { grid.write(lines[line], at: column, row, width: width) }
  }
}

extension ReviewRow {
  func line(_ line: Int, of height: Int) -> ReviewRow {
    ReviewRow(place: line == 0 ? place : nil, content: content, line: line, height: height)
  }

  /// How many lines it fills of so many. More than 30 are read in the record.
  func lines(of most: Int = 30, _ desk: DeskState, _ layout: ReviewLayout) -> Int {
    line(0, of: most).cells(desk, layout).map { $0.runs.wrapped($0.width, most: most).count }.max() ?? 1
  }

  /// What it says in its columns; nothing of what is never cut.
  func cells(_ desk: DeskState, _ layout: ReviewLayout) -> [ReviewCell] {
    switch content {
    case .record, .words: return []
    case .field(let field, let record):
      return ReviewCells(desk: desk, layout: layout, record: record, field: field).cells(height: height)
    case .now(let field, let record):
      let cells = ReviewCells(desk: desk, layout: layout, record: record, field: field)
      return cells.labels(isAfter: false) + [cells.cell(isAfter: false, height)]
    case .after(let field, let record):
      let cells = ReviewCells(desk: desk, layout: layout, record: record, field: field)
      return cells.labels(isAfter: true) + [cells.cell(isAfter: true, height)]
    case .lost(let edits, let field, let record):
      return [lost(edits, by: field, record, desk, layout)]
    case .undone(let field): return undone(field, desk, layout)
    }
  }

  /// What is not there afterwards has no place in a column of what is.
  ///
  /// - Parameter edits: one, or more than there are lines for.
  private func lost(
    _ edits: [LostEdit], by field: FieldDraft, _ record: DecidedConflict, _ desk: DeskState,
    _ layout: ReviewLayout
  ) -> ReviewCell {
    let column = ReviewLayout.fieldColumn + 3
    let width = layout.columns - column - 1
    func cell(_ words: String) -> ReviewCell {
      ReviewCell(runs: [Run(words, .dim)], column: column, width: width)
    }
    guard let edit = edits.first, edits.count == 1 else {
      return cell("given up: \(edits.count) edits \(edits.origins)")
    }
    // What is there now stands above, in a column of its own.
    let now = record.conflict[edit.field].flatMap(record.conflict.now)
    let origin = layout.columns < 60 ? edit.shortOrigin : edit.origin
    let room = height > 1 ? width : max(0, width - 12 - DisplayText.width(origin))
    let value =
      edit.side == .client && now == edit.value
      ? "its value now"
      : told(edit, (now, field.value), record.conflict, desk, room)
    // Whose it is comes first, as in the log: behind a value of several lines nobody looks for it.
    return cell("given up, " + origin + ": " + (height > 1 ? value : DisplayText.cut(value, to: room)))
  }

  /// As it differs from what is there now, and so that it is not taken for what takes its place.
  private func told(
    _ edit: LostEdit, _ beside: (now: Value?, taken: Value), _ conflict: RecordConflict, _ desk: DeskState,
    _ room: Int
  ) -> String {
    let isTold = UnseenDifference(beside.now, edit.value, isASCII: desk.isASCII) != nil
    let quoted = conflict[edit.field].flatMap {
      desk.privacy.quotedAmongAll(edit.value, of: $0, in: conflict, beside: beside.taken)
    }
    if let quoted, !isTold { return quoted }
    let unseen = UnseenDifference(edit.value, beside.taken, isASCII: desk.isASCII)
    let end = isTold || desk.privacy.hides ? "" : unseen?.ends.old ?? ""
    let width = max(0, room - DisplayText.width(end))
    let text = desk.privacy.pair(
      beside.now, edit.value, of: edit.field, in: conflict, widths: (width, width), lines: height,
      isASCII: desk.isASCII
    ).new
    return (height > 1 ? text : DisplayText.cut(text, to: width)) + end
  }

  private func undone(
    _ field: LastWrite.FieldChange, _ desk: DeskState, _ layout: ReviewLayout
  ) -> [ReviewCell] {
    let column = ReviewLayout.fieldColumn
    let (now, after) = layout.isNarrow ? (16, 16 + (layout.columns - 16) / 2) : (layout.now, layout.after)
    let width = (old: after - now - 1, new: layout.columns - after - 1)
    // No heading stands over what is there now and what comes back.
    let arrow = layout.isNarrow ? "→ " : ""
    let room = (old: width.old, new: max(0, width.new - arrow.count))
    // What is there now, and what comes back.
    let text = desk.privacy.texts(field.reversed, widths: room, lines: height, isASCII: desk.isASCII)
    let name = Run(desk.privacy.name(field.label, in: now - column - 1), .dim)
    return [
      ReviewCell(runs: [name], column: column, width: now - column - 1),
      ReviewCell(runs: [Run(text.old, .dim)], column: now, width: width.old),
      ReviewCell(runs: [Run(arrow, .dim), Run(text.new, .result.bold)], column: after, width: width.new),
    ]
  }
}

extension [LostEdit] {
  /// Of many leaves: "of the client and of leaves 3, 4, 5, and 9 more".
  fileprivate var origins: String {
    let client = contains { $0.otherLeaf == nil } ? "of the client" : nil
    let leaves = Leaf.words(of: compactMap(\.otherLeaf)).map { "of " + $0 }
    return [client, leaves].compactMap(\.self).joined(separator: " and ")
  }
}

extension LostEdit {
  /// "S", "leaf 3"
  fileprivate var shortOrigin: String { otherLeaf.map { "leaf \($0)" } ?? side.letter }
}

/// One field of a draft: what the store has now, what it will have, and where that comes from.
struct ReviewCells {
  let desk: DeskState
  let layout: ReviewLayout
  let record: DecidedConflict
  let field: FieldDraft

  func cells(height: Int) -> [ReviewCell] {
    let column = ReviewLayout.fieldColumn
    let width = (old: layout.after - layout.now - 1, new: layout.columns - layout.after - 10)
    let text = texts(width, lines: height)
    let name = desk.privacy.name(field.name, in: layout.now - column - 1)
    let end = layout.columns - 1 - DisplayText.width(origin)
    return [
      ReviewCell(runs: [Run(name, .dim)], column: column, width: layout.now - column - 1),
      ReviewCell(runs: [Run(text.now, .client)], column: layout.now, width: width.old),
      ReviewCell(runs: [Run(text.after, ink)], column: layout.after, width: width.new),
      ReviewCell(runs: [Run(origin, .dim)], column: end, width: layout.columns - end),
    ]
  }

  /// Below each other, where there is no room for both in a line.
  func cell(isAfter: Bool, _ height: Int) -> ReviewCell {
    let width = layout.columns - layout.now - 1
    let text = texts((width, width), lines: height)
    return ReviewCell(
      runs: [isAfter ? Run(text.after, ink) : Run(text.now, .client)], column: layout.now, width: width)
  }

  /// What stands before it.
  func labels(isAfter: Bool) -> [ReviewCell] {
    let (column, width) = (ReviewLayout.titleColumn, layout.now - 12)
    let name = isAfter ? origin : desk.privacy.name(field.name, in: width)
    return [
      ReviewCell(runs: [Run(name, .dim)], column: column, width: width),
      ReviewCell(runs: [Run(isAfter ? "after" : "now", .dim)], column: layout.now - 6, width: 6),
    ]
  }

  private var ink: Ink { record.changes(field) ? .result.bold : .dim }

  /// A value that the store refuses is mended where it came from.
  private var origin: String {
    if case .refused(field.name?, _)? = desk.unwritten[record.conflict.id] { return "e edits" }
    return ReviewWords.origin(field, ShownRecord(record))
  }

  private func texts(_ widths: (old: Int, new: Int), lines: Int) -> (now: String, after: String) {
    let conflict = record.conflict
    let old = conflict.hasRow ? conflict[field.name].flatMap(conflict.now) : nil
    let told = desk.privacy.change(
      old, field.value, of: field.name, in: conflict, widths: widths, lines: lines, isASCII: desk.isASCII)
    guard let versions = conflict[field.name] else { return told }
    let texts = desk.privacy.quoting(
      (told.now, told.after), of: old, field.value, isASCII: desk.isASCII
    ) { desk.privacy.quoted($0, of: versions, in: conflict) }
    return (texts.old, told.after == Privacy.staying && old == field.value ? told.after : texts.new)
  }
}
