import ArchivedRows
import Foundation
import GRDB
import Merging

struct Note: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "notes"
  let id: String
  var title: String
  var body: String?
  var rank: Int?
}

extension Note: Mergeable {
  var primaryKey: String { id }

  static let mergeFields: [MergeField<Note>] = [
    .field("title", \.title),  // the latest edit
    .field("body", \.body, .text),  // both edits, word by word
    .field("rank", \.rank, .counter),  // both differences
  ]
}

/// Settles the conflicts of notes that the policies can decide, and leaves the others to a person.
func mergeNotes(in db: Database) throws {
  let edited = "recordType = 'notes' AND NOT isDeleted AND clientRow IS NOT NULL"
  let rows = try Row.fetchAll(db, sql: "SELECT * FROM parley_inbox WHERE \(edited)")
  for row in rows {
    let conflict = try noteConflict(row)
    guard conflict.isSure(atLeast: .byClock),
      let note = try Note.fetchOne(db, key: conflict.versions.client.row.id)
    else { continue }
    let draft = conflict.resolved()
    try draft.applied(to: note).update(db, columns: draft.changedColumns(from: note))
    try db.execute(sql: "DELETE FROM parley_inbox WHERE id = ?", arguments: [row["id"]])
  }
}

/// What `parley capture` kept of a merge: the ancestor, the row as it was before, and the record that came in.
func noteConflict(_ row: Row) throws -> MergeConflict<Note> {
  let archive: Data? = row["ancestorRecord"]
  let ancestor = try archive.map { try RowVersion<Note>(archivedRecord: $0) }
  let client = RowVersion(
    clientRow: try JSONDecoder().decode(Note.self, from: row["clientRow"]),
    modificationTime: row["clientTime"], ancestor: ancestor)
  let server = try RowVersion<Note>(archivedRecord: row["serverRecord"] as Data, known: ancestor)
  return MergeConflict(ancestor: ancestor, client: client, server: server)
}
