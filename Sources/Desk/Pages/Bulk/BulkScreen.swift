import Merging
import StoreInterface
import Telling
import Terminal

/// One line of the preview that is about a record.
struct BulkRow {
  let record: BulkRecord
  /// Which of its open subjects; nil for one that is left out.
  var open: Int?
  /// Why it is left out.
  var reason: BulkReason?

  /// nil until the record is read in full, or where it is left out.
  func subject(in desk: DeskState) -> Subject? {
    guard let open, let undecided = desk.bulk?.shown[record.id]?.undecided else { return nil }
    return undecided.indices.contains(open) ? undecided[open] : nil
  }
}

/// Where the parts of a bulk preview stand; drawing, moving and the mouse agree on it. Rules, preview and what is left out are one
/// list, so that it scrolls on any screen.
struct BulkLayout {
  private let desk: DeskState
  private let bulk: Bulk?
  private let page: BulkPage
  let top = 2
  /// Rows for lines.
  let height: Int
  let footHeight: Int
  let rules: [BulkRule]
  /// The place of the cursor among what it can stand on.
  let cursor: Int
  /// Of each that is left out, in how many lines why is told: more than one only where lines are free.
  private var reasonHeights: [Int]?

  init(_ desk: DeskState, _ page: BulkPage) {
    (self.desk, bulk, self.page) = (desk, desk.bulk, page)
    let preview = desk.bulk?.preview ?? BulkPreview()
    let known = BulkRule.allCases.filter { page.scope == .family || !$0.isOfFamilies }
    rules = page.scope == .earlier ? [] : known.filter { desk.bulk?.tells($0) ?? preview.tells($0) }
    let isShort = desk.size.rows < 14
    let foot = BulkWords(desk, page)?.foot(width: desk.size.columns - 2, isShort: isShort) ?? []
    footHeight = foot.count + (isShort ? 0 : 1)
    height = max(1, desk.size.rows - top - 2 - footHeight)
    switch page.cursor {
    case .rule(let rule): cursor = rules.firstIndex(of: rule) ?? 0
    case .line(let line):
      cursor = rules.count + max(0, min(line, preview.lines + preview.left.count - 1))
    }
    reasonHeights = reasonHeights(desk)
  }

  /// nil where each has one line.
  private func reasonHeights(_ desk: DeskState) -> [Int]? {
    guard let words = BulkWords(desk, page), !preview.left.isEmpty, count < height else { return nil }
    let width = BulkColumns(desk.size.columns).reasonWidth
    let wanted = preview.left.indices.map { place in
      row(preview.lines + place).map { [Run(words.reason(of: $0))].wrapped(width).count } ?? 1
    }
    return shares(of: wanted.count + height - count, among: wanted)
  }

  private var preview: BulkPreview { bulk?.preview ?? BulkPreview() }
  private var places: Int { rules.count + preview.lines + preview.left.count }
  var footTop: Int { top + height }

  enum Line {
    case rule(BulkRule)
    case headings
    case row(BulkRow)
    /// A line that goes on with why one is left out, and of how many it is.
    case reason(BulkRow, line: Int, of: Int)
    case nothing, leftHeading, blank
  }

  /// All lines: rules, headings, what is taken, what is left out.
  var count: Int {
    let lines = reasonHeights?.reduce(0, +) ?? preview.left.count
    return leftStart + (preview.left.isEmpty ? 0 : lines + 1)
  }

  private var takenStart: Int { rules.count + 1 }
  private var leftStart: Int { takenStart + max(1, preview.lines) }

  var first: Int { desk.first(showing: line(of: cursor), height: height, of: count) }

  /// Whether nothing of what the rules come to is in sight yet.
  var hidesOutcome: Bool { first + height <= takenStart }

  func place(of position: Int) -> BulkPage.Place {
    let position = max(0, min(position, places - 1))
    return position < rules.count ? .rule(rules[position]) : .line(position - rules.count)
  }

