import Merging
import StoreInterface
import Telling
import Terminal

extension RecordPage {
  func draw(_ desk: DeskState) -> Grid {
    guard let record = desk.open[id] else { return drawReading(desk) }
    guard let layout = WideLayout(desk) else { return RecordScreen(desk, self, record).draw() }
    return drawWide(record, layout, desk)
  }

  /// Without what stands beside it on a wide screen, and without the keys, which are the list's there.
  func drawBesideList(_ desk: DeskState) -> Grid {
    desk.open[id].map { RecordScreen(desk, self, $0).draw(withFooter: false) } ?? drawReading(desk)
  }

  private func drawReading(_ desk: DeskState) -> Grid {
    var frame = Frame(desk.size)
    frame.header([Run(desk.shownTitle(of: id))])
    frame.grid.write("Reading...", at: 4, 3, .dim)
    return frame.footer(desk)
  }

  /// Wide screens add the list, and where the record stands, instead of stretching columns.
  private func drawWide(_ record: DecidedConflict, _ layout: WideLayout, _ desk: DeskState) -> Grid {
    var list = desk
    list.pages = []
    list.status = nil
    var grid = Grid(desk.size)
    grid.draw(ListScreen(list, columns: layout.listWidth).draw(withFooter: false), at: 0, 0)
    let (part, start) = desk.recordPart
    grid.draw(RecordScreen(part, self, record).draw(), at: start, 0)
    var rules = [start - 1]
    if layout.besideWidth > 0 {
      let start = start + layout.recordWidth + 1
      let panel = RecordBeside(desk: desk, shown: ShownRecord(record, leaf: leaf))
      grid.draw(panel.draw(Size(columns: layout.besideWidth, rows: desk.size.rows)), at: start, 0)
      rules.append(start - 1)
    }
    for rule in rules { for row in 0..<desk.size.rows { grid.write("│", at: rule, row, .dim) } }
    return grid
  }
}

/// One record: fields down, versions across, so that the eye compares along one line; with less than 60 columns one field at a
/// time, and its versions down.
struct RecordScreen {
  let desk: DeskState
  let page: RecordPage
  let record: DecidedConflict
  let shown: ShownRecord
  let fields: [FieldConflict]
  let selected: Int
  private let layout: RecordLayout?

  init(_ desk: DeskState, _ page: RecordPage, _ record: DecidedConflict) {
    (self.desk, self.page) = (desk, page)
    self.record = record.spelledOut
    shown = ShownRecord(record, leaf: page.leaf)
    fields = page.fields(of: record, on: desk)
    selected = page.selected(in: record, on: desk)
    layout = RecordLayout(desk, page, record)
  }

  var conflict: RecordConflict { record.conflict }
  var selectedField: FieldConflict? { fields.isEmpty ? nil : fields[selected] }

  func draw(withFooter: Bool = true) -> Grid {
    var frame = Frame(desk.size)
    if let layout { draw(layout, &frame) } else { drawOneField(&frame) }
    if withFooter { return frame.footer(desk) }
    frame.rule(frame.bottom)
    return frame.grid
  }

  private func draw(_ layout: RecordLayout, _ frame: inout Frame) {
    drawHeader(&frame, layout)
    drawHeadings(&frame.grid, layout)
    for (index, rows) in layout.places {
      draw(fields[index], isSelected: index == selected, rows, layout, &frame.grid)
    }
    let below = drawDetail(&frame, layout) ? hidden : refused ?? hidden
    frame.grid.write(
      [below], at: RecordLayout.nameColumn, layout.top + layout.height,
      width: frame.columns - RecordLayout.nameColumn - 1)
    drawTurn(&frame, layout, after: RecordLayout.nameColumn + DisplayText.width(below.text))
  }

  private func drawHeader(_ frame: inout Frame, _ layout: RecordLayout) {
    let title = desk.privacy.shown(conflict.title)
    let table = Run(conflict.table + " ", .dim)
    let hasRoom = [table, Run(title)].width <= frame.titleWidth(beside: counts)
    frame.title((hasRoom ? [table] : []) + [Run(title, .text.bold)], right: counts)
    guard layout.hasResultColumn else { return frame.rule(1) }
    for (index, side) in Side.allCases.enumerated() {
      let start = layout.starts[index]
      // A result comes from nowhere, so the last has its room, too.
      let end = side == .server ? frame.columns : layout.starts[index + 1]
      frame.grid.write(origin(side), at: start, 1, .side(side), width: end - start - 1)
    }
    frame.grid.write("From", at: RecordLayout.nameColumn, 1, .dim)
    frame.rule(2)
  }

