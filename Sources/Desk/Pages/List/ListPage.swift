import Merging
import StoreInterface
import Telling
import Terminal

/// All conflicts and findings: under all other pages. What it shows is in ``ListState``, as others go through it too.
struct ListPage: DeskPage {
  var page: Page? { nil }
  var topic: Topic { .list }

  func isTyping(on desk: DeskState) -> Bool { desk.list.isTyping }

  func hint(of binding: Binding, width: Int, on desk: DeskState) -> String? {
    let isOfMarks = binding.command == .accept && !desk.list.marks.isEmpty
    return isOfMarks ? "rules for marked" : binding.hint
  }

  func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    switch command {
    case .move(let movement):
      desk.list.moveCursor(to: desk.list.cursor + movement.lines(page: ListLayout(desk).height / 2))
    case .open: open(on: &desk)
    case .filter(let filter): show(filter, filter == .all ? "" : desk.list.words, on: &desk)
    case .list(.sort): return sort(by: desk.list.order.next, on: &desk)
    case .back: return widen(on: &desk)
    case .nextUndecided: return goToUndecided(step: 1, on: &desk)
    case .previousUndecided: return goToUndecided(step: -1, on: &desk)
    case .list(.nextMatch): return goToMatch(step: 1, on: &desk)
    case .list(.previousMatch): return goToMatch(step: -1, on: &desk)
    case .search: desk.list.typing = InputLine(desk.list.words)
    case .list(.mark): return mark(on: &desk) { $0.mark($1) }
    case .list(.markRange): return mark(on: &desk, goesOn: false) { $0.markRange(from: $1) }
    case .list(.markShown): return markShown(on: &desk)
    case .list(.bulk): return desk.startBulk()
    case .reload: return desk.reload()
    case .undo: return desk.undo()
    case .redo: return desk.redo()
    case .review: return desk.review()
    case .mend: return mend(on: &desk)
    case .history: return desk.startHistory()
    case .accept where !desk.list.marks.isEmpty: return desk.startBulk()
    case .take(let side) where !desk.list.marks.isEmpty: return takeMarked(side, on: &desk)
    case .accept: return decide(command, on: &desk) { $0.acceptWhole($1) }
    case .take(let side): return decide(command, on: &desk) { $0.takeWhole($1, side) }
    case .left, .right, .quit, .record, .edit, .editOutside,
      .drafts, .anywhere, .unfold, .story, .nextTopic, .line:
      return nil
    }
    return []
  }

  private func sort(by order: ListOrder, on desk: inout DeskState) -> [DeskEffect] {
    desk.list.show(in: order)
    return desk.tell("The list stands \(order.words). o takes the next order.")
  }

  private func open(on desk: inout DeskState) {
    switch desk.list.selected {
    case nil: break
    case .finding(let finding)?: desk.pages.append(.finding(FindingPage(finding: finding)))
    case .conflict(let summary)?: desk.pages.append(.record(RecordPage(id: summary.id)))
    }
  }

  /// Esc: first the marks go, then the words, then the filter.
  private func widen(on desk: inout DeskState) -> [DeskEffect] {
    guard desk.list.marks.isEmpty else {
      desk.list.clearMarks()
      return []
    }
    guard desk.list.isNarrowed else { return desk.tell("All is shown. q quits.") }
    show(desk.list.words.isEmpty ? .all : desk.list.filter, "", on: &desk)
    return []
  }

  /// - Parameter goesOn: whether the cursor goes to the next row then.
  private func mark(
    on desk: inout DeskState, goesOn: Bool = true, _ mark: (inout ListState, String) -> Void
  ) -> [DeskEffect] {
    guard case .conflict(let summary)? = desk.list.selected else {
      return desk.tell("Conflicts alone are marked: this is none.")
    }
    let endsRange = desk.list.marks.start != nil
    mark(&desk.list, summary.id)
    if goesOn, !endsRange { desk.list.moveCursor(to: desk.list.cursor + 1) }
    return []
  }

  /// Who has marked rows means them, and not the one under the cursor.
  private func takeMarked(_ side: Side, on desk: inout DeskState) -> [DeskEffect] {
    switch side {
    case .client: desk.startBulk(BulkRules([.restToClient]))
    case .server: desk.startBulk(BulkRules([.restToServer]))
    case .ancestor:
      desk.tell("No rule takes the ancestor. Esc clears the marks; then a takes it for one row.")
    }
  }

  private func markShown(on desk: inout DeskState) -> [DeskEffect] {
    guard !desk.list.shown.isEmpty else { return desk.tell("No conflict is shown that could be marked.") }
    desk.list.markShown()
    return []
  }

  private func show(_ filter: ListFilter, _ words: String, on desk: inout DeskState) {
    desk.list.show(filter, ListQuery(words, now: desk.time.now))
  }

  private func goToUndecided(step: Int, on desk: inout DeskState) -> [DeskEffect] {
    guard let place = desk.list.nextToDecide(from: desk.list.cursor, step: step) else {
      return desk.tell("No other row that is shown has anything to decide.")
    }
    desk.list.moveCursor(to: place)
    return []
  }

  private func goToMatch(step: Int, on desk: inout DeskState) -> [DeskEffect] {
    guard let place = desk.list.nextMatch(step: step) else {
      return desk.tell("No other row has what was looked for. / looks for words.")
    }
    desk.list.moveCursor(to: place)
    return []
  }

  /// A decision about the whole row under the cursor, which goes on from there. If the row is still being read, the command waits for it.
  private func decide(
    _ command: Command, on desk: inout DeskState,
    _ decide: (inout DeskState, DecidedConflict) -> [DeskEffect]
  ) -> [DeskEffect] {
    guard let selected = desk.list.selected else { return desk.tell("Nothing is under the cursor.") }
    guard case .conflict(let summary) = selected else {
      return desk.tell("A finding has no versions to choose from.")
    }
    guard let record = desk.open[summary.id] else {
      desk.waiting = (summary.id, command)
      return []
    }
    let effects = decide(&desk, record)
    if desk.advances, desk.status?.isFailure != true { desk.list.goOn() }
    return effects
  }

  /// What would mend the finding under the cursor.
  private func mend(on desk: inout DeskState) -> [DeskEffect] {
    guard case .finding(let finding)? = desk.list.selected else {
      let filter = ListFilter.stuck.rawValue
      return desk.tell(
        "m mends what is no conflict: \(filter) shows that. This record is in conflict: Enter opens it.")
    }
    return desk.reviewMending(finding)
  }

  func type(_ key: Key, on desk: inout DeskState) -> [DeskEffect]? {
    guard var line = desk.list.typing else { return nil }
    switch line.take(key) {
    case .left:
      desk.list.typing = nil
      show(desk.list.filter, "", on: &desk)
    case .kept: desk.list.endTyping()
    case .changed: type(line, on: &desk)
    case .ignored: break
    }
    return []
  }

  func paste(_ text: String, on desk: inout DeskState) -> [DeskEffect]? {
    guard var line = desk.list.typing else { return nil }
    line.insert(text)
    type(line, on: &desk)
    return []
  }

  private func type(_ line: InputLine, on desk: inout DeskState) {
    desk.list.typing = line
    show(desk.list.filter, line.text, on: &desk)
  }

  func click(_ point: Point, opens: Bool, on desk: inout DeskState) -> [DeskEffect] {
    let layout = ListLayout(desk)
    if point.row == 1, let filter = ListScreen(desk).filter(at: point.column - 1) {
      return run(.filter(filter), on: &desk) ?? []
    }
    if point.row == 3 { return sort(by: ListScreen(desk).order(at: point.column), on: &desk) }
    let position = layout.first + point.row - layout.top
    guard (layout.top..<layout.top + layout.height).contains(point.row), position < desk.list.count else {
      return []
    }
    desk.list.moveCursor(to: position)
    if opens { open(on: &desk) }
    return []
  }

  func draw(_ desk: DeskState) -> Grid { ListScreen(desk).draw() }
}

