import Merging
import Telling
import Terminal

/// The whole of a value: from 100 columns on its sides beside each other, with the result between them; else under each other,
/// line by line, where something differs.
struct ValueScreen {
  /// Columns of a terminal from which on the sides stand beside each other.
  static let sideBySide = 100
  private static let withAncestor = 160

  private let desk: DeskState
  private let page: ValuePage
  private let shown: ShownRecord?
  private let field: FieldConflict?
  private let parts: FieldParts?
  private let columns: [ValueColumn]
  private let isStacked: Bool
  private let width: Int
  private let bar: [ValueBar.Line]
  private let rows: ValueRows
  /// Which part of a long change is shown.
  private let part: String
  /// How many changes there are.
  let changes: Int

  init(_ desk: DeskState, _ page: ValuePage) {
    (self.desk, self.page) = (desk, page)
    (shown, field, parts) = (page.shown(desk), page.conflict(desk), page.parts(desk))
    isStacked = Self.isStacked(page, desk.size)
    let content = ValueContent(desk, page, shown, field, parts)
    columns = Self.columns(desk.size, isStacked: isStacked, areBytes: content.isBytes)
    let margin = isStacked ? Self.margin + Self.letters : Self.margin
    let gaps = isStacked ? 0 : 3 * (columns.count - 1)
    width = max(1, (desk.size.columns - margin - 1 - gaps) / (isStacked ? 1 : columns.count))
    rows = content.rows(columns, width: width, isStacked: isStacked)
    (changes, part) = (content.changes, content.partWords)
    bar = ValueBar(desk, page, content).lines(desk.size)
  }

  private static func isStacked(_ page: ValuePage, _ size: Size) -> Bool {
    page.isStacked || size.columns < sideBySide
  }

  /// What is shown of texts.
  static func columns(of page: ValuePage, _ size: Size) -> [ValueColumn] {
    columns(size, isStacked: isStacked(page, size), areBytes: false)
  }

  private static func columns(_ size: Size, isStacked: Bool, areBytes: Bool) -> [ValueColumn] {
    if isStacked { return Side.allCases.map { .side($0) } + [.result] }
    let sides: [ValueColumn] =
      areBytes ? [.side(.client), .side(.server)] : [.side(.client), .result, .side(.server)]
    return size.columns < withAncestor ? sides : [.side(.ancestor)] + sides
  }

  /// The cursor, a sign, and a blank.
  private static let margin = 3
  /// Which sides a line is of, where they stand under each other.
  private static let letters = 4
  private static let top = 3

  /// Of the rows.
  var height: Int {
    max(1, desk.size.rows - Self.top - 2 - (bar.isEmpty ? 0 : bar.count + 1))
  }

  var lastScroll: Int { max(0, rows.count - height) }

  /// The rows in which one of these words, which are folded, begins.
  func lines(with words: [String]) -> [Int] {
    (0..<rows.count).filter { rows.hasWords(words, row: $0) }
  }

  func firstRow(of change: Int) -> Int? { rows.starts[change] }

  /// The change that a row of the screen shows, or that is the last before it.
  func change(at row: Int) -> Int? {
    guard (Self.top..<Self.top + height).contains(row) else { return nil }
    let line = row - Self.top + min(page.scroll, lastScroll)
    return line < rows.count ? change(ofRow: line) : nil
  }

