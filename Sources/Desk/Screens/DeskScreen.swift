import Merging
import Terminal

extension DeskState {
  /// The frame for this state.
  package func draw() -> Grid {
    guard size.columns >= 40, size.rows >= 10 else { return TooSmallScreen(self).draw() }
    return switch pages.last {
    case nil: ListScreen(self).draw()
    case .record(let page)?: drawRecord(page)
    case .value(let page)?: ValueScreen(self, page).draw()
    case .editor(let page)?: EditorScreen(self, page).draw(over: drawBelow())
    case .review(let page)?: ReviewScreen(self, page).draw()
    case .alternatives(let page)?: AlternativesScreen(self, page).draw()
    case .walkthrough(let page)?: WalkthroughScreen(self, page).draw()
    case .tree(let page)?: TreeScreen(self, page).draw()
    case .finding(let page)?: FindingScreen(self, page).draw()
    case .text(let page)?: TextScreen(self, page).draw()
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
    if size.columns < 60 { return NarrowRecordScreen(self, page, record).draw() }
    if let layout = WideLayout(self) { return drawWide(page, record, layout) }
    return RecordScreen(self, page, record).draw()
  }

  /// Wide screens add the list, and the tree, instead of stretching columns.
  private func drawWide(_ page: RecordPage, _ record: OpenConflict, _ layout: WideLayout) -> Grid {
    var list = self
    list.size = Size(columns: WideLayout.listWidth, rows: size.rows)
    list.pages = []
    list.status = nil
    var grid = Grid(size)
    grid.draw(ListScreen(list).draw(withFooter: false), at: 0, 0)
    let part = recordPart
    grid.draw(RecordScreen(part.state, page, record).draw(), at: part.start, 0)
    var rules = [part.start - 1]
    if layout.treeWidth > 0 {
      let start = part.start + layout.recordWidth + 1
      let panel = TreeBeside(self, ShownRecord(record, leaf: page.leaf))
      grid.draw(panel.draw(Size(columns: layout.treeWidth, rows: size.rows)), at: start, 0)
      rules.append(start - 1)
    }
    for rule in rules { for row in 0..<size.rows { grid.write("│", at: rule, row, .dim) } }
    return grid
  }

  /// The desk as the record's part of the screen sees it, and the column that part begins at.
  var recordPart: (state: DeskState, start: Int) {
    guard let layout = WideLayout(self) else { return (self, 0) }
    var part = self
    part.size = Size(columns: layout.recordWidth, rows: size.rows)
    return (part, WideLayout.listWidth + 1)
  }
}

/// How list, record and tree share a wide screen; nil where there is room for the record alone.
struct WideLayout {
  static let listWidth = 52
  let recordWidth: Int
  /// 0 in a store without trees, and where the record needs the room.
  let treeWidth: Int

  init?(_ state: DeskState) {
    guard state.size.columns >= 160 else { return nil }
    let rest = state.size.columns - Self.listWidth - 1
    // A record has its column of results from 100 columns on.
    let spare = rest - 100 - 1
    treeWidth = state.store.can.contains(.tellTrees) && spare >= 40 ? min(60, spare) : 0
    recordWidth = treeWidth > 0 ? rest - treeWidth - 1 : rest
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
      state.hints(width: state.size.columns) { $0 == .quit || $0 == .back },
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
    frame.header([Run(state.shownTitle(of: id))], right: [])
    frame.rule(1)
    frame.grid.write("Reading...", at: 4, 3, .dim)
    frame.footer(state)
    return frame.grid
  }
}
