import Journals
import Merging
import RevisionTrees
import RowJournals
import SQLiteFiles
import StoreInterface

/// What a revision holds: its body as it is stored, and its attachments.
struct DocumentContent {
  let body: [UInt8]
  let attachments: [Attachment]
}

/// The documents that a write makes of leaves: see ``KeptApart``. Their attachments' rows name the same files,
/// but for those that are unpacked.
struct DocumentCopies {
  private let reader: DocumentReader
  private(set) var nextSequence: Int64
  private(set) var changes: [StoredChange] = []
  private var nextKey: Int64

  init(_ reader: DocumentReader, from sequence: Int64) throws {
    (self.reader, nextSequence) = (reader, sequence)
    nextKey = try DocumentGrowth.number(
      after: try reader.db.firstRow("SELECT max(doc_id) FROM docs") { $0.integer(0) } ?? 0)
  }

  /// Nothing is added if it is there already, as another desk made it; one that is deleted begins again.
  ///
  /// - Throws: ``Refusal`` if another document has the name.
  mutating func add(_ name: String, _ content: DocumentContent) throws {
    let rows = try DocumentRows(id: name, in: reader.db, reader.schema)
    if let rows, !rows.tree.liveLeaves.isEmpty {
      if try reader.hasOnly(content, rows) { return }
      throw Refusal(nil, "another document has the name that its copy would get")
    }
    let key = try key(of: name)
    let begun = rows ?? DocumentRows(beginning: key, id: name)
    var growth = try DocumentGrowth(begun, reader)
    growth.goOn(from: nextSequence)
    try growth.append(
      to: begun.tree.winner.map { begun.tree.revisions[$0].id }, body: content.body,
      attachments: content.attachments)
    changes += try growth.changes()
    nextSequence = growth.nextSequence
  }

  /// The key of its row in `docs`. That of a deleted or a purged document is there already, and stays: it tells what begins again.
  private mutating func key(of name: String) throws -> Int64 {
    let docs = reader.schema.docs
    let there = try docs.row(["docid": .text(name)], columns: docs.stored, in: reader.db)
    let row: RowImage = there ?? ["doc_id": .integer(nextKey), "docid": .text(name)]
    guard case .integer(let key)? = row["doc_id"] else { throw Damage("the key of a document is no number") }
    changes.append(
      StoredChange(file: .app, table: "docs", key: ["doc_id": .integer(key)], before: there, after: row))
    if there == nil { nextKey = try DocumentGrowth.number(after: key) }
    return key
  }
}

extension DocumentReader {
  /// Whether a document is this, and nothing else.
  fileprivate func hasOnly(_ content: DocumentContent, _ rows: DocumentRows) throws -> Bool {
    guard rows.tree.liveLeaves.count == 1, let leaf = rows.tree.liveLeaves.first,
      let body = try body(of: rows.sequence(of: leaf)),
      let (own, other) = try? (DocumentBody(content.body).fields, DocumentBody(body).fields), own == other
    else { return false }
    let attached = try attachments.comparable([
      0: content.attachments, 1: attachments.attachments(of: rows.sequence(of: leaf)),
    ])
    return attached[0]?.map(\.field) == attached[1]?.map(\.field)
      && attached[0]?.map(\.value) == attached[1]?.map(\.value)
  }
}