/// Where the rows of the list stand; drawing and the mouse agree on it.
struct ListLayout {
  let top = 4
  let height: Int
  /// The position of the first row shown.
  let first: Int
  let previewHeight: Int

  init(_ desk: DeskState) {
    previewHeight = desk.size.rows >= 20 ? min(9, desk.size.rows / 4) : 0
    let rule = previewHeight > 0 ? 1 : 0
    height = max(1, desk.size.rows - top - 2 - previewHeight - rule)
    // The cursor is kept in sight, and moves before the list does.
    first = max(0, min(desk.list.cursor - height / 2, desk.list.count - height))
  }
}

/// All conflicts and findings, a line each, and below the values of the one under the cursor.
struct ListScreen {
  let desk: DeskState
  let layout: ListLayout

  init(_ desk: DeskState) {
    self.desk = desk
    layout = ListLayout(desk)
  }

  func draw(withFooter: Bool = true) -> Grid {
    var frame = Frame(desk.size)
    drawHeader(&frame)
    frame.grid.write(filters, at: 1, 1, width: frame.columns - 1)
    frame.rule(2)
    drawRows(&frame.grid)
    drawPreview(&frame)
    if withFooter { frame.footer(desk) } else { frame.rule(frame.bottom) }
    return frame.grid
  }