  /// What a click on a line of words asks for: what there is to decide, or what is hidden.
  func command(at point: Point, _ layout: RecordLayout) -> Command? {
    if point.row == 0, point.column >= desk.size.columns - counts.width - 1 {
      return conflict.undecided(in: record.resolution).isEmpty ? nil : .nextUndecided
    }
    guard point.row == layout.top + layout.height,
      hiddenWords.contains("= shows") || hiddenWords.hasPrefix("= hides"),
      (0..<DisplayText.width(hiddenWords)).contains(point.column - RecordLayout.nameColumn)
    else { return nil }
    return .anywhere(.toggleUnchanged)
  }

  private var settled: Run { desk.settled(record) }

  var counts: [Run] {
    let left = conflict.undecided(in: record.resolution).count
    let place = desk.list.position(of: conflict.id)
    guard layout != nil else {
      return [
        left == 0 ? settled : Run("\(left) left"),
        Run(place.map { "  \($0 + 1)/\(desk.list.count)" } ?? "", .dim),
      ]
    }
    // As the list tells it: whoever decides here should know before the review.
    let isLocked = desk.access.reason != nil && desk.size.columns >= 80
    return [
      isLocked ? Run("read-only   ", .needs.bold) : Run(""), left == 0 ? settled : Run(record.countWords),
      Run(place.map { "   \($0 + 1) of \(desk.list.count)" } ?? "", .dim),
    ]
  }

  /// Where a side's version comes from.
  private func origin(_ side: Side) -> String {
    if shown.hasTree { return leafOrigin(side) }
    switch side {
    case .ancestor: return conflict.details.ancestorTag.map { "server, tag \($0)" } ?? ""
    case .client: return "this store"
    case .server:
      let device = conflict.details.serverDevice.map(desk.privacy.shown)
      return [device, conflict.details.serverTag.map { "tag \($0)" }].compactMap(\.self).joined(
        separator: ", ")
    }
  }

  private func leafOrigin(_ side: Side) -> String {
    switch side {
    case .ancestor: shown.revision(.ancestor) == nil ? "" : "common ancestor"
    case .client: "winner of \(shown.leafCount) leaves"
    case .server: "leaf \(shown.leafNumber) of \(shown.leafCount)"
    }
  }

  private func drawHeadings(_ grid: inout Grid, _ layout: RecordLayout) {
    let row = layout.top - 2
    grid.write("Field", at: RecordLayout.nameColumn, row, .dim)
    let names = layout.starts[0] - RecordLayout.nameColumn - 1
    grid.write(
      fieldsInSight(layout, width: names), at: RecordLayout.nameColumn, row + 1, .dim, width: names)
    for (index, side) in Side.allCases.enumerated() {
      let start = layout.starts[index]
      let width = layout.starts[index + 1] - start - 1
      grid.write(
        "\(side.letter) \(side.rawValue.capitalizedFirst)\(leafPlace(side, layout))", at: start, row,
        .side(side), width: width)
      grid.write(underHeading(side, width: width), at: start, row + 1, .dim, width: width)
    }
    grid.write(layout.hasResultColumn ? "R Result" : "Result", at: layout.starts[3], row, .result.bold)
    if layout.hasResultColumn { grid.write("what will be written", at: layout.starts[3], row + 1, .dim) }
  }

  /// "1-7 of 8"; nothing where all have room.
  private func fieldsInSight(_ layout: RecordLayout, width: Int) -> String {
    let count = layout.places.count
    guard let first = layout.places.first?.field, count < fields.count else { return "" }
    let place = count == 1 ? "\(first + 1)" : "\(first + 1)-\(first + count)"
    let words = "\(place) of \(fields.count)"
    return words.count <= width ? words : "\(place)/\(fields.count)"
  }

  /// Which of many leaves the server's column shows, where no line of origins tells it.
  private func leafPlace(_ side: Side, _ layout: RecordLayout) -> String {
    guard side == .server, shown.leafCount > 2, !layout.hasResultColumn else { return "" }
    return "  " + shown.leafPlace
  }

  /// The time of a column; of a history that is a tree, the revision.
  private func underHeading(_ side: Side, width: Int) -> String {
    let absence = shown.absence(side, desk.time)
    if shown.hasTree {
      return [shown.shortRevision(side), absence].compactMap(\.self).joined(separator: " ")
    }
    if let absence, case .deleted(let time?) = shown.columns.version(side) {
      return deletion(absence, time, width: width)
    }
    let time = conflict.commonTime(side)
    let others = Side.allCases.filter { $0 != side }.map(conflict.commonTime)
    return absence
      ?? (others.contains { desk.time.needsSeconds(time, $0) }
        ? seconds(time, width: width) : desk.time.short(time))
  }

