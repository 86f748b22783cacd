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

extension DocumentReader {
  func findings(_ rows: DocumentRows) throws -> [Finding] {
    try rows.problems(schema.platform).map { problem in
      let mending = try rows.mending(of: problem).map { try words($0, for: problem, rows) }
      return problem.finding(of: rows.id, canBeMended: mending)
    }
  }

  private func words(_ mending: DocumentMending, for problem: DocumentProblem, _ rows: DocumentRows) throws
    -> String
  {
    switch mending {
    case .drop(let leaves): try problem.tombstoneWords + wordsOfNoUndo(leaves, rows)
    case .mark: "The flags are set as the revisions' parents say. No revision changes."
    }
  }

  /// Empty where all files are there. Without their names, as it is told to anybody.
  private func wordsOfNoUndo(_ leaves: [String], _ rows: DocumentRows) throws -> String {
    let count = try withoutFile(rows.places(ofLeaves: leaves).flatMap { try told(by: $0, rows) }).count
    if count == 0 { return "" }
    return
      " But its undo is refused as long as \(count) of its attachments \(count == 1 ? "has" : "have") no file."
  }

  /// None of what nobody can tell: then the mend is refused.
  private func told(by leaf: Int, _ rows: DocumentRows) throws -> [Attachment] {
    do {
      return try attachments.attachments(of: rows.sequence(of: leaf))
    } catch is Refusal {
      return []
    }
  }
}
