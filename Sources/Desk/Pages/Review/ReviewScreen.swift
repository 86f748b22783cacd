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
    let right = [Run(position, .dim)]
    let title = ReviewWords(desk: desk, page: page).title(width: frame.titleWidth(beside: right))
    frame.header(title, right: right)
    if layout.hasHeadings { drawHeadings(&frame.grid) }
    let first = layout.first(rows, desk)
    for (index, row) in rows.all.enumerated().dropFirst(first).prefix(layout.height) {
      let line = layout.top + index - first
      draw(row, at: line, &frame.grid)
      if rows.hasPlaces, index == rows.cursorRow {
        frame.grid.write("▸", at: 0, line)
        frame.grid.select(row: line)
      }
    }
    drawFoot(&frame)
    if let line = page.looking { return frame.searchFooter(line, desk) }
    return frame.footer(desk, keepsHints: page.stage == .done)
  }

  /// "lines 1-12 of 41".
  private var position: String {
    let first = layout.first(rows, desk)
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
    // The store stays as it is there.
    case (.write, _) where desk.store.can.contains(.leaveToApp):
      ("Record, field", "now in the store", desk.store.words.left.lowercased())
    case (.write, _): ("Record, field", "now in the store", "after the write")
    // What moved since is told with the record, and not by values; before the check nobody knows.
    case (.undo, _):
      ("Record, field", page.checks.isEmpty ? "as it was written" : "now in the store", "after taking back")
    }
  }

  private func drawFoot(_ frame: inout Frame) {
    let foot = layout.foot
    if !ReviewFoot.isShort(desk.size) { frame.rule(layout.footTop - 1) }
    frame.grid.write(lines: foot.lines, at: 1, layout.footTop, width: frame.columns - 2)
    guard page.noting != nil else { return }
    frame.grid.cursor = Point(
      column: min(1 + foot.noteColumn, frame.columns - 1), row: layout.footTop + foot.lines.count - 1)
  }

  private func draw(_ row: ReviewRow, at line: Int, _ grid: inout Grid) {
    switch row.content {
    case .record(let sign, let table, let title, let beside, let hasColumns):
      grid.write([sign], at: ReviewLayout.signColumn, line)
      let name = [Run(table.isEmpty ? "" : table + " ", .dim), Run(title, .text.bold)]
      // A long title pushes aside what stands beside it, as far as there is room; but not what stands under headings.
      let last = beside.isEmpty ? layout.columns : max(layout.now, layout.columns - 1 - beside.width)
      let pushed = min(last, max(layout.now, ReviewLayout.titleColumn + name.width + 2))
      let end = hasColumns ? layout.now : pushed
      grid.write(
        name, at: ReviewLayout.titleColumn, line,
        width: (beside.isEmpty ? last : end) - ReviewLayout.titleColumn - 1)
      grid.write(beside, at: end, line, width: layout.columns - end - 1)
    case .field, .now, .after, .lost, .undone:
      for cell in row.cells(desk, layout) { cell.draw(row.line, of: row.height, at: line, &grid) }
    case .words(let runs, let column): grid.write(runs, at: column, line, width: layout.columns - column - 1)
    }
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
  let foot: ReviewFoot

  init(_ desk: DeskState, _ page: ReviewPage) {
    self.init(desk, ReviewFoot(desk: desk, page: page, free: Self.free(desk, page)))
  }

  /// Lines that nothing stands in, and no value needs. Of more records than lines there are none, so that thousands are not gone
  /// through twice.
  private static func free(_ desk: DeskState, _ page: ReviewPage) -> Int {
    guard max(page.count, page.results.count) < desk.size.rows else { return 0 }
    let layout = ReviewLayout(desk, ReviewFoot(desk: desk, page: page))
    let wanted = ReviewRows(desk, page, layout).all.map { $0.lines(desk, layout) }
    return max(0, layout.height - wanted.reduce(0, +))
  }

  private init(_ desk: DeskState, _ foot: ReviewFoot) {
    self.foot = foot
    columns = desk.size.columns
    isNarrow = columns < 70
    top = isNarrow || desk.size.rows < 12 ? 2 : 3
    footTop = desk.size.rows - 2 - foot.lines.count
    height = max(1, footTop - top - (ReviewFoot.isShort(desk.size) ? 0 : 1))
    now = isNarrow ? (columns < 60 ? 23 : 30) : Self.titleColumn + max(20, min(34, columns * 5 / 16))
    after = isNarrow ? now : now + (columns - now) / 2
  }

  var hasHeadings: Bool { top == 3 }

  /// What the lines depend on, beside the height.
  var measures: [Int] { [columns, now, after] }

  /// The first line shown.
  func first(_ rows: ReviewRows, _ desk: DeskState) -> Int {
    guard rows.hasPlaces else { return max(0, min(rows.page.scroll, rows.all.count - height)) }
    return desk.first(showing: rows.cursorRow, height: height, of: rows.all.count)
  }
}

