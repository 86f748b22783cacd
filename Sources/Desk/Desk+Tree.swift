import Merging
import StoreInterface
import Telling
import Terminal

/// The revision tree of a record: read in the background, walked by lines and along a branch.
extension DeskState {
  mutating func startTree(of id: String, title: String) -> [DeskEffect] {
    let page = TreePage(id: id, title: title)
    pages.append(.tree(page))
    if case .read(let known) = tree, known.id == id {
      goToLeaf(leafBelow(page), in: known)
      return []
    }
    return readTree(id)
  }

  private mutating func readTree(_ id: String) -> [DeskEffect] {
    if tree == .reading(id) { return [] }
    tree = .reading(id)
    return [.readTree(id: id)]
  }

  /// Wide screens show the tree beside the record.
  mutating func readTreeBeside() -> [DeskEffect] {
    guard case .record(let page)? = pages.last, WideLayout(self)?.treeWidth ?? 0 > 0, tree.id != page.id
    else { return [] }
    return readTree(page.id)
  }

  mutating func takeTree(_ id: String, _ read: DrawnTree?) -> [DeskEffect] {
    guard tree == .reading(id) else { return [] }
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
    stand(in: read)
    return []
  }

  mutating func treeFailed(_ id: String, _ words: String) -> [DeskEffect] {
    guard tree == .reading(id) else { return [] }
    tree = .failed(id)
    if case .tree(let page)? = pages.last, page.id == id { pages.removeLast() }
    return tell(.failed(shown(words, naming: id)))
  }

  /// The leaf in the server's column of the record that the tree was opened from.
  func leafBelow(_ page: TreePage) -> Leaf.ID? {
    let shown = pages.dropLast().last.flatMap {
      if case .record(let record) = $0 { record.leaf } else { nil }
    }
    return shown ?? open[page.id]?.conflict.details.serverTag
  }

  /// A tree that is read again has the cursor on the same revision, or on the nearest that is left.
  private mutating func stand(in tree: DrawnTree) {
    guard let index = treePage(of: tree.id), case .tree(var page) = pages[index] else { return }
    guard let former = page.former else {
      if index == pages.count - 1 { goToLeaf(leafBelow(page), in: tree) }
      return
    }
    page.former = nil
    page.stand(in: tree, as: former)
    pages[index] = .tree(page)
  }

  /// For the cursor, which stands in it until the tree is read again.
  mutating func keepFormer(_ tree: DrawnTree) {
    guard let index = treePage(of: tree.id), case .tree(var page) = pages[index] else { return }
    page.former = tree
    pages[index] = .tree(page)
  }

  /// The page of a record's tree, whatever lies over it.
  private func treePage(of id: String) -> Int? {
    pages.lastIndex { if case .tree(let page) = $0 { page.id == id } else { false } }
  }

  private mutating func goToLeaf(_ leaf: Leaf.ID?, in tree: DrawnTree) {
    guard case .tree(var page)? = pages.last else { return }
    // A tree that was read again may have fewer lines.
    page.move(by: 0, in: tree)
    page.go(toLeaf: leaf, in: tree)
    pages[pages.count - 1] = .tree(page)
  }

  /// A record that was read again with other leaves has another tree.
  mutating func forgetTree(unlikeThatOf conflict: RecordConflict) -> [DeskEffect] {
    guard case .read(let tree) = tree, tree.id == conflict.id,
      tree.leaves != Set(conflict.details.leaves.map(\.id))
    else { return [] }
    keepFormer(tree)
    self.tree = .none
    return treePage(of: conflict.id) == nil ? [] : readTree(conflict.id)
  }

