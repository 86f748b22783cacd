import Merging

extension RevisionTree {
  /// The tree as a screen draws it: the winner's line first, and from each revision the branches with better leaves first.
  package var picture: RevisionTreePicture {
    let ranks = ranks
    var branches: [RevisionTreePicture.Branch] = []
    var open = roots.sorted { (ranks[$0] ?? .max) > (ranks[$1] ?? .max) }.map {
      (start: $0, fork: RevisionTreePicture.Fork?.none)
    }
    while let (start, fork) = open.popLast() {
      let line = mainLine(from: start, ranks)
      for (place, revision) in line.enumerated().reversed() {
        let others = children[revision].filter { place + 1 >= line.count || $0 != line[place + 1] }
        let next = RevisionTreePicture.Fork(branch: branches.count, revision: place)
        for other in others.sorted(by: { (ranks[$0] ?? .max) > (ranks[$1] ?? .max) }) {
          open.append((other, next))
        }
      }
      branches.append(RevisionTreePicture.Branch(revisions: line.map { revisions[$0].drawn }, fork: fork))
    }
    return RevisionTreePicture(branches: branches, winner: winner.map { revisions[$0].id })
  }

  /// For each revision the place of the best leaf that descends from it.
  private var ranks: [Int: Int] {
    var ranks: [Int: Int] = [:]
    for (rank, leaf) in leaves.enumerated() {
      var next: Int? = leaf
      while let place = next, ranks[place] == nil {
        ranks[place] = rank
        next = parents[place]
      }
    }
    return ranks
  }

  private func mainLine(from start: Int, _ ranks: [Int: Int]) -> [Int] {
    var line = [start]
    while let last = line.last,
      let next = children[last].min(by: { (ranks[$0] ?? .max) < (ranks[$1] ?? .max) })
    {
      line.append(next)
    }
    return line
  }
}

extension RevisionTree.Revision {
  fileprivate var drawn: RevisionTreePicture.Revision {
    RevisionTreePicture.Revision(id: id, isDeleted: isDeleted, hasBody: hasBody)
  }
}
