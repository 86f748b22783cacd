import Merging
import StoreInterface

extension DocumentRows {
  func findings(_ platform: DatastoreSchema.Platform) -> [Finding] {
    problems(platform).map { problem in
      let mending = mending(of: problem)
      return Finding(
        id: "\(problem.key):\(id)", table: DocumentReader.table, record: id, title: id,
        what: problem.what, evidence: problem.evidence, cause: problem.cause, remedy: problem.remedy,
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

  fileprivate var what: String {
    switch self {
    case .deletionLost: "an edit won over a deletion"
    case .severalRoots: "made more than once"
    case .repeated: "a revision stored twice"
    case .flagsDisagree: "leaf flags disagree"
    case .spurious: "an old branch came back"
    case .leafWithoutBody: "a leaf without a body"
    case .circle: "a circle of revisions"
    }
  }

  fileprivate var evidence: Evidence {
    switch self {
    case .deletionLost(let deleted, let winner):
      "\(hidden: deleted) deleted what the winner \(hidden: winner) was made from."
    case .severalRoots(let leaves, let winner):
      "\(hidden: leaves) and the winner \(hidden: winner) have no revision in common."
    case .repeated(let ids): "More than one row holds \(hidden: ids)."
    case .flagsDisagree(let flagged, let expected, let isConflict, _):
      "Marked as current: \(hidden: flagged); by their parents it would be \(hidden: expected).\(told: isConflict ? " By its parents it is in conflict, which the list shows once the flags are right." : "")"
    case .spurious(let ids): "\(hidden: ids) shares no ancestor with the winner, and is older."
    case .leafWithoutBody(let ids): "There is no body of \(hidden: ids), which is a live leaf."
    case .circle(let ids): "By their parents \(hidden: ids) descend from themselves."
    }
  }

  fileprivate var cause: String {
    switch self {
    case .deletionLost:
      "One replica edited the document while another deleted it; a live revision always wins."
    case .severalRoots:
      "Two replicas made a document of this name each for itself, or their histories were cut off since."
    case .repeated:
      "Older versions of sync-android stored a revision again when two replications ran at once."
    case .flagsDisagree(_, _, _, isRepeated: true):
      "A revision of it is stored twice, and of such rows sync-android could not tell which one to mark."
    case .flagsDisagree: "Revisions were purged, and their parents not marked again."
    case .spurious: "A replica that was away for longer than histories are kept sent its old revision again."
    case .leafWithoutBody: "The revision was replicated in part, or the file was changed by another program."
    case .circle: "The file was changed by another program, or is damaged."
    }
  }

  fileprivate var remedy: String {
    switch self {
    case .deletionLost:
      "To keep the edit nothing has to be done; to accept the deletion, mend it, or delete the document in the app."
    case .severalRoots:
      "Decide it in the list: without an ancestor every field that differs is a person's. Two things of one name need two names."
    case .repeated:
      "Open the datastore with sync-android 2, which removes the second rows. Parley leaves them: other rows refer to their numbers."
    case .flagsDisagree(_, _, _, isRepeated: true):
      "Open the datastore with sync-android 2, which removes the second rows and marks the winner again."
    case .flagsDisagree: "Set the flags as the parents say, or replicate the document into a fresh datastore."
    case .spurious: "Delete the old branch, or resolve the conflict in favour of the winner."
    case .leafWithoutBody: "Replicate the document into a fresh datastore from a server that has it."
    case .circle: "Restore the datastore from a copy, or replicate it anew."
    }
  }
}
