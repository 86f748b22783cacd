import StoreInterface
import Terminal

extension DeskState {
  /// The desk as the record's part of the screen sees it, and the column that part begins at.
  var recordPart: (desk: DeskState, start: Int) {
    guard let layout = WideLayout(self) else { return (self, 0) }
    return (narrowed(to: layout.recordWidth), layout.listWidth + 1)
  }
}

extension DeskState {
  /// What of the list stands in a row of the screen beside a record.
  func positionBesideRecord(at row: Int) -> Int? {
    let layout = ListLayout(self)
    let position = layout.first + row - layout.top
    let isRow = (layout.top..<layout.top + layout.height).contains(row)
    return WideLayout(self) != nil && isRow && position < list.count ? position : nil
  }
}

/// How list, record and what stands beside it share a wide screen; nil where there is room for the record alone.
struct WideLayout {
  let listWidth: Int
  let recordWidth: Int
  /// 0 where the record needs the room.
  let besideWidth: Int

  private static func isWide(_ size: Size) -> Bool { size.columns >= 160 }

  /// Where what is under the list's cursor begins beside it: a record has its column of results there. nil where it stands below.
  static func previewStart(_ desk: DeskState) -> Int? { isWide(desk.size) ? desk.size.columns - 100 : nil }

  init?(_ desk: DeskState) {
    guard Self.isWide(desk.size) else { return nil }
    let hasTrees = desk.store.can.contains(.tellTrees)
    listWidth = hasTrees ? 48 : 52
    let rest = desk.size.columns - listWidth - 1
    // A record has its column of results from 100 columns on.
    let spare = rest - 100 - 1
    // A tree takes all it can get; sentences are read as well in few columns.
    let wanted = hasTrees ? spare : max(40, spare / 2)
    besideWidth = spare >= 40 ? min(60, wanted) : 0
    recordWidth = besideWidth > 0 ? rest - besideWidth - 1 : rest
  }
}