  var selected: BulkPage.Place { place(of: cursor) }

  /// The line on which the cursor stands at a place.
  func line(of position: Int) -> Int {
    if position < rules.count { return position }
    let line = position - rules.count
    return line < preview.lines ? takenStart + line : leftStart + 1 + leftLine(line - preview.lines)
  }

  /// The first line of one that is left out, among theirs.
  private func leftLine(_ place: Int) -> Int { reasonHeights?.prefix(place).reduce(0, +) ?? place }

  /// Which of them a line of theirs is about, and which line of that it is.
  private func left(_ line: Int) -> (place: Int, line: Int) {
    guard let reasonHeights else { return (line, 0) }
    var (place, rest) = (0, line)
    while place < reasonHeights.count, rest >= reasonHeights[place] {
      rest -= reasonHeights[place]
      place += 1
    }
    return (place, rest)
  }

  /// What a click on a row of the screen is about.
  func place(at row: Int) -> BulkPage.Place? {
    guard (top..<top + height).contains(row) else { return nil }
    let line = first + row - top
    if rules.indices.contains(line) { return .rule(rules[line]) }
    if (takenStart..<takenStart + preview.lines).contains(line) { return .line(line - takenStart) }
    guard line > leftStart else { return nil }
    let left = left(line - leftStart - 1).place
    return preview.left.indices.contains(left) ? .line(preview.lines + left) : nil
  }

  func content(_ line: Int) -> Line {
    if line < rules.count { return .rule(rules[line]) }
    if line == rules.count { return .headings }
    if line < takenStart + preview.lines { return row(line - takenStart).map { .row($0) } ?? .blank }
    if line < leftStart { return .nothing }
    if line == leftStart { return .leftHeading }
    let (place, part) = left(line - leftStart - 1)
    guard let row = row(preview.lines + place) else { return .blank }
    return .reason(row, line: part, of: reasonHeights?[place] ?? 1)
  }

  /// The record of a line of the preview.
  func row(_ line: Int) -> BulkRow? {
    guard let bulk else { return nil }
    if line < preview.lines {
      let place = preview.place(ofLine: line)
      return BulkRow(record: bulk.records[place.record], open: place.open)
    }
    let left = line - preview.lines
    guard preview.left.indices.contains(left) else { return nil }
    let record = bulk.records[preview.left[left]]
    let reason = page.rules.reason(leaving: record) ?? (bulk.check.refused[record.id] == nil ? nil : .byStore)
    return BulkRow(record: record, reason: reason)
  }

  /// What the cursor stands on of the preview: a record, and of one that is taken which of its subjects.
  var selectedSubject: (id: BulkRecord.ID, open: Int)? {
    guard case .line(let line) = selected, let row = row(line) else { return nil }
    return (row.record.id, row.open ?? 0)
  }

  /// The records of which values are shown.
  var idsInSight: [String] {
    (first..<min(count, first + height)).compactMap { line in
      switch content(line) {
      case .row(let row): row.record.id
      case .reason(let row, _, _): row.reason == .notTakeable ? row.record.id : nil
      case .rule, .headings, .nothing, .leftHeading, .blank: nil
      }
    }.unique
  }
}

/// Where the parts of a row start.
private struct BulkColumns {
  let title = 5
  let isNarrow: Bool
  let field, now, after, end: Int

  init(_ width: Int) {
    isNarrow = width < 60
    end = width
    field = isNarrow ? 5 + width * 2 / 5 : 5 + max(20, width * 5 / 16)
    now = field + max(12, width / 8)
    after = now + (width - now - 8) / 2
  }

  /// Why one is left out has what the columns have together.
  var reasonWidth: Int { end - field - 1 }
}

/// The preview of a bulk act.
struct BulkScreen {
  private let desk: DeskState
  private let page: BulkPage
  private let bulk: Bulk
  private let words: BulkWords
  private let layout: BulkLayout
  private let columns: BulkColumns

