import GRDB
import Journals
import Merging
import RevisionTrees
import SQLiteFiles
import StoreInterface

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
package struct DocumentReader: DatabasePlace {
  package let db: Database
  let schema: DatastoreSchema
  let files: DatastoreFiles
  let rules: MergeRules
  let remembered: RememberedDocument
  private let checked = CheckedFiles()
  /// What a write of this state has to make.
  let plainFiles = PlainFiles()

  package func isOfSQLAlone() { plainFiles.canBeMade = false }

  var attachments: AttachmentReader {
    AttachmentReader(db: db, schema: schema, files: files, checked: checked)
  }

  /// nil if the document is not in conflict, or not there.
  func state(of id: String) throws -> DocumentState? {
    try DocumentRows(id: id, in: db, schema).flatMap { try state(of: $0) }
  }

  /// nil if the document is not in conflict.
  func state(of rows: DocumentRows) throws -> DocumentState? {
    guard rows.tree.isConflict else { return nil }
    let source = try source(of: rows)
    return remembered.state(of: source) { state(of: source) }
  }

  private func source(of rows: DocumentRows) throws -> DocumentSource {
    let revisions = TreeDocument.revisionsRead(of: rows.tree)
    var bodies: [Int: [UInt8]] = [:]
    for place in revisions {
      let revision = rows.tree.revisions[place]
      if !revision.isDeleted && revision.hasBody { bodies[place] = try body(of: revision.row) }
    }
    let (attached, untold) = try attachments(of: revisions, rows)
    return DocumentSource(
      rows: rows, rules: rules, bodies: bodies, attached: try attachments.comparable(attached),
      untold: untold)
  }

  private func state(of source: DocumentSource) -> DocumentState? {
    let (rows, attached) = (source.rows, source.attached)
    let document = TreeDocument(id: rows.id, tree: rows.tree) { revisions in
      revisions.reduce(into: [:]) { $0[$1] = version($1, source) }
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
  private func attachments(
    of revisions: [Int], _ rows: DocumentRows
  ) throws -> (told: [Int: [Attachment]], untold: [Int: String]) {
    var told: [Int: [Attachment]] = [:]
    var untold: [Int: String] = [:]
    for revision in revisions where !rows.tree.revisions[revision].isDeleted {
      do {
        told[revision] = try attachments.attachments(of: rows.sequence(of: revision))
      } catch let refusal as Refusal {
        untold[revision] = refusal.reason
      }
    }
    return (told, untold)
  }

  private func version(_ place: Int, _ source: DocumentSource) -> RecordVersion {
    if source.rows.tree.revisions[place].isDeleted { return .deleted(time: nil) }
    guard let body = source.bodies[place] else { return TreeDocument.notKept }
    if let reason = source.untold[place] { return .unknown(reason: reason) }
    let attachments = source.attached[place] ?? []
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
