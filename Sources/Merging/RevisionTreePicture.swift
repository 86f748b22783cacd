/// A revision tree as it is drawn: branches, each from where it leaves its parent branch to its leaf.
///
///     1-x ── 2-x ── 3-x ── 4-x   winner
///            ├─ 3-y
///            └─ 3-z   deleted
public struct RevisionTreePicture: Sendable, Equatable {
  public struct Revision: Sendable, Equatable {
    public var id: String
    public var isDeleted: Bool
    /// false if the body is not here: compacted, or never replicated.
    public var hasBody: Bool

    public init(id: String, isDeleted: Bool, hasBody: Bool) {
      (self.id, self.isDeleted, self.hasBody) = (id, isDeleted, hasBody)
    }
  }

  public struct Branch: Sendable, Equatable {
    /// Oldest first; the last is a leaf. Never empty.
    public var revisions: [Revision]
    /// The branch this one leaves, and the place of the revision there; nil for a root.
    public var fork: Fork?

    public init(revisions: [Revision], fork: Fork?) { (self.revisions, self.fork) = (revisions, fork) }
  }

  public struct Fork: Sendable, Equatable {
    public var branch: Int
    public var revision: Int

    public init(branch: Int, revision: Int) { (self.branch, self.revision) = (branch, revision) }
  }

  /// The winner's first. A branch comes after the one it leaves; among branches of one revision, the better leaf first.
  public var branches: [Branch]
  /// The id of the winning leaf.
  public var winner: String?

  public init(branches: [Branch], winner: String?) { (self.branches, self.winner) = (branches, winner) }
}