  /// Where the switches of rules stand.
  static let boxes = 2..<5

  init?(_ desk: DeskState, _ page: BulkPage) {
    guard let bulk = desk.bulk, let words = BulkWords(desk, page) else { return nil }
    (self.desk, self.page, self.bulk, self.words) = (desk, page, bulk, words)
    layout = BulkLayout(desk, page)
    columns = BulkColumns(desk.size.columns)
  }

  func draw() -> Grid {
    var frame = Frame(desk.size)
    frame.header([Run(words.title, .text.bold)], right: [Run(words.progress, .dim)])
    if page.scope != .earlier {
      for line in layout.first..<min(layout.count, layout.first + layout.height) {
        draw(line, at: layout.top + line - layout.first, &frame.grid)
      }
    }
    drawFoot(&frame)
    return frame.footer(desk)
  }

  private func drawFoot(_ frame: inout Frame) {
    let isShort = desk.size.rows < 14
    if !isShort { frame.rule(layout.footTop) }
    let lines = words.foot(width: frame.columns - 2, isShort: isShort)
    frame.grid.write(lines: lines, at: 1, layout.footTop + (isShort ? 0 : 1), width: frame.columns - 2)
  }

  private func draw(_ line: Int, at row: Int, _ grid: inout Grid) {
    switch layout.content(line) {
    case .rule(let rule): draw(rule, at: row, &grid)
    case .headings: drawHeadings(at: row, &grid)
    case .row(let content): draw(content, at: row, &grid)
    case .reason(let content, let line, let height):
      if line == 0 { drawTitle(of: content, at: row, &grid) }
      let lines = [Run(words.reason(of: content), .dim)].wrapped(columns.reasonWidth, cutAfter: height)
      if lines.indices.contains(line) {
        grid.write(lines[line], at: columns.field, row, width: columns.reasonWidth)
      }
    case .nothing: grid.write(nothing, at: columns.title, row, .dim, width: columns.end - columns.title - 1)
    case .leftHeading:
      let reason = columns.isNarrow ? "" : ": a draft needs every field decided"
      grid.write("Left out, untouched" + reason, at: 2, row, .dim)
    case .blank: break
    }
    guard line == layout.line(of: layout.cursor) else { return }
    grid.write("▸", at: 0, row)
    grid.select(row: row)
  }

  private var nothing: String { bulk.isRead ? "No rule that is on decides any of these." : "Reading…" }

  private func draw(_ rule: BulkRule, at row: Int, _ grid: inout Grid) {
    let isOn = page.rules.contains(rule)
    let width = columns.isNarrow ? columns.end - 12 : 44
    grid.write(isOn ? "[x]" : "[ ]", at: 2, row, isOn ? .text.bold : .text)
    let words = columns.isNarrow ? rule.shortWords : rule.words
    grid.write(words, at: 6, row, isOn ? .text.bold : .text, width: width - 6)
    if !columns.isNarrow { grid.write(rule.certainty, at: 46, row, .dim) }
    grid.write(counted(rule), endingAt: columns.end < 76 ? min(66, columns.end - 1) : 72, row, .dim)
  }

  /// How much a rule decides, or would; of one that is on also how much of that is in the rows below, where records are left out.
  private func counted(_ rule: BulkRule) -> String {
    let count = bulk.preview.counts[rule, default: 0]
    let taken = bulk.preview.countsOfTaken[rule, default: 0]
    let isOn = page.rules.contains(rule)
    // What the rule is called has no room to give.
    if columns.end < 76 { return (isOn ? taken : count) == 0 ? "-" : "\(isOn ? taken : count)" }
    if count == 0 { return "-" }
    let number = isOn && taken != count ? "\(taken) of \(count)" : "\(count)"
    return "\(number) \(rule.isOfWholes ? "record" : "field")\(count == 1 ? "" : "s")"
  }