struct ReviewRow: Sendable {
  enum Content: Sendable {
    /// A record, and what is said beside its title, be it of the record now and afterwards, in their columns.
    case record(sign: Run, table: String, title: String, beside: [Run], hasColumns: Bool)
    /// Where there is room: what is there now, and what will be.
    case field(FieldDraft, DecidedConflict)
    case now(FieldDraft, DecidedConflict)
    case after(FieldDraft, DecidedConflict)
    case lost([LostEdit], FieldDraft, DecidedConflict)
    case undone(LastWrite.FieldChange)
    case words([Run], column: Int)
  }

  /// What the cursor can stand on; nil for a line that goes on with the one above.
  var place: ReviewPage.Place?
  var content: Content
  /// Which of its lines it is, and how many it has.
  var line = 0
  var height = 1
}

/// All lines of a review. Values are put into words only where they are in sight, as there may be thousands.
struct ReviewRows {
  let page: ReviewPage
  private(set) var all: [ReviewRow] = []
  private(set) var cursorRow = 0
  private let desk: DeskState
  private let layout: ReviewLayout
  private let fates: Fates
  /// What is said of many drafts at once, or is looked up for each of them: made where the rows are.
  private var shared = SharedNotes([], .open)
  private var uploads: ByRecord<UploadForecast> = [:]
  private var checkNotes: ByRecord<[String]> = [:]
  private var notBack: ByRecord<NotBack> = [:]

  /// With what is cut in as many lines as are free.
  init(_ desk: DeskState, _ page: ReviewPage) {
    self.init(desk, page, ReviewLayout(desk, page))
    let free = layout.height - all.count
    guard free > 0 else { return }
    let most = shares(of: all.count + free, among: all.map { $0.lines(desk, layout) })
    // What has no room as a whole is told by what differs, which may take fewer.
    let heights = zip(all, most).map { $0.lines(of: $1, desk, layout) }
    all = zip(all, heights).flatMap { row, height in (0..<height).map { row.line($0, of: height) } }
    cursorRow = row(of: page.cursor) ?? all.firstIndex { $0.place != nil } ?? 0
  }

  /// Each row in one line.
  init(_ desk: DeskState, _ page: ReviewPage, _ layout: ReviewLayout) {
    (self.desk, self.page, self.layout) = (desk, page, layout)
    fates = page.fates(on: desk)
    all = page.memory.rows(of: page, look, height: layout.height) { made() }
    cursorRow = row(of: page.cursor) ?? all.firstIndex { $0.place != nil } ?? 0
  }

  private var look: ReviewMemory.Look {
    let back: [Fate.Rank] = [.moved, .takenBack]
    let counts = page.facts(on: desk).counts
    let isAnyBack = page.stage == .done && back.contains { counts[$0] != nil }
    let moved = isAnyBack ? page.results.filter { back.contains(fates[$0.id].rank) } : []
    return ReviewMemory.Look(
      leftOut: page.leftOut(on: desk), isDone: page.stage == .done, offers: offers, layout: layout.measures,
      privacy: desk.privacy,
      showsUnchanged: desk.showsUnchangedOfDrafts,
      interrupted: desk.interrupted,
      listed: moved.map(\.id).filter { desk.list.summary($0) != nil })
  }

