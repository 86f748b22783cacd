import Merging
import StoreInterface
import Telling
import Terminal

/// All conflicts and findings, a line each, and below the values of the one under the cursor.
struct ListScreen {
  /// What stands beside the list: nothing, what is under its cursor, or a record that was opened.
  enum Place { case alone, split, besideRecord }

  let desk: DeskState
  let layout: ListLayout
  private let place: Place

  /// - Parameter columns: how many it has beside a record; nil: as many as its page leaves it.
  init(_ desk: DeskState, columns: Int? = nil) {
    layout = ListLayout(desk)
    place = columns != nil ? .besideRecord : WideLayout.previewStart(desk) != nil ? .split : .alone
    self.desk = desk.narrowed(
      to: columns ?? WideLayout.previewStart(desk).map { $0 - 1 } ?? desk.size.columns)
  }

  func draw(withFooter: Bool = true) -> Grid {
    var frame = Frame(desk.size)
    drawHeader(&frame)
    frame.grid.write(filters, at: 1, 1, width: frame.columns - 1)
    frame.rule(2)
    drawRows(&frame.grid)
    drawPreview(&frame)
    if withFooter { frame.footer(desk) } else { frame.rule(frame.bottom) }
    drawPlace(&frame.grid)
    return frame.grid
  }

  /// The order that a heading stands for; the same heading again takes it back. nil where there is none by what stands under it.
  func order(at column: Int) -> ListOrder? {
    let columns = Columns(desk.size.columns, desk, place)
    let isTitle = column >= columns.record && column < columns.why
    let known: ListOrder? =
      column < columns.table ? .toDecide : column >= columns.last ? .newest : isTitle ? .title : nil
    guard let order = known else { return nil }
    return order != desk.list.order ? order : order == .newest ? .oldest : .found
  }

  /// The columns of a row: where each starts, and its heading.
  private struct Columns {
    var state = 2
    var table, record, why, last: Int
    /// Whether there is room for the name of the device on which a record was edited last, and any is known.
    let hasDevices: Bool

    /// Narrow screens leave out the table and the last edit, and any screen the last edit that no row knows; what is left goes to record and reason in equal parts. Beside a record, which tells the reason of the row under the cursor itself, titles have its room.
    init(_ width: Int, _ desk: DeskState, _ place: Place) {
      if place == .besideRecord {
        hasDevices = false
        (table, record) = (16, 16)
        last = desk.list.knowsLastEdits ? width - Self.lastWidth(desk) : width
        why = last
        return
      }
      let list = desk.list
      hasDevices = width >= 120 && list.knowsDevices
      let isNarrow = width < 70
      table = 16
      record = isNarrow ? 16 : place == .split ? 32 : 16 + max(10, width / 8)
      let isLastSeen = !isNarrow && (list.count == 0 || list.knowsLastEdits)
      last = isLastSeen ? width - (hasDevices ? 20 : Self.lastWidth(desk)) : width
      // The longest reason there is, a deletion against an edit, where titles keep some room.
      let room = last - record
      let usual = room - room * 4 / 9
      why = last - (room < 68 ? usual : max(usual, 44))
    }

    /// A number of leaves needs no more than its heading.
    private static func lastWidth(_ desk: DeskState) -> Int {
      if desk.store.can.contains(.tellTrees) { return DisplayText.width(desk.store.words.lastColumn) + 2 }
      return desk.listTellsTimes ? 14 : 12
    }
  }

  private func drawRows(_ grid: inout Grid) {
    let columns = Columns(grid.size.columns, desk, place)
    drawHeadings(&grid, columns)
    let range = desk.list.range
    for line in 0..<layout.height {
      guard let row = desk.list[layout.first + line] else { break }
      let isSelected = layout.first + line == desk.list.cursor
      draw(row, columns, &grid, layout.top + line, isSelected: isSelected)
      if isMarked(row, at: layout.first + line, range) {
        grid.write("*", at: 1, layout.top + line, .text.bold)
      }
      if isSelected, desk.list.selected != nil {
        grid.write("▸", at: 0, layout.top + line)
        grid.select(row: layout.top + line)
      }
    }
    if desk.list.count == 0 {
      let words = [Run(emptyWords, .dim)].wrapped(grid.size.columns - 4, most: layout.height)
      let lines = words + unseen.wrapped(grid.size.columns - 4, most: layout.height - 2)
      grid.write(lines: lines, at: 2, layout.top)
    }
  }

