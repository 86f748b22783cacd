import Merging
import StoreInterface

/// One thing about a document that its conflict does not tell, or that is no conflict at all.
package enum DocumentProblem: Sendable, Equatable {
  /// The winner is an edit of what others deleted: no replica tells of it.
  case deletionLost(deleted: [String], winner: String)
  /// The same, or a conflict was resolved otherwise on another replica: the tree does not tell which.
  case deletionOrResolution(ended: [String], winner: String)
  /// Live leaves that share no ancestor with the winner: the document was made more than once.
  case severalRoots([String], winner: String)
  /// As several roots, and older than all that is known of the winner: an old replica sent them again.
  case spurious([String])
  /// Rows of one revision, which upstream's own count takes for a conflict (sync-android issue 329).
  case repeated([String])
  /// What is marked as `current`, and what would be by the parents of all, are not the same.
  case flagsDisagree(flagged: [String], expected: [String], conflict: FlagConflict, cause: FlagCause)
  case leafWithoutBody([String])
  case circle([String])
  /// A leaf, for this reason: then nobody knows what the tree is.
  case unreadable(Evidence)
}

/// What the list shows of a document whose flags disagree.
package enum FlagConflict: Sendable, Equatable {
  case none, listed
  /// The list looks for several flags first.
  case unlisted
}

/// Why the flags of a document are not as its parents say.
package enum FlagCause: Sendable, Equatable {
  case storedTwice
  /// sync-android marks the tombstone then, though another leaf is live, and reads the document as deleted.
  case deletedInConflict
  case purged
}

/// What the tree itself shows.
extension RevisionTree {
  package var circle: DocumentProblem? { unrooted.isEmpty ? nil : .circle(ids(unrooted)) }

  package var leafWithoutBody: DocumentProblem? {
    let bare = liveLeaves.filter { !revisions[$0].hasBody }
    return bare.isEmpty ? nil : .leafWithoutBody(ids(bare))
  }

  package var spurious: DocumentProblem? { spuriousLeaves.isEmpty ? nil : .spurious(ids(spuriousLeaves)) }

  package var severalRoots: DocumentProblem? {
    let spurious = Set(spuriousLeaves)
    let others = strangers.filter { !spurious.contains($0) }
    guard let winner, !others.isEmpty else { return nil }
    return .severalRoots(ids(others), winner: revisions[winner].id)
  }

  package var deletionLost: DocumentProblem? {
    guard let winner else { return nil }
    let (lost, id) = (lostDeletions, revisions[winner].id)
    if !lost.ofDocument.isEmpty { return .deletionLost(deleted: ids(lost.ofDocument), winner: id) }
    return lost.ofBranch.isEmpty ? nil : .deletionOrResolution(ended: ids(lost.ofBranch), winner: id)
  }

  private func ids(_ places: [Int]) -> [String] { places.map { revisions[$0].id } }
}

extension DocumentProblem {
  /// What mends it by tombstones alone, which every store can append; nil where nothing safe can be done so.
  ///
  /// - A deletion of one of several live leaves would only bring up the next; such a document is decided as a conflict.
  /// - A leaf without a body could not be brought back by undo.
  package func tombstones(in tree: RevisionTree) -> [String]? {
    func haveBodies(_ ids: [String]) -> Bool {
      tree.revisions.allSatisfy { $0.hasBody || !ids.contains($0.id) }
    }
    guard tree.repeated.isEmpty, tree.unrooted.isEmpty else { return nil }
    switch self {
    case .deletionLost(_, let winner):
      return tree.liveLeaves.count == 1 && haveBodies([winner]) ? [winner] : nil
    case .spurious(let leaves): return haveBodies(leaves) ? leaves : nil
    case .deletionOrResolution, .severalRoots, .repeated, .flagsDisagree: return nil
    case .leafWithoutBody, .circle, .unreadable: return nil
    }
  }

  /// - Parameters:
  ///   - canBeMended: what mending does, in a sentence; nil if there is none.
  ///   - ended: what the leaves hold on which that puts a tombstone.
  package func finding(of document: String, canBeMended: String?, ended: [RecordVersion] = []) -> Finding {
    var finding = Finding(
      words, of: document, table: TreeDocument.table(of: document), record: document,
      title: RecordTitle.title(ofID: document), canBeMended: canBeMended,
      takesSide: canBeMended != nil && takesSide)
    finding.differences = ended.flatMap(TreeDocument.ended)
    return finding
  }

  /// - Parameter seen: the finding that somebody had before them; nil where nobody had.
  /// - Throws: `Moved` where the tree shows something else of it now: nobody has seen what would end.
  package func check(_ seen: Finding?) throws {
    if let seen, seen.evidence != words.evidence.description {
      throw Moved("it is not what was shown any more")
    }
  }

  /// A deletion that is accepted loses an edit, an old branch what it has, and flags that bring a live version back the app's own
  /// deletion: somebody has to want that for this very document.
  private var takesSide: Bool {
    switch self {
    case .deletionLost, .spurious: true
    case .flagsDisagree(_, _, _, let cause): cause == .deletedInConflict
    case .deletionOrResolution, .severalRoots, .repeated, .leafWithoutBody, .circle, .unreadable: false
    }
  }

