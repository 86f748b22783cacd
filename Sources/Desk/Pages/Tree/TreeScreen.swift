import ExactJSON
import Merging
import StoreInterface
import Telling
import Terminal

extension TreePage {
  func draw(_ desk: DeskState) -> Grid {
    var frame = Frame(desk.size)
    let heading = [Run("Revisions   ", .dim), Run(desk.privacy.shown(title), .text.bold)]
    guard let tree = desk.drawnTree(id) else {
      frame.header(heading)
      frame.grid.write("Reading the revisions...", at: 4, 3, .dim)
      return frame.footer(desk)
    }
    frame.header(heading, right: position(tree, isNarrow: desk.size.columns < 60))
    draw(tree, desk, &frame)
    return footer(desk, &frame)
  }

  private func position(_ tree: DrawnTree, isNarrow: Bool) -> [Run] {
    let count = tree.lines(isUnfolded: isUnfolded).count
    if isNarrow { return [Run("\(line + 1)/\(count)")] }
    let deleted = tree.deletedCount > 0 ? ", \(tree.deletedCount) deleted" : ""
    return [Run("\(tree.liveCount) live\(deleted)   ", .dim), Run("line \(line + 1) of \(count)")]
  }

  private func draw(_ tree: DrawnTree, _ desk: DeskState, _ frame: inout Frame) {
    let record = shownRecord(desk)
    let layout = TreeLayout(desk, self, tree)
    var view = TreeView(tree: tree, lines: tree.lines(isUnfolded: isUnfolded), record: record)
    view.cursor = (line, place)
    let size = Size(columns: layout.treeWidth, rows: layout.height)
    frame.grid.draw(view.draw(size, first: layout.first(self, tree, desk)), at: 0, layout.top)
    drawPanel(RevisionPanel(desk: desk, page: self, tree: tree, record: record), layout, &frame)
    if layout.hasLegend {
      frame.grid.write(RevisionPanel.legend(desk.store), at: 1, frame.bottom - 1, width: frame.columns - 2)
    }
  }

  private func drawPanel(_ panel: RevisionPanel, _ layout: TreeLayout, _ frame: inout Frame) {
    let (start, size) = layout.panel
    if layout.isBeside {
      for row in layout.top..<frame.bottom - 1 { frame.grid.write("│", at: start.column - 2, row, .dim) }
    } else if layout.hasLegend {
      frame.rule(start.row - 1)
    }
    frame.grid.write(lines: panel.lines(size), at: start.column, start.row, width: size.columns)
  }

  private func footer(_ desk: DeskState, _ frame: inout Frame) -> Grid {
    search.typing.map { frame.searchFooter($0, desk) } ?? frame.footer(desk)
  }
}

/// Where the parts of the tree screen stand; drawing and the mouse agree on it.
struct TreeLayout {
  let top = 2
  /// Rows for lines of the tree.
  let height: Int
  let treeWidth: Int
  /// Beside the tree where there is room, otherwise below it.
  let panel: (at: Point, size: Size)
  let isBeside: Bool
  /// The last row above the footer tells what the signs mean, if there is room.
  let hasLegend: Bool

  init(_ desk: DeskState, _ page: TreePage, _ tree: DrawnTree) {
    let (columns, rows) = (desk.size.columns, desk.size.rows)
    hasLegend = rows >= 16
    let room = rows - 2 - top - (hasLegend ? 1 : 0)
    isBeside = columns >= 120
    if isBeside {
      let width = max(50, columns * 2 / 5)
      (height, treeWidth) = (room, columns - width - 1)
      panel = (Point(column: columns - width + 1, row: top), Size(columns: width - 2, rows: room))
    } else {
      // The panel has no rule over it where every row counts.
      let rule = rows >= 16 ? 1 : 0
      let least = rows >= 16 ? max(6, room * 2 / 5) : 2
      // What the tree does not need is the panel's.
      height = max(1, min(tree.lines(isUnfolded: page.isUnfolded).count, room - least - rule))
      let panelHeight = room - height - rule
      treeWidth = columns
      panel = (
        Point(column: 1, row: rows - 2 - (hasLegend ? 1 : 0) - panelHeight),
        Size(columns: columns - 2, rows: panelHeight)
      )
    }
  }

  /// The first line shown.
  func first(_ page: TreePage, _ tree: DrawnTree, _ desk: DeskState) -> Int {
    let count = tree.lines(isUnfolded: page.isUnfolded).count
    return desk.first(showing: page.line, height: height, of: count)
  }
}

/// The tree beside the record on a wide screen, with all that are many folded.
struct TreeBeside {
  let desk: DeskState
  let record: ShownRecord

  func draw(_ size: Size) -> Grid {
    var frame = Frame(size)
    frame.header(
      [Run("Revisions", .text.bold)], right: [Run("\(desk.key(.history, on: .record)) opens them", .dim)])
    frame.rule(frame.bottom)
    guard let tree = desk.drawnTree(record.conflict.id) else {
      frame.grid.write(words, at: 1, 2, .dim)
      return frame.grid
    }
    draw(tree, &frame)
    return frame.grid
  }

