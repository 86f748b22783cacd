import Merging

/// One line of a drawn revision tree: a branch from where it leaves its parent branch to its leaf, or a word on branches that
/// are left out.
package struct RevisionTreeLine: Sendable, Equatable {
  package enum Piece: Sendable, Equatable {
    case stroke(String)
    /// A revision, by its place in the branch.
    case revision(String, place: Int)
    /// A stretch of revisions that is left out.
    case gap(String, places: Range<Int>)

    package var text: String {
      switch self {
      case .stroke(let text), .revision(let text, _), .gap(let text, _): text
      }
    }

    /// The revisions it stands for.
    package var places: Range<Int> {
      switch self {
      case .stroke: 0..<0
      case .revision(_, let place): place..<place + 1
      case .gap(_, let places): places
      }
    }
  }

  /// The column in which the pieces begin.
  package var column: Int
  /// The columns left of it in which a stroke goes on from a line above to one below.
  package var bars: [Int]
  package var pieces: [Piece]
  /// The branch that this line draws; nil for a line that stands for several.
  package var branch: Int?
  /// The leaf that this line ends in; nil for a line that stands for several.
  package var leaf: String?
  package var isWinner = false
  package var isDeleted = false
  /// How many leaves it stands for.
  package var leafCount = 1

  /// The whole line, every character one column wide.
  package var text: String { indent + pieces.map(\.text).joined() + (mark.isEmpty ? "" : "   \(mark)") }

  /// What stands left of the pieces.
  package var indent: String {
    var cells = Array(repeating: Character(" "), count: column)
    for bar in bars where bar < column { cells[bar] = "│" }
    return String(cells)
  }

  /// "winner", "deleted", "winner, deleted"; empty for any other leaf.
  package var mark: String {
    [isWinner ? "winner" : "", isDeleted ? "deleted" : ""].filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

extension RevisionTreePicture {
  /// The tree as text, one line for each leaf. Of the branches that leave one revision only the best `shown` are drawn if
  /// they are simple, and a line tells of the others: a document may have hundreds of leaves.
  ///
  /// What is shortened: ids to their first digits, and a stretch of revisions that nothing leaves to "⋯ 12 ⋯". A revision
  /// without a body stands in brackets.
  package func lines(shown: Int = 5) -> [RevisionTreeLine] {
    var drawing = TreeDrawing(picture: self, shown: max(1, shown))
    return drawing.draw()
  }
}

private struct TreeDrawing {
  let picture: RevisionTreePicture
  let shown: Int
  /// The branches that leave each branch, by the place they leave it at.
  private let forks: [[Int: [Int]]]
  private let name: RevisionName
  private var lines: [RevisionTreeLine] = []

  init(picture: RevisionTreePicture, shown: Int) {
    (self.picture, self.shown) = (picture, shown)
    var forks: [[Int: [Int]]] = Array(repeating: [:], count: picture.branches.count)
    for (index, branch) in picture.branches.enumerated() {
      if let fork = branch.fork { forks[fork.branch][fork.revision, default: []].append(index) }
    }
    self.forks = forks
    name = RevisionName(toTellApart: picture.branches.flatMap { $0.revisions.map(\.id) })
  }

  /// What is still to be drawn: the last is next.
  private enum Task {
    case branch(Int, column: Int, isLast: Bool?, bars: [Int])
    case rest([Int], column: Int, bars: [Int])
  }

  mutating func draw() -> [RevisionTreeLine] {
    var tasks = picture.branches.indices.filter { picture.branches[$0].fork == nil }.reversed().map {
      Task.branch($0, column: 0, isLast: nil, bars: [])
    }
    while let task = tasks.popLast() {
      switch task {
      case .branch(let branch, let column, let isLast, let bars): tasks += draw(branch, column, isLast, bars)
      case .rest(let branches, let column, let bars): lines.append(rest(branches, column, bars))
      }
    }
    return lines
  }

  private func rest(_ branches: [Int], _ column: Int, _ bars: [Int]) -> RevisionTreeLine {
    let count = branches.count
    let deleted = branches.count { picture.branches[$0].revisions.last?.isDeleted == true }
    let words =
      "⋯ \(count) more \(count == 1 ? "leaf" : "leaves")" + (deleted > 0 ? ", \(deleted) deleted" : "")
    return RevisionTreeLine(
      column: column, bars: bars, pieces: [.stroke("└─ "), .stroke(words)], branch: nil, leaf: nil,
      leafCount: count)
  }

  /// Draws one branch; returns what leaves it, so that what leaves it last is drawn first and no line crosses another.
  private mutating func draw(_ index: Int, _ column: Int, _ isLast: Bool?, _ bars: [Int]) -> [Task] {
    let branch = picture.branches[index]
    let corner = isLast.map { $0 ? "└─ " : "├─ " }
    let pieces = (corner.map { [.stroke($0)] } ?? []) + pieces(branch, forks[index])
    let leaf = branch.revisions.last
    lines.append(
      RevisionTreeLine(
        column: column, bars: bars, pieces: pieces, branch: index, leaf: leaf?.id,
        isWinner: leaf != nil && leaf?.id == picture.winner, isDeleted: leaf?.isDeleted ?? false))
    let below = isLast == false ? bars + [column] : bars
    return tasks(of: index, columns(of: pieces, from: column), below)
  }

  /// The column in which each revision begins.
  private func columns(of pieces: [RevisionTreeLine.Piece], from column: Int) -> [Int: Int] {
    var column = column
    var columns: [Int: Int] = [:]
    for piece in pieces {
      if case .revision(_, let place) = piece { columns[place] = column }
      column += piece.text.count
    }
    return columns
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
    let hidden = simple.count > 1 ? simple : []
    let isHidden = Set(hidden)
    let drawn = branches.filter { !isHidden.contains($0) }
    var tasks: [Task] = hidden.isEmpty ? [] : [.rest(hidden, column: column, bars: bars)]
    for (offset, branch) in drawn.reversed().enumerated() {
      tasks.append(.branch(branch, column: column, isLast: offset == 0 && hidden.isEmpty, bars: bars))
    }
    return tasks
  }
}

/// The revisions of one branch, in a row.
extension TreeDrawing {
  private func pieces(_ branch: RevisionTreePicture.Branch, _ forks: [Int: [Int]]) -> [RevisionTreeLine.Piece]
  {
    let last = branch.revisions.count - 1
    func isKept(_ place: Int) -> Bool { place <= 0 || place >= last - 1 || forks[place] != nil }
    var pieces: [RevisionTreeLine.Piece] = []
    var before: Int?
    // One revision alone takes no more room than to tell of it.
    for place in branch.revisions.indices where isKept(place) || isKept(place - 1) && isKept(place + 1) {
      if let before { pieces += between(before, place) }
      pieces.append(.revision(label(branch.revisions[place]), place: place))
      before = place
    }
    return pieces
  }

  private func between(_ before: Int, _ place: Int) -> [RevisionTreeLine.Piece] {
    if place == before + 1 { return [.stroke(" ── ")] }
    return [
      .stroke(" ─ "), .gap("⋯ \(place - before - 1) ⋯", places: before + 1..<place), .stroke(" ─ "),
    ]
  }

  private func label(_ revision: RevisionTreePicture.Revision) -> String {
    let short = name.short(revision.id)
    return revision.hasBody || revision.isDeleted ? short : "(\(short))"
  }
}
