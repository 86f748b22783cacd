import ExactJSON
import Merging
import StoreInterface
import Telling
import Terminal

/// All revisions of a record: branches, leaves, the winner, what is deleted and what is not kept; and the fields of one leaf.
package struct TreePage: DeskPage, Equatable {
  package var id: String
  /// What a person would call the record.
  package var title: String
  /// The line under the cursor.
  package var line = 0
  /// The revision under the cursor, by its place in the branch; nil for the leaf.
  package var place: Int?
  /// The tree that line and place are of, as long as another is being read in its stead.
  var former: DrawnTree?
  /// Whether leaves that are many are drawn one by one.
  package var isUnfolded = false
  /// What is looked for in the ids.
  var search = LineSearch()

  var page: Page? { .tree(self) }
  var topic: Topic { .tree }
  var record: String? { id }

  func isReading(on desk: DeskState) -> Bool { desk.drawnTree(id) == nil }

  func hint(of binding: Binding, width: Int, on desk: DeskState) -> String? {
    binding.command == .unfold && isUnfolded ? "fold" : binding.hint
  }
}

/// It is read in the background.
extension DeskState {
  mutating func startTree(of id: String, title: String) -> [DeskEffect] {
    var page = TreePage(id: id, title: title)
    let known = drawnTree(id)
    if let known { page.stand(in: known, on: self) }
    pages.append(.tree(page))
    return known == nil ? readTree(id) : []
  }

  private mutating func readTree(_ id: String) -> [DeskEffect] {
    if tree.isReading(id) { return [] }
    tree = .reading(id)
    return [.readTree(id: id)]
  }

  /// Wide screens show the tree beside the record.
  mutating func readTreeBeside() -> [DeskEffect] {
    guard store.can.contains(.tellTrees), let page = top(RecordPage.self), !tree.id.isName(page.id),
      WideLayout(self)?.besideWidth ?? 0 > 0
    else { return [] }
    return readTree(page.id)
  }

  mutating func takeTree(_ id: String, _ read: DrawnTree?) -> [DeskEffect] {
    guard tree.isReading(id) else { return [] }
    guard let read else {
      return treeFailed(
        id, "\(privacy.shown(id)) is not there any more. Go back to the list: r reads the store again.")
    }
    // A circle of parents, in a damaged file.
    guard !read.picture.branches.isEmpty else {
      return treeFailed(
        id, "\(privacy.shown(id)) has no leaf, so no tree can be drawn. In the list 6 tells what is wrong.")
    }
    tree = .read(read)
    changeTree(id) { $0.stand(in: read, on: $1) }
    return []
  }

  mutating func treeFailed(_ id: String, _ words: String) -> [DeskEffect] {
    guard tree.isReading(id) else { return [] }
    tree = .failed(id)
    if (top(TreePage.self)?.id).isName(id) { pages.removeLast() }
    return tell(failed: shown(words, naming: id))
  }

  /// For the cursor, which stands in it until the tree is read again.
  mutating func keepFormer(_ tree: DrawnTree) { changeTree(tree.id) { page, _ in page.former = tree } }

  /// A record that was read again with other leaves has another tree.
  mutating func forgetTree(unlikeThatOf conflict: RecordConflict) -> [DeskEffect] {
    guard let tree = drawnTree(conflict.id), tree.leaves != Set(conflict.details.leaves.map(\.id)) else {
      return []
    }
    keepFormer(tree)
    self.tree = .none
    return (page(TreePage.self)?.id).isName(conflict.id) ? readTree(conflict.id) : []
  }

  private mutating func changeTree(_ id: String, _ change: (inout TreePage, DeskState) -> Void) {
    on(TreePage.self) { page, desk in if page.id.hasSameBytes(as: id) { change(&page, desk) } }
  }

  func drawnTree(_ id: String) -> DrawnTree? {
    if case .read(let tree) = tree, tree.id.hasSameBytes(as: id) { tree } else { nil }
  }
}

