import ExactJSON
import RevisionTrees

/// What one revision holds.
struct Contents: Sendable {
  /// Without those that CouchDB itself adds.
  var members: [(name: String, value: JSON)] = []
  var attachments: [StoredAttachment] = []
}

/// All revisions of one document, and what becomes of them.
final class Document {
  struct Revision {
    let id: String
    var parent: Int?
    let isDeleted: Bool
    /// nil where it was never here, or was compacted away.
    var contents: Contents?
    fileprivate(set) var childCount = 0
    /// How many revisions its line has.
    fileprivate(set) var depth = 1
  }

  let id: String
  /// Of its last change.
  var sequence = 0
  private(set) var revisions: [Revision] = []
  private var places: [String: Int] = [:]
  private var lastTree: RevisionTree?

  init(id: String) { self.id = id }

  func place(of revision: String) -> Int? { places[revision] }

  /// The first of these revisions that is here.
  func nearest(of path: ArraySlice<String>) -> Int? { path.lazy.compactMap { self.places[$0] }.first }

  func isLeaf(_ place: Int) -> Bool { revisions[place].childCount == 0 }

  /// The winner first. Most documents have one, and need no tree for it.
  var leaves: [Int] {
    let leaves = revisions.indices.filter { isLeaf($0) }
    return leaves.count < 2 ? leaves : tree.leaves
  }

  var winner: Int? { leaves.first }

  var isDeleted: Bool { winner.map { revisions[$0].isDeleted } ?? true }

  var tree: RevisionTree {
    if let lastTree { return lastTree }
    let tree = RevisionTree(
      revisions.map {
        RevisionTree.Revision(id: $0.id, isDeleted: $0.isDeleted, hasBody: $0.contents != nil)
      },
      parents: revisions.map(\.parent), order: .couchDB)
    lastTree = tree
    return tree
  }

  /// The ids from a revision to its root.
  func path(from place: Int) -> [String] { line(from: place).map { revisions[$0].id } }

  func line(from place: Int) -> [Int] {
    Array(Swift.sequence(first: place) { self.revisions[$0].parent })
  }

  /// As `_bulk_get` lists them: along the tree, the lesser branch first.
  func leavesAlongTree(below start: Int? = nil) -> [Int] {
    let tree = tree
    let isGreater = {
      RevisionOrder.couchDB.areInIncreasingOrder(tree.revisions[$1].id, tree.revisions[$0].id)
    }
    var open = (start.map { [$0] } ?? tree.roots).sorted(by: isGreater)
    var leaves: [Int] = []
    while let place = open.popLast() {
      if tree.children[place].isEmpty { leaves.append(place) }
      open += tree.children[place].sorted(by: isGreater)
    }
    return leaves
  }

  /// As `open_revs=all` lists them: by rising id.
  var leavesByID: [Int] {
    leaves.sorted { RevisionOrder.couchDB.areInIncreasingOrder(revisions[$0].id, revisions[$1].id) }
  }
}

/// Growing.
extension Document {
  func append(_ id: String, to parent: Int?, isDeleted: Bool, _ contents: Contents?) {
    places[id] = revisions.count
    revisions.append(Revision(id: id, parent: parent, isDeleted: isDeleted, contents: contents))
    if let parent { link(revisions.count - 1, to: parent) }
    lastTree = nil
  }

  /// Takes a revision in with its history, the newest first, as replication brings it. What is known stays as it is, also
  /// where its body is not here (nobody recorded that of a real one); what is not, and is no end of the path, comes without
  /// a body.
  ///
  /// - Returns: whether that was new.
  func graft(_ path: [String], isDeleted: Bool, _ contents: Contents) -> Bool {
    guard let newest = path.first, places[newest] == nil else { return false }
    var parent: Int?
    for id in path.dropFirst().reversed() {
      if let known = places[id] {
        adopt(known, by: parent)
        parent = known
      } else {
        append(id, to: parent, isDeleted: false, nil)
        parent = revisions.count - 1
      }
    }
    append(newest, to: parent, isDeleted: isDeleted, contents)
    return true
  }

  /// A root whose own history was cut off here, and is told now.
  private func adopt(_ root: Int, by parent: Int?) {
    guard let parent, revisions[root].parent == nil else { return }
    link(root, to: parent)
    measure()
  }

  private func measure() {
    for place in revisions.indices { revisions[place].depth = line(from: place).count }
  }

  private func link(_ child: Int, to parent: Int) {
    revisions[child].parent = parent
    revisions[child].depth = revisions[parent].depth + 1
    revisions[parent].childCount += 1
  }
}

/// Shrinking.
extension Document {
  /// Only leaves keep what they hold.
  func compact() {
    for place in revisions.indices where !isLeaf(place) { revisions[place].contents = nil }
    lastTree = nil
  }

  /// Forgets what lies more than `limit` revisions from every leaf, if the newest revision is one too many.
  func stem(to limit: Int) {
    guard let newest = revisions.last, newest.depth > limit else { return }
    let kept = Set(leaves.flatMap { line(from: $0).prefix(limit) })
    if kept.count < revisions.count { keep(kept) }
  }

  /// Forgets leaves, and of their branches what belongs to no other.
  ///
  /// - Returns: those of `ids` that were leaves.
  func purge(_ ids: [String]) -> [String] {
    let leaves = leaves
    let purged = ids.filter { id in places[id].map { leaves.contains($0) } ?? false }
    let others = leaves.filter { !purged.contains(revisions[$0].id) }
    if !purged.isEmpty { keep(Set(others.flatMap { line(from: $0) })) }
    return purged
  }

  private func keep(_ kept: Set<Int>) {
    let old = revisions
    let order = kept.sorted()
    let moved = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    (revisions, places, lastTree) = ([], [:], nil)
    revisions = order.map { old[$0] }
    for place in revisions.indices {
      places[revisions[place].id] = place
      revisions[place].parent = revisions[place].parent.flatMap { moved[$0] }
      revisions[place].childCount = 0
    }
    for parent in revisions.compactMap(\.parent) { revisions[parent].childCount += 1 }
    measure()
  }
}
