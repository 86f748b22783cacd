import Merging
import Terminal

extension DeskState {
  /// The frame for this state.
  public func draw() -> Grid {
    guard size.columns >= 40, size.rows >= 10 else { return TooSmallScreen(self).draw() }
    return switch pages.last {
    case nil: ListScreen(self).draw()
    case .record(let page)?: drawRecord(page)
    case .value(let page)?: ValueScreen(self, page).draw()
    case .editor(let page)?: EditorScreen(self, page).draw(over: drawBelow())
    case .review(let page)?: ReviewScreen(self, page).draw()
    case .walkthrough(let page)?: WalkthroughScreen(self, page).draw()
    case .help(let page)?: HelpScreen(self, page).draw()
    }
  }

  private func drawBelow() -> Grid {
    var below = self
    below.pages.removeLast()
    below.status = nil
    return below.draw()
  }

  private func drawRecord(_ page: RecordPage) -> Grid {
    guard let record = open[page.id] else { return ReadingScreen(self, page.id).draw() }
    switch size.columns {
    case ..<60: return NarrowRecordScreen(self, page, record).draw()
    case 160...: return drawWide(page, record)
    default: return RecordScreen(self, page, record).draw()
    }
  }

  /// Wide screens add the list instead of stretching columns.
  private func drawWide(_ page: RecordPage, _ record: OpenConflict) -> Grid {
    let listWidth = 52
    var list = self
    list.size = Size(columns: listWidth, rows: size.rows)
    list.pages = []
    list.status = nil
    var one = self
    one.size = Size(columns: size.columns - listWidth - 1, rows: size.rows)
    var grid = Grid(size)
    grid.draw(ListScreen(list).draw(withFooter: false), at: 0, 0)
    grid.draw(RecordScreen(one, page, record).draw(), at: listWidth + 1, 0)
    for row in 0..<size.rows { grid.write("│", at: listWidth, row, .dim) }
    return grid
  }
}

/// Says what a smaller terminal needs.
struct TooSmallScreen {
  let state: DeskState

  init(_ state: DeskState) { self.state = state }

  func draw() -> Grid {
    var grid = Grid(state.size)
    let lines = [
      "Parley needs 40x10.", "Here: \(state.size.columns)x\(state.size.rows).",
      "\(state.list.openCount) open.",
      "q quits.",
    ]
    for (row, line) in lines.enumerated() { grid.write(line, at: 0, row) }
    return grid
  }
}

/// A record that is still being read.
struct ReadingScreen {
  let state: DeskState
  let id: String

  init(_ state: DeskState, _ id: String) {
    self.state = state
    self.id = id
  }

  func draw() -> Grid {
    var frame = Frame(state.size)
    frame.header([Run(state.list.summary(id)?.title ?? id)], right: [])
    frame.rule(1)
    frame.grid.write("Reading...", at: 4, 3, .dim)
    frame.footer(state)
    return frame.grid
  }
}
