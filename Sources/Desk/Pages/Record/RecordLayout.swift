import Merging
import StoreInterface
import Telling
import Terminal

/// Where the parts of the record screen stand; drawing and the mouse agree on it.
struct RecordLayout {
  static let nameColumn = 4
  /// A screen of less tells of the field under the cursor only what it becomes.
  static let rowsWithDetail = 20
  /// The first row of the fields.
  let top: Int
  /// Rows for fields.
  let height: Int
  /// The fields shown, and the rows of each.
  let places: [(field: Int, rows: Range<Int>)]
  /// Where the cells of A, C, S and the result start.
  let starts: [Int]
  let detailTop: Int
  let hasResultColumn: Bool

  init?(_ desk: DeskState, _ page: RecordPage, _ record: DecidedConflict) {
    guard desk.size.columns >= 60 else { return nil }
    let (room, fields) = (Room(desk.size), page.fields(of: record, on: desk))
    (hasResultColumn, top) = (room.hasResultColumn, room.top)
    let starts = room.starts(of: fields.map { DisplayText.width(desk.privacy.name($0.name)) })
    let count = max(1, min(fields.count, room.rows / room.fieldHeight))
    let first = max(0, min(page.selected(in: record, on: desk) - count / 2, fields.count - count))
    let cells = CellText(shown: ShownRecord(record, leaf: page.leaf), privacy: desk.privacy)
    let wanted = fields.dropFirst(first).prefix(count).map { room.wanted(by: $0, in: cells, starts) }
    self.starts = starts
    let heights = shares(of: room.rows, among: wanted, atLeast: room.fieldHeight)
    places = Self.places(of: heights, from: top).enumerated().map { (field: first + $0, rows: $1) }
    height = max(1, heights.reduce(0, +))
    detailTop = top + height + 2
  }

  private static func places(of heights: [Int], from top: Int) -> [Range<Int>] {
    var row = top
    return heights.map { height in
      defer { row += height }
      return row..<row + height
    }
  }

  /// What a screen has for the fields.
  private struct Room {
    let size: Size
    let hasResultColumn: Bool
    let top: Int
    /// Of a field at least: two lines where there is room for a reason under the value.
    let fieldHeight: Int
    /// For all fields.
    let rows: Int

    init(_ size: Size) {
      self.size = size
      hasResultColumn = size.columns >= 100
      top = hasResultColumn ? 5 : 4
      fieldHeight = hasResultColumn && size.rows >= 30 ? 2 : 1
      let detail = size.rows >= RecordLayout.rowsWithDetail ? max(9, (size.rows - 16) / 2) : 0
      // Where there is no room for the detail, its result has a line.
      rows = size.rows - 2 - top - 1 - (detail > 0 ? detail + 1 : 1)
    }

    /// - Parameter names: how wide the names of the fields are.
    func starts(of names: [Int]) -> [Int] {
      let longest = max(8, min(names.max() ?? 0, hasResultColumn ? 18 : 12))
      let first = RecordLayout.nameColumn + 2 + longest
      let letters = hasResultColumn ? 0 : 7
      let cell = (size.columns - first - letters) / (hasResultColumn ? 4 : 3)
      return (0...3).map { first + $0 * cell }
    }

    /// How many rows would show all of it: what no other field needs is for values that are cut.
    func wanted(by field: FieldConflict, in cells: CellText, _ starts: [Int]) -> Int {
      if fieldHeight == 1 { return 1 }
      let reason = [Run(field.suggestion.reason.words())].wrapped(size.columns - starts[3], most: 3).count
      let lines = cells.lines(of: field, width: starts[1] - starts[0] - 2, most: rows)
      return max(1 + lines, 1 + reason)
    }
  }

  /// The field drawn at a row of the screen.
  func field(at row: Int) -> Int? { places.first { $0.rows.contains(row) }?.field }

  func side(at column: Int) -> Side? {
    for (index, side) in Side.allCases.enumerated() where (starts[index]..<starts[index + 1]).contains(column)
    {
      return side
    }
    return nil
  }
}

/// The text of a value as far as a cell shows it: of one that differs, where it does.
struct CellText {
  /// More of a value than any cell has room for.
  static let limit = 4_000
  /// In bytes: to compare longer texts once more in every frame would be felt.
  static let longest = 100_000

  let shown: ShownRecord
  let privacy: Privacy

  func line(_ value: Value?, _ field: FieldConflict, width: Int) -> String {
    let whole = privacy.line(value, of: shown.inColumns(field), in: shown.conflict)
    let isLong = field.change != .unchanged && whole.utf8.count > width
    let line = (isLong ? changed(whole, value, field, width: width) : nil) ?? whole
    return line.hasSuffix("\n") && allEndALine(field) ? String(line.dropLast()) : line
  }

