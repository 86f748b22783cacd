import Merging
import Terminal

/// The revision tree of a record: read in the background, walked by lines and along a branch.
extension DeskState {
  mutating func startTree(of id: String, title: String) -> [DeskEffect] {
    let page = TreePage(id: id, title: title)
    pages.append(.tree(page))
    if case .read(let known) = tree, known.id == id {
      goToLeaf(leafBelow(page), in: known)
      return openSelected()
    }
    return readTree(id) + openSelected()
  }

  private mutating func readTree(_ id: String) -> [DeskEffect] {
    if tree == .reading(id) { return [] }
    tree = .reading(id)
    return [.readTree(id: id)]
  }

  /// Wide screens show the tree beside the record.
  mutating func readTreeBeside() -> [DeskEffect] {
    guard case .record(let page)? = pages.last, WideLayout(self)?.treeWidth ?? 0 > 0, tree.id != page.id
    else {
      return []
    }
    return readTree(page.id)
  }

  mutating func takeTree(_ id: String, _ read: DrawnTree?) -> [DeskEffect] {
    guard tree == .reading(id) else { return [] }
    guard let read, !read.picture.branches.isEmpty else {
      return treeFailed(id, "\(id) has no revisions here. Go back, and read the store again with r.")
    }
    tree = .read(read)
    if case .tree(let page)? = pages.last, page.id == id { goToLeaf(leafBelow(page), in: read) }
    return []
  }

  mutating func treeFailed(_ id: String, _ words: String) -> [DeskEffect] {
    guard tree == .reading(id) else { return [] }
    tree = .failed(id)
    if case .tree(let page)? = pages.last, page.id == id { pages.removeLast() }
    return tell(.failed(words))
  }

  /// The leaf in the server's column of the record that the tree was opened from.
  func leafBelow(_ page: TreePage) -> Leaf.ID? {
    let shown = pages.dropLast().last.flatMap {
      if case .record(let record) = $0 { record.leaf } else { nil }
    }
    return shown ?? open[page.id]?.conflict.details.serverTag
  }

  private mutating func goToLeaf(_ leaf: Leaf.ID?, in tree: DrawnTree) {
    guard case .tree(var page)? = pages.last, let leaf else { return }
    if let branch = tree.picture.branches.firstIndex(where: { $0.revisions.last?.id == leaf }) {
      page.go(to: branch, in: tree)
      pages[pages.count - 1] = .tree(page)
    }
  }
}

extension DeskState {
  mutating func run(_ command: Command, in page: TreePage) -> [DeskEffect] {
    guard case .read(let tree) = tree, tree.id == page.id else { return command == .back ? goBack() : [] }
    var page = page
    let step = max(1, TreeLayout(self, page, tree).height / 2)
    switch command {
    case .back: return goBack()
    case .open: return openLeaf(page, tree)
    case .up: page.move(by: -1, in: tree)
    case .down: page.move(by: 1, in: tree)
    case .pageUp: page.move(by: -step, in: tree)
    case .pageDown: page.move(by: step, in: tree)
    case .first: page.move(by: -tree.picture.branches.count, in: tree)
    case .last: page.move(by: tree.picture.branches.count, in: tree)
    case .left: page.goOlder(in: tree)
    case .right: page.goNewer(in: tree)
    case .unfold: page.unfold(!page.isUnfolded, in: tree)
    case .search: page.words = InputLine("")
    default: break
    }
    return put(page)
  }

  private mutating func put(_ page: TreePage) -> [DeskEffect] {
    pages[pages.count - 1] = .tree(page)
    return []
  }