extension TreePage {
  mutating func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    if command == .reload { return desk.reload() }
    guard let tree = desk.drawnTree(id) else { return command == .back ? desk.goBack() : [] }
    let before = self
    switch command {
    case .back: return desk.goBack()
    case .open: return openLeaf(tree, on: &desk)
    case .move(let movement):
      move(by: movement.lines(page: max(1, TreeLayout(desk, self, tree).height / 2)), in: tree)
    case .left:
      goOlder(in: tree)
      if self == before { return desk.tell("No older revision is kept.") }
    case .right:
      goNewer(in: tree)
      if self == before { return desk.tell("This is the newest of its branch.") }
    case .unfold: unfold(!isUnfolded, in: tree)
    case .search: startSearch(in: tree, on: desk)
    case .list(.nextMatch): return goToFound(by: 1, on: &desk)
    case .list(.previousMatch): return goToFound(by: -1, on: &desk)
    case .quit, .nextUndecided, .previousUndecided, .record, .take, .edit, .editOutside, .accept, .undo,
      .redo, .review, .mend, .drafts, .filter, .list, .anywhere, .history, .story, .nextTopic, .reload, .line:
      return nil
    }
    return []
  }

  /// Enter: many leaves are unfolded, a live one goes into the server's column.
  private mutating func openLeaf(_ tree: DrawnTree, on desk: inout DeskState) -> [DeskEffect] {
    guard let place = revision(in: tree) else {
      unfold(true, in: tree)
      return []
    }
    if let words = refusal(of: place) { return desk.tell(words) }
    guard let record = desk.open[id] else {
      return desk.list.summary(id) != nil
        ? desk.tell(.recordIsRead) : desk.tell("It is not in conflict: there is nothing to compare.")
    }
    guard record.conflict.showing(leaf: place.revision.id) != nil else {
      return desk.tell("The winner is the client's column already.")
    }
    return show(place.revision.id, of: record, on: &desk)
  }

  private func refusal(of place: Cursor) -> String? {
    guard place.isLeaf else { return "Only a leaf can stand in the server's column. Right goes towards it." }
    return place.revision.isDeleted ? "A deleted leaf takes no part in the merge." : nil
  }

  private func show(_ leaf: Leaf.ID, of record: DecidedConflict, on desk: inout DeskState) -> [DeskEffect] {
    desk.pages.removeLast()
    var page = desk.recordPage(id)
    if let below = desk.top(RecordPage.self), below.id.hasSameBytes(as: id) {
      page = below
      desk.pages.removeLast()
    }
    (page.leaf, page.cell) = (leaf, .server)
    desk.pages.append(.record(page))
    return desk.tell(ShownRecord(record, leaf: leaf).leafWords)
  }

  func firstLine(_ desk: DeskState) -> Int? {
    desk.drawnTree(id).map { TreeLayout(desk, self, $0).first(self, $0, desk) }
  }

  mutating func click(_ point: Point, opens: Bool, on desk: inout DeskState) -> [DeskEffect] {
    guard let tree = desk.drawnTree(id) else { return [] }
    let layout = TreeLayout(desk, self, tree)
    let line = layout.first(self, tree, desk) + point.row - layout.top
    let lines = tree.lines(isUnfolded: isUnfolded)
    guard (layout.top..<layout.top + layout.height).contains(point.row), lines.indices.contains(line) else {
      return []
    }
    move(by: line - self.line, in: tree)
    return opens ? openLeaf(tree, on: &desk) : []
  }
}

/// Where the cursor stands.
extension TreePage {
  struct Cursor {
    var branch: Int
    var place: Int
    var revision: RevisionTreePicture.Revision
    var isLeaf: Bool
  }

  /// nil on a line that stands for many leaves.
  func revision(in tree: DrawnTree) -> Cursor? {
    let lines = tree.lines(isUnfolded: isUnfolded)
    guard lines.indices.contains(line), let branch = lines[line].branch else { return nil }
    let revisions = tree.picture.branches[branch].revisions
    let last = revisions.count - 1
    let place = min(place ?? last, last)
    return Cursor(branch: branch, place: place, revision: revisions[place], isLeaf: place == last)
  }

