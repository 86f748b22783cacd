import Merging
import StoreInterface
import Terminal

extension DeskState {
  package func draw() -> Grid {
    guard size.columns >= 40, size.rows >= 10 else { return TooSmallScreen(state: self).draw() }
    return top.draw(self)
  }

  func drawBelow() -> Grid {
    var below = self
    below.pages.removeLast()
    below.status = nil
    return below.draw()
  }

  func drawRecord(_ page: RecordPage) -> Grid {
    guard let record = open[page.id] else { return ReadingScreen(state: self, id: page.id).draw() }
    if size.columns < 60 { return NarrowRecordScreen(self, page, record).draw() }
    if let layout = WideLayout(self) { return drawWide(page, record, layout) }
    return RecordScreen(self, page, record).draw()
  }

  /// Wide screens add the list, and the tree, instead of stretching columns.
  private func drawWide(_ page: RecordPage, _ record: DecidedConflict, _ layout: WideLayout) -> Grid {
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
      let panel = TreeBeside(state: self, record: ShownRecord(record, leaf: page.leaf))
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

  func draw() -> Grid {
    var grid = Grid(state.size)
    let lines = [
      "Parley needs 40x10.", "Here: \(state.size.columns)x\(state.size.rows).",
      "\(state.list.openCount) open.", state.hints(width: state.size.columns) { $0 == .quit || $0 == .back },
    ]
    for (row, line) in lines.enumerated() { grid.write(line, at: 0, row) }
    return grid
  }
}

struct ReadingScreen {
  let state: DeskState
  let id: String

  func draw() -> Grid {
    var frame = Frame(state.size)
    frame.header([Run(state.shownTitle(of: id))])
    frame.grid.write("Reading...", at: 4, 3, .dim)
    return frame.footer(state)
  }
}

/// What every screen has: a header, a rule under it, a rule over the footer, and the footer made from the keymap.
struct Frame {
  var grid: Grid

  init(_ size: Size) { grid = Grid(size) }

  var columns: Int { grid.size.columns }
  /// The row of the lower rule.
  var bottom: Int { grid.size.rows - 2 }

  mutating func header(_ left: [Run], right: [Run] = []) {
    title(left, right: right)
    rule(1)
  }

  mutating func title(_ left: [Run], right: [Run]) {
    let width = right.reduce(0) { $0 + DisplayText.width($1.text) }
    grid.write(left, at: 1, 0, width: max(0, columns - width - 4))
    grid.write(right, at: max(1, columns - width - 1), 0)
  }

  mutating func rule(_ row: Int) { grid.fill("─", row: row, .dim) }

  /// The keys; in their place a status, until the next key.
  ///
  /// - Parameters:
  ///   - keepsHints: shows the keys under the status, where a screen would say nothing else of what to do.
  ///   - isLonger: whether there is more than the screen shows.
  /// - Returns: the whole frame.
  @discardableResult
  mutating func footer(_ state: DeskState, keepsHints: Bool = false, isLonger: Bool = false) -> Grid {
    rule(bottom)
    if let status = state.status { grid.write(status, above: keepsHints ? bottom + 1 : bottom + 2) }
    if state.status == nil || keepsHints {
      grid.write(state.hints(width: columns - 2, isLonger: isLonger), at: 1, bottom + 1, .dim)
    }
    return grid
  }
}

extension Grid {
  mutating func write(lines: some Sequence<[Run]>, at column: Int, _ row: Int, width: Int = .max) {
    for (index, line) in lines.enumerated() { write(line, at: column, row + index, width: width) }
  }

  /// Writes a status in the lines before `row`: in as many as it needs, so that none is cut on a narrow screen.
  mutating func write(_ status: Status, above row: Int) {
    let ink: Ink = status.isFailure ? .failed.bold : .text
    let lines = [Run(status.text, ink)].wrapped(size.columns - 2, most: 4)
    for (index, line) in lines.enumerated() {
      let row = row - lines.count + index
      fill(" ", row: row)
      write(line, at: 1, row, width: size.columns - 2)
    }
  }
}

extension Array where Element == Run {
  var width: Int { reduce(0) { $0 + DisplayText.width($1.text) } }
}

extension Ink {
  static func side(_ side: Side) -> Ink {
    switch side {
    case .ancestor: .ancestor
    case .client: .client
    case .server: .server
    }
  }
}

extension Certainty {
  var ink: Ink { self == .yours ? .needs.bold : self == .byClock ? .text : .dim }
}