  /// Where they have no room the year goes first, and then they do, which stand below as well: a time without its day is one of today.
  private func seconds(_ time: Int64?, width: Int) -> String {
    let whole = desk.time.long(time)
    let parts = whole.split(separator: " ")
    guard parts.count == 2 else { return whole }
    let day = parts[0].suffix(5)
    let minutes = parts[1].prefix(5) + (parts[1].hasSuffix("Z") ? "Z" : "")
    let forms = [whole, "\(day) \(parts[1])", "\(day) \(minutes)"]
    return forms.first { DisplayText.width($0) <= width } ?? desk.time.short(time)
  }

  /// Likewise, and at last without any time.
  private func deletion(_ whole: String, _ time: Int64, width: Int) -> String {
    let word = whole.prefix { $0 != " " }
    let first = desk.time.clock(time).split(separator: " ")[0]
    // Of a day, and not of a time today.
    let day = first.contains("-") ? first.suffix(5) : first
    return [whole, "\(word) \(day)"].first { DisplayText.width($0) <= width } ?? String(word)
  }

  /// Why its draft was refused.
  var refused: Run? { desk.refusalWords(conflict.id).map { Run($0, .failed) } }

  private var hidden: Run {
    let words = hiddenWords
    return Run(words, words.hasPrefix("!") ? .needs.bold : .dim)
  }

  private var hiddenWords: String {
    let hidden = conflict.fields.filter { field in !fields.contains { $0.name == field.name } }
    if let reason = conflict.wholeReason {
      return "\(record.resolution[.record] == nil ? "!" : "✓") \(reason): \(wholeWords)"
    }
    if let words = record.alternativeWords(desk.privacy) { return words }
    guard !hidden.isEmpty else { return desk.showsUnchanged ? "= hides the unchanged fields" : "" }
    let words = "\(hidden.count) unchanged hidden, = shows them"
    let room = desk.size.columns - RecordLayout.nameColumn - 1 - DisplayText.width(words)
    return words + hidden.map { desk.privacy.name($0.name) }.listed(room: room)
  }

  /// Tells of the keys that turn the leaves, right under their column.
  private func drawTurn(_ frame: inout Frame, _ layout: RecordLayout, after column: Int) {
    let words = "] [ show other leaves"
    let start = max(layout.starts[2], column + 3)
    guard shown.leafCount > 2, start + words.count < frame.columns else { return }
    frame.grid.write(words, at: start, layout.top + layout.height, .dim)
  }

  private var wholeWords: String {
    if let answer = record.answer { return answer.words }
    if conflict.details.waitingSince != nil { return "waiting" }
    return record.resolution[.record]?.side.map { "\($0.rawValue) taken" } ?? record.waysByKey
  }

  private func draw(
    _ field: FieldConflict, isSelected: Bool, _ rows: Range<Int>, _ layout: RecordLayout, _ grid: inout Grid
  ) {
    let row = rows.lowerBound
    grid.write([shown.sign(field), found(field)], at: 1, row)
    let width = layout.starts[0] - RecordLayout.nameColumn - 1
    grid.write(desk.privacy.name(field.name, in: width), at: RecordLayout.nameColumn, row, .text)
    for (index, side) in Side.allCases.enumerated() {
      drawCell(
        of: field, side, rows, columns: layout.starts[index]..<layout.starts[index + 1], on: &grid)
      if isSelected, side == page.side(in: record, on: desk) {
        grid.select(row: row, from: layout.starts[index], to: layout.starts[index + 1] - 1)
      }
    }
    drawResult(field, rows, layout, &grid)
    if isSelected {
      grid.write("▸", at: 0, row)
      grid.select(row: row, from: RecordLayout.nameColumn, to: layout.starts[0] - 1)
    }
  }

  /// A mark before the name of a field that has what the list looks for.
  func found(_ field: FieldConflict) -> Run {
    Run(page.found?.contains(field.name) == true ? " /" : "  ", .needs.bold)
  }