  /// The tree, and below it what the leaf in the server's column has.
  private func draw(_ tree: DrawnTree, _ frame: inout Frame) {
    let lines = tree.lines(isUnfolded: false)
    let width = frame.columns
    var view = TreeView(tree: tree, lines: lines, record: record)
    view.hasWordsBelow = view.isCut(to: width)
    let height = min(lines.count * view.rowsOfALine, frame.bottom - 14)
    view.focus = lines.firstIndex { $0.leaf == record.revision(.server) } ?? 0
    frame.grid.draw(view.draw(Size(columns: width, rows: height), first: 0), at: 0, 2)
    frame.rule(2 + height)
    var page = TreePage(id: tree.id, title: "")
    page.go(toLeaf: record.revision(.server), in: tree)
    let panel = RevisionPanel(desk: desk, page: page, tree: tree, record: record)
    let size = Size(columns: width - 2, rows: frame.bottom - 6 - height)
    let legend = RevisionPanel.legend(desk.store).wrapped(width - 2)
    frame.grid.write(lines: panel.lines(size), at: 1, 3 + height, width: width - 2)
    frame.grid.write(lines: legend, at: 1, frame.bottom - legend.count, width: width - 2)
  }

  private var words: String {
    if case .failed = desk.tree {
      "They could not be read; L tries again."
    } else {
      "Reading the revisions..."
    }
  }
}

/// What is known of the revision under the cursor: its whole id, what it is, and what it has otherwise than the ancestor.
struct RevisionPanel {
  let desk: DeskState
  let page: TreePage
  let tree: DrawnTree
  let record: ShownRecord?

  static func legend(_ store: StoreInfo) -> [Run] {
    let body = store.isAskedOnce ? "not asked for" : "not here"
    return [
      Run("underlined", .ancestor.underlined), Run(" ancestor   (id) body \(body)   ⋯ left out", .dim),
    ]
  }

  /// Values as a whole where there is room for all of them, else a line each. At most as many as there is room for; the last tells what
  /// is left out.
  func lines(_ size: Size) -> [[Run]] {
    let whole = lines(size.columns, most: size.rows)
    if whole.count <= size.rows { return whole }
    let lines = lines(size.columns, most: 1)
    guard lines.count > size.rows else { return lines }
    let left = lines.count - size.rows + 1
    // Where hardly anything fits, what it is says more than how much is left out.
    return size.rows < 4
      ? Array(lines.prefix(size.rows)) : lines.prefix(size.rows - 1) + [[Run("+\(left) more", .dim)]]
  }

  /// - Parameter most: how many lines a value may take.
  private func lines(_ width: Int, most: Int) -> [[Run]] {
    guard let cursor = page.revision(in: tree) else { return folded }
    let name = RevisionName(toTellApart: [cursor.revision.id])
    let id = Run(desk.privacy.revision(cursor.revision.id, short: name.short(cursor.revision.id)), .text.bold)
    return [[id], [Run(words(cursor), .dim)]] + column(cursor).wrapped(width).filter { !$0.isEmpty }
      + (values(cursor).isEmpty ? [] : [[]] + values(cursor).flatMap { line($0, width, most) })
  }

  /// A value goes on under its beginning; in one line it has the room that what was there before leaves.
  private func line(_ runs: [Run], _ width: Int, _ most: Int) -> [[Run]] {
    guard most > 1, let name = runs.first, runs.count > 1 else {
      return [runs.count == 4 ? [runs[0], cut(runs[1], 24)] + runs[2...] : runs]
    }
    let indent = DisplayText.width(name.text)
    let lines = runs.dropFirst().reduce(into: []) { $0.append($1) }.wrapped(width - indent, most: most + 1)
    return lines.enumerated().map { [$0 == 0 ? name : Run(String(repeating: " ", count: indent))] + $1 }
  }

  private var folded: [[Run]] {
    let lines = tree.lines(isUnfolded: page.isUnfolded)
    let count = lines.indices.contains(page.line) ? lines[page.line].leafCount : 0
    return [
      [Run("\(count) more leaves", .text.bold)],
      [Run("Enter shows them, = shows or folds all that are many.", .dim)],
    ]
  }

  private func words(_ cursor: TreePage.Cursor) -> String {
    let revision = cursor.revision
    let body =
      revision.isDeleted
      ? "" : revision.hasBody ? ", body kept" : bodyNotHere(revision)
    if revision.id == record?.revision(.ancestor) { return "common ancestor of the live leaves" + body }
    guard cursor.isLeaf else {
      return (revision.isDeleted ? "deleted, older revision" : "older revision") + body
    }
    let isWinner = revision.id == tree.picture.winner
    return (revision.isDeleted ? "deleted leaf" : "live leaf") + (isWinner ? ", the winner" : "") + body
  }

  /// A server is asked for the leaves and what they have in common alone.
  private func bodyNotHere(_ revision: RevisionTreePicture.Revision) -> String {
    desk.store.isAskedOnce && revision.id != record?.revision(.ancestor)
      ? ", body not asked for" : ", body not here: compacted, or never replicated"
  }