  /// What can be done about a draft is said with those that will not be written.
  private var offers: [Bool] {
    let counts = page.facts(on: desk).counts
    return counts[.leftOut] == nil && counts[.refused] == nil ? [] : [page.isOpen, page.canLeaveOut]
  }

  private func made() -> ReviewMemory.Made {
    var rows = self
    let fates = fates
    rows.shared = SharedNotes(
      page.drafts.lazy.filter { [.unchecked, .toWrite].contains(fates[$0.id]) }, desk.privacy)
    rows.uploads = page.uploads
    for checked in page.results.isEmpty ? page.checks : page.results {
      if let note = checked.note { rows.checkNotes[checked.id, default: []].append(note) }
      if !checked.notBack.isEmpty { rows.notBack[checked.id] = checked.notBack }
    }
    switch page.action {
    case .write: return ReviewMemory.Made(page.moved.map(rows.movedRows) + page.drafts.map(rows.rows))
    case .undo(let write): return ReviewMemory.Made([rows.undoRows(write)])
    case .mend(let finding): return ReviewMemory.Made([rows.mendRows(finding)])
    }
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
    let half = max(1, height / 2)
    let next =
      switch movement {
      case .up: stop(before: cursorRow)
      case .down: stop(from: cursorRow + 1)
      case .pageUp: stop(before: cursorRow - half + 1) ?? stop(from: 0)
      case .pageDown: stop(from: cursorRow + half) ?? stop(before: all.count)
      case .first: stop(from: 0)
      case .last: stop(before: all.count)
      }
    return next ?? cursor
  }

  private func stop(before row: Int) -> ReviewPage.Place? {
    all.prefix(max(0, row)).lazy.reversed().compactMap(\.place).first
  }

  private func stop(from row: Int) -> ReviewPage.Place? { all.dropFirst(row).lazy.compactMap(\.place).first }
}

extension ReviewRows {
  /// On a screen so short that not all of a record is seen at once the cursor goes through what is said of it, too.
  private func rows(_ draft: ReviewedDraft) -> [ReviewRow] { placed(parts(draft), of: draft.id) }

  private func placed(_ rows: [ReviewRow], of id: String) -> [ReviewRow] {
    guard rows.count >= layout.height else { return rows }
    return rows.enumerated().map { line, row in
      guard row.place == nil, case .words = row.content else { return row }
      var row = row
      row.place = ReviewPage.Place(record: id, line: line)
      return row
    }
  }

  /// One that is no draft any more: why, and the way to what it is now.
  private func movedRows(_ record: DecidedConflict) -> [ReviewRow] {
    let (conflict, fate) = (record.conflict, fates[record.conflict.id])
    let way = [Run("\(desk.key(.open, on: .review)) opens it as it is now", .dim)]
    let words = [ReviewWords(desk: desk, page: page).line(fate), way].flatMap { $0.wrapped(room) }
    let title = desk.privacy.shown(conflict.title)
    return placed(head(conflict.id, fate.sign, conflict.table, title, words), of: conflict.id)
  }

  private func parts(_ draft: ReviewedDraft) -> [ReviewRow] {
    let fate = fates[draft.id]
    return switch fate {
    case .unchecked, .toWrite:
      head(draft, fate, whole(draft) + uploaded(draft.id), hasColumns: !whole(draft).isEmpty)
        + interrupted(draft.id)
        + notes(draft) + checked(draft.id) + fields(draft)
    case .written: head(draft, fate, words(fate, draft)) + checked(draft.id)
    case .refused(let field?, _): head(draft, fate, words(fate, draft)) + refused(field, draft)
    case .refused, .moved, .actedOn, .partly, .notKnown, .notReached, .leftOut, .takenBack:
      head(draft, fate, words(fate, draft))
    }
  }

