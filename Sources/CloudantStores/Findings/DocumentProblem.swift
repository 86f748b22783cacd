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
    let expected = tree.revisions.indices.filter { tree.isCurrent($0, platform) }
    if tree.marked == expected { return nil }
    return .flagsDisagree(
      flagged: ids(tree.marked), expected: ids(expected), conflict: tree.flagConflict(platform),
      cause: tree.flagCause(platform))
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

  /// What the store has marked as `current`.
  fileprivate var marked: [Int] { revisions.indices.filter { revisions[$0].isCurrent } }

  /// As ``CandidateQuery`` looks for conflicts: by flags on iOS, by parents on Android.
  fileprivate func flagConflict(_ platform: DatastoreSchema.Platform) -> FlagConflict {
    if !isConflict { return .none }
    return switch platform {
    case .ios: marked.count > 1 ? .listed : .unlisted
    case .android: .listed
    }
  }

  fileprivate func flagCause(_ platform: DatastoreSchema.Platform) -> FlagCause {
    if !repeated.isEmpty { return .storedTwice }
    let marksTombstone = marked.contains { revisions[$0].isDeleted && children[$0].isEmpty }
    return switch platform {
    case .ios: .purged
    case .android: marksTombstone && !liveLeaves.isEmpty ? .deletedInConflict : .purged
    }
  }

  /// What the app reads once the flags are right, without names, as it is told to anybody. Which of several it reads before is not
  /// known.
  fileprivate var wordsOfReading: String {
    guard let winner else { return "No revision changes." }
    if marked == [winner] { return "No revision changes, and the app reads the same one as before." }
    let words = "No revision changes, but the app then reads the winner, which is \(state(of: winner))"
    guard marked.count == 1, let before = marked.first else { return words + "." }
    return words + ", in place of a version that is \(state(of: before))."
  }

  private func state(of revision: Int) -> String { revisions[revision].isDeleted ? "deleted" : "live" }
}

extension DocumentReader {
  func findings(_ rows: DocumentRows) throws -> [Finding] {
    try rows.problems(schema.platform).map { problem in
      guard let mending = rows.mending(of: problem) else {
        return problem.finding(of: rows.id, canBeMended: nil)
      }
      return try problem.finding(
        of: rows.id, canBeMended: words(mending, for: problem, rows), ended: ended(by: mending, rows))
    }
  }

  /// Read of what is found alone.
  private func ended(by mending: DocumentMending, _ rows: DocumentRows) throws -> [RecordVersion] {
    guard case .drop(let leaves) = mending else { return [] }
    return try rows.places(ofLeaves: leaves).map { leaf in
      guard let body = try body(of: rows.sequence(of: leaf)) else { return TreeDocument.notKept }
      let attached = try told(by: leaf, rows).map { ($0.field, $0.value) }
      return TreeDocument.version(
        Result { try DocumentBody(body) }, attachments: Dictionary(attached) { _, last in last })
    }
  }

  private func words(_ mending: DocumentMending, for problem: DocumentProblem, _ rows: DocumentRows) throws
    -> String
  {
    switch mending {
    case .drop(let leaves): try problem.tombstoneWords(in: rows.tree) + wordsOfNoUndo(leaves, rows)
    case .mark: "The flags are set as the revisions' parents say. " + rows.tree.wordsOfReading
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
