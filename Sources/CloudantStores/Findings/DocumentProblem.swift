import Merging
import RevisionTrees
import StoreInterface

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

  private var circle: DocumentProblem? { tree.unrooted.isEmpty ? nil : .circle(ids(tree.unrooted)) }

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

extension DocumentRows {
  func findings(_ platform: DatastoreSchema.Platform) -> [Finding] {
    problems(platform).map { problem in
      let (words, mending) = (problem.words, mending(of: problem))
      return Finding(
        id: "\(problem.key):\(id)", table: TreeDocument.table, record: id, title: id,
        what: words.what, evidence: words.evidence, cause: words.cause, remedy: words.remedy,
        canBeMended: mending?.words, takesSide: mending?.takesSide ?? false)
    }
  }
}

extension DocumentMending {
  var words: String {
    switch self {
    case .acceptDeletion:
      "A tombstone is appended to the winner, which deletes the document; only where this very finding is chosen. Undo brings the edit back."
    case .dropLeaves: "A tombstone is appended to the old branch; undo brings its content back."
    case .mark: "The flags are set as the revisions' parents say. No revision changes."
    }
  }

  /// A deletion that is accepted loses an edit: somebody has to want that for this very document.
  var takesSide: Bool { if case .acceptDeletion = self { true } else { false } }
}

extension DocumentProblem {
  var key: String {
    switch self {
    case .deletionLost: "deletion-lost"
    case .severalRoots: "two-roots"
    case .repeated: "repeated"
    case .flagsDisagree: "flags-disagree"
    case .spurious: "spurious"
    case .leafWithoutBody: "leaf-without-body"
    case .circle: "circle"
    }
  }

  fileprivate var words: (what: String, evidence: Evidence, cause: String, remedy: String) {
    switch self {
    case .deletionLost(let deleted, let winner):
      (
        what: "an edit won over a deletion",
        evidence: "\(hidden: deleted) deleted what the winner \(hidden: winner) was made from.",
        cause: "One replica edited the document while another deleted it; a live revision always wins.",
        remedy:
          "To keep the edit nothing has to be done; to accept the deletion, mend it, or delete the document in the app."
      )
    case .severalRoots(let leaves, let winner):
      (
        what: "made more than once",
        evidence: "\(hidden: leaves) and the winner \(hidden: winner) have no revision in common.",
        cause:
          "Two replicas made a document of this name each for itself, or their histories were cut off since.",
        remedy:
          "Decide it in the list: without an ancestor every field that differs is a person's. Two things of one name need two names."
      )
    case .repeated(let ids):
      (
        what: "a revision stored twice", evidence: "More than one row holds \(hidden: ids).",
        cause: "Older versions of sync-android stored a revision again when two replications ran at once.",
        remedy:
          "Open the datastore with sync-android 2, which removes the second rows. Parley leaves them: other rows refer to their numbers."
      )
    case .flagsDisagree(let flagged, let expected, let isConflict, let isRepeated):
      (
        what: "leaf flags disagree",
        evidence:
          "Marked as current: \(hidden: flagged); by their parents it would be \(hidden: expected).\(told: isConflict ? " By its parents it is in conflict, which the list shows once the flags are right." : "")",
        cause: isRepeated
          ? "A revision of it is stored twice, and of such rows sync-android could not tell which one to mark."
          : "Revisions were purged, and their parents not marked again.",
        remedy: isRepeated
          ? "Open the datastore with sync-android 2, which removes the second rows and marks the winner again."
          : "Set the flags as the parents say, or replicate the document into a fresh datastore."
      )
    case .spurious(let ids):
      (
        what: "an old branch came back",
        evidence: "\(hidden: ids) shares no ancestor with the winner, and is older.",
        cause: "A replica that was away for longer than histories are kept sent its old revision again.",
        remedy: "Delete the old branch, or resolve the conflict in favour of the winner."
      )
    case .leafWithoutBody(let ids):
      (
        what: "a leaf without a body", evidence: "There is no body of \(hidden: ids), which is a live leaf.",
        cause: "The revision was replicated in part, or the file was changed by another program.",
        remedy: "Replicate the document into a fresh datastore from a server that has it."
      )
    case .circle(let ids):
      (
        what: "a circle of revisions", evidence: "By their parents \(hidden: ids) descend from themselves.",
        cause: "The file was changed by another program, or is damaged.",
        remedy: "Restore the datastore from a copy, or replicate it anew."
      )
    }
  }
}