  /// That there is nothing may be because nothing is kept.
  private var unseen: [Run] {
    guard emptyWords == Self.nothingKept, let words = desk.store.unseen else { return [] }
    return [Run("\n" + words)]
  }

  private static let nothing = "No conflicts. Nothing waits for you."
  private static let nothingKept = "No conflicts are kept here."

  private func isMarked(_ row: ListState.Row, at place: Int, _ range: Range<Int>) -> Bool {
    guard case .conflict(let summary) = row else { return false }
    return range.contains(place) || desk.list.marks.ids.contains(summary.id)
  }

  private var emptyWords: String {
    if desk.list.progress != nil || !desk.list.findingsAreComplete { return "Reading the store..." }
    if desk.list.searched != nil { return "Nothing so far: long values are being searched..." }
    if let problem = desk.list.problem { return "There is \(problem)." }
    if desk.list.filter != .all || !desk.list.words.isEmpty { return wordsOfNoMatch }
    if !desk.list.wasReadWhole || desk.failureOfReading != nil {
      return "The store could not be read. r tries again."
    }
    return desk.store.unseen == nil ? Self.nothing : Self.nothingKept
  }

  /// With what there would be more by.
  private var wordsOfNoMatch: String {
    let unknown = desk.list.unknownName.map { $0 + ". " } ?? ""
    return switch (desk.list.words.isEmpty, desk.list.filter == .all) {
    case (true, _): "Nothing here. 1 shows all."
    case (false, true): "Nothing here. \(unknown)Esc clears the words. \(logWords)"
    case (false, false): "Nothing here. \(unknown)1 looks among all, Esc clears the words. \(logWords)"
    }
  }

  /// What was written is no row any more.
  private var logWords: String {
    "\(desk.key(.anywhere(.logOfTheStore))) has what was written, if anything was."
  }

  private func drawHeadings(_ grid: inout Grid, _ columns: Columns) {
    grid.write("State", at: columns.state, 3, .dim)
    if columns.record > columns.table {
      grid.write(desk.store.words.table.capitalizedFirst, at: columns.table, 3, .dim)
    }
    grid.write("Record", at: columns.record, 3, .dim)
    if columns.why < columns.last { grid.write("Why", at: columns.why, 3, .dim) }
    if columns.last < grid.size.columns {
      grid.write(desk.store.words.lastColumn, endingAt: grid.size.columns - 1, 3, .dim)
    }
  }

  private func draw(
    _ row: ListState.Row, _ columns: Columns, _ grid: inout Grid, _ line: Int, isSelected: Bool
  ) {
    let cells = desk.cells(of: row)
    grid.write(cells.state, at: columns.state, line, cells.ink, width: 13)
    if columns.record > columns.table {
      grid.write(cells.table, at: columns.table, line, .text, width: columns.record - columns.table - 1)
    }
    grid.write(cells.title, at: columns.record, line, cells.ink, width: columns.why - columns.record - 1)
    if columns.why < columns.last {
      // A sentence, of which half a word says nothing; the values below tell the rest.
      let why = DisplayText.cutAtWord(cells.why, to: columns.last - columns.why - 1)
      grid.write(why, at: columns.why, line, .text)
    }
    if columns.last < grid.size.columns {
      let side = columns.hasDevices ? cells.device ?? cells.side : cells.side
      let end = grid.size.columns - 1 - DisplayText.width(cells.ago)
      // Blanks of one ink with what stands beside them cost a terminal nothing; where the ink is the ground they would be seen.
      if !isSelected { grid.fill(" ", row: line, from: columns.last + 1, to: grid.size.columns, .dim) }
      // A time may need the room of the side, and so may an edit ahead of this clock.
      let room = max(0, end - columns.last - 2)
      if DisplayText.width(side) <= room || columns.hasDevices {
        grid.write(side, at: columns.last + 1, line, .dim, width: room)
      }
      grid.write(cells.ago, endingAt: grid.size.columns - 1, line, .dim)
    }
  }