  private func column(_ cursor: TreePage.Cursor) -> [Run] {
    guard let record, cursor.isLeaf, !cursor.revision.isDeleted else { return [] }
    let id = cursor.revision.id
    if id == record.revision(.client) {
      return [Run("C", .client.bold), Run(" in the client's column", .dim)]
    }
    if id == record.revision(.server) {
      return [Run("S", .server.bold), Run(" in the server's column", .dim)]
    }
    return [Run("Enter shows it in the server's column", .dim)]
  }

  private func values(_ cursor: TreePage.Cursor) -> [[Run]] {
    guard let record else {
      return cursor.isLeaf ? [[Run("Not in conflict: its values are not read.", .dim)]] : []
    }
    let id = cursor.revision.id
    if id == record.revision(.ancestor) { return all(record.conflict.version(.ancestor), .ancestor) }
    guard let leaf = record.conflict.details.leaves.first(where: { $0.id == id }), !leaf.isDeleted else {
      return []
    }
    guard record.conflict.version(.ancestor).isPresent else { return all(leaf.version, ink(id)) }
    return differences(leaf.version, ink(id))
  }

  private func ink(_ id: String) -> Ink {
    id == record?.revision(.client) ? .client : id == record?.revision(.server) ? .server : .text
  }

  private func differences(_ version: RecordVersion, _ ink: Ink) -> [[Run]] {
    guard let fields = version.fields, let conflict = record?.conflict else { return unreadable(version) }
    let changed = conflict.fields.filter { fields[$0.name]?.value != $0.ancestor?.value }
    let same = conflict.fields.count - changed.count
    return changed.map { field in
      let texts = texts(field.ancestor?.value, fields[field.name]?.value)
      return [name(field), Run(texts.old, .ancestor), Run(" → ", .dim), Run(texts.new, ink)]
    } + (same > 0 ? [[Run("\(same) as in the ancestor", .dim)]] : [])
  }

  private func all(_ version: RecordVersion, _ ink: Ink) -> [[Run]] {
    guard let fields = version.fields, let conflict = record?.conflict else { return unreadable(version) }
    return conflict.fields.map { [name($0), Run(text(fields[$0.name]?.value), ink)] }
  }

  private func unreadable(_ version: RecordVersion) -> [[Run]] {
    guard case .unknown(let reason) = version, let conflict = record?.conflict else { return [] }
    return [[Run("not known: \(desk.privacy.told(reason, of: conflict))", .dim)]]
  }

  private func name(_ field: FieldConflict) -> Run {
    Run(desk.privacy.name(field.name).padding(to: 12) + " ", .dim)
  }

  private func text(_ value: Value?) -> String { desk.privacy.line(value) }

  /// Where it does not show that they differ, in what they do, beside as much of them as has room in one line.
  private func texts(_ old: Value?, _ new: Value?) -> (old: String, new: String) {
    guard UnseenDifference(old, new, isASCII: desk.isASCII) != nil else { return (text(old), text(new)) }
    return desk.privacy.pair(old, new, width: 24, isASCII: desk.isASCII)
  }

  private func cut(_ run: Run, _ width: Int) -> Run { Run(DisplayText.cut(run.text, to: width), run.ink) }
}

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

  func isReading(_ id: String) -> Bool {
    if case .reading(let other) = self { other.hasSameBytes(as: id) } else { false }
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

  /// All revisions as they stand, from the first line on, each branch from its oldest.
  var places: [Place] {
    unfolded.compactMap(\.branch).flatMap { branch in
      picture.branches[branch].revisions.indices.map { Place(branch: branch, revision: $0) }
    }
  }

  struct Place: Equatable {
    var branch: Int
    var revision: Int
  }

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
  /// Whether what is told of a leaf stands under it, as the branch has the room.
  var hasWordsBelow = false
  var rowsOfALine: Int { hasWordsBelow ? 2 : 1 }

  private static let gutter = 2

  /// Whether a line is longer than so many columns.
  func isCut(to width: Int) -> Bool {
    lines.contains { line in
      let end = line.pieces.reduce(line.column) { $0 + $1.text.count }
      return end + 3 + words(line).width > width - Self.gutter
    }
  }

  func draw(_ size: Size, first: Int) -> Grid {
    var grid = Grid(size)
    var inner = Grid(Size(columns: size.columns - Self.gutter, rows: size.rows))
    let shift = shift(inner.size.columns)
    for row in stride(from: 0, to: size.rows, by: rowsOfALine) {
      let place = first + row / rowsOfALine
      guard lines.indices.contains(place) else { break }
      draw(lines[place], shift, row, &inner)
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
    let words = words(line)
    if hasWordsBelow {
      for bar in line.bars where bar >= shift { grid.write("│", at: bar - shift, row + 1, .dim) }
      grid.write(words, at: max(4, min(column, grid.size.columns) - words.width), row + 1)
    } else if (1..<grid.size.columns).contains(column) {
      grid.write(words, at: column + 3, row)
    }
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
    if cursor == nil, !hasWordsBelow { end += 3 + words(line).width }
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
