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
  guard conflict.isSure(atLeast: .byClock),
    let note = try Note.fetchOne(db, key: conflict.versions.client.row.id),
    let columns = conflict.resolved().columnsToUpdate(in: note)
  else { return false }
  // An UPDATE of nothing would be uploaded, too.
  if !columns.isEmpty { try conflict.resolved().applied(to: note).update(db, columns: columns) }
  return true
}

/// Settles the conflicts of notes that came in, and leaves to Parley those that are a person's: also all of a record of which several
/// wait, and what has a time that is not before `now`, in nanoseconds since 1970: what is written here would not be sent.
///
/// - Returns: why a conflict could not be read or written, by its record: for the app's log. It stays in Parley's list, where a person
///   decides, and each call tells it again until then.
func mergeNotes(in db: Database, at now: Int64) throws -> [String: any Error] {
  let alone = "recordName IN (SELECT recordName FROM parley_inbox GROUP BY recordName HAVING count(*) = 1)"
  let rows = try Row.fetchAll(
    db, sql: "SELECT * FROM parley_inbox WHERE recordType = 'notes' AND NOT isDeleted AND \(alone)")
  var errors: [String: any Error] = [:]
  for row in rows {
    // One that cannot be read, or that the database refuses, holds up no other.
    do { try mergeNote(row, in: db, at: now) } catch {
      // With the transaction all of it is gone.
      if !db.isInsideTransaction { throw error }
      errors[row["recordName"]] = error
    }
  }
  return errors
}

func mergeNote(_ row: Row, in db: Database, at now: Int64) throws {
  guard let conflict = try noteConflict(row)?.at(now), conflict.newestTime ?? 0 < now else { return }
  try db.inSavepoint {
    guard try settle(conflict, in: db) else { return .rollback }
    try db.execute(sql: "DELETE FROM parley_inbox WHERE id = ?", arguments: [row["id"]])
    return .commit
  }
}

/// What `parley capture` kept of a merge: the ancestor, the row as it was before, and the record that came in. nil if a part of it is
/// missing.
func noteConflict(_ row: Row) throws -> MergeConflict<Note>? {
  guard let client = Data.fromDatabaseValue(row["clientRow"]),
    let time = (row["clientTime"] as DatabaseValue?).flatMap(Int64.fromDatabaseValue),
    let server = Data.fromDatabaseValue(row["serverRecord"])
  else { return nil }
  return try MergeConflict(
    ancestorRecord: Data.fromDatabaseValue(row["ancestorRecord"]), capturedRow: client,
    modificationTime: time, serverRecord: server)
}