  /// Which rows are shown, where those are not all: in the rule below them.
  func drawPlace(_ grid: inout Grid) {
    let (first, last, all) = (layout.first + 1, layout.first + layout.height, desk.list.count)
    guard last < all || first > 1 else { return }
    // What was done counts more than where one is.
    let status = desk.status?.rows(on: grid.size) ?? 0
    guard layout.top + layout.height < grid.size.rows - status else { return }
    grid.write(
      " \(first) to \(min(last, all)) of \(all) ", endingAt: grid.size.columns - 2,
      layout.top + layout.height, .dim)
  }

  private func drawPreview(_ frame: inout Frame) {
    guard layout.previewHeight > 0 else { return }
    let top = layout.top + layout.height
    frame.rule(top)
    let lines = ListPreview(desk: desk).lines(frame.columns - 2, most: layout.previewHeight)
    frame.grid.write(lines: lines.prefix(layout.previewHeight), at: 1, top + 1, width: frame.columns - 2)
  }
}

extension StoreInfo {
  func findingWord(_ count: Int) -> String { count == 1 ? words.finding : words.findings }
}

struct ListCells {
  var state = "", table = "", title = "", why = "", side = "", ago = ""
  /// Of the last edit, where it is known.
  var device: String?
  var ink = Ink.text

  fileprivate mutating func finding(_ finding: Finding, _ desk: DeskState) {
    (state, ink) =
      finding.isWaiting ? ("⇡ waiting", .dim) : ("✗ \(desk.store.findingWord(1))", .failed)
    (table, title, why) = (finding.table, desk.privacy.told(finding, in: desk.store).title, finding.what)
    ago = desk.lastEdit(finding.time)
  }

  fileprivate mutating func conflict(_ summary: ConflictSummary, _ desk: DeskState) {
    (state, ink) = (summary.stateWords, ListCells.ink(summary))
    (table, title) = (summary.table, desk.privacy.shown(summary.title))
    let reason = desk.privacy.why(summary)
    why = summary.isMoved ? "\(summary.movedInShort); \(reason)" : reason
    if desk.isHalf(summary.id), let (act, state) = desk.interruptedRecords[summary.id] {
      mark(interrupted: act, state)
    } else if let outcome = desk.unwritten[summary.id] {
      mark(outcome, desk.privacy)
    }
    // The server's, from whichever device.
    device = summary.lastEditDevice.map { "\(Side.server.letter) " + desk.privacy.shown($0) }
    side = summary.lastEdit?.rawValue ?? (summary.lastEditTime == nil ? "" : "both")
    ago = summary.leafCount > 0 ? "\(summary.leafCount)" : desk.lastEdit(summary.lastEditTime)
  }

  /// It may be an undo, or an import, and nobody was asked for an answer.
  private mutating func mark(interrupted act: JournalEntry.Act, _ state: InterruptedWrite.State) {
    (self.state, ink) = (ListCells.words(state), .failed)
    why = "interrupted \(act.rawValue): \(state.words)"
  }

  private static func words(_ state: InterruptedWrite.State) -> String {
    switch state {
    case .half: "½ in part"
    case .awaited, .unread, .notKnown: "? not known"
    case .complete, .untouched, .changedSince: "✗ interrupted"
    }
  }

  /// It was to be written and was not, and nothing was decided about it since.
  private mutating func mark(_ outcome: CheckedWrite.Outcome, _ privacy: Privacy) {
    switch outcome {
    case .fine: break
    // What waits was written by another hand, or is another draft by now.
    case .moved: if state != "⇡ waiting" { why = "↻ moved when written; " + why }
    case .refused(let field, let reason):
      (state, ink) = ("✗ refused", .failed)
      why = privacy.words(DraftRefusal(field: field, reason: reason))
    case .partly(let part, let reason):
      (state, ink) = ("½ in part", .failed)
      why = "written: \(privacy.shown(part)); not the rest: \(privacy.shown(reason))"
    case .notKnown(let reason):
      (state, ink) = ("? not known", .failed)
      why = "no answer: " + privacy.shown(reason)
    case .notReached: why = "· not reached when written; " + why
    }
  }