  /// The value after its mark, and the field's own time where it says more than the column's.
  private func drawCell(
    of field: FieldConflict, _ side: Side, _ rows: Range<Int>, columns: Range<Int>, on grid: inout Grid
  ) {
    let (start, end, row) = (columns.lowerBound, columns.upperBound, rows.lowerBound)
    // What becomes of it as a whole is told below.
    let isChosen = !record.isGoneOrOwn && shown.isChosen(side, field)
    if isChosen { grid.write("●", at: start - 1, row, .side(side).bold) }
    let time = ownTime(field, side)
    let width = end - start - 2
    let inline = rows.count == 1 ? room(for: time, beside: field, side, width) : 0
    let lines = cellText.lines(
      shown.version(field, side)?.value, field, width: width - inline,
      most: max(1, rows.count - (time.isEmpty ? 0 : 1)))
    let ink: Ink = isChosen ? .side(side).bold : .side(side)
    for (index, line) in lines.enumerated() {
      grid.write(line, at: start, row + index, ink, width: width - inline)
    }
    guard !time.isEmpty else { return }
    if rows.count == 1, inline > 0 {
      grid.write(time, endingAt: end - 2, row, .dim)
    } else if rows.count > 1 {
      grid.write(time, at: start, row + lines.count, .dim)
    }
  }

  /// Of a narrow cell the value has the room, and its time none.
  private func room(for time: String, beside field: FieldConflict, _ side: Side, _ width: Int) -> Int {
    if time.isEmpty { return 0 }
    let inline = DisplayText.width(time) + 1
    let value = cellText.line(shown.version(field, side)?.value, field, width: width)
    return width - inline >= min(12, DisplayText.width(value)) ? inline : 0
  }

  var cellText: CellText { CellText(shown: shown, privacy: desk.privacy) }

  private func ownTime(_ field: FieldConflict, _ side: Side) -> String {
    guard side != .ancestor, field.change != .unchanged, let time = field.version(side)?.time,
      field.version(side)?.value != field.ancestor?.value
    else { return "" }
    let other = field.version(side == .client ? .server : .client)?.time
    let text = desk.time.needsSeconds(time, other) ? desk.time.long(time) : desk.time.short(time)
    switch field.suggestion.reason {
    case .sameTime, .withinMargin: return text
    default:
      return time == conflict.commonTime(side) || text == desk.time.short(conflict.commonTime(side))
        ? "" : text
    }
  }

  private func drawResult(
    _ field: FieldConflict, _ rows: Range<Int>, _ layout: RecordLayout, _ grid: inout Grid
  ) {
    // What becomes of it as a whole is told below.
    if record.isGoneOrOwn { return }
    if case .take(let side)? = record.resolution[.record], conflict.isWhole {
      return drawWholeResult(field, side, rows, layout, &grid)
    }
    let (start, row) = (layout.starts[3], rows.lowerBound)
    let choice = record.resolution[.field(field.name)]
    guard layout.hasResultColumn else {
      return drawLetters(of: field, choice, at: start, row, &grid)
    }
    guard !conflict.isWhole || choice != nil else { return }
    // Computed of what is written, by nobody here.
    if field.field.isGenerated {
      grid.write([reason(field, nil)], at: start, row)
    } else {
      drawResult(field, choice, rows, at: start, &grid)
    }
  }

  /// Where there is no column for it.
  private func drawLetters(
    of field: FieldConflict, _ choice: Choice?, at start: Int, _ row: Int, _ grid: inout Grid
  ) {
    let words = shown.letters(field) + (choice == nil ? "" : " ✓")
    grid.write(words, at: start, row, resultInk(field, choice))
  }

  private func isOpen(_ field: FieldConflict) -> Bool { shown.letters(field) == "?" }

  private func resultInk(_ field: FieldConflict, _ choice: Choice?) -> Ink {
    isOpen(field) ? .needs.bold : choice == nil ? .result : .result.bold
  }

  private func drawResult(
    _ field: FieldConflict, _ choice: Choice?, _ rows: Range<Int>, at start: Int, _ grid: inout Grid
  ) {
    let lines = resultLines(field, choice, width: grid.size.columns - start, most: max(1, rows.count - 1))
    let ink = resultInk(field, choice)
    for (index, line) in lines.enumerated() {
      grid.write(line, at: start, rows.lowerBound + index, ink)
    }
    if rows.count > 1 { drawReason(field, choice, rows.dropFirst(lines.count), at: start, &grid) }
  }

  private func resultLines(_ field: FieldConflict, _ choice: Choice?, width: Int, most: Int) -> [String] {
    if isOpen(field) { return ["to decide"] }
    let value = field.field.isWritable ? field.draft(choice).value : field.client?.value
    return cellText.lines(value, field, width: width, most: most)
  }

