import GRDB
import Merging
import SQLiteFiles

/// What `resolve` and `write` of a ``LargeStore`` cost at least: the same bytes, written to the same tables of store and journal
/// by somebody who looks at nothing and decides nothing.
public enum RawWrites {
  /// Makes of the store at `path` what `parley resolve` and `parley write` have made of its copy at `done`, journal first, each in a
  /// transaction of its own.
  ///
  /// - Parameters: paths of the app's databases, with the metadata and the journal beside them.
  /// - Returns: processor time in seconds.
  public static func run(on path: String, as done: String) throws -> Double {
    let start = ProcessorTime.ofThread()
    try writeJournal(journal(beside: path), as: journal(beside: done))
    try writeRows(of: path, as: done)
    return Double(ProcessorTime.ofThread() - start) / 1e9
  }

  /// The bytes of all values that a write changed: of rows and metadata what they became, of the inbox what left it.
  public static func changedBytes(from path: String, to done: String) throws -> Int {
    try queue(path, as: done).read { db in
      try changedSize.reduce(0) { sum, sql in
        sum + Int(try db.firstRow(sql) { $0.integer(0) } ?? 0)
      }
    }
  }

  /// The journal that Parley keeps beside a store.
  public static func journal(beside path: String) -> String {
    path.dropLast(".sqlite".count) + ".parley.sqlite"
  }

  private static func queue(_ path: String, as done: String) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: path)
    try queue.inDatabase { db in
      for (name, file) in [
        ("metadata", LargeStore.metadata(of: path)), ("done", done),
        ("doneMetadata", LargeStore.metadata(of: done)),
      ] {
        try db.run("ATTACH ? AS \(name)", [.text(file)])
      }
    }
    return queue
  }

  private static func writeRows(of path: String, as done: String) throws {
    try queue(path, as: done).write { db in
      for id in try db.rows("SELECT id FROM reminders", [], { $0.text(0) }) {
        for sql in statements { try db.run(sql, [.text(id)]) }
      }
    }
  }

  private static let statements = [
    """
    UPDATE main.reminders SET (title, notes, priority, estimate) =
      (SELECT title, notes, priority, estimate FROM done.reminders WHERE id = ?1) WHERE id = ?1
    """,
    """
    UPDATE metadata.sqlitedata_icloud_metadata
    SET (lastKnownServerRecord, _lastKnownServerRecordAllFields, userModificationTime) = (
      SELECT lastKnownServerRecord, _lastKnownServerRecordAllFields, userModificationTime
      FROM doneMetadata.sqlitedata_icloud_metadata WHERE recordPrimaryKey = ?1 AND recordType = 'reminders')
    WHERE recordPrimaryKey = ?1 AND recordType = 'reminders'
    """,
    "DELETE FROM main.parley_inbox WHERE recordName = ?1 || ':reminders'",
  ]

  private static let changedSize = [
    """
    SELECT sum(length(CAST(a.title || a.notes || a.priority || a.estimate AS BLOB)))
    FROM done.reminders a JOIN main.reminders b USING (id)
    WHERE (a.title, a.notes, a.priority, a.estimate) IS NOT (b.title, b.notes, b.priority, b.estimate)
    """,
    """
    SELECT sum(8 + (a.lastKnownServerRecord IS NOT b.lastKnownServerRecord) * length(a.lastKnownServerRecord)
      + (a._lastKnownServerRecordAllFields IS NOT b._lastKnownServerRecordAllFields)
        * length(a._lastKnownServerRecordAllFields))
    FROM doneMetadata.sqlitedata_icloud_metadata a JOIN metadata.sqlitedata_icloud_metadata b
      USING (recordPrimaryKey, recordType)
    """,
    "SELECT coalesce(sum(length(serverRecord)), 0) FROM main.parley_inbox WHERE id NOT IN (SELECT id FROM done.parley_inbox)",
  ]

  private static func writeJournal(_ path: String, as done: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.inDatabase { try $0.run("ATTACH ? AS done", [.text(done)]) }
    try queue.write { db in
      let schema = "SELECT sql FROM done.sqlite_master WHERE sql IS NOT NULL AND name <> 'sqlite_sequence'"
      for sql in try db.rows(schema, [], { $0.text(0) }) { try db.run(sql) }
      for table in ["decisions", "intents", "records", "blobs"] { try copy(table, in: db) }
      try db.run("INSERT INTO main.receipts SELECT * FROM done.receipts")
    }
  }

  private static func copy(_ table: String, in db: Database) throws {
    let sql = "INSERT INTO main.\(table) SELECT * FROM done.\(table) WHERE rowid = ?"
    for row in try db.rows("SELECT rowid FROM done.\(table)", [], { $0.integer(0) }) {
      try db.run(sql, [.integer(row)])
    }
  }
}