  private static func ink(_ summary: ConflictSummary) -> Ink {
    if summary.waitingSince != nil { return .dim }
    if summary.holdsNoLonger { return .needs.bold }
    if summary.isReady { return .ready }
    return switch summary.kind {
    case .deletedOnClient, .deletedOnServer, .onlyOnClient, .onlyOnServer: .needs.bold
    case .edit, .noAncestor: summary.certainty == .yours ? .needs.bold : .text
    }
  }
}

extension DeskState {
  // No initializer: that would own what it is given, and copy the whole desk for each row.
  func cells(of row: ListState.Row) -> ListCells {
    var cells = ListCells()
    switch row {
    case .conflict(let summary): cells.conflict(summary, self)
    case .finding(let finding): cells.finding(finding, self)
    }
    return cells
  }
}

/// The values of the row under the cursor, so that most rows never need opening.
struct ListPreview {
  let desk: DeskState

  func lines(_ width: Int, most: Int) -> [[Run]] {
    switch desk.list.selected {
    case nil: []
    case .finding(let finding)?: lines(finding, width, most)
    case .conflict(let summary)?:
      desk.open[summary.id].map { lines($0, width, most) }
        ?? [[Run(desk.list.unread.isName(summary.id) ? "It could not be read." : "Reading...", .dim)]]
    }
  }

  /// What mends it is told in any case, and what `m` does; of the rest what has room, and a mark where that is not all.
  private func lines(_ finding: Finding, _ width: Int, _ most: Int) -> [[Run]] {
    let finding = desk.privacy.told(finding, in: desk.store)
    let title = [Run(finding.title, .text.bold), Run("   \(finding.what)", finding.ink)]
    let lines = { part in Self.lines(part, width) }
    // One line is the rest's.
    let room = max(1, most - 2)
    let parts = finding.parts(desk, width: width - 11, most: 1)
    var remedy = parts.suffix(1).flatMap(lines)
    var mends = finding.canBeMended.map { lines(("m mends it", $0)) } ?? []
    mends = cut(mends, to: max(room / 2, room - remedy.count), width)
    remedy = cut(remedy, to: room - mends.count, width)
    let rest = cut(parts.dropLast().flatMap(lines), to: most - 1 - remedy.count - mends.count, width)
    return [title] + rest + remedy + mends
  }

  /// Each of several lines of its text stands below the first.
  private static func lines(_ part: (name: String, text: String), _ width: Int) -> [[Run]] {
    part.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { place, text in
      [Run((place == 0 ? part.name : "").padding(to: 11), .dim), Run(String(text))].wrapped(width)
    }
  }

  private func cut(_ lines: [[Run]], to most: Int, _ width: Int) -> [[Run]] {
    guard lines.count > most, most > 0 else { return Array(lines.prefix(max(0, most))) }
    return lines.prefix(most - 1) + [lines[most - 1] + [Run(String(repeating: " ", count: width))]]
  }

  private func lines(_ record: DecidedConflict, _ width: Int, _ most: Int) -> [[Run]] {
    let head = [title(record)] + whole(record) + hindrances(record, width)
    return head + lines(of: fields(record), record, width, room: max(1, most - head.count))
  }

  private func title(_ record: DecidedConflict) -> [Run] {
    let isRefused = desk.isRefused(record.conflict.id)
    return [
      // In the ink of the row above: another would cost every move of the cursor.
      Run(desk.privacy.shown(record.conflict.title)), Run("   "),
      isRefused ? desk.settled(record) : Run(record.countWords, .dim),
    ]
  }

  /// What is decided, or to be decided, about all of it.
  private func whole(_ record: DecidedConflict) -> [[Run]] {
    let reason = record.conflict.wholeReason.map { [whole(record, $0)] } ?? []
    return reason + (record.alternativeWords(desk.privacy).map { [[Run($0, .ready)]] } ?? [])
  }

