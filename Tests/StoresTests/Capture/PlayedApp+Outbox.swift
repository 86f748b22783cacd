import GRDB
import Merging

@testable import Stores

extension PlayedApp {
  /// Applies the drafts that wait, as the README tells an app to: each in one transaction, and only if the row is still the
  /// one that was seen. What no longer fits is removed, and the record is back in Parley's list.
  func drainOutbox(at time: Int64) throws {
    try edit(at: time, "SELECT 1")
    let waiting = try rows("SELECT id FROM parley_outbox WHERE appliedAt IS NULL ORDER BY id")
    for row in waiting {
      try inTransaction { db in try PlayedApp.apply(row[0], at: time, in: db) }
    }
  }

  private static func apply(_ id: Value, at time: Int64, in db: Database) throws {
    let sql = "SELECT recordName, draft, seenRow, serverRecord FROM parley_outbox WHERE id = ?"
    let found = try db.firstRow(sql, [id]) {
      (
        $0.text(0), try $0.optionalText(1).flatMap(RowJSON.decode),
        try $0.optionalText(2).flatMap(RowJSON.decode), $0.optionalBytes(3)
      )
    }
    guard let (recordName, draft, seen, ancestor) = found, let name = RecordName(recordName),
      let shape = try TableShape(name.table, in: db), let key = shape.singleKey
    else { return }
    let keyImage = [key.name: shape.keyValue(name.primaryKey, key)]
    guard try shape.row(keyImage, columns: shape.stored, in: db) == seen else {
      return try db.run("DELETE FROM parley_outbox WHERE id = ?", [id])
    }
    if let ancestor { try advance(recordName, to: ancestor, in: db) }
    var change = StoredChange(file: .app, table: name.table, key: keyImage, before: seen, after: nil)
    change.after = draft.map { (seen ?? keyImage).merging($0) { _, new in new } }
    try change.apply(shape, in: db)
    try db.run("UPDATE parley_outbox SET appliedAt = ? WHERE id = ?", [.integer(time), id])
  }

  private static func advance(_ recordName: String, to archive: [UInt8], in db: Database) throws {
    let blob = Value.blob(Blob(bytes: archive))
    try db.run(
      """
      UPDATE sqlitedata_icloud_metadata SET lastKnownServerRecord = ?, _lastKnownServerRecordAllFields = ?
      WHERE recordName = ?
      """, [blob, blob, .text(recordName)])
  }
}
