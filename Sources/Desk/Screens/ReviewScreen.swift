import Merging
import Terminal

/// Before and after of every draft, what the store says to it, and how it will be written. The only screen that writes.
struct ReviewScreen {
  let state: DeskState
  let page: ReviewPage

  init(_ state: DeskState, _ page: ReviewPage) {
    self.state = state
    self.page = page
  }

  var lastScroll: Int { max(0, draftLines.count - height) }

  private var checkHeight: Int { min(checkLines.count, max(3, state.size.rows * 2 / 5)) }
  private var height: Int { max(1, state.size.rows - 5 - checkHeight) }

  func draw() -> Grid {
    var frame = Frame(state.size)
    frame.header([Run(title, .text.bold)], right: [Run(state.store.name, .dim)])
    frame.rule(1)
    for (index, line) in draftLines.dropFirst(page.scroll).prefix(height).enumerated() {
      frame.grid.write(line, at: 1, 2 + index)
    }
    frame.rule(frame.bottom - checkHeight - 1)
    for (index, line) in checkLines.prefix(checkHeight).enumerated() {
      frame.grid.write(line, at: 1, frame.bottom - checkHeight + index, width: frame.columns - 2)
    }
    if page.isTypingNote { drawNoteCursor(&frame) }
    frame.footer(state, hints, keepsHints: page.stage == .done)
    return frame.grid
  }

  private var hints: String {
    switch page.stage {
    case .reading, .checking, .writing: "One moment"
    case .ready:
      switch page.action {
      case .write: "Y write   e note   = all fields   Esc back to editing   ? help"
      case .undo: "Y take back   Esc back"
      case .mend: "Y mend   Esc back"
      }
    case .done: page.hasWritten ? "Esc back   u take back   ? help" : "Esc back   ? help"
    }
  }

  private var title: String {
    switch (page.action, page.stage) {
    case (.write, .done): "Written"
    case (.write, _): page.drafts.count == 1 ? "Write 1 draft" : "Write \(page.drafts.count) drafts"
    case (.undo, .done): "Taken back"
    case (.undo, _): "Take back the last write"
    case (.mend, .done): "Mended"
    case (.mend, _): "Mend 1 finding"
    }
  }

  private var draftLines: [[Run]] {
    switch page.action {
    case .write: page.drafts.flatMap(lines)
    case .undo(let write): undoLines(write)
    case .mend(let finding): mendLines(finding)
    }
  }

  private func undoLines(_ write: LastWrite) -> [[Run]] {
    if page.stage == .done { return page.checks.map { [outcome($0)] } }
    return write.records.flatMap(undoLines)
  }

  /// What is there now, and what was before the write.
  private func undoLines(_ record: LastWrite.Record) -> [[Run]] {
    let cell = max(12, (state.size.columns - 22) / 2)
    let title = state.isPrivate ? "***" : record.title
    let lines = record.fields.map { field in
      [
        Run("  " + field.name.shownName.padding(to: 18), .dim),
        Run(ValueText.line(field.after, isPrivate: state.isPrivate).padding(to: cell - 1) + " ", .dim),
        Run(ValueText.line(field.before, isPrivate: state.isPrivate).padding(to: cell - 1), .result.bold),
      ]
    }
    let none = [Run("  no field of the record changes", .dim)]
    return [[Run(title.padding(to: 20 + cell), .text.bold), Run("after taking back", .dim)]]
      + (lines.isEmpty ? [none] : lines) + [[]]
  }

  private func mendLines(_ finding: Finding) -> [[Run]] {
    let title = "\(finding.table) \(state.isPrivate ? "***" : finding.title)"
    let parts = [
      ("Shown by", finding.evidence(isPrivate: state.isPrivate)), ("Because", finding.cause),
      ("Mending", finding.canBeMended ?? ""),
    ]
    return [[Run(title, .text.bold), Run("   \(finding.what)", .failed)]] + page.checks.map { [outcome($0)] }
      + parts.flatMap { name, text in
        [Run("  " + name.padding(to: 11), .dim), Run(text)].wrapped(state.size.columns - 2)
      }
  }

