import Merging
import RevisionTrees

/// One thing about a document that its conflict does not tell, or that is no conflict at all.
enum DocumentProblem: Sendable, Equatable {
  /// The winner is an edit of what others deleted: no replica tells of it.
  case deletionLost(deleted: [String], winner: String)
  /// Live leaves that share no ancestor with the winner: the document was made more than once.
  case severalRoots([String], winner: String)
  /// As several roots, and older than all that is known of the winner: an old replica sent them again.
  case spurious([String])
  /// Rows of one revision, which upstream's own count takes for a conflict (sync-android issue 329).
  case repeated([String])
  /// Leaves by their parents and leaves by `current` are not the same, as after a purge.
  case flagsDisagree(flagged: [String], expected: [String], isConflict: Bool, isRepeated: Bool)
  case leafWithoutBody([String])
  case circle([String])
}

extension DocumentRows {
  /// The worst damage first.
  func problems(_ platform: DatastoreSchema.Platform) -> [DocumentProblem] {
    [
      circle, repeated, flagsDisagree(platform), leafWithoutBody, spurious, severalRoots, deletionLost,
    ].compactMap(\.self)
  }

  private var circle: DocumentProblem? {
    tree.unrooted.isEmpty ? nil : .circle(ids(tree.unrooted))
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

  private var leafWithoutBody: DocumentProblem? {
    let bare = tree.liveLeaves.filter { !tree.revisions[$0].hasBody }
    return bare.isEmpty ? nil : .leafWithoutBody(ids(bare))
  }

  private var spurious: DocumentProblem? {
    let spurious = tree.spuriousLeaves
    return spurious.isEmpty ? nil : .spurious(ids(spurious))
  }

  private var severalRoots: DocumentProblem? {
    let spurious = Set(tree.spuriousLeaves)
    let others = tree.strangers.filter { !spurious.contains($0) }
    guard let winner = tree.winner, !others.isEmpty else { return nil }
    return .severalRoots(ids(others), winner: tree.revisions[winner].id)
  }

  private var deletionLost: DocumentProblem? {
    let lost = tree.deletionsAgainstEdit
    guard let winner = tree.winner, !lost.isEmpty else { return nil }
    return .deletionLost(deleted: ids(lost), winner: tree.revisions[winner].id)
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
