import ExactJSON
import GRDB
import Merging
import RevisionTrees
import SQLiteFiles

/// Everything a datastore says about one document in conflict.
struct DocumentState: Sendable {
  let rows: DocumentRows
  let document: TreeDocument
  /// Of the live leaves and the common ancestor, by their places in the tree.
  let attached: [Int: [Attachment]]
  let conflict: RecordConflict

  var tree: RevisionTree { rows.tree }
  var versions: [Int: RecordVersion] { document.versions }

  /// All attachments of a leaf or the ancestor.
  func attachments(of revision: Int) -> [Attachment] { attached[revision] ?? [] }
}

/// Reads documents.
package struct DocumentReader {
  let db: Database
  let schema: DatastoreSchema
  let files: DatastoreFiles
  let rules: MergeRules
  private let checked = CheckedFiles()

  var attachments: AttachmentReader {
    AttachmentReader(db: db, schema: schema, files: files, checked: checked)
  }

  /// nil if the document is not in conflict, or not there.
  func state(of id: String) throws -> DocumentState? {
    try DocumentRows(id: id, in: db, schema).flatMap { try state(of: $0) }
  }

  /// nil if the document is not in conflict.
  func state(of rows: DocumentRows) throws -> DocumentState? {
    var attached: [Int: [Attachment]] = [:]
    let document = try TreeDocument(id: rows.id, tree: rows.tree) { revisions in
      attached = try attachments(of: revisions, rows)
      return try revisions.reduce(into: [:]) { versions, revision in
        versions[revision] = try version(rows.tree.revisions[revision], attached[revision] ?? [])
      }
    }
    return document.map { document in
      DocumentState(
        rows: rows, document: document, attached: attached, conflict: conflict(document, rows, attached))
    }
  }

  private func conflict(
    _ document: TreeDocument, _ rows: DocumentRows, _ attached: [Int: [Attachment]]
  ) -> RecordConflict {
    let notes = DocumentNotes(
      rows: rows, platform: schema.platform, attachments: attached.values.flatMap(\.self))
    return document.conflict(
      rules, notes: notes.all,
      notWritable: rows.tree.repeated.isEmpty
        ? nil : "it holds one revision more than once, which has to be mended first")
  }
}

/// A revision's body.
extension DocumentReader {
  private func attachments(of revisions: [Int], _ rows: DocumentRows) throws -> [Int: [Attachment]] {
    var attached: [Int: [Attachment]] = [:]
    for revision in revisions where !rows.tree.revisions[revision].isDeleted {
      attached[revision] = try attachments.attachments(of: rows.sequence(of: revision))
    }
    return try attachments.comparable(attached)
  }

  private func version(
    _ revision: RevisionTree.Revision, _ attachments: [Attachment]
  ) throws -> RecordVersion {
    if revision.isDeleted { return .deleted(time: nil) }
    guard revision.hasBody, let body = try body(of: revision.row) else { return TreeDocument.notKept }
    return TreeDocument.version(
      Result { try DocumentBody(body) },
      attachments: Dictionary(attachments.map { ($0.field, $0.value) }) { _, last in last })
  }

  /// The bytes of a body; nil if it is not here.
  func body(of sequence: Int64) throws -> [UInt8]? {
    try db.firstRow("SELECT json FROM revs WHERE sequence = ?", [.integer(sequence)]) { $0.optionalBytes(0) }
      ?? nil
  }
}
