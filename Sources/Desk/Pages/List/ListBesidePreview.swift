import Terminal

/// The list on a wide screen, and beside it the record or the finding under its cursor, as Enter opens it.
struct ListBesidePreview {
  private let desk: DeskState
  private let start: Int

  /// nil where there is no room for both.
  init?(_ desk: DeskState) {
    guard let start = WideLayout.previewStart(desk) else { return nil }
    (self.desk, self.start) = (desk, start)
  }

  func draw() -> Grid {
    let list = ListScreen(desk)
    var frame = Frame(desk.size)
    frame.grid.draw(list.draw(withFooter: false), at: 0, 0)
    frame.grid.draw(preview, at: start, 0)
    for row in 0..<frame.bottom { frame.grid.write("│", at: start - 1, row, .dim) }
    frame.grid.fill(" ", row: frame.bottom + 1)
    _ = frame.footer(desk)
    list.drawPlace(&frame.grid)
    return frame.grid
  }

  /// There is one cursor, that of the list.
  private var preview: Grid {
    var grid = page
    grid.deselect()
    for row in 0..<grid.size.rows where grid[0, row].text == "▸" { grid.put(" ", at: 0, row) }
    return grid
  }

  private var page: Grid {
    var part = desk.narrowed(to: desk.size.columns - start)
    (part.status, part.waits) = (nil, [:])
    switch desk.list.selected {
    case nil: return Grid(part.size)
    case .finding(let finding)?:
      let page = FindingPage(finding: finding)
      part.pages = [.finding(page)]
      return page.draw(part)
    case .conflict(let summary)?:
      let page = desk.recordPage(summary.id)
      part.pages = [.record(page)]
      return page.drawBesideList(part)
    }
  }
}
