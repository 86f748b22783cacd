import Merging
import Telling
import Terminal

/// The columns of a whole value.
enum ValueColumn: Hashable {
  case side(Side)
  case result

  var ink: Ink {
    switch self {
    case .side(let side): .side(side)
    case .result: .result
    }
  }

  var side: Side? { if case .side(let side) = self { side } else { nil } }

  var letter: String { side?.letter ?? "R" }
}

/// A value in rows: its columns beside each other, or under each other where something differs.
struct ValueRows {
  struct Row {
    /// What stands before it: the sign of its changes, or a side's letter.
    var margin: [Run] = []
    /// One for each column; one alone goes through all of them.
    var cells: [[Run]]
    /// Whose line it is, where the sides stand under each other.
    var side: Side?
    /// The columns whose text goes on in the next row, as it had no room in this one.
    var goingOn: Set<Int> = []
  }

  /// Rows that follow each other, made when somebody looks at them: of a blob there may be a hundred thousand.
  private struct Block {
    let start: Int
    let row: (Int) -> Row
  }

  private var blocks: [Block] = []
  private(set) var count = 0
  /// The first row of each change, by its place.
  private(set) var starts: [Int: Int] = [:]

  init() {}

  /// Of one column.
  init(_ lines: [WrappedLine]) {
    for line in lines { add(Row(lines: [line])) }
  }

  mutating func add(_ row: Row, changes: [Int] = []) { add(1, changes: changes) { _ in row } }

  mutating func add(_ more: Int, changes: [Int] = [], row: @escaping (Int) -> Row) {
    guard more > 0 else { return }
    for change in changes where starts[change] == nil { starts[change] = count }
    blocks.append(Block(start: count, row: row))
    count += more
  }

  subscript(place: Int) -> Row {
    var (low, high) = (0, blocks.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if blocks[middle].start <= place { low = middle } else { high = middle }
    }
    return blocks[low].row(place - blocks[low].start)
  }
}

extension ValueRows.Row {
  /// - Parameter lines: one for each column.
  init(margin: [Run] = [], lines: [WrappedLine], side: Side? = nil) {
    let goingOn = Set(lines.indices.filter { lines[$0].goesOn })
    self.init(margin: margin, cells: lines.map(\.runs), side: side, goingOn: goingOn)
  }
}

/// Makes rows of a text.
struct ValueRowMaker {
  let columns: [ValueColumn]
  let isStacked: Bool
  /// Whether each line is a key of JSON.
  let areKeys: Bool
  /// Of a column.
  let width: Int
  /// What stands in a column for a change.
  let runs: (Int, ValueColumn) -> [Run]
  /// The sign before the lines of some changes.
  let sign: ([Int]) -> [Run]
  /// Whether two sides have the same in a change, whatever is shown of them.
  let areSame: (Int, Side, Side) -> Bool
  /// What is told of how the same is seen that is left out.
  var wayToSame = ""

  func rows(_ text: FoldedText) -> ValueRows {
    var rows = ValueRows()
    for block in text.blocks {
      switch block {
      case .folded(let lines, let bytes): rows.add(fold(sameWords(lines, bytes)))
      case .foldedChanges(let count): rows.add(fold("\(count) more change\(count == 1 ? "" : "s")"))
      case .same(let fragments): addSame(fragments, to: &rows)
      case .changed(let fragments, let changes): addChanged(fragments, changes, to: &rows)
      }
    }
    return rows
  }

  private func fold(_ words: String) -> ValueRows.Row {
    ValueRows.Row(cells: [[Run("··· \(words) ···", .dim)]])
  }

  private func sameWords(_ lines: Int, _ bytes: Int) -> String {
    (lines > 0 ? "\(lines) line\(lines == 1 ? "" : "s") the same" : "\(bytesInWords(bytes)) the same")
      + wayToSame
  }

  private func addSame(_ fragments: [FoldedText.Fragment], to rows: inout ValueRows) {
    if isStacked {
      for line in runs(fragments, nil).wrappedLines(width) { rows.add(ValueRows.Row(lines: [line])) }
    } else {
      addLines(columns.map { runs(fragments, $0) }, margin: [], [], to: &rows)
    }
  }