  /// The change that one of all rows shows, or that is the last before it.
  func change(ofRow row: Int) -> Int? {
    rows.starts.filter { $0.value <= row }.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  /// The side in whose column, or line, a click falls; nil for the result.
  func side(at point: Point) -> Side? {
    guard !isStacked else {
      let line = point.row - Self.top + min(page.scroll, lastScroll)
      return (0..<rows.count).contains(line) ? rows[line].side : nil
    }
    for (index, side) in columns.enumerated() {
      let start = start(of: index)
      if case .side(let side) = side, (start..<start + width).contains(point.column) { return side }
    }
    return nil
  }

  /// What a click on the lines under the value asks for.
  func command(at point: Point) -> Command? {
    let line = point.row - barTop
    return bar.indices.contains(line) ? bar[line].command(at: point.column - 1) : nil
  }

  private var barTop: Int { desk.size.rows - 2 - bar.count }

  func draw() -> Grid {
    var frame = Frame(desk.size)
    frame.header(heading, right: [Run(place, .dim)])
    drawHeadings(&frame.grid)
    let scroll = min(page.scroll, lastScroll)
    for place in (scroll..<rows.count).prefix(height) {
      let isSelected = firstRow(of: page.change) == place
      draw(place, isSelected: isSelected, at: Self.top + place - scroll, &frame.grid)
    }
    drawBar(&frame)
    if let typing = page.search.typing { return frame.searchFooter(typing, desk) }
    return frame.footer(desk, isLonger: lastScroll > 0)
  }

  private var heading: [Run] {
    [Run(desk.shownTitle(of: page.id), .text.bold), Run("   " + desk.privacy.name(page.field))]
  }

  private var place: String {
    // Of what is hidden nobody sees which change that would be, nor how many there are.
    guard changes > 0, !desk.privacy.hides, !page.isMerging || parts != nil else { return part }
    let here = min(page.change, changes - 1) + 1
    // What the record and its field are called is not to be guessed.
    let all = [
      [howCompared, "change \(here) of \(changes)", part, counts], ["\(here) of \(changes)", part, counts],
      [left, part.isEmpty ? "\(here)/\(changes)" : part],
    ].map { $0.filter { !$0.isEmpty }.joined(separator: "   ") }
    return all.first { heading.width + DisplayText.width($0) + 4 <= desk.size.columns } ?? all[2]
  }

  private var left: String {
    guard page.isMerging, let parts else { return "" }
    let open = parts.undecided(in: page.choices(desk)).count
    return open == 0 ? "" : "\(open) left"
  }

  private var howCompared: String {
    switch parts?.form {
    case .lines?: "long: by lines"
    case .whole?: "too long to compare"
    case .words?, .keys?, nil: ""
    }
  }

  private var counts: String {
    guard page.isMerging, let parts else { return "" }
    let choices = page.choices(desk)
    let (open, sure) = (parts.undecided(in: choices).count, page.countOfSure(parts, in: choices))
    let counts = [(open, "to decide"), (parts.parts.count - open - sure, "decided"), (sure, "sure")]
    return counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: "   ")
  }

  private func drawHeadings(_ grid: inout Grid) {
    guard isStacked else {
      for (index, column) in columns.enumerated() {
        let start = start(of: index)
        grid.write(heading(of: column), at: start, 2, width: width)
      }
      return drawRules(&grid, from: 2, to: 2)
    }
    let sides = columns.filter { $0 != .result }.flatMap { heading(of: $0) + [Run("   ")] }
    grid.write(sides, at: Self.margin, 2, width: desk.size.columns - Self.margin)
  }

  private func heading(of column: ValueColumn) -> [Run] {
    guard case .side(let side) = column, let shown, let field else { return [Run("R Result", .result.bold)] }
    let name = isStacked ? side.letter : "\(side.letter) \(side.rawValue.capitalizedFirst)"
    let version = shown.version(field, side)
    let revision = isStacked ? shown.shortRevision(side) : desk.privacy.revision(side, of: shown)
    let absence = shown.absence(side, desk.time)
    let time = absence ?? revision ?? desk.time.long(version?.time)
    // That it is NULL is a value, too.
    let type = absence == nil && !desk.privacy.hides ? Value.typeName(version?.value) : ""
    let room = isStacked ? .max : width - DisplayText.width(name + " " + time) - 2
    // A time or an id that is whole is not marked as cut for what would follow it.
    let words = [time, type == "TEXT" || type.count > room ? "" : type].filter { !$0.isEmpty }
    return [Run(name, column.ink.bold), Run(" " + words.joined(separator: "  "), .dim)]
  }

  private func start(of column: Int) -> Int { Self.margin + column * (width + 3) }

  private func drawRules(_ grid: inout Grid, from: Int, to: Int) {
    for index in columns.indices.dropFirst() {
      for row in from...max(from, to) { grid.write("│", at: start(of: index) - 2, row, .dim) }
    }
  }

  private func draw(_ place: Int, isSelected: Bool, at line: Int, _ grid: inout Grid) {
    let cells = rows.cells(place, marking: page.search.words)
    let sign = isSelected ? "▸" : place == page.search.found ? "›" : ""
    grid.write(sign, at: 0, line, .text.bold)
    grid.write(rows[place].margin, at: 1, line)
    guard cells.count > 1 else {
      let start = isStacked ? Self.margin + Self.letters : Self.margin
      grid.write(cells.first ?? [], at: start, line, width: desk.size.columns - start)
      return
    }
    for (index, cell) in cells.enumerated() { grid.write(cell, at: start(of: index), line, width: width) }
    drawRules(&grid, from: line, to: line)
  }

  private func drawBar(_ frame: inout Frame) {
    guard !bar.isEmpty else { return }
    let top = barTop
    frame.rule(top - 1)
    frame.grid.write(lines: bar.map(\.runs), at: 1, top, width: frame.columns - 2)
    guard let input = page.input else { return }
    let before = ValueBar.typing + ValueBar.before(input, desk.size)
    let column = min(1 + DisplayText.width(before), frame.columns - 1)
    frame.grid.cursor = Point(column: column, row: top + ValueBar.typingLine(of: bar.count))
  }
}
