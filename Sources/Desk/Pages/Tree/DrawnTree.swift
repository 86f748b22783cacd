import Merging
import Telling
import Terminal

/// One revision tree as far as it was read.
enum TreeReading: Sendable, Equatable {
  case none
  case reading(String)
  case read(DrawnTree)
  case failed(String)

  var id: String? {
    switch self {
    case .none: nil
    case .reading(let id), .failed(let id): id
    case .read(let tree): tree.id
    }
  }
}

/// A revision tree, drawn: with the many leaves of one revision folded into a line, and with all of them.
package struct DrawnTree: Sendable, Equatable {
  package let id: String
  let picture: RevisionTreePicture
  let liveCount: Int
  let deletedCount: Int
  private let folded: [RevisionTreeLine]
  private let unfolded: [RevisionTreeLine]

  /// Takes its time with a large tree: done in the background.
  package init(id: String, _ picture: RevisionTreePicture) {
    (self.id, self.picture) = (id, picture)
    let leaves = picture.branches.compactMap(\.revisions.last)
    liveCount = leaves.count { !$0.isDeleted }
    deletedCount = leaves.count - liveCount
    folded = picture.lines()
    unfolded = picture.lines(shown: .max)
  }

  /// Whether there are more leaves than are drawn one by one.
  var isFoldable: Bool { folded.count != unfolded.count }

  var leaves: Set<String> { Set(picture.branches.compactMap(\.revisions.last?.id)) }

  func lines(isUnfolded: Bool) -> [RevisionTreeLine] { isUnfolded ? unfolded : folded }

  /// Where a revision stands; nil if it is not there.
  func place(of id: String) -> (branch: Int, place: Int)? {
    for (branch, revisions) in picture.branches.map(\.revisions).enumerated() {
      if let place = revisions.lastIndex(where: { $0.id == id }) { return (branch, place) }
    }
    return nil
  }

  /// The line of a branch; nil if it is folded away.
  func line(of branch: Int, isUnfolded: Bool) -> Int? {
    lines(isUnfolded: isUnfolded).firstIndex { $0.branch == branch }
  }
}

/// The lines of a revision tree in a rectangle: what is deeper than it is wide is shifted so that the cursor stays in sight.
///
/// ```
/// ▸ 1-b534b6 ── 2-8d6a33 ── 3-94cc21   winner  C client
///   ├─ 2-70f546   live  S server
///   └─ 2-e1d3b2 ── 3-47aa51   deleted
/// ```
struct TreeView {
  let tree: DrawnTree
  let lines: [RevisionTreeLine]
  /// The record as its screen shows it; nil for one that is not in conflict.
  let record: ShownRecord?
  var cursor: (line: Int, place: Int?)?
  /// Without a cursor, the line whose leaf is kept in sight, with what is told of it.
  var focus = 0

  private static let gutter = 2

  func draw(_ size: Size, first: Int) -> Grid {
    var grid = Grid(size)
    var inner = Grid(Size(columns: size.columns - Self.gutter, rows: size.rows))
    let shift = shift(inner.size.columns)
    for row in 0..<size.rows {
      guard lines.indices.contains(first + row) else { break }
      draw(lines[first + row], shift, row, &inner)
    }
    grid.draw(inner, at: Self.gutter, 0)
    if let cursor, (first..<first + size.rows).contains(cursor.line) {
      grid.write("▸", at: 0, cursor.line - first)
    }
    return grid
  }

  private func draw(_ line: RevisionTreeLine, _ shift: Int, _ row: Int, _ grid: inout Grid) {
    for bar in line.bars where bar >= shift { grid.write("│", at: bar - shift, row, .dim) }
    var column = line.column - shift
    for piece in line.pieces {
      let end = column + piece.text.count
      if end > 0, column < grid.size.columns { grid.write(piece.text, at: column, row, ink(piece, line)) }
      if isUnderCursor(piece, line) { grid.select(row: row, from: column, to: end) }
      column = end
    }
    if (1..<grid.size.columns).contains(column) { grid.write(words(line), at: column + 3, row) }
    if line.column < shift { grid.write("‹", at: 0, row, .dim) }
    if column > grid.size.columns { grid.write("›", at: grid.size.columns - 1, row, .dim) }
  }

  /// How many columns are out of sight at the left.
  private func shift(_ width: Int) -> Int {
    guard lines.indices.contains(cursor?.line ?? focus) else { return 0 }
    let line = lines[cursor?.line ?? focus]
    var (start, end) = (line.column, line.column)
    for piece in line.pieces {
      let next = end + piece.text.count
      if case .stroke = piece {} else { start = end }
      end = next
      if isUnderCursor(piece, line) { break }
    }
    if cursor == nil { end += 3 + words(line).width }
    return max(0, min(start - 4, end - width + 1))
  }

  private func isUnderCursor(_ piece: RevisionTreeLine.Piece, _ line: RevisionTreeLine) -> Bool {
    guard let cursor, lines.indices.contains(cursor.line), lines[cursor.line] == line else { return false }
    guard let branch = line.branch else { return piece == line.pieces.last }
    return piece.places.contains(cursor.place ?? tree.picture.branches[branch].revisions.count - 1)
  }

  /// The column that shows this leaf.
  private func side(_ line: RevisionTreeLine) -> Side? {
    guard let record, let leaf = line.leaf else { return nil }
    return [.client, .server].first { record.revision($0) == leaf }
  }

  private func ink(_ piece: RevisionTreeLine.Piece, _ line: RevisionTreeLine) -> Ink {
    guard case .revision(_, let place) = piece, let branch = line.branch else { return .dim }
    let revisions = tree.picture.branches[branch].revisions
    let revision = revisions[place]
    if revision.id == record?.revision(.ancestor) { return .ancestor.underlined }
    if revision.isDeleted { return .dim.struck }
    guard place == revisions.count - 1 else { return revision.hasBody ? .ancestor : .dim }
    return side(line).map { .side($0).bold } ?? .text
  }

  /// What a leaf is, in words: no colour tells it alone.
  private func words(_ line: RevisionTreeLine) -> [Run] {
    guard let branch = line.branch, let leaf = tree.picture.branches[branch].revisions.last else { return [] }
    let mark = line.mark.isEmpty ? "live" : line.mark
    let body = leaf.hasBody || leaf.isDeleted ? "" : ", body not here"
    let side = side(line).map { [Run("  \($0.letter) \($0.rawValue)", .side($0).bold)] } ?? []
    return [Run(mark + body, line.isWinner ? .text.bold : .dim)] + side
  }
}
