import Merging
import StoreInterface
import Telling
import Terminal

struct ReviewRow {
  enum Content {
    /// A record, and what is said beside its title.
    case record(sign: Run, table: String, title: String, beside: [Run])
    /// Where there is room: what is there now, and what will be.
    case field(FieldDraft, DecidedConflict)
    case now(FieldDraft, DecidedConflict)
    case after(FieldDraft, DecidedConflict)
    case lost([LostEdit], DecidedConflict)
    case undone(LastWrite.FieldChange)
    case words([Run], column: Int)
  }

  /// What the cursor can stand on; nil for a line that goes on with the one above.
  var place: ReviewPage.Place?
  var content: Content
}

/// All lines of a review. Values are put into words only where they are in sight, as there may be thousands.
struct ReviewRows {
  let page: ReviewPage
  private(set) var all: [ReviewRow] = []
  private(set) var cursorRow = 0
  private let desk: DeskState
  private let layout: ReviewLayout
  private let fates: Fates

  init(_ desk: DeskState, _ page: ReviewPage) {
    (self.desk, self.page) = (desk, page)
    layout = ReviewLayout(desk, page)
    fates = page.fates(on: desk)
    all =
      switch page.action {
      case .write: page.drafts.flatMap(rows)
      case .undo(let write): undoRows(write)
      case .mend(let finding): mendRows(finding)
      }
    cursorRow = row(of: page.cursor) ?? all.firstIndex { $0.place != nil } ?? 0
  }

  var hasPlaces: Bool { all.contains { $0.place != nil } }
  var cursor: ReviewPage.Place? { all.indices.contains(cursorRow) ? all[cursorRow].place : nil }

  /// A field that is no longer shown has the cursor on its record.
  private func row(of place: ReviewPage.Place?) -> Int? {
    guard let place else { return nil }
    return all.firstIndex { $0.place == place }
      ?? all.firstIndex { $0.place == ReviewPage.Place(record: place.record) }
  }

  /// Where the cursor goes after a movement.
  func cursor(after movement: Movement, page height: Int) -> ReviewPage.Place? {
    let stops = all.indices.filter { all[$0].place != nil }
    let half = max(1, height / 2)
    let next: Int? =
      switch movement {
      case .up: stops.last { $0 < cursorRow }
      case .down: stops.first { $0 > cursorRow }
      case .pageUp: stops.last { $0 <= cursorRow - half } ?? stops.first
      case .pageDown: stops.first { $0 >= cursorRow + half } ?? stops.last
      case .first: stops.first
      case .last: stops.last
      }
    return next.flatMap { all[$0].place } ?? cursor
  }
}

extension ReviewRows {
  private func rows(_ draft: ReviewedDraft) -> [ReviewRow] {
    let fate = fates[draft.id]
    return switch fate {
    case .unchecked, .toWrite: head(draft, fate, whole(draft)) + notes(draft.record) + fields(draft)
    case .refused(let field?, _): head(draft, fate, words(fate, draft)) + refused(field, draft)
    case .refused, .moved, .partly, .notKnown, .notReached, .leftOut, .written:
      head(draft, fate, words(fate, draft))
    }
  }

  /// The line of a record with what is said of it; what has no room beside the title goes on under it.
  private func head(_ draft: ReviewedDraft, _ fate: Fate, _ words: [[Run]]) -> [ReviewRow] {
    let conflict = draft.record.conflict
    return head(draft.id, ReviewWords.sign(fate), conflict.table, desk.privacy.shown(conflict.title), words)
  }

  private func head(
    _ id: String, _ sign: Run, _ table: String, _ title: String, _ words: [[Run]]
  ) -> [ReviewRow] {
    let beside = layout.isNarrow ? nil : words.first
    let column = layout.isNarrow ? ReviewLayout.fieldColumn : layout.now
    let first = ReviewRow(
      place: .init(record: id),
      content: .record(sign: sign, table: table, title: title, beside: beside ?? []))
    return [first]
      + words.dropFirst(beside == nil ? 0 : 1).map { ReviewRow(content: .words($0, column: column)) }
  }

  private func words(_ fate: Fate, _ draft: ReviewedDraft) -> [[Run]] {
    let width = layout.columns - 1 - (layout.isNarrow ? ReviewLayout.fieldColumn : layout.now)
    return ReviewWords(desk: desk, page: page).lines(fate, draft).flatMap { $0.wrapped(width, most: 4) }
  }

