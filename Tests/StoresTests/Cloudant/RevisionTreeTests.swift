import Merging
import Telling
import Testing

@testable import RevisionTrees

@Suite struct RevisionTreeTests {
  /// The picture of CDTDatastore's documentation.
  static let picture = RevisionTree(lines: ["1-x 2-x 3-x 4-x", "2-x 3-y"])

  @Test func theWinnerIsLiveBeforeDeletedAndThenTheGreatest() {
    #expect(Self.picture.ids(Self.picture.leaves) == ["4-x", "3-y"])
    let deeper = RevisionTree(lines: ["1-x 2-x 3-x 4-x!", "2-x 3-y"])
    #expect(deeper.ids(deeper.leaves) == ["3-y", "4-x"])
    #expect(!deeper.isConflict)
    let tenth = RevisionTree(lines: ["8-a 9-a", "8-a 10-a"])
    #expect(tenth.ids(tenth.leaves) == ["10-a", "9-a"])
  }

  @Test func theCommonAncestorIsTheNewestThatAllDescendFrom() {
    let tree = RevisionTree(lines: ["1-x 2-x 3-x 4-x", "2-x 3-y", "1-x 2-z"])
    #expect(tree.commonAncestor(of: Array(tree.leaves.prefix(2))).map { tree.revisions[$0].id } == "2-x")
    #expect(tree.commonAncestor(of: tree.leaves).map { tree.revisions[$0].id } == "1-x")
    let roots = RevisionTree(lines: ["1-a", "1-b"])
    #expect(roots.commonAncestor(of: roots.leaves) == nil)
    #expect(roots.roots.count == 2)
  }

  @Test func anOlderAncestorWithABodyIsAHint() {
    let revisions = ["1-x", "2-x", "3-x", "3-y"].map {
      RevisionTree.Revision(id: $0, isDeleted: false, hasBody: $0 != "2-x")
    }
    let tree = RevisionTree(revisions, parents: [nil, 0, 1, 1], order: .cloudant)
    #expect(tree.commonAncestor(of: tree.leaves) == 1)
    #expect(tree.nearestKeptAncestor(of: tree.leaves) == 0)
  }

  @Test func aReplicaThatWasAwayTooLongLeavesASpuriousLeaf() {
    let tree = RevisionTree(lines: ["8-a 9-a 12-a", "3-a"])
    #expect(tree.ids(tree.spuriousLeaves) == ["3-a"])
    #expect(RevisionTree(lines: ["1-a", "1-b"]).spuriousLeaves.isEmpty)
  }

  @Test func aDeletionOfWhatTheWinnerCameFromIsAgainstAnEdit() {
    let lost = RevisionTree(lines: ["1-x 2-live", "1-x 2-del!"])
    #expect(lost.ids(lost.lostDeletions.ofDocument) == ["2-del"] && lost.lostDeletions.ofBranch.isEmpty)
    let resolved = RevisionTree(lines: ["1-x 2-a 3-a", "1-x 2-b 3-b!"])
    #expect(resolved.lostDeletions == RevisionTree.LostDeletions())
  }

  /// Whoever deleted a revision knew nothing of what descends from it.
  @Test func whatDescendsFromTheDeletedRevisionIsNoBranchBesideIt() {
    let tree = RevisionTree(lines: ["1-x 2-x 3-y 4-y", "2-x 3-del!", "2-x 3-b 4-b", "3-y 4-del!"])
    #expect(tree.ids(tree.lostDeletions.ofDocument) == ["3-del"])
    #expect(tree.ids(tree.lostDeletions.ofBranch) == ["4-del"])
  }