  /// Enter: many leaves are unfolded, a live one goes into the server's column.
  private mutating func openLeaf(_ page: TreePage, _ tree: DrawnTree) -> [DeskEffect] {
    var page = page
    guard let place = page.revision(in: tree) else {
      page.unfold(true, in: tree)
      return put(page)
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

  private mutating func show(_ leaf: Leaf.ID, of record: OpenConflict) -> [DeskEffect] {
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
    return tell(.told(ShownRecord(record, leaf: leaf).leafWords)) + openSelected()
  }

  /// `[` and `]`: another leaf in the server's column.
  mutating func turn(_ record: OpenConflict, _ page: RecordPage, by step: Int) -> [DeskEffect] {
    let others = record.conflict.liveLeaves.dropFirst().map(\.id)
    guard others.count > 1 else {
      let words = others.isEmpty ? "A record of this store has one history." : "There is no third live leaf."
      return tell(.told("\(words) The server's column shows all there is."))
    }
    let shown = ShownRecord(record, leaf: page.leaf)
    var page = page
    page.leaf = others[(shown.leafNumber - 2 + step + others.count) % others.count]
    pages[pages.count - 1] = .record(page)
    return []
  }

  /// Takes what the column of `side` shows.
  mutating func take(_ side: Side, for subject: Subject, _ record: OpenConflict, _ page: RecordPage)
    -> [DeskEffect]
  {
    let shown = ShownRecord(record, leaf: page.leaf)
    guard side == .server, shown.isTurned, let leaf = shown.columns.details.serverTag else {
      return decide(record, subject, .take(side))
    }
    if let choice = record.conflict.choice(of: leaf, for: subject) { return decide(record, subject, choice) }
    let words =
      subject == .record
      ? "The record is decided as a whole, by its first two leaves: c keeps the winner, [ turns back to the other."
      : "Nothing to take: the body of \(shown.shortRevision(.server) ?? leaf) is not here. ] shows the next leaf."
    return tell(.failed(words))
  }
}

extension DeskState {
  mutating func takeTreeSearch(_ key: Key, _ page: TreePage) -> [DeskEffect] {
    switch key {
    case .escape, .enter, .up, .down:
      var page = page
      page.words = nil
      return put(page)
    default: return searchTree(page) { $0.take(key) }
    }
  }

  /// Goes to the first leaf with the typed words in its id, then to the first revision.
  mutating func searchTree<Changed>(_ page: TreePage, _ change: (inout InputLine) -> Changed) -> [DeskEffect]
  {
    guard case .read(let tree) = tree, var words = page.words else { return [] }
    var page = page
    _ = change(&words)
    page.words = words
    let isFound = words.isEmpty || page.find(words.text.lowercased(), in: tree)
    status = isFound ? nil : .failed("No revision has \(words.text) in its id.")
    return put(page)
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
    return opens ? openLeaf(page, tree) : put(page)
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

  fileprivate mutating func move(by step: Int, in tree: DrawnTree) {
    line = max(0, min(tree.lines(isUnfolded: isUnfolded).count - 1, line + step))
    place = nil
  }

  fileprivate mutating func go(to branch: Int, place: Int? = nil, in tree: DrawnTree) {
    if tree.line(of: branch, isUnfolded: isUnfolded) == nil { isUnfolded = true }
    line = tree.line(of: branch, isUnfolded: isUnfolded) ?? 0
    let last = tree.picture.branches[branch].revisions.count - 1
    self.place = place == last ? nil : place
  }

  /// Past the oldest of a branch the one it leaves goes on.
  fileprivate mutating func goOlder(in tree: DrawnTree) {
    guard let cursor = revision(in: tree) else { return }
    if cursor.place > 0 {
      place = cursor.place - 1
    } else if let fork = tree.picture.branches[cursor.branch].fork {
      go(to: fork.branch, place: fork.revision, in: tree)
    }
  }

  fileprivate mutating func goNewer(in tree: DrawnTree) {
    guard let cursor = revision(in: tree) else { return }
    go(
      to: cursor.branch,
      place: min(cursor.place + 1, tree.picture.branches[cursor.branch].revisions.count - 1), in: tree)
  }

  /// The cursor stays on its leaf; a leaf that is folded away is on the line that tells of it.
  fileprivate mutating func unfold(_ isUnfolded: Bool, in tree: DrawnTree) {
    guard isUnfolded != self.isUnfolded else { return }
    let branch = revision(in: tree)?.branch
    self.isUnfolded = isUnfolded
    let lines = tree.lines(isUnfolded: isUnfolded)
    let folded = lines.firstIndex { $0.branch == nil }
    let known = branch.flatMap { branch in lines.firstIndex { $0.branch == branch } }
    line = min(known ?? (isUnfolded ? line : folded ?? line), max(0, lines.count - 1))
    if known == nil { place = nil }
  }

  /// false if there is none.
  fileprivate mutating func find(_ words: String, in tree: DrawnTree) -> Bool {
    let branches = tree.picture.branches
    if let leaf = branches.firstIndex(where: { $0.revisions.last?.id.lowercased().contains(words) == true }) {
      go(to: leaf, in: tree)
      return true
    }
    for (index, branch) in branches.enumerated() {
      if let place = branch.revisions.firstIndex(where: { $0.id.lowercased().contains(words) }) {
        go(to: index, place: place, in: tree)
        return true
      }
    }
    return false
  }
}
