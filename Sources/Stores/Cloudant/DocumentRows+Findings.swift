import Merging

/// One thing wrong with a document that is not a conflict.
enum DocumentProblem: Sendable, Equatable {
  /// The winner is an edit of what others deleted: no replica tells of it.
  case deletionLost(deleted: [String], winner: String)
  /// Rows of one revision, which upstream's own count takes for a conflict (sync-android issue 329).
  case repeated([String])
  /// Leaves by their parents and leaves by `current` are not the same, as after a purge.
  case flagsDisagree(flagged: [String], leaves: [String])
  case spurious([String])
  case leafWithoutBody([String])
  /// A circle of parents.
  case noLeaf
}

extension DocumentRows {
  func findings(_ platform: DatastoreSchema.Platform) -> [Finding] {
    problems(platform).map { Finding($0, document: id) }
  }

  func problems(_ platform: DatastoreSchema.Platform) -> [DocumentProblem] {
    guard let winner = tree.winner else { return [.noLeaf] }
    var problems: [DocumentProblem] = []
    let lost = ids(tree.deletionsAgainstEdit)
    if !lost.isEmpty { problems.append(.deletionLost(deleted: lost, winner: tree.revisions[winner].id)) }
    if !tree.repeated.isEmpty { problems.append(.repeated(tree.repeated)) }
    if let disagreement = flags(platform, winner) { problems.append(disagreement) }
    let spurious = ids(tree.spuriousLeaves)
    if !spurious.isEmpty { problems.append(.spurious(spurious)) }
    let bare = ids(tree.liveLeaves.filter { !tree.revisions[$0].hasBody })
    if !bare.isEmpty { problems.append(.leafWithoutBody(bare)) }
    return problems
  }

  private func flags(_ platform: DatastoreSchema.Platform, _ winner: Int) -> DocumentProblem? {
    let flagged = tree.revisions.indices.filter { tree.revisions[$0].isCurrent }
    let expected = platform == .ios ? tree.leaves : [winner]
    if Set(flagged) == Set(expected) { return nil }
    return .flagsDisagree(flagged: ids(flagged), leaves: ids(expected))
  }

  private func ids(_ revisions: [Int]) -> [String] { revisions.map { tree.revisions[$0].id } }
}

extension Finding {
  fileprivate init(_ problem: DocumentProblem, document: String) {
    self.init(
      id: "\(problem.key):\(document)", table: DocumentReader.table, record: document, title: document,
      what: problem.what, evidence: problem.evidence, cause: problem.cause, remedy: problem.remedy)
  }
}

extension DocumentProblem {
  fileprivate var key: String {
    switch self {
    case .deletionLost: "deletion-lost"
    case .repeated: "repeated"
    case .flagsDisagree: "flags-disagree"
    case .spurious: "spurious"
    case .leafWithoutBody: "leaf-without-body"
    case .noLeaf: "no-leaf"
    }
  }

  fileprivate var what: String {
    switch self {
    case .deletionLost: "an edit won over a deletion"
    case .repeated: "a revision stored twice"
    case .flagsDisagree: "leaf flags disagree"
    case .spurious: "an old branch came back"
    case .leafWithoutBody: "a leaf without a body"
    case .noLeaf: "a circle of revisions"
    }
  }

  fileprivate var evidence: Evidence {
    switch self {
    case .deletionLost(let deleted, let winner):
      "\(hidden: deleted) deleted what the winner \(hidden: winner) was made from."
    case .repeated(let ids): "More than one row holds \(hidden: ids)."
    case .flagsDisagree(let flagged, let leaves):
      "Marked as current: \(hidden: flagged); by their parents it would be \(hidden: leaves)."
    case .spurious(let ids): "\(hidden: ids) shares no ancestor with the winner, and is older."
    case .leafWithoutBody(let ids): "There is no body of \(hidden: ids), which is a live leaf."
    case .noLeaf: "Every revision of the document is the parent of another."
    }
  }

  fileprivate var cause: String {
    switch self {
    case .deletionLost:
      "One replica edited the document while another deleted it; a live revision always wins."
    case .repeated:
      "Older versions of sync-android stored a revision again when two replications ran at once."
    case .flagsDisagree: "Revisions were purged, and their parents not marked again."
    case .spurious: "A replica that was away for longer than histories are kept sent its old revision again."
    case .leafWithoutBody: "The revision was replicated in part, or the file was changed by another program."
    case .noLeaf: "The file was changed by another program, or is damaged."
    }
  }

  fileprivate var remedy: String {
    switch self {
    case .deletionLost: "Look at the document in the app, and delete it there if it should be gone."
    case .repeated: "Open the datastore with sync-android 2, which removes the second rows."
    case .flagsDisagree: "Replicate the document into a fresh datastore."
    case .spurious: "Resolve the conflict in favour of the winner."
    case .leafWithoutBody: "Replicate the document into a fresh datastore from a server that has it."
    case .noLeaf: "Restore the datastore from a copy, or replicate it anew."
    }
  }
}
