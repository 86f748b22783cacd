import Merging
import RevisionTrees
import StoreInterface

extension DocumentRows {
  /// The worst damage first.
  func problems(_ platform: DatastoreSchema.Platform) -> [DocumentProblem] {
    [
      tree.circle, repeated, flagsDisagree(platform), tree.leafWithoutBody, tree.spurious, tree.severalRoots,
      tree.deletionLost,
    ].compactMap(\.self)
  }

  private var repeated: DocumentProblem? { tree.repeated.isEmpty ? nil : .repeated(tree.repeated) }

  private func flagsDisagree(_ platform: DatastoreSchema.Platform) -> DocumentProblem? {
    let flagged = tree.revisions.indices.filter { tree.revisions[$0].isCurrent }
    let expected = tree.revisions.indices.filter { tree.isCurrent($0, platform) }
    if flagged == expected { return nil }
    return .flagsDisagree(
      flagged: ids(flagged), expected: ids(expected), isConflict: tree.isConflict,
      isRepeated: !tree.repeated.isEmpty)
  }

  private func ids(_ revisions: [Int]) -> [String] { revisions.map { tree.revisions[$0].id } }
}

extension RevisionTree {
  /// Whether a revision is to be marked as `current`: every leaf on iOS, the winner alone on Android.
  func isCurrent(_ revision: Int, _ platform: DatastoreSchema.Platform) -> Bool {
    switch platform {
    case .ios: children[revision].isEmpty
    case .android: winner == revision
    }
  }
}

extension DocumentRows {
  func findings(_ platform: DatastoreSchema.Platform) -> [Finding] {
    problems(platform).map { $0.finding(of: id, canBeMended: mending(of: $0)?.words(for: $0)) }
  }
}

extension DocumentMending {
  fileprivate func words(for problem: DocumentProblem) -> String {
    switch self {
    case .drop: problem.tombstoneWords
    case .mark: "The flags are set as the revisions' parents say. No revision changes."
    }
  }
}