  private func drawHeader(_ frame: inout Frame) {
    frame.title(
      [Run("Conflicts   ", .text.bold), Run(desk.store.name)] + order + access + banner, right: counts)
  }

  private var marked: [Run] {
    let count = desk.list.markedCount
    let isRange = desk.list.marks.start != nil && desk.size.columns >= 60
    return count == 0 ? [] : [Run("\(count) marked\(isRange ? ", v ends it" : "")   ", .text.bold)]
  }

  private var order: [Run] {
    desk.list.order == .found ? [] : [Run("   " + desk.list.order.words, .dim)]
  }

  private var banner: [Run] { desk.store.banner.map { [Run("   " + $0, .dim)] } ?? [] }

  private var access: [Run] {
    (desk.interrupted.isEmpty ? [] : [Run("   interrupted", .failed.bold)])
      + (desk.access.reason == nil ? [] : [Run("   read-only", .needs.bold)])
  }

  private var counts: [Run] {
    let list = desk.list
    let (ready, stuck) = (list.counts[.ready] ?? 0, list.counts[.stuck] ?? 0)
    let waiting = list.counts[.waiting].map { $0 > 0 ? "   \($0) waiting" : "" } ?? ""
    let text = "\(list.openCount) open   \(ready) ready\(waiting)   \(stuck) \(desk.store.findingWord(stuck))"
    return [Run(progress, .dim)] + marked + [Run(text)]
  }

  private var progress: String {
    let list = desk.nextList?.list ?? desk.list
    guard let progress = list.progress else {
      return list.findingsAreComplete ? "" : "looking for \(desk.store.findingWord(2))   "
    }
    guard let total = progress.total, total > 0 else { return "reading \(progress.seen)   " }
    return "reading \(min(99, progress.seen * 100 / total))%   "
  }

  private var filters: [Run] {
    if let line = desk.list.typing {
      let found = "   \(desk.list.count) of \(desk.list.counts[desk.list.filter] ?? 0)"
      return [
        Run("/ ", .text.bold), Run(shown(line.before)), Run("_", .dim), Run(shown(line.after)),
        Run(found, .dim),
        desk.list.problem.map { Run("   there is \($0)", .needs) } ?? Run("   also \(ListQuery.hint)", .dim),
      ]
    }
    // What narrows the list is not cut away with the numbers.
    return desk.list.words.isEmpty ? filterNumbers + search : search + filterNumbers
  }

  private var search: [Run] {
    let words = shown(desk.list.words)
    return [Run(words.isEmpty ? " / filter" : "/ \(words)", words.isEmpty ? .dim : .text.bold), Run("  ")]
  }

  private func shown(_ text: String) -> String { text.isEmpty ? "" : desk.privacy.shown(text) }

  /// The numbers are the keys, and how many rows each shows.
  private var filterNumbers: [Run] { numbers.flatMap { [$0.run, Run(" ")] } }

  private var numbers: [(filter: ListFilter, run: Run)] {
    let narrow = desk.size.columns < 90
    let filters = ListFilter.allCases.filter { $0 != .waiting || $0 == desk.list.filter || number($0) > 0 }
    // One that is chosen comes first where there may be no room for all.
    let first = desk.size.columns < 80 ? filters.filter { $0 == desk.list.filter } : []
    return (first + filters.filter { !first.contains($0) }).map { filter in
      let text = "\(filter.rawValue) \(filter.title(findings: desk.store.findingWord(2))) \(number(filter))"
      let isChosen = filter == desk.list.filter
      return (
        filter, Run(isChosen ? "[\(text)]" : narrow ? text : " \(text) ", isChosen ? .text.bold : .dim)
      )
    }
  }

  /// What a click on the line of filters asks for; nil where none stands.
  func filter(at column: Int) -> ListFilter? {
    if desk.list.typing != nil { return nil }
    var start = desk.list.words.isEmpty ? 0 : search.width
    for (filter, run) in numbers {
      let end = start + DisplayText.width(run.text)
      if (start..<end).contains(column) { return filter }
      start = end + 1
    }
    return nil
  }

