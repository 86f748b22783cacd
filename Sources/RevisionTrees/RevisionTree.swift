/// All revisions of one document, as a store with revision trees keeps them (Cloudant Sync, CouchDB).
///
///     1-x ── 2-x ─┬─ 3-x ── 4-x    the winner: live before deleted, then the greatest id
///                 └─ 3-y           a live leaf beside it: a conflict
///
/// Several roots are possible (a document made twice, or a history that was cut off), and so are revisions without a body.
package struct RevisionTree: Sendable {
  package struct Revision: Sendable, Equatable {
    package let id: String
    package let isDeleted: Bool
    package let hasBody: Bool
    /// What the store itself says, where it says so: whether this is a leaf, or the winner.
    package var isCurrent = false
    /// The store's own number of the row; of the oldest, if there are several.
    package var row: Int64 = 0

    package init(id: String, isDeleted: Bool, hasBody: Bool, isCurrent: Bool = false, row: Int64 = 0) {
      self.id = id
      self.isDeleted = isDeleted
      self.hasBody = hasBody
      self.isCurrent = isCurrent
      self.row = row
    }
  }

  /// As given, each id once. Everything below speaks of places in this list.
  package let revisions: [Revision]
  package let order: RevisionOrder
  package let parents: [Int?]
  package let children: [[Int]]
  /// The winner first: live before deleted, then by falling id.
  package let leaves: [Int]
  /// Ids of which the store has more than one row.
  package let repeated: [String]

  /// - Parameter parents: for each revision the place of its parent; nil for a root.
  package init(_ revisions: [Revision], parents: [Int?], order: RevisionOrder, repeated: [String] = []) {
    self.revisions = revisions
    self.parents = parents
    self.order = order
    self.repeated = repeated
    var children: [[Int]] = Array(repeating: [], count: revisions.count)
    for (child, parent) in parents.enumerated() { if let parent { children[parent].append(child) } }
    self.children = children
    leaves = revisions.indices.filter { children[$0].isEmpty }.sorted { left, right in
      RevisionTree.wins(revisions[left], over: revisions[right], order)
    }
  }

  private static func wins(_ left: Revision, over right: Revision, _ order: RevisionOrder) -> Bool {
    if left.isDeleted != right.isDeleted { return right.isDeleted }
    return order.areInIncreasingOrder(right.id, left.id)
  }
}

extension RevisionTree {
  package var liveLeaves: [Int] { leaves.filter { !revisions[$0].isDeleted } }
  package var deletedLeaves: [Int] { leaves.filter { revisions[$0].isDeleted } }
  /// The first leaf, live or not; nil for a tree without leaves: an empty one, or one bitten in its own tail.
  package var winner: Int? { leaves.first }
  package var isConflict: Bool { liveLeaves.count > 1 }
  package var roots: [Int] { revisions.indices.filter { parents[$0] == nil } }

  /// The revision itself, its parent, and so on to the root. A damaged file may hold a circle: it is walked once.
  package func line(from revision: Int) -> [Int] {
    var line: [Int] = []
    var seen: Set<Int> = []
    var next: Int? = revision
    while let place = next, seen.insert(place).inserted {
      line.append(place)
      next = parents[place]
    }
    return line
  }

  /// The newest revision that all of these descend from; nil if there is none. A revision descends from itself.
  package func commonAncestor(of revisions: [Int]) -> Int? {
    guard let first = revisions.first else { return nil }
    let others = revisions.dropFirst().map { Set(line(from: $0)) }
    return line(from: first).first { place in others.allSatisfy { $0.contains(place) } }
  }

  /// The newest common ancestor whose body is still there, which may be older than the common ancestor: a hint, and no
  /// basis for a merge.
  package func nearestKeptAncestor(of revisions: [Int]) -> Int? {
    commonAncestor(of: revisions).flatMap { line(from: $0).first { self.revisions[$0].hasBody } }
  }

  /// Live leaves that share no ancestor with the winner.
  package var strangers: [Int] {
    guard let winner else { return [] }
    return liveLeaves.dropFirst().filter { commonAncestor(of: [winner, $0]) == nil }
  }

  /// Strangers that end below the oldest generation known of the winner: what a replica sends that was away for longer than
  /// histories are kept. Seldom a conflict anybody made.
  package var spuriousLeaves: [Int] {
    guard let winner, let oldest = line(from: winner).last else { return [] }
    let oldestGeneration = RevisionID(revisions[oldest].id).generation
    return strangers.filter { RevisionID(revisions[$0].id).generation < oldestGeneration }
  }

  /// Revisions that descend from no root: only a damaged file has them, and they are parents of each other in a circle, or
  /// descend from such.
  package var unrooted: [Int] {
    var isRooted = Array(repeating: false, count: revisions.count)
    var open = roots
    while let place = open.popLast() {
      isRooted[place] = true
      open += children[place]
    }
    return revisions.indices.filter { !isRooted[$0] }
  }
}