  private func drawHeadings(at row: Int, _ grid: inout Grid) {
    grid.write("Record", at: columns.title, row, .dim)
    grid.write("Field", at: columns.field, row, .dim)
    if columns.isNarrow { return }
    grid.write("Client has", at: columns.now, row, .dim)
    grid.write("Will become", at: columns.after, row, .dim)
  }

  private func draw(_ content: BulkRow, at row: Int, _ grid: inout Grid) {
    drawTitle(of: content, at: row, &grid)
    if let cells = BulkCells(content, desk, page) { draw(cells, at: row, &grid) }
  }

  private func drawTitle(of content: BulkRow, at row: Int, _ grid: inout Grid) {
    let summary = desk.list.summary(content.record.id)
    let title = [
      Run(summary.map { $0.table + " " } ?? "", .dim), Run(desk.shownTitle(of: content.record.id)),
    ]
    let isLeft = content.open == nil
    grid.write(isLeft ? "–" : "✓", at: 2, row, isLeft ? .dim : .ready)
    grid.write(
      columns.isNarrow ? [title[1]] : title, at: columns.title, row,
      width: columns.field - columns.title - 1)
  }

  private func draw(_ cells: BulkCells, at row: Int, _ grid: inout Grid) {
    if columns.isNarrow {
      let text = [Run(cells.name + " ", .dim), Run(cells.texts(width: 12).after, cells.ink)]
      _ = grid.write(text, at: columns.field, row, width: columns.end - columns.field - 1)
      return
    }
    let width = (now: columns.after - columns.now - 1, after: columns.end - columns.after - 8)
    let text = cells.texts(width: min(width.now, width.after))
    grid.write(cells.name, at: columns.field, row, .dim, width: columns.now - columns.field - 1)
    grid.write(text.now, at: columns.now, row, .client, width: width.now)
    grid.write(text.after, at: columns.after, row, cells.ink, width: width.after)
    grid.write(cells.origin, endingAt: columns.end - 1, row, .dim)
  }
}

/// What one line of the preview says of a field: what the client has, what it becomes, and where that comes from.
private struct BulkCells {
  private let desk: DeskState
  private let record: DecidedConflict
  private let subject: Subject
  private let choice: Choice

  /// nil until the record is read in full, and where it is not what the rules were tried on any more.
  init?(_ row: BulkRow, _ desk: DeskState, _ page: BulkPage) {
    guard let open = row.open, let record = desk.bulk?.shown[row.record.id],
      let subject = row.subject(in: desk),
      row.record.open.indices.contains(open),
      let choice = page.rules.way(for: row.record.open[open])?.choice(for: subject, in: record.conflict)
    else { return nil }
    (self.desk, self.record, self.subject, self.choice) = (desk, record, subject, choice)
  }

  private var draft: FieldDraft? {
    guard case .field(let name) = subject else { return nil }
    return record.conflict[name]?.draft(choice)
  }

  var name: String { subject == .record ? "whole" : desk.privacy.words(subject) }
  var ink: Ink { draft.map(record.changes) ?? true ? .result.bold : .dim }
  var origin: String { draft.map { ReviewWords.origin($0, ShownRecord(record)) } ?? choice.words }

  func texts(width: Int) -> (now: String, after: String) {
    let conflict = record.conflict
    guard let draft else { return whole }
    let old = conflict.hasRow ? conflict[draft.name].flatMap(conflict.now) : nil
    return desk.privacy.change(
      old, draft.value, of: draft.name, in: conflict, widths: (width, width), isASCII: desk.isASCII)
  }

  private var whole: (now: String, after: String) {
    let decided = record.conflict.draft(Resolution(choices: [.record: choice]))
    let isGone = decided?.action == .delete
    let conflict = record.conflict
    let now = conflict.hasRow ? "there" : conflict.versions.client == .absent ? "not here" : "deleted"
    return (now, isGone ? "deleted" : "there, as edited")
  }
}
