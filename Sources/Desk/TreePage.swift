import Merging
import Telling

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

  /// Goes to the revision that is under the cursor in the former tree; where that is gone, to the nearest one: older in its
  /// branch, then of the lines below, then above.
  mutating func stand(in tree: DrawnTree, as former: DrawnTree) {
    let names = near(in: former)
    let found = names.lazy.compactMap { name in tree.place(of: name) }.first
    if let found { go(to: found.branch, place: found.place, in: tree) } else { move(by: 0, in: tree) }
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

  /// false if there is none.
  mutating func find(_ words: String, in tree: DrawnTree) -> Bool {
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