  /// The line of a record with what is said of it; what has no room beside the title goes on under it.
  private func head(
    _ draft: ReviewedDraft, _ fate: Fate, _ words: [[Run]], hasColumns: Bool = false
  ) -> [ReviewRow] {
    let conflict = draft.record.conflict
    return head(
      draft.id, fate.sign, conflict.table, desk.privacy.shown(conflict.title), words, hasColumns: hasColumns)
  }

  private func head(
    _ id: String, _ sign: Run, _ table: String, _ title: String, _ words: [[Run]], hasColumns: Bool = false
  ) -> [ReviewRow] {
    let beside = layout.isNarrow ? nil : words.first
    let column = layout.isNarrow ? ReviewLayout.fieldColumn : layout.now
    let first = ReviewRow(
      place: .init(record: id),
      content: .record(
        sign: sign, table: table, title: title, beside: beside ?? [], hasColumns: hasColumns))
    return [first]
      + words.dropFirst(beside == nil ? 0 : 1).map { ReviewRow(content: .words($0, column: column)) }
  }

  /// In columns, for what is said of a record.
  private var room: Int {
    layout.columns - 1 - (layout.isNarrow ? ReviewLayout.fieldColumn : layout.now)
  }

  private func words(_ fate: Fate, _ draft: ReviewedDraft) -> [[Run]] {
    let words = ReviewWords(desk: desk, page: page).lines(fate, draft)
    let upload = fate == .written ? uploads[draft.id].map { [Run("; " + $0.words, .dim)] } ?? [] : []
    return words.enumerated().flatMap { ($1 + ($0 == 0 ? upload : [])).wrapped(room) }
  }

  /// A record that is decided as a whole: what is there now, and what will be.
  private func whole(_ draft: ReviewedDraft) -> [[Run]] {
    if let alternative = draft.alternative {
      let losses = Losses(draft.record.conflict).of(alternative)
      let loses = losses.isEmpty ? "" : "; given up: \(desk.privacy.words(losses))"
      let words = desk.privacy.words(alternative)
      return [Run("the whole record: \(words)\(loses)", .result.bold)].wrapped(
        layout.columns - layout.now - 1)
    }
    guard draft.record.conflict.isWhole else { return [] }
    let (now, after) = ReviewWords.whole(draft)
    if layout.isNarrow { return [[Run("now   " + now, .client)], [Run("after " + after, .result.bold)]] }
    return [[Run(now.padding(to: layout.after - layout.now), .client), Run(after, .result.bold)]]
  }

  private func interrupted(_ id: String) -> [ReviewRow] {
    desk.noteOfInterrupted(id).map { text("! \($0)", .needs) } ?? []
  }

  private func notes(_ draft: ReviewedDraft) -> [ReviewRow] {
    shared.notes(of: draft).flatMap { text("! \($0)", .needs) }
  }

  /// What the store says beside the outcome, which may hold names.
  private func checked(_ id: String) -> [ReviewRow] {
    (checkNotes[id] ?? []).flatMap { text("! " + desk.privacy.shown($0), .needs) }
  }

  /// What becomes of it on the server then, where the store can tell.
  private func uploaded(_ id: String) -> [[Run]] {
    uploads[id].map { [Run($0.words, .dim)].wrapped(room) } ?? []
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
    let changes = fields.flatMap { rows($0, draft) }
    if !changes.isEmpty || record.conflict.isWhole || draft.alternative != nil { return lost + changes }
    return text("nothing changes in the \(desk.store.words.settled)", .dim)
  }

  private func lostAsAWhole(_ record: DecidedConflict) -> String? {
    guard case .take(let side)? = record.resolution[.record] else { return nil }
    return record.conflict.lost(takingWholeFrom: side, desk.privacy)
  }