  @Test(arguments: [
    // Resolved for one branch here and for the other there, then replicated; later decided, for the one or the other.
    ["1-x 2-b 3-b", "2-b 3-e!", "1-x 2-c 3-c", "2-c 3-d!"],
    ["1-x 2-b 3-b 4-e!", "2-b 3-e!", "1-x 2-c 3-c 4-c", "2-c 3-d!"],
    ["1-x 2-b 3-b 4-b", "2-b 3-e!", "1-x 2-c 3-c 4-e!", "2-c 3-d!"],
    // The same of branches of other lengths, and of documents that were made twice.
    ["1-x 2-b 3-b 4-e!", "2-b 3-e!", "1-x 2-c 3-c 4-c 5-c 6-c", "4-c 5-d!"],
    ["1-b 2-b 3-e!", "1-b 2-e!", "1-c 2-c 3-c", "1-c 2-d!"],
  ])
  func aConflictThatWasResolvedBothWaysIsNoDeletion(lines: [String]) {
    #expect(RevisionTree(lines: lines).lostDeletions == RevisionTree.LostDeletions())
  }

  /// All leaves deleted here, and merged there: the same as one branch deleted here, and the other there.
  @Test func besideAnotherBranchADeletionMayBeAResolution() {
    let tree = RevisionTree(lines: ["1-x 2-b 3-e!", "1-x 2-c 3-c", "2-c 3-d!"])
    #expect(tree.ids(tree.lostDeletions.ofBranch) == ["3-d"] && tree.lostDeletions.ofDocument.isEmpty)
    let older = RevisionTree(lines: ["1-x 2-b!", "1-x 2-c 3-c", "2-c 3-d!"])
    #expect(Set(older.ids(older.lostDeletions.ofDocument)) == ["2-b", "3-d"])
  }

  @Test func aCircleEndsSomewhere() {
    let revisions = ["1-a", "2-a"].map { RevisionTree.Revision(id: $0, isDeleted: false, hasBody: true) }
    let tree = RevisionTree(revisions, parents: [1, 0], order: .cloudant)
    #expect(tree.leaves.isEmpty && tree.winner == nil)
    #expect(tree.line(from: 0) == [0, 1])
    #expect(tree.picture.lines().isEmpty)
  }

  @Test func theTreeIsDrawnLikeThePicturesOfTheDocumentation() {
    #expect(
      Self.picture.picture.lines().map(\.text) == [
        "1-x ── 2-x ── 3-x ── 4-x   winner",
        "       └─ 3-y",
      ])
  }

  @Test func noLineCrossesAnother() {
    let tree = RevisionTree(lines: [
      "1-x 2-x 3-x 4-x 5-x", "4-x 5-d!", "2-x 3-y 4-y", "3-y 4-z!", "2-x 3-a",
    ])
    #expect(
      tree.picture.lines().map(\.text) == [
        "1-x ── 2-x ── 3-x ── 4-x ── 5-x   winner",
        "       │             └─ 5-d   deleted",
        "       ├─ 3-y ── 4-y",
        "       │  └─ 4-z   deleted",
        "       └─ 3-a",
      ])
  }

  @Test func longLinesAndMissingBodiesAreShortened() {
    let ids = (1...30).map { "\($0)-afa9e12f7a64362c94cd1bd253f31298" }
    let revisions = ids.enumerated().map {
      RevisionTree.Revision(id: $1, isDeleted: false, hasBody: $0 > 28)
    }
    let tree = RevisionTree(revisions, parents: [nil] + (0..<29).map { $0 }, order: .cloudant)
    #expect(tree.picture.lines().map(\.text) == ["(1-afa9e1) ─ ⋯ 27 ⋯ ─ (29-afa9e1) ── 30-afa9e1   winner"])
  }

  @Test func hundredsOfLeavesAreFolded() {
    let tree = RevisionTree(lines: (100..<940).map { "6-root 7-root\($0)" })
    let lines = tree.picture.lines()
    #expect(tree.leaves.count == 840)
    #expect(lines.count == 7)
    #expect(lines.first?.leaf == "7-root939")
    #expect(lines.last?.text == "└─ ⋯ 834 more leaves")
    #expect(tree.picture.lines(shown: 1000).count == 840)
  }

  @Test func severalRootsAreDrawnBelowEachOther() {
    let lines = RevisionTree(lines: ["1-a 2-a", "1-b"]).picture.lines()
    #expect(lines.map(\.text) == ["1-a ── 2-a   winner", "1-b"])
    #expect(lines.map(\.leaf) == ["2-a", "1-b"])
  }
}
