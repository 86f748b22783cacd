/// A revision tree as it is drawn: branches, each from where it leaves its parent branch to its leaf.
///
///     1-x ── 2-x ── 3-x ── 4-x   winner
///            ├─ 3-y
///            └─ 3-z   deleted
public struct RevisionTreePicture: Sendable, Equatable {
  /// A revision as a mark on its branch.
  public struct Revision: Sendable, Equatable {
    /// The revision's id, generation and all.
    public var id: String
    /// Whether the revision deletes the document.
    public var isDeleted: Bool
    /// false if the body is not here: compacted, or never replicated.
    public var hasBody: Bool

    /// A revision that is drawn; `hasBody` is false if the body is not here.
    public init(id: String, isDeleted: Bool, hasBody: Bool) {
      (self.id, self.isDeleted, self.hasBody) = (id, isDeleted, hasBody)
    }
  }

  /// A line of revisions from where it forks, or from a root, down to a leaf.
  public struct Branch: Sendable, Equatable {
    /// Oldest first; the last is a leaf. Never empty.
    public var revisions: [Revision]
    /// The branch this one leaves, and the place of the revision there; nil for a root.
    public var fork: Fork?

    /// A branch; its revisions are given oldest first, and `fork` is nil for a root.
    public init(revisions: [Revision], fork: Fork?) { (self.revisions, self.fork) = (revisions, fork) }
  }

  /// Where a branch leaves another one.
  public struct Fork: Sendable, Equatable {
    /// The place of the parent branch among ``RevisionTreePicture/branches``.
    public var branch: Int
    /// The place of the revision in the parent branch, the oldest being 0.
    public var revision: Int

    /// A fork by both places, each counted from 0.
    public init(branch: Int, revision: Int) { (self.branch, self.revision) = (branch, revision) }
  }

  /// The winner's first. A branch comes after the one it leaves; among branches of one revision, the better leaf first.
  public var branches: [Branch]
  /// The id of the winning leaf.
  public var winner: String?

  /// A tree to draw; the winner's branch is given first.
  public init(branches: [Branch], winner: String?) { (self.branches, self.winner) = (branches, winner) }
}