  mutating func move(by step: Int, in tree: DrawnTree) {
    line = max(0, min(tree.lines(isUnfolded: isUnfolded).count - 1, line + step))
    place = nil
  }

  mutating func go(toLeaf leaf: Leaf.ID?, in tree: DrawnTree) {
    let branch = tree.picture.branches.firstIndex { $0.revisions.last?.id == leaf }
    if let branch { go(to: branch, in: tree) }
  }

  mutating func go(to branch: Int, place: Int? = nil, in tree: DrawnTree) {
    if tree.line(of: branch, isUnfolded: isUnfolded) == nil { isUnfolded = true }
    line = tree.line(of: branch, isUnfolded: isUnfolded) ?? 0
    let last = tree.picture.branches[branch].revisions.count - 1
    self.place = place == last ? nil : place
  }

  /// Past the oldest of a branch the one it leaves goes on.
  mutating func goOlder(in tree: DrawnTree) {
    guard let cursor = revision(in: tree) else { return }
    if cursor.place > 0 {
      place = cursor.place - 1
    } else if let fork = tree.picture.branches[cursor.branch].fork {
      go(to: fork.branch, place: fork.revision, in: tree)
    }
  }

  mutating func goNewer(in tree: DrawnTree) {
    guard let cursor = revision(in: tree) else { return }
    go(
      to: cursor.branch,
      place: min(cursor.place + 1, tree.picture.branches[cursor.branch].revisions.count - 1), in: tree)
  }

  /// The cursor stays on its leaf; a leaf that is folded away is on the line that tells of it.
  mutating func unfold(_ isUnfolded: Bool, in tree: DrawnTree) {
    guard isUnfolded != self.isUnfolded else { return }
    let branch = revision(in: tree)?.branch
    self.isUnfolded = isUnfolded
    let lines = tree.lines(isUnfolded: isUnfolded)
    let folded = lines.firstIndex { $0.branch == nil }
    let known = branch.flatMap { branch in lines.firstIndex { $0.branch == branch } }
    line = min(known ?? (isUnfolded ? line : folded ?? line), max(0, lines.count - 1))
    if known == nil { place = nil }
  }

  /// Goes to the leaf of the record that the tree was opened from. In a tree that was read again, to the revision that is under
  /// the cursor in the former one; where that is gone, to the nearest: older in its branch, then of the lines below, then above.
  mutating func stand(in tree: DrawnTree, on desk: DeskState) {
    guard let former else { return go(toLeaf: leafBelow(desk), in: tree) }
    self.former = nil
    let names = near(in: former)
    let found = names.lazy.compactMap { name in tree.place(of: name) }.first
    if let found { go(to: found.branch, place: found.place, in: tree) } else { move(by: 0, in: tree) }
  }

  /// The leaf in the server's column of the record that the tree was opened from.
  private func leafBelow(_ desk: DeskState) -> Leaf.ID? {
    let below = desk.page(RecordPage.self).flatMap { $0.id.hasSameBytes(as: id) ? $0.leaf : nil }
    return below ?? desk.open[id]?.conflict.details.serverTag
  }

  /// The record with the leaf that its own screen shows; nil if it is not in conflict, or not read yet.
  func shownRecord(_ desk: DeskState) -> ShownRecord? {
    desk.open[id].map { ShownRecord($0, leaf: leafBelow(desk)) }
  }

  /// The revisions around the cursor, the nearest first.
  private func near(in tree: DrawnTree) -> [String] {
    let lines = tree.lines(isUnfolded: isUnfolded)
    let leaves = { (lines: ArraySlice<RevisionTreeLine>) in
      lines.compactMap { $0.branch.flatMap { tree.picture.branches[$0].revisions.last?.id } }
    }
    let here = min(line, lines.count)
    let around = leaves(lines[here...]) + leaves(lines[..<here]).reversed()
    guard let cursor = revision(in: tree) else { return around }
    return tree.picture.branches[cursor.branch].revisions[...cursor.place].reversed().map(\.id) + around
  }
}