  /// What changes, and what is given up. What stays, and takes nothing from anybody, is told only if it is asked for.
  private func rows(_ field: FieldDraft, _ draft: ReviewedDraft) -> [ReviewRow] {
    let (lost, record) = (draft.lost(of: field.name), draft.record)
    guard desk.showsUnchangedOfDrafts || !lost.isEmpty || record.changes(field) else { return [] }
    let whole = lost.filter { $0.part == nil && $0.more == nil }
    // A few have a line each; of many leaves their number is told.
    let told = whole.count <= 3 ? whole.map { [$0] } : [whole]
    return pair(field, record) + changes(lost, beside: field.value)
      + told.map { ReviewRow(content: .lost($0, field, record)) }
  }

  /// The changes that a merge left out, a few of each side and leaf.
  private func changes(_ lost: [LostEdit], beside taken: Value) -> [ReviewRow] {
    let changes = lost.compactMap { edit in edit.part.map { (edit: edit, part: $0) } }
    let few = FewLosses(of: changes.map(\.edit.owner), counted: lost.compactMap(\.more))
    let rest = "   and \(few.more) more\(few.others)\(few.listed(by: "D lists", after: ": "))"
    return few.places.flatMap { place in
      let (edit, part) = changes[place]
      let words = part.words(desk.privacy, ends: part.unseenEnds(beside: taken, isASCII: desk.isASCII))
      return text("   given up, \(edit.origin): \(words)", .dim)
    } + (few.more > 0 ? text(rest, .dim) : [])
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
    if page.stage == .done { return results(of: write) }
    return write.records.flatMap { record in
      let isTakenBack = !fates[record.id].isProblem && fates[record.id] != .leftOut
      return head(record.id, desk.privacy.shown(record.title))
        + (isTakenBack ? checked(record.id) + fields(record) : [])
    }
  }

  private func fields(_ record: LastWrite.Record) -> [ReviewRow] {
    let beside = record.changes.takingBack(desk.store.words, desk.privacy)
    return beside.flatMap { text($0, .dim) }
      + record.changes.without(notBack[record.id] ?? NotBack()).fields.map {
        ReviewRow(place: .init(record: record.id, field: $0.name), content: .undone($0))
      }
  }

  /// With what was left out of it, as after a write.
  private func results(of write: LastWrite) -> [ReviewRow] {
    let left = write.records.filter { page.kept.contains($0.id) }
    let all =
      page.results.map { ($0.id, desk.privacy.shown($0.title)) }
      + left.map { ($0.id, desk.privacy.shown($0.title)) }
    return fates.ordered(all) { $0.0 }.flatMap { id, title in head(id, title) + checked(id) }
  }

  private func head(_ id: String, _ title: String) -> [ReviewRow] {
    let words = ReviewWords(desk: desk, page: page).line(fates[id]).wrapped(room, most: 4)
    return head(id, fates[id].sign, "", title, words.filter { $0.width > 0 })
  }

  private func mendRows(_ finding: Finding) -> [ReviewRow] {
    let finding = desk.privacy.told(finding, in: desk.store)
    let title = "\(finding.table) \(finding.title)"
    let outcome = page.results.flatMap { result in
      [fates[result.id].sign, Run(" ")]
        + ReviewWords(desk: desk, page: page).line(fates[result.id])
    }
    let width = layout.columns - 4
    let parts =
      finding.parts(desk, width: width - Self.margin).dropLast() + [("Mending", finding.canBeMended ?? "")]
    let head = [[Run(title, .text.bold), Run("   \(finding.what)", .failed)], outcome]
    let lines =
      head.filter { !$0.isEmpty }.flatMap { $0.wrapped(width) }
      + parts.flatMap { hanging($0, $1, width: width) }
    return lines.map { ReviewRow(content: .words($0, column: 2)) }
  }

  private static var margin: Int { 11 }

  /// A text beside its heading, below itself, as on the page of a finding.
  private func hanging(_ name: String, _ text: String, width: Int) -> [[Run]] {
    [Run(text)].wrapped(width - Self.margin).enumerated().map { index, line in
      [Run((index == 0 ? name : "").padding(to: Self.margin), .dim)] + line
    }
  }
}