  /// From where it differs from the ancestor; where client and server read the same so, from where they differ from each other.
  private func changed(_ whole: String, _ value: Value?, _ field: FieldConflict, width: Int) -> String? {
    guard let changed = shown.changedTexts(field, privacy) else { return nil }
    let line = changed.cell(whole, width: width)
    guard field.change == .different, whole.utf8.count <= Self.longest,
      let client = shown.version(field, .client)?.value, let server = shown.version(field, .server)?.value,
      client != server, [client, server].contains(value)
    else { return line }
    let other = privacy.line(
      value == client ? server : client, of: shown.inColumns(field), in: shown.conflict)
    let isSame =
      DisplayText.cut(line, to: width) == DisplayText.cut(changed.cell(other, width: width), to: width)
    return isSame ? ChangedTexts([other, whole])?.cell(whole, width: width) ?? line : line
  }

  /// As the text of a file does: a mark of it in each cell would tell nobody anything.
  private func allEndALine(_ field: FieldConflict) -> Bool {
    Side.allCases.compactMap { shown.version(field, $0)?.value }.allSatisfy { value in
      if case .text(let text) = value { text.utf8.last == UInt8(ascii: "\n") } else { false }
    }
  }

  /// All of it if there are lines enough, else from shortly before what differs, with a last line that is cut, or says that there
  /// are more.
  func lines(_ value: Value?, _ field: FieldConflict, width: Int, most: Int) -> [String] {
    guard most > 1 else { return [line(value, field, width: width)] }
    let lines = allLines(value, field, width: width, seen: most)
    guard lines.count > most else { return lines }
    let last = String(lines[most - 1].reversed().drop { $0 == " " }.reversed())
    if last.isEmpty { return lines.prefix(most - 1) + [lines[most] + " ›"] }
    let goesOn = last + " " + lines[most]
    return lines.prefix(most - 1) + [DisplayText.width(goesOn) > width ? goesOn : last + " ›"]
  }

  /// What begins in a place of so many lines, and how it goes on behind it.
  func allLines(_ value: Value?, _ field: FieldConflict, width: Int, seen most: Int) -> [String] {
    let line = privacy.line(value, of: shown.inColumns(field), in: shown.conflict)
    let changed = field.change == .unchanged ? nil : shown.changedTexts(field, privacy)
    let start = changed?.start(of: line, lines: most, width: width) ?? 0
    let text = (start > 0 ? "…" : "") + line.part(start, line.utf8.count).prefix(Self.limit)
    let lines = [Run(text)].wrapped(width).withoutEmptyEnd.map { $0.map(\.text).joined() }
    return lines.isEmpty ? [text] : lines
  }

  /// How many lines it fills. Of a very long one that is not looked for.
  func count(_ value: Value?, _ field: FieldConflict, width: Int, most: Int) -> Int {
    let line = privacy.line(value, of: shown.inColumns(field), in: shown.conflict)
    return line.utf8.count > Self.longest ? most : lines(value, field, width: width, most: most).count
  }

  /// How many lines the longest cell of a field would fill.
  func lines(of field: FieldConflict, width: Int, most: Int) -> Int {
    let values = Side.allCases.map { shown.version(field, $0)?.value } + [result(field)]
    return values.map { count($0, field, width: width, most: most) }.max() ?? 1
  }

  /// What would be written; nil while a person has to choose.
  func result(_ field: FieldConflict) -> Value? {
    let choice = shown.record.resolution[.field(field.name)]
    return choice == nil && field.suggestion.certainty == .yours ? nil : field.draft(choice).value
  }
}

/// How many of so many lines each of several gets: what it has to have, then line by line what it wants, the first before the next.
func shares(of lines: Int, among wanted: [Int], atLeast least: Int = 1) -> [Int] {
  var shares = Array(repeating: least, count: wanted.count)
  var spare = lines - least * wanted.count
  while spare > 0,
    let place = wanted.indices.filter({ shares[$0] < wanted[$0] }).min(by: { shares[$0] < shares[$1] })
  {
    shares[place] += 1
    spare -= 1
  }
  return shares
}

extension [[Run]] {
  /// Without the lines at its end in which nothing stands, as after the last line break of a text.
  var withoutEmptyEnd: [[Run]] {
    let last = lastIndex { line in line.contains { !$0.text.isEmpty } }
    return last.map { Array(prefix($0 + 1)) } ?? Array(prefix(1))
  }
}