  /// A record that is decided as a whole: what is there now, and what will be.
  private func whole(_ draft: ReviewedDraft) -> [[Run]] {
    if let alternative = draft.alternative {
      let losses = Losses(draft.record.conflict).of(alternative)
      let loses = losses.isEmpty ? "" : "; given up: \(desk.privacy.words(losses))"
      return [Run("the whole record: \(alternative.words)\(loses)", .result.bold)].wrapped(
        layout.columns - layout.now - 1)
    }
    guard draft.record.conflict.isWhole else { return [] }
    let (now, after) = ReviewWords.whole(draft)
    if layout.isNarrow { return [[Run("now   " + now, .client)], [Run("after " + after, .result.bold)]] }
    return [[Run(now.padding(to: layout.after - layout.now), .client), Run(after, .result.bold)]]
  }

  private func notes(_ record: DecidedConflict) -> [ReviewRow] {
    record.conflict.details.notes.flatMap { text("! \($0)", .needs) }
  }

  private func text(_ text: String, _ ink: Ink) -> [ReviewRow] {
    let column = ReviewLayout.fieldColumn
    return [Run(text, ink)].wrapped(layout.columns - column - 1).map {
      ReviewRow(content: .words($0, column: column))
    }
  }

  private func fields(_ draft: ReviewedDraft) -> [ReviewRow] {
    let record = draft.record
    let lost = lostAsAWhole(record).map { text("   given up: \($0)", .dim) } ?? []
    guard case .save(let fields) = draft.draft.action else { return lost }
    let shown = ShownRecord(record)
    let changes = fields.flatMap { rows($0, shown) }
    if !changes.isEmpty || record.conflict.isWhole || draft.alternative != nil { return lost + changes }
    return text("nothing changes in the \(desk.store.words.settled)", .dim)
  }

  private func lostAsAWhole(_ record: DecidedConflict) -> String? {
    guard case .take(let side)? = record.resolution[.record] else { return nil }
    return record.conflict.lost(takingWholeFrom: side, desk.privacy)
  }

  /// What changes, and what is given up. What stays, and takes nothing from anybody, is told only if it is asked for.
  private func rows(_ field: FieldDraft, _ shown: ShownRecord) -> [ReviewRow] {
    let lost = shown.edits(lostBy: field).filter { $0.side != .client }
    guard desk.showsUnchanged || !lost.isEmpty || shown.record.changes(field) else { return [] }
    return pair(field, shown.record) + (lost.isEmpty ? [] : [ReviewRow(content: .lost(lost, shown.record))])
  }

  private func pair(_ field: FieldDraft, _ record: DecidedConflict) -> [ReviewRow] {
    let place = ReviewPage.Place(record: record.conflict.id, field: field.name)
    guard layout.isNarrow else { return [ReviewRow(place: place, content: .field(field, record))] }
    return [
      ReviewRow(place: place, content: .now(field, record)), ReviewRow(content: .after(field, record)),
    ]
  }

  private func refused(_ name: String, _ draft: ReviewedDraft) -> [ReviewRow] {
    guard page.isOpen, case .save(let fields) = draft.draft.action else { return [] }
    return fields.filter { $0.name == name }.flatMap { pair($0, draft.record) }
  }
}

/// What is taken back, and what is mended.
extension ReviewRows {
  private func undoRows(_ write: LastWrite) -> [ReviewRow] {
    if page.stage == .done { return results }
    return write.records.flatMap { record in
      head(record.id, desk.privacy.shown(record.title)) + (fates[record.id].isProblem ? [] : fields(record))
    }
  }

  private func fields(_ record: LastWrite.Record) -> [ReviewRow] {
    if record.fields.isEmpty { return text("no field of the record changes", .dim) }
    return record.fields.map {
      ReviewRow(place: .init(record: record.id, field: $0.name), content: .undone($0))
    }
  }

  private var results: [ReviewRow] { page.results.flatMap { head($0.id, desk.privacy.shown($0.title)) } }

  private func head(_ id: String, _ title: String) -> [ReviewRow] {
    let width = layout.columns - 1 - (layout.isNarrow ? ReviewLayout.fieldColumn : layout.now)
    let words = ReviewWords(desk: desk, page: page).line(fates[id]).wrapped(width, most: 4)
    return head(id, ReviewWords.sign(fates[id]), "", title, words)
  }

  private func mendRows(_ finding: Finding) -> [ReviewRow] {
    let finding = desk.privacy.told(finding)
    let title = "\(finding.table) \(finding.title)"
    let outcome = page.results.flatMap { result in
      [ReviewWords.sign(fates[result.id]), Run(" ")]
        + ReviewWords(desk: desk, page: page).line(fates[result.id])
    }
    let parts = [
      ("Shown by", finding.evidence), ("Because", finding.cause),
      ("Mending", finding.canBeMended ?? ""),
    ]
    let lines =
      [[Run(title, .text.bold), Run("   \(finding.what)", .failed)], outcome].filter { !$0.isEmpty }
      + parts.map { [Run($0.0.padding(to: 11), .dim), Run($0.1)] }
    return lines.flatMap { $0.wrapped(layout.columns - 4) }.map { ReviewRow(content: .words($0, column: 2)) }
  }
}