  mutating func run(_ command: Command, in page: TreePage) -> [DeskEffect]? {
    if command == .reload { return reload() }
    guard case .read(let tree) = tree, tree.id == page.id else { return command == .back ? goBack() : [] }
    var page = page
    switch command {
    case .back: return goBack()
    case .open: return openLeaf(page, tree)
    case .move(let movement):
      page.move(by: movement.lines(page: max(1, TreeLayout(self, page, tree).height / 2)), in: tree)
    case .left:
      page.goOlder(in: tree)
      if .tree(page) == pages.last { return tell(.told("No older revision is kept.")) }
    case .right:
      page.goNewer(in: tree)
      if .tree(page) == pages.last { return tell(.told("This is the newest of its branch.")) }
    case .unfold: page.unfold(!page.isUnfolded, in: tree)
    case .search: page.words = InputLine("")
    case .quit, .nextUndecided, .previousUndecided, .nextRecord, .previousRecord, .takeCell, .take, .edit,
      .editOutside, .accept, .forget, .alternatives, .undo, .redo, .review, .mend, .confirm, .note, .leaveOut,
      .more, .showSQL, .showJSON, .filter, .toggleUnchanged, .toggleTime, .togglePrivate, .history, .nextLeaf,
      .previousLeaf, .play, .faster, .slower, .whatIf, .ruleSet, .nextStory, .previousStory, .tryIt, .help,
      .nextTopic, .reload, .redraw, .suspend, .keep, .setNull, .clear, .eraseBefore, .eraseAfter:
      return nil
    }
    return put(.tree(page))
  }

  /// Enter: many leaves are unfolded, a live one goes into the server's column.
  private mutating func openLeaf(_ page: TreePage, _ tree: DrawnTree) -> [DeskEffect] {
    var page = page
    guard let place = page.revision(in: tree) else {
      page.unfold(true, in: tree)
      return put(.tree(page))
    }
    if let words = refusal(of: place, tree) { return tell(.told(words)) }
    guard let record = open[page.id] else {
      let isKnown = list.summary(page.id) != nil
      return tell(
        .told(
          isKnown ? "One moment: it is being read." : "It is not in conflict: there is nothing to compare."))
    }
    guard record.conflict.showing(leaf: place.revision.id) != nil else {
      return tell(.told("The winner is the client's column already."))
    }
    return show(place.revision.id, of: record)
  }

  private func refusal(of place: TreePage.Cursor, _ tree: DrawnTree) -> String? {
    guard place.isLeaf else { return "Only a leaf can stand in the server's column. Right goes towards it." }
    return place.revision.isDeleted ? "A deleted leaf takes no part in the merge." : nil
  }

  private mutating func show(_ leaf: Leaf.ID, of record: DecidedConflict) -> [DeskEffect] {
    let id = record.conflict.id
    pages.removeLast()
    var page = RecordPage(id: id)
    if case .record(let below)? = pages.last, below.id == id {
      page = below
      pages.removeLast()
    }
    page.leaf = leaf
    page.side = .server
    pages.append(.record(page))
    return tell(.told(ShownRecord(record, leaf: leaf).leafWords))
  }

  mutating func takeTreeSearch(_ key: Key, _ page: TreePage) -> [DeskEffect] {
    var page = page
    switch page.words?.take(key) {
    case .left?, .kept?:
      page.words = nil
      return put(.tree(page))
    case .changed?: return searchTree(page)
    case .ignored?, nil: return []
    }
  }

  /// Goes to the first leaf with the typed words in its id, then to the first revision.
  mutating func searchTree(_ page: TreePage) -> [DeskEffect] {
    guard case .read(let tree) = tree, let words = page.words else { return [] }
    var page = page
    let isFound = words.isEmpty || page.find(words.text.lowercased(), in: tree)
    status = isFound ? nil : .failed("No revision has \(words.text) in its id.")
    return put(.tree(page))
  }

  mutating func click(_ point: Point, in page: TreePage, opens: Bool) -> [DeskEffect] {
    guard case .read(let tree) = tree, tree.id == page.id else { return [] }
    let layout = TreeLayout(self, page, tree)
    let line = layout.first(page, tree) + point.row - layout.top
    let lines = tree.lines(isUnfolded: page.isUnfolded)
    guard (layout.top..<layout.top + layout.height).contains(point.row), lines.indices.contains(line) else {
      return []
    }
    var page = page
    page.move(by: line - page.line, in: tree)
    return opens ? openLeaf(page, tree) : put(.tree(page))
  }
}