  private func lines(_ record: OpenConflict) -> [[Run]] {
    guard let draft = record.planned?.draft else { return [] }
    let cell = max(12, (state.size.columns - 22) / 2)
    let title = "\(record.conflict.table) \(state.isPrivate ? "***" : record.conflict.title)"
    let check = page.checks.first { $0.id == record.conflict.id }
    var lines: [[Run]] = [
      [Run(title.padding(to: 20 + cell), .text.bold), Run(page.stage == .done ? "" : "after write", .dim)]
    ]
    if let check, check.outcome != .fine || page.stage == .done { lines.append([outcome(check)]) }
    lines += record.conflict.details.notes.flatMap { note in
      [Run("  ! \(note)", .needs)].wrapped(state.size.columns - 2)
    }
    lines += fieldLines(record, draft, cell)
    return lines + [[]]
  }

  private func outcome(_ check: CheckedWrite) -> Run {
    switch check.outcome {
    case .fine: Run("  ✓ " + done(check), .ready)
    case .moved(let what): Run("  ✗ not written, it moved: \(what)", .failed.bold)
    case .refused(let field, let why):
      Run("  ✗ refused\(field.map { ": \($0)" } ?? ""): \(why)", .failed.bold)
    }
  }

  private func done(_ check: CheckedWrite) -> String {
    switch page.action {
    case .write: "written"
    case .undo: "restored: \(check.title)"
    case .mend: "mended"
    }
  }

  private func fieldLines(_ record: OpenConflict, _ draft: Draft, _ cell: Int) -> [[Run]] {
    guard case .save(let fields) = draft.action else {
      return [[Run("  the record is deleted", .needs.bold)]]
    }
    let wasHere = record.conflict.versions.client.isPresent
    let lines = fields.compactMap { field -> [Run]? in
      let old = record.conflict[field.name]?.client?.value
      let isDecided = record.resolution[.field(field.name)] != nil
      guard state.showsUnchanged || isDecided || old != field.value else { return nil }
      return line(
        field, ShownRecord(record), old: wasHere ? old : nil, isSame: wasHere && old == field.value, cell)
    }
    if !lines.isEmpty { return lines }
    let words =
      state.store.recordsHaveTrees
      ? "nothing changes in the winner; the other leaves end"
      : "nothing changes in the row; it is settled with the server"
    return [[Run("  \(words)", .dim)]]
  }

  private func line(
    _ field: FieldDraft, _ shown: ShownRecord, old: Value?, isSame: Bool, _ cell: Int
  ) -> [Run] {
    let conflict = shown.conflict
    let text = { ValueText.line($0, of: field.name, in: conflict, isPrivate: state.isPrivate) }
    let before = Run(text(old).padding(to: cell - 1) + " ", .client)
    let name = Run("  " + field.name.shownName.padding(to: 18), .dim)
    if isSame, shown.leafCount > 2 { return [name, before] + kept(field, shown, cell) }
    let server = conflict[field.name]?.server?.value
    if isSame, let server, server != field.value {
      // What loses is seen before it is written over.
      return [
        name, before, Run("kept, over S ", .dim),
        Run(DisplayText.cut(text(server), to: max(4, cell - 15)), .server),
      ]
    }
    let origin = isSame ? "kept" : origin(field, shown)
    let after = DisplayText.cut(text(field.value), to: max(4, cell - origin.count - 4))
    return [name, before, Run(after, isSame ? .dim : .result.bold), Run("  " + origin, .dim)]
  }