  private func whole(_ record: DecidedConflict, _ reason: Reason) -> [Run] {
    guard let choice = record.resolution[.record] else { return [Run("! \(reason)", .needs.bold)] }
    return [
      Run("\(reason)   "), choice.side.map { Run("✓ \(Choice.take($0).words)", .ready) } ?? Run(""),
    ]
  }

  private func hindrances(_ record: DecidedConflict, _ width: Int) -> [[Run]] {
    let refusal = desk.refusalWords(record.conflict.id)
    let reason = record.conflict.details.notWritable
    return (refusal.map { [Run($0, .failed)].wrapped(width, cutAfter: 2) } ?? [])
      + (reason.map { [[Run("Cannot be written: \($0)", .failed)]] } ?? [])
  }

  /// Where not all have room, what a person has to decide is not what is left out.
  private func fields(_ record: DecidedConflict) -> [FieldConflict] {
    let edited = record.conflict.fields.filter { $0.change != .unchanged && $0.field.isWritable }
    let isOpen = { (field: FieldConflict) in
      field.suggestion.certainty == .yours && record.resolution[.field(field.name)] == nil
    }
    return edited.filter(isOpen) + edited.filter { !isOpen($0) }
  }

  private func lines(
    of fields: [FieldConflict], _ record: DecidedConflict, _ width: Int, room: Int
  ) -> [[Run]] {
    let shown = fields.count > room ? fields.prefix(room - 1) : fields[...]
    let names = shown.map { DisplayText.width(desk.privacy.name($0.name)) }
    let name = max(11, min(names.max() ?? 0, width / 6))
    let rest = fields.count - shown.count
    return shown.map { line($0, record, width, name: name) }
      + (rest == 0 ? [] : [[Run("  +\(rest) more", .dim)]])
  }

  private func line(_ field: FieldConflict, _ record: DecidedConflict, _ width: Int, name: Int) -> [Run] {
    let (left, right): (Side, Side) =
      field.change == .onlyServer
      ? (.ancestor, .server) : field.change == .onlyClient ? (.client, .ancestor) : (.client, .server)
    let cell = max(10, (width - name - 3 - 26) / 2)
    return [Run("  " + desk.privacy.name(field.name, in: name).padding(to: name) + " ", .dim)]
      + runs((left, right), field, in: record.conflict, cell) + [ShownRecord(record).stateWords(field)]
  }

  private func runs(
    _ sides: (Side, Side), _ field: FieldConflict, in conflict: RecordConflict, _ width: Int
  ) -> [Run] {
    let text = texts(sides, field, in: conflict, width - 3)
    return [(sides.0, text.0), (sides.1, text.1)].map { side, text in
      Run("\(side.letter) " + text.padding(to: width - 3) + " ", .side(side))
    }
  }

  /// Where both have changed it, each from where it did: two edits of a long text may lie far from each other.
  private func texts(
    _ sides: (Side, Side), _ field: FieldConflict, in conflict: RecordConflict, _ width: Int
  ) -> (String, String) {
    let pair = { (old: Side, new: Side) in
      desk.privacy.pair(
        field.version(old)?.value, field.version(new)?.value, of: field.name, in: conflict, width: width,
        isASCII: desk.isASCII)
    }
    if sides == (.client, .server), case .text? = field.ancestor?.value {
      let own = (pair(.ancestor, .client).new, pair(.ancestor, .server).new)
      // The same words put in at two places read as if nothing differed.
      if DisplayText.cut(own.0, to: width) != DisplayText.cut(own.1, to: width) { return own }
    }
    let both = pair(sides.0, sides.1)
    return (both.old, both.new)
  }
}

extension String {
  /// Cut or filled to exactly `width` columns.
  package func padding(to width: Int) -> String {
    let cut = DisplayText.cut(self, to: max(0, width))
    return cut + String(repeating: " ", count: max(0, width - DisplayText.width(cut)))
  }
}
