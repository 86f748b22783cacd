/// Deletions that an edit won over without a word, told from branches that ended because a conflict was resolved.
///
///     1-x ─┬─ 2-a ─┬─ 3-a   the winner
///          │       └─ 3-d   deleted: by whom it was the document, or only one branch of it?
///          └─ 2-b ─┬─ 3-b
///                  └─ 3-e   deleted: one replica ended what another went on from, so the conflict was resolved both ways
///
/// Resolvers end every branch but the one they keep. A deletion of a revision whose ancestors have no other branch was one of the
/// document. Where they have one, the tree does not tell whether the replica that deleted knew it.
extension RevisionTree {
  /// Deleted leaves of revisions that the winner descends from.
  package struct LostDeletions: Equatable {
    /// They deleted the document: there was no other branch that could have been kept.
    package var ofDocument: [Int] = []
    /// They may have: there is another branch, which they may have left as the only one.
    package var ofBranch: [Int] = []
  }

  /// Nothing of a conflict that was resolved both ways, and nothing of a branch that was edited before its end was deleted.
  package var lostDeletions: LostDeletions {
    guard let winner, !revisions[winner].isDeleted else { return LostDeletions() }
    let line = line(from: winner)
    let ended = ended(on: Set(line))
    return ended.isEmpty ? LostDeletions() : sorted(ended, by: forks(from: line), besides: Set(line))
  }

  private func ended(on line: Set<Int>) -> [Int] {
    deletedLeaves.filter { leaf in parents[leaf].map { line.contains($0) } ?? false }
  }

  private func sorted(_ ended: [Int], by forks: [Int], besides line: Set<Int>) -> LostDeletions {
    let others = revisions.indices.filter { !line.contains($0) && !revisions[$0].isDeleted }
    let oldest = others.map { forks[$0] }.min() ?? .max
    let oldestOfBothWays = others.filter { isEndedAndContinued($0) }.map { forks[$0] }.min() ?? .max
    var lost = LostDeletions()
    for leaf in ended where oldestOfBothWays >= forks[leaf] {
      if oldest < forks[leaf] { lost.ofBranch.append(leaf) } else { lost.ofDocument.append(leaf) }
    }
    return lost
  }

  /// Whether one replica deleted it and another went on from it.
  private func isEndedAndContinued(_ revision: Int) -> Bool {
    children[revision].contains { revisions[$0].isDeleted }
      && children[revision].contains { !revisions[$0].isDeleted }
  }

  /// For each revision how far from the root it leaves the winner's line; -1 of one that hangs on no revision of it.
  private func forks(from line: [Int]) -> [Int] {
    var forks = Array(repeating: -1, count: revisions.count)
    for (depth, place) in line.reversed().enumerated() { forks[place] = depth }
    let onLine = Set(line)
    var open = line
    while let place = open.popLast() {
      for child in children[place] where !onLine.contains(child) {
        forks[child] = forks[place]
        open.append(child)
      }
    }
    return forks
  }
}
