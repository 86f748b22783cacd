import Merging
import Terminal

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
    grid.write(left, at: 1, 0, width: titleWidth(beside: right))
    grid.write(right, at: max(1, columns - right.width - 1), 0)
  }

  /// What is left for a title.
  func titleWidth(beside right: [Run]) -> Int { max(0, columns - right.width - 4) }

  mutating func rule(_ row: Int) { grid.fill("─", row: row, .dim) }

  /// The keys; in their place, or on a low screen above them, a status, until the next key.
  ///
  /// - Parameter keepsHints: shows the keys under the status, where a screen would say nothing else of what to do.
  /// - Returns: the whole frame.
  @discardableResult
  mutating func footer(_ state: DeskState, isLonger: Bool? = nil, keepsHints: Bool = false) -> Grid {
    rule(bottom)
    let hasHints = state.status == nil || keepsHints || Status.leavesHints(on: grid.size)
    if hasHints { grid.write(state.hints(width: columns - 2, isLonger: isLonger), at: 1, bottom + 1, .dim) }
    var end = hasHints ? bottom + 1 : bottom + 2
    if let words = state.waitWords {
      grid.write(.told(words), above: end)
      end -= Status.told(words).lines(on: grid.size).count
    }
    if let status = state.status { grid.write(status, above: end) }
    return grid
  }
}

extension Frame {
  /// Which lines are seen, on the rule over the keys, where that is not all of them. A status may need the rule's room.
  mutating func place(first: Int, shown: Int, hidden: Int, on desk: DeskState) {
    guard hidden > 0, desk.status == nil, desk.waitWords == nil else { return }
    let words = " \(first + 1) to \(first + shown) of \(shown + hidden) ──"
    grid.write(words, endingAt: columns, bottom, .dim)
  }
}

extension Frame {
  /// What is looked for on a page stands where the keys are told otherwise.
  mutating func searchFooter(_ words: InputLine, _ desk: DeskState) -> Grid {
    rule(bottom)
    let part = InputPart(words, width: columns - 26)
    let end = grid.write(
      [Run("/ ", .text.bold), Run(part.before), Run("_", .dim), Run(part.after)], at: 1, bottom + 1)
    let room = columns - end - 4
    // No help stands behind these keys, and hints leave its gap.
    let status = desk.status.map { Run($0.text, .failed.bold) } ?? Run(desk.hints(width: room + 2), .dim)
    grid.write([status], at: end + 3, bottom + 1, width: room)
    return grid
  }
}

extension Grid {
  /// As high as its lines.
  init(lines: [[Run]], columns: Int) {
    self.init(Size(columns: columns, rows: lines.count))
    write(lines: lines, at: 1, 0, width: columns - 1)
  }

  mutating func write(lines: some Sequence<[Run]>, at column: Int, _ row: Int, width: Int = .max) {
    for (index, line) in lines.enumerated() { write(line, at: column, row + index, width: width) }
  }

  /// Writes a status in the lines before `row`: in as many as it needs, so that none is cut on a narrow screen.
  mutating func write(_ status: Status, above row: Int) {
    let ink: Ink = status.isFailure ? .failed.bold : .text
    let lines = status.lines(on: size).map { $0.map { Run($0.text, ink) } }
    for (index, line) in lines.enumerated() {
      let row = row - lines.count + index
      fill(" ", row: row)
      write(line, at: 1, row, width: size.columns - 2)
    }
  }
}

extension Status {
  /// As many as it needs, up to half of the screen.
  func lines(on size: Size) -> [[Run]] {
    [Run(text)].wrapped(size.columns - 2, cutAfter: max(4, size.rows / 2))
  }

  /// On a low screen a status is long, and may stand over most of what is there: who reads it sees how to go on.
  static func leavesHints(on size: Size) -> Bool { size.rows <= 12 }

  /// How many rows at the end of a screen it takes, with the keys that stand below it.
  func rows(on size: Size) -> Int { lines(on: size).count + (Self.leavesHints(on: size) ? 1 : 0) }
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