  /// What appending its tombstones does.
  package func tombstoneWords(in tree: RevisionTree) -> String {
    guard case .spurious(let branches) = self else {
      return "A tombstone is appended to the winner, which deletes the document. Undo brings the edit back."
    }
    let (which, whose) = branches.count == 1 ? ("the old branch", "its") : ("each old branch", "their")
    let isDecided = tree.liveLeaves.count - branches.count < 2
    let conflict = isDecided ? "\(whose) conflict is decided by that" : "the others stay in conflict"
    return "A tombstone is appended to \(which), and \(conflict). Undo brings \(whose) content back."
  }
}

extension DocumentProblem {
  package var key: String { words.key }

  private var words: Finding.Words {
    switch self {
    case .deletionLost(let deleted, let winner):
      Finding.Words(
        "deletion-lost", what: "an edit won over a deletion",
        "\(hidden: deleted) deleted what the winner \(hidden: winner) was made from.",
        cause: "One replica edited the document while another deleted it; a live revision always wins.",
        remedy:
          "To keep the edit nothing has to be done; to accept the deletion, delete the document in the app, or mend this where that is offered."
      )
    case .deletionOrResolution(let ended, let winner):
      Finding.Words(
        "deletion-lost", what: "an edit may have won over a deletion",
        "\(hidden: ended) ended what the winner \(hidden: winner) was made from, and there was another branch.",
        cause:
          "One replica deleted the document while another edited it, or a conflict was resolved otherwise on another replica; the revisions do not tell which.",
        remedy:
          "To keep the winner nothing has to be done; if the document was to be deleted, delete it in the app."
      )
    case .severalRoots(let leaves, let winner):
      Finding.Words(
        "two-roots", what: "made more than once",
        "\(hidden: leaves) and the winner \(hidden: winner) have no revision in common.",
        cause:
          "Two replicas made a document of this name each for itself, or their histories were cut off since.",
        remedy:
          "Decide it in the list: without an ancestor every field that differs is a person's. Two things of one name need two names."
      )
    case .repeated(let ids):
      Finding.Words(
        "repeated", what: "a revision stored twice", "More than one row holds \(hidden: ids).",
        cause: "Older versions of sync-android stored a revision again when two replications ran at once.",
        remedy:
          "Open the datastore with sync-android 2, which removes the second rows. Parley leaves them: other rows refer to their numbers."
      )
    case .flagsDisagree(let flagged, let expected, let conflict, let cause):
      Finding.Words(
        "flags-disagree", what: "leaf flags disagree",
        "Marked as current: \(hidden: flagged); by their parents it would be \(hidden: expected).\(told: conflict.words)",
        cause: cause.words, remedy: cause.remedy)
    case .spurious(let ids):
      Finding.Words(
        "spurious", what: "an old branch came back",
        ids.count == 1
          ? "\(hidden: ids) shares no ancestor with the winner, and is older."
          : "\(hidden: ids) share no ancestor with the winner, and are older.",
        cause: "A replica that was away for longer than histories are kept sent its old revision again.",
        remedy: "Delete the old branch, or resolve the conflict in favour of the winner."
      )
    case .leafWithoutBody(let ids):
      Finding.Words(
        "leaf-without-body", what: "a leaf without a body",
        ids.count == 1
          ? "There is no body of \(hidden: ids), which is a live leaf."
          : "There is no body of \(hidden: ids), which are live leaves.",
        cause: "The revision was replicated in part, or the file was changed by another program.",
        remedy: "Replicate the document into a fresh datastore from a server that has it."
      )
    case .circle(let ids):
      Finding.Words(
        "circle", what: "a circle of revisions", "By their parents \(hidden: ids) descend from themselves.",
        cause: "The file was changed by another program, or is damaged.",
        remedy: "Restore the datastore from a copy, or replicate it anew."
      )
    case .unreadable(let reason):
      Finding.Words(
        "unreadable", what: "a leaf that cannot be read", "A leaf of it: " + reason + ".",
        cause: "It is larger, or nested deeper, than Parley reads; or its server needs too long for it.",
        remedy:
          "Make the document smaller, or resolve it, in the app or with the server's own tools; all others are listed."
      )
    }
  }
}

extension FlagConflict {
  fileprivate var words: String {
    switch self {
    case .none: ""
    case .listed: " By its parents it is in conflict, which the list shows."
    case .unlisted: " By its parents it is in conflict, which the list shows once the flags are right."
    }
  }
}

extension FlagCause {
  fileprivate var words: String {
    switch self {
    case .storedTwice:
      "A revision of it is stored twice, and of such rows sync-android could not tell which one to mark."
    case .deletedInConflict:
      "The app deleted a version of the document while it was in conflict, and sync-android left that marked, though another is live; or revisions were purged, and their parents not marked again."
    case .purged: "Revisions were purged, and their parents not marked again."
    }
  }

  fileprivate var remedy: String {
    switch self {
    case .storedTwice:
      "Open the datastore with sync-android 2, which removes the second rows and marks the winner again."
    case .deletedInConflict:
      "If it is in conflict, decide it in the list, which sets the flags, too. Else set the flags as the parents say: the app reads the live version then, and can delete it."
    case .purged: "Set the flags as the parents say, or replicate the document into a fresh datastore."
    }
  }
}