  /// The order that a heading stands for; the same heading again takes it back.
  func order(at column: Int) -> ListOrder {
    let columns = Columns(desk.size.columns)
    let order: ListOrder =
      column < columns.table
      ? .toDecide
      : column >= columns.last ? .newest : column >= columns.record && column < columns.why ? .title : .found
    return order != desk.list.order ? order : order == .newest ? .oldest : .found
  }

  private func number(_ filter: ListFilter) -> Int { desk.list.matching[filter] ?? 0 }

  /// The columns of a row: where each starts, and its heading.
  private struct Columns {
    var state = 2
    var table, record, why, last: Int

    /// Narrow screens leave out the table and the last edit; what is left goes to record and reason in equal parts.
    init(_ width: Int) {
      let isNarrow = width < 70
      table = 16
      record = isNarrow ? 16 : 16 + max(10, width / 8)
      last = isNarrow ? width : width - 12
      why = record + (last - record) * 4 / 9
    }
  }

  private func drawRows(_ grid: inout Grid) {
    let columns = Columns(grid.size.columns)
    drawHeadings(&grid, columns)
    let range = desk.list.range
    for line in 0..<layout.height {
      guard let row = desk.list[layout.first + line] else { break }
      draw(row, columns, &grid, layout.top + line)
      if isMarked(row, at: layout.first + line, range) {
        grid.write("*", at: 1, layout.top + line, .text.bold)
      }
      if layout.first + line == desk.list.cursor, desk.list.selected != nil {
        grid.write("▸", at: 0, layout.top + line)
        grid.select(row: layout.top + line)
      }
    }
    if desk.list.count == 0 { grid.write(emptyWords, at: 2, layout.top, .dim) }
  }

  private func isMarked(_ row: ListState.Row, at place: Int, _ range: Range<Int>) -> Bool {
    guard case .conflict(let summary) = row else { return false }
    return range.contains(place) || desk.list.marks.ids.contains(summary.id)
  }

  private var emptyWords: String {
    if desk.list.progress != nil || !desk.list.findingsAreComplete { return "Reading the store..." }
    if let problem = desk.list.problem { return "There is \(problem)." }
    if desk.list.filter != .all || !desk.list.words.isEmpty {
      return "Nothing here. Esc clears, 1 shows all."
    }
    return desk.list.wasReadWhole
      ? "No conflicts. Nothing waits for you." : "The store could not be read. r tries again."
  }

  private func drawHeadings(_ grid: inout Grid, _ columns: Columns) {
    grid.write("State", at: columns.state, 3, .dim)
    if columns.record > columns.table {
      grid.write(desk.store.words.table.capitalizedFirst, at: columns.table, 3, .dim)
    }
    grid.write("Record", at: columns.record, 3, .dim)
    grid.write("Why", at: columns.why, 3, .dim)
    if columns.last < grid.size.columns {
      grid.write(desk.store.words.lastColumn, endingAt: grid.size.columns - 1, 3, .dim)
    }
  }

