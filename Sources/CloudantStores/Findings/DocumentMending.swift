import Merging
import RevisionTrees
import RowJournals
import SQLiteFiles
import StoreInterface

/// What mends a problem of a document. Rows are never removed: tombstones are appended, or flags set.
enum DocumentMending: Sendable, Equatable {
  /// Tombstones on these leaves.
  case drop([String])
  case mark
}

extension DocumentRows {
  /// nil where nothing safe can be done here. Rows of one revision stay: `parent` and the marks of replicators refer to their numbers,
  /// and which of them the app reads is not known.
  func mending(of problem: DocumentProblem) -> DocumentMending? {
    guard tree.repeated.isEmpty, tree.unrooted.isEmpty else { return nil }
    if case .flagsDisagree = problem { return .mark }
    return problem.tombstones(in: tree).map { .drop($0) }
  }

  /// Where the leaves of these ids stand in the tree.
  func places(ofLeaves ids: [String]) -> [Int] {
    tree.leaves.filter { ids.contains(tree.revisions[$0].id) }
  }
}

extension DocumentMending {
  func changes(_ rows: DocumentRows, _ reader: DocumentReader) throws -> [StoredChange] {
    switch self {
    case .drop(let leaves): try DocumentMending.deleting(leaves, rows, reader)
    case .mark: try DocumentMending.marking(rows, reader)
    }
  }

  private static func deleting(
    _ ids: [String], _ rows: DocumentRows, _ reader: DocumentReader
  ) throws -> [StoredChange] {
    var growth = try DocumentGrowth(rows, reader)
    for id in ids { try growth.delete(id) }
    let kept = try rows.places(ofLeaves: ids).flatMap { try growth.unchangedAttachments(of: $0) }
    return try growth.changes() + kept
  }

  private static func marking(_ rows: DocumentRows, _ reader: DocumentReader) throws -> [StoredChange] {
    try rows.tree.revisions.indices.compactMap { place in
      let isCurrent = rows.tree.isCurrent(place, reader.schema.platform)
      let change = try reader.marking(rows.sequence(of: place), isCurrent: isCurrent)
      return change.flatMap { $0.changesNothing ? nil : $0 }
    }
  }
}

extension DocumentReader {
  /// The change that sets the flag of one row; nil if there is no such row.
  func marking(_ sequence: Int64, isCurrent: Bool) throws -> StoredChange? {
    let key: RowImage = ["sequence": .integer(sequence)]
    guard let before = try schema.revs.row(key, columns: schema.revs.stored, in: db) else { return nil }
    var after = before
    after["current"] = .integer(isCurrent ? 1 : 0)
    return StoredChange(file: .app, table: "revs", key: key, before: before, after: after)
  }
}
