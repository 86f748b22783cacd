/// One line of a drawn revision tree.
public struct RevisionTreeLine: Sendable, Equatable {
  public var text: String
  /// The leaf that this line ends in; nil for a line that stands for several.
  public var leaf: String?

  public init(text: String, leaf: String?) {
    self.text = text
    self.leaf = leaf
  }
}

extension RevisionTreePicture {
  /// The tree as text, one line for each leaf. Of the branches that leave one revision only the best `shown` are drawn if
  /// they are simple, and a line tells of the others: a document may have hundreds of leaves.
  ///
  /// What is shortened: ids to their first digits, and a stretch of revisions that nothing leaves to "⋯ 12 ⋯". A revision
  /// without a body stands in brackets.
  public func lines(shown: Int = 5) -> [RevisionTreeLine] {
    var drawing = TreeDrawing(picture: self, shown: max(1, shown))
    return drawing.draw()
  }
}

private struct TreeDrawing {
  let picture: RevisionTreePicture
  let shown: Int
  /// The branches that leave each branch, by the place they leave it at.
  private let forks: [[Int: [Int]]]
  private var lines: [RevisionTreeLine] = []

  init(picture: RevisionTreePicture, shown: Int) {
    self.picture = picture
    self.shown = shown
    var forks: [[Int: [Int]]] = Array(repeating: [:], count: picture.branches.count)
    for (index, branch) in picture.branches.enumerated() {
      if let fork = branch.fork { forks[fork.branch][fork.revision, default: []].append(index) }
    }
    self.forks = forks
  }

  /// What is still to be drawn: the last is next.
  private enum Task {
    case branch(Int, column: Int, isLast: Bool?, bars: [Int])
    case rest(Int, column: Int, bars: [Int])
  }

  mutating func draw() -> [RevisionTreeLine] {
    var tasks = picture.branches.indices.filter { picture.branches[$0].fork == nil }.reversed().map {
      Task.branch($0, column: 0, isLast: nil, bars: [])
    }
    while let task = tasks.popLast() {
      switch task {
      case .branch(let branch, let column, let isLast, let bars):
        tasks += draw(branch, column, isLast, bars)
      case .rest(let count, let column, let bars):
        let text = TreeDrawing.indent(column, bars) + "└─ ⋯ \(count) more \(count == 1 ? "leaf" : "leaves")"
        lines.append(RevisionTreeLine(text: text, leaf: nil))
      }
    }
    return lines
  }

  /// Draws one branch; returns what leaves it, so that what leaves it last is drawn first and no line crosses another.
  private mutating func draw(_ index: Int, _ column: Int, _ isLast: Bool?, _ bars: [Int]) -> [Task] {
    var text = TreeDrawing.indent(column, bars)
    if let isLast { text += isLast ? "└─ " : "├─ " }
    var columns: [Int: Int] = [:]
    append(picture.branches[index], forks[index], to: &text, &columns)
    lines.append(RevisionTreeLine(text: text, leaf: picture.branches[index].revisions.last?.id))
    let below = isLast == false ? bars + [column] : bars
    return tasks(of: index, columns, below)
  }

  private func tasks(of index: Int, _ columns: [Int: Int], _ bars: [Int]) -> [Task] {
    var tasks: [Task] = []
    var bars = bars
    for (place, branches) in forks[index].sorted(by: { $0.key < $1.key }) {
      let column = columns[place] ?? 0
      tasks += self.tasks(branches, column, bars)
      bars.append(column)
    }
    return tasks
  }

  private func tasks(_ branches: [Int], _ column: Int, _ bars: [Int]) -> [Task] {
    let simple = branches.dropFirst(shown).filter { forks[$0].isEmpty }
    let hidden = simple.count > 1 ? Set(simple) : []
    let drawn = branches.filter { !hidden.contains($0) }
    var tasks: [Task] = hidden.isEmpty ? [] : [.rest(hidden.count, column: column, bars: bars)]
    for (offset, branch) in drawn.reversed().enumerated() {
      tasks.append(.branch(branch, column: column, isLast: offset == 0 && hidden.isEmpty, bars: bars))
    }
    return tasks
  }

  private static func indent(_ column: Int, _ bars: [Int]) -> String {
    var cells = Array(repeating: Character(" "), count: column)
    for bar in bars where bar < column { cells[bar] = "│" }
    return String(cells)
  }
}

/// The revisions of one branch, in a row.
extension TreeDrawing {
  /// - Parameter columns: gets the column at which each revision begins that something leaves.
  private func append(
    _ branch: RevisionTreePicture.Branch, _ forks: [Int: [Int]], to text: inout String,
    _ columns: inout [Int: Int]
  ) {
    let last = branch.revisions.count - 1
    func isKept(_ place: Int) -> Bool { place <= 0 || place >= last - 1 || forks[place] != nil }
    var before: Int?
    // One revision alone takes no more room than to tell of it.
    for place in branch.revisions.indices where isKept(place) || isKept(place - 1) && isKept(place + 1) {
      if let before { text += place == before + 1 ? " ── " : " ─ ⋯ \(place - before - 1) ⋯ ─ " }
      columns[place] = text.count
      text += label(branch.revisions[place])
      before = place
    }
    text += mark(branch.revisions[last])
  }

  private func label(_ revision: RevisionTreePicture.Revision) -> String {
    let short = TreeDrawing.short(revision.id)
    return revision.hasBody || revision.isDeleted ? short : "(\(short))"
  }

  private func mark(_ leaf: RevisionTreePicture.Revision) -> String {
    switch (leaf.id == picture.winner, leaf.isDeleted) {
    case (true, false): "   winner"
    case (true, true): "   winner, deleted"
    case (false, true): "   deleted"
    case (false, false): ""
    }
  }

  /// Generation and six digits.
  private static func short(_ id: String) -> String {
    guard let dash = id.firstIndex(of: "-") else { return String(id.prefix(12)) }
    return String(id[...dash] + id[id.index(after: dash)...].prefix(6))
  }
}