  private func addChanged(_ all: [FoldedText.Fragment], _ changes: [Int], to rows: inout ValueRows) {
    let path = longPath(all)
    let fragments = Array(all.dropFirst(path.count))
    var margin = sign(changes)
    if !path.isEmpty {
      add(path: path, margin: margin, changes, to: &rows)
      margin = [Run("  ")]
    }
    guard isStacked else {
      return addLines(columns.map { runs(fragments, $0) }, margin: margin, changes, to: &rows)
    }
    for (column, letters) in told(columns, of: changes) {
      let lines = runs(fragments, column).wrappedWithoutEnd(width)
      for (index, line) in lines.enumerated() {
        let letter = Run(index == 0 ? letters : "", column.ink.bold)
        let row = ValueRows.Row(margin: margin + [letter], lines: [line], side: column.side)
        rows.add(row, changes: changes)
        margin = [Run("  ")]
      }
    }
  }

  /// The path of a key that would leave little room beside it for what each side has there.
  private func longPath(_ fragments: [FoldedText.Fragment]) -> ArraySlice<FoldedText.Fragment> {
    guard areKeys else { return [] }
    let path = fragments.prefix { if case .change = $0 { false } else { true } }
    return runs(Array(path), nil).width * 2 > width ? path : []
  }

  /// It stands once, above the sides.
  private func add(
    path: ArraySlice<FoldedText.Fragment>, margin: [Run], _ changes: [Int], to rows: inout ValueRows
  ) {
    let whole = isStacked ? width : width * columns.count + 3 * (columns.count - 1)
    for (index, line) in runs(Array(path), nil).wrappedLines(whole).enumerated() {
      rows.add(ValueRows.Row(margin: index == 0 ? margin : [], lines: [line]), changes: changes)
    }
  }

  /// Sides that have the same stand in one line: `A=S`.
  private func told(_ columns: [ValueColumn], of changes: [Int]) -> [(ValueColumn, letters: String)] {
    let told: [(column: ValueColumn, letters: String)] = columns.reduce(into: []) { told, column in
      let same = told.firstIndex { areSame($0.column, column, changes) }
      if let same { told[same].letters += "=" + column.letter } else { told.append((column, column.letter)) }
    }
    // All three do not fit before the value.
    return told.map { ($0.column, $0.letters.count > 3 ? "all" : $0.letters) }
  }

  private func areSame(_ left: ValueColumn, _ right: ValueColumn, _ changes: [Int]) -> Bool {
    guard case .side(let left) = left, case .side(let right) = right else { return false }
    return changes.allSatisfy { areSame($0, left, right) }
  }

  /// One line of a text: in each column as many lines of the screen as the longest of them takes.
  private func addLines(_ cells: [[Run]], margin: [Run], _ changes: [Int], to rows: inout ValueRows) {
    let lines = cells.map { $0.wrappedWithoutEnd(width) }
    for index in 0..<(lines.map(\.count).max() ?? 0) {
      let row = ValueRows.Row(
        margin: index == 0 ? margin : [],
        lines: lines.map { $0.indices.contains(index) ? $0[index] : WrappedLine(runs: []) })
      rows.add(row, changes: changes)
    }
  }

  private func runs(_ fragments: [FoldedText.Fragment], _ column: ValueColumn?) -> [Run] {
    fragments.flatMap { fragment in
      switch fragment {
      case .text(let text): [Run(text, column?.ink ?? .text)]
      case .gap(let bytes): [Run(" ··· \(sameWords(0, bytes)) ··· ", .dim)]
      case .change(let place): column.map { runs(place, $0) } ?? []
      }
    }
  }
}

extension [Run] {
  /// What ends with a newline has no empty line after it.
  fileprivate func wrappedWithoutEnd(_ width: Int) -> [WrappedLine] {
    let lines = wrappedLines(width)
    return lines.count > 1 && lines.last?.runs.isEmpty == true ? lines.dropLast() : lines
  }
}