  private func drawReason(
    _ field: FieldConflict, _ choice: Choice?, _ rows: Range<Int>, at start: Int, _ grid: inout Grid
  ) {
    let (reason, width) = (reason(field, choice), grid.size.columns - start)
    let indent = DisplayText.width(reason.text) + 2 > width ? 0 : 2
    let told = [reason].wrapped(width - indent, cutAfter: rows.count)
    grid.write(lines: told, at: start + indent, rows.lowerBound, width: width - indent)
  }

  /// Of a record that is decided as a whole: what the side has that was taken, or that nothing is left of it.
  private func drawWholeResult(
    _ field: FieldConflict, _ side: Side, _ rows: Range<Int>, _ layout: RecordLayout, _ grid: inout Grid
  ) {
    let (start, row, isGone) = (layout.starts[3], rows.lowerBound, !conflict.version(side).isPresent)
    guard layout.hasResultColumn else {
      grid.write(isGone ? "gone ✓" : side.letter + " ✓", at: start, row, .result.bold)
      return
    }
    let value = field.value(takenFrom: side) ?? field.ancestor?.value
    let width = grid.size.columns - start
    let lines =
      isGone ? ["deleted"] : cellText.lines(value, field, width: width, most: max(1, rows.count - 1))
    for (index, line) in lines.enumerated() { grid.write(line, at: start, row + index, .result.bold) }
    guard rows.count > lines.count else { return }
    grid.write([Run("✓ \(side.rawValue) taken", .ready)], at: start + 2, row + lines.count)
  }

  private func reason(_ field: FieldConflict, _ choice: Choice?) -> Run {
    if let choice { return Run("✓ \(shown.words(choice, field))", .ready) }
    if field.field.isGenerated { return Run("generated", .dim) }
    if field.field.isPrimaryKey { return Run("primary key", .dim) }
    return Run(shown.reason(field), .dim)
  }

  /// - Returns: whether it tells, where the draft was refused, why.
  private func drawDetail(_ frame: inout Frame, _ layout: RecordLayout) -> Bool {
    let detail = RecordDetail(desk: desk, shown: shown, field: selectedField)
    let height = frame.bottom - layout.detailTop
    guard desk.size.rows >= RecordLayout.rowsWithDetail else {
      return drawShort(detail, rows: height + 1, at: layout.detailTop - 1, &frame)
    }
    frame.rule(layout.detailTop - 1)
    let lines = detail.lines(width: frame.columns - 2, height: height)
    write(lines.prefix(height), at: layout.detailTop, &frame)
    if lines.count > height { frame.grid.write("›", endingAt: frame.columns - 1, frame.bottom - 1, .dim) }
    return true
  }

  /// The result, and what else has room.
  private func drawShort(_ detail: RecordDetail, rows: Int, at row: Int, _ frame: inout Frame) -> Bool {
    let (lines, hasNotes) = detail.shortLines(width: frame.columns - 2, rows: rows)
    write(lines.prefix(rows), at: row, &frame)
    return hasNotes
  }

  /// What stands in a row of the screen, of what is told under the fields.
  func detailLine(at row: Int, _ layout: RecordLayout) -> RecordDetail.Line? {
    guard desk.size.rows >= RecordLayout.rowsWithDetail else { return nil }
    let height = desk.size.rows - 2 - layout.detailTop
    let lines = RecordDetail(desk: desk, shown: shown, field: selectedField)
      .lines(width: desk.size.columns - 2, height: height).prefix(height)
    let index = row - layout.detailTop
    return lines.indices.contains(index) ? lines[index] : nil
  }

  private func write(_ lines: ArraySlice<RecordDetail.Line>, at row: Int, _ frame: inout Frame) {
    for (index, line) in lines.enumerated() {
      let right = line.right.isEmpty ? 0 : DisplayText.width(line.right) + 2
      frame.grid.write(line.left, at: 1, row + index, width: max(0, frame.columns - 2 - right))
      frame.grid.write(line.right, endingAt: frame.columns - 1, row + index, .dim)
    }
  }
}

extension RecordConflict {
  /// The time that stands over a side's column: the newest of its changed fields, else the newest of all.
  func commonTime(_ side: Side) -> Int64? {
    if case .deleted(let time) = version(side) { return time }
    let changed = fields.filter { side == .ancestor || $0.version(side)?.value != $0.ancestor?.value }
    return (changed.isEmpty ? Array(fields) : changed).compactMap { $0.version(side)?.time }.max()
  }
}
