import Merging
import Telling
import Terminal

/// Where the parts of the record screen stand; drawing and the mouse agree on it.
struct RecordLayout {
  static let nameColumn = 4
  /// The first row of the fields.
  let top: Int
  /// Rows for fields.
  let height: Int
  /// Lines a field takes: two where there is room for a reason under its value.
  let fieldHeight: Int
  /// The first field shown.
  let first: Int
  let fieldCount: Int
  /// Where the cells of A, C, S and the result start.
  let starts: [Int]
  let detailTop: Int
  let hasResultColumn: Bool

  init?(_ state: DeskState, _ page: RecordPage, _ record: OpenConflict) {
    let size = state.size
    guard size.columns >= 60 else { return nil }
    hasResultColumn = size.columns >= 100
    let longest = state.shownFields(record).map { DisplayText.width(state.privacy.name($0.name)) }.max() ?? 0
    let names = Self.nameColumn + 2 + max(8, min(longest, hasResultColumn ? 18 : 12))
    let letters = hasResultColumn ? 0 : 7
    let cells = hasResultColumn ? 4 : 3
    let cell = (size.columns - names - letters) / cells
    starts = (0...3).map { names + $0 * cell }

    fieldCount = state.shownFields(record).count
    fieldHeight = hasResultColumn && size.rows >= 30 ? 2 : 1
    top = hasResultColumn ? 5 : 4
    let detail = size.rows >= 20 ? max(9, (size.rows - 16) / 2) : 0
    let rows = size.rows - 2 - top - 1 - (detail > 0 ? detail + 1 : 0)
    height = max(1, min(rows, max(1, fieldCount) * fieldHeight))
    let shown = max(1, height / fieldHeight)
    first = max(0, min(state.selected(record, page) - shown / 2, fieldCount - shown))
    detailTop = top + height + 2
  }

  /// The field drawn at a row of the screen.
  func field(at row: Int) -> Int? {
    guard (top..<top + height).contains(row) else { return nil }
    let field = first + (row - top) / fieldHeight
    return field < fieldCount ? field : nil
  }

  func side(at column: Int) -> Side? {
    for (index, side) in Side.allCases.enumerated() where (starts[index]..<starts[index + 1]).contains(column)
    {
      return side
    }
    return nil
  }
}
