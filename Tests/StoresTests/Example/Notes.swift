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

/// Writes what the policies decide, and says whether they could: else it is a person's. So is what somebody has edited since.
func settle(_ conflict: MergeConflict<Note>, in db: Database) throws -> Bool {
  let draft = conflict.resolved()
  guard conflict.isSure(atLeast: .byClock),
    let note = try Note.fetchOne(db, key: conflict.versions.client.row.id),
    let columns = draft.columnsToUpdate(in: note)
  else { return false }
  try draft.applied(to: note).update(db, columns: columns)
  return true
}

/// Settles the conflicts of notes that came in, and leaves to Parley those that are a person's: also what is newer by a clock that
/// is ahead of `now`, in nanoseconds since 1970, by more than a day.
func mergeNotes(in db: Database, at now: Int64) throws {
  let known = "NOT isDeleted AND clientRow IS NOT NULL AND clientTime IS NOT NULL"
  let rows = try Row.fetchAll(db, sql: "SELECT * FROM parley_inbox WHERE recordType = 'notes' AND \(known)")
  for row in rows {
    // What cannot be read here stays there, and holds up no other.
    guard let conflict = try? noteConflict(row), try settle(conflict.at(now), in: db) else { continue }
    try db.execute(sql: "DELETE FROM parley_inbox WHERE id = ?", arguments: [row["id"]])
  }
}

/// What `parley capture` kept of a merge: the ancestor, the row as it was before, and the record that came in.
func noteConflict(_ row: Row) throws -> MergeConflict<Note> {
  let archive: Data? = row["ancestorRecord"]
  let ancestor = try archive.map { try RowVersion<Note>(archivedRecord: $0) }
  let client = try RowVersion<Note>(
    capturedRow: row["clientRow"] as Data, modificationTime: row["clientTime"], ancestor: ancestor)
  let server = try RowVersion<Note>(archivedRecord: row["serverRecord"] as Data, known: ancestor)
  return MergeConflict(ancestor: ancestor, client: client, server: server)
}