  /// What loses of more leaves than two.
  private func kept(_ field: FieldDraft, _ shown: ShownRecord, _ cell: Int) -> [Run] {
    let over = shown.leaves(changing: field.name, otherwiseThan: field.value)
    guard let first = over.first else { return [Run("kept", .dim)] }
    if over.count > 1 { return [Run("kept, over ", .dim), Run("\(over.count) leaves", .server)] }
    let text = ValueText.line(
      first.value, of: field.name, in: shown.conflict, isPrivate: state.isPrivate)
    let words = "kept, over leaf \(first.number) "
    return [Run(words, .dim), Run(DisplayText.cut(text, to: max(4, cell - words.count - 2)), .server)]
  }

  private func origin(_ field: FieldDraft, _ shown: ShownRecord) -> String {
    switch field.source {
    case nil: ""
    case .both?: "C=S"
    case .server? where shown.leafCount > 2: "leaf 2"
    case .merged?: shown.leaf(having: field.value, in: field.name).map { "leaf \($0)" } ?? "merged"
    case let source?: source.rawValue
    }
  }

  private var checkLines: [[Run]] {
    var lines = [checkLine]
    if case .readOnly(let reason) = state.access {
      lines.append([Run("  ✗ read-only: \(reason)", .failed.bold)])
    }
    let (words, notVerified) = whatIsDone
    if !words.isEmpty { lines.append([Run("  " + words)]) }
    if let notVerified { lines.append([Run("  ! \(notVerified)", .needs)]) }
    return (hasNote ? [note] : []) + lines.flatMap(wrapped)
  }

  /// What does not fit in one line goes on under its words, not under the sign before them.
  private func wrapped(_ line: [Run]) -> [[Run]] {
    let lines = line.wrapped(state.size.columns - 6)
    return lines.prefix(1) + lines.dropFirst().map { [Run("    ")] + $0 }
  }

  /// What the store says it does, and what of that was never checked.
  private var whatIsDone: (String, notVerified: String?) {
    switch page.action {
    case .write: (state.store.writing, state.store.notVerified)
    case .undo(let write): (write.takingBack, write.notVerified)
    case .mend: (state.store.mending, nil)
    }
  }

  private var hasNote: Bool { page.action == .write && page.stage != .done }

  private var note: [Run] {
    let hint = page.note.isEmpty && !page.isTypingNote ? "e writes one" : ""
    return [Run("  Note for the log: ", .dim), Run(page.note.text), Run(hint, .dim)]
  }

  private var checkLine: [Run] {
    let refused = page.checks.filter { $0.outcome != .fine }.count
    switch page.stage {
    case .reading: return [Run("  Reading the drafts...", .dim)]
    case .checking: return [Run("  Checking: \(checked.joined(separator: ", "))...", .dim)]
    case .writing: return [Run("  Writing...", .dim)]
    case .ready where page.action == .write && page.checks.isEmpty:
      return [Run("  ✗ not checked, so nothing can be written now", .failed.bold)]
    case .ready where page.action != .write:
      return [Run("  Checked before anything changes: what moved since is left alone.")]
    case .ready, .done:
      let fine = page.checks.count - refused
      let all = "\(fine) of \(page.checks.count)"
      if page.stage == .done {
        return [Run("  \(refused == 0 ? "✓" : "!") \(all) done", refused == 0 ? .ready : .needs.bold)]
      }
      guard refused == 0 else {
        return [Run("  ! \(all) can be written; the others are left alone", .needs.bold)]
      }
      return [
        Run("  ✓ \(all) can be written: nothing moved\(rulesHold)", .ready)
      ]
    }
  }

  /// A document has no rules beside that nothing moved.
  private var checked: [String] {
    ["nothing moved"] + (state.store.recordsHaveTrees ? [] : ["types", "NOT NULL", "CHECK", "foreign keys"])
  }

  private var rulesHold: String {
    state.store.recordsHaveTrees
      ? ", no leaf came or went" : "; types, NOT NULL, CHECK and foreign keys hold"
  }

  private func drawNoteCursor(_ frame: inout Frame) {
    let row = frame.bottom - checkHeight
    let column = 1 + DisplayText.width("  Note for the log: " + page.note.text)
    frame.grid.cursor = Point(column: min(column, frame.columns - 1), row: row)
  }
}