  private func draw(_ row: ListState.Row, _ columns: Columns, _ grid: inout Grid, _ line: Int) {
    let cells = ListCells(row, desk)
    grid.write(cells.state, at: columns.state, line, cells.ink, width: 13)
    if columns.record > columns.table {
      grid.write(cells.table, at: columns.table, line, .dim, width: columns.record - columns.table - 1)
    }
    grid.write(cells.title, at: columns.record, line, cells.ink, width: columns.why - columns.record - 1)
    grid.write(cells.why, at: columns.why, line, .text, width: columns.last - columns.why - 1)
    if columns.last < grid.size.columns {
      grid.write(cells.side, at: columns.last + 1, line, .dim, width: 6)
      grid.write(cells.ago, endingAt: grid.size.columns - 1, line, .dim)
    }
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
  var ink = Ink.text

  init(_ row: ListState.Row, _ desk: DeskState) {
    switch row {
    case .conflict(let summary): conflict(summary, desk)
    case .finding(let finding):
      (state, ink) = ("✗ \(desk.store.findingWord(1))", .failed)
      (table, title, why) = (finding.table, desk.privacy.told(finding).title, finding.what)
      ago = desk.time.ago(finding.time)
    }
  }

  private mutating func conflict(_ summary: ConflictSummary, _ desk: DeskState) {
    (state, ink) = (summary.stateWords, ListCells.ink(summary))
    (table, title) = (summary.table, desk.privacy.shown(summary.title))
    let reason = desk.privacy.why(summary.why)
    why = summary.isMoved ? "changed since; \(reason)" : reason
    if let outcome = desk.unwritten[summary.id] { mark(outcome, desk.privacy) }
    side = summary.lastEdit?.rawValue ?? (summary.lastEditTime == nil ? "" : "both")
    ago = summary.leafCount > 0 ? "\(summary.leafCount)" : desk.time.ago(summary.lastEditTime)
  }

  /// It was to be written and was not, and nothing was decided about it since.
  private mutating func mark(_ outcome: CheckedWrite.Outcome, _ privacy: Privacy) {
    switch outcome {
    case .fine: break
    case .moved: why = "↻ moved when written; " + why
    case .refused(let field, let reason):
      (state, ink) = ("✗ refused", .failed)
      why = (field.map { "\(privacy.name($0)): " } ?? "") + privacy.shown(reason)
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
    if summary.isReady { return .ready }
    return switch summary.kind {
    case .deletedOnClient, .deletedOnServer: .needs.bold
    case .edit, .noAncestor: summary.certainty == .yours ? .needs.bold : .text
    }
  }
}

/// The values of the row under the cursor, so that most rows never need opening.
struct ListPreview {
  let desk: DeskState

  func lines(_ width: Int, most: Int) -> [[Run]] {
    switch desk.list.selected {
    case nil: []
    case .finding(let finding)?: lines(finding, width)
    case .conflict(let summary)?:
      desk.open[summary.id].map { lines($0, width, most) } ?? [[Run("Reading...", .dim)]]
    }
  }

  private func lines(_ finding: Finding, _ width: Int) -> [[Run]] {
    let finding = desk.privacy.told(finding)
    let title = [Run(finding.title, .text.bold), Run("   \(finding.what)", .failed)]
    let parts = finding.parts + (finding.canBeMended.map { [("m mends it", $0)] } ?? [])
    return [title] + parts.flatMap { [Run($0.padding(to: 11), .dim), Run($1)].wrapped(width) }
  }

  private func lines(_ record: DecidedConflict, _ width: Int, _ most: Int) -> [[Run]] {
    let conflict = record.conflict
    let title = Run(desk.privacy.shown(conflict.title), .text.bold)
    var lines = [[title, Run("   " + record.countWords, .dim)]]
    if let reason = conflict.wholeReason { lines.append([Run("! \(reason)", .needs.bold)]) }
    if let words = record.alternativeWords { lines.append([Run(words, .ready)]) }
    if let reason = conflict.details.notWritable {
      lines.append([Run("Cannot be written: \(reason)", .failed)])
    }
    let fields = conflict.fields.filter { $0.change != .unchanged && $0.field.isWritable }
    let room = max(1, most - lines.count)
    let shown = fields.count > room ? room - 1 : room
    lines += fields.prefix(shown).map { line($0, record, width) }
    if fields.count > shown { lines.append([Run("  +\(fields.count - shown) more", .dim)]) }
    return lines
  }

  private func line(_ field: FieldConflict, _ record: DecidedConflict, _ width: Int) -> [Run] {
    let (left, right): (Side, Side) =
      field.change == .onlyServer
      ? (.ancestor, .server) : field.change == .onlyClient ? (.client, .ancestor) : (.client, .server)
    let cell = max(10, (width - 14 - 26) / 2)
    return [Run("  " + desk.privacy.name(field.name, in: 11).padding(to: 11) + " ", .dim)]
      + [left, right].map { run($0, field, in: record.conflict, cell) } + [
        ShownRecord(record).stateWords(field)
      ]
  }

  private func run(_ side: Side, _ field: FieldConflict, in conflict: RecordConflict, _ width: Int) -> Run {
    let text = desk.privacy.line(field.version(side)?.value, of: field.name, in: conflict)
    return Run("\(side.letter) " + text.padding(to: width - 3) + " ", .side(side))
  }
}

extension String {
  /// Cut or filled to exactly `width` columns.
  package func padding(to width: Int) -> String {
    let cut = DisplayText.cut(self, to: max(0, width))
    return cut + String(repeating: " ", count: max(0, width - DisplayText.width(cut)))
  }
}
