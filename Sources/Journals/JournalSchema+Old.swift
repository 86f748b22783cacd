import Foundation
import GRDB
import Merging
import SQLiteFiles
import StoreInterface

/// Journals of older Parleys, of which nothing is lost.
///
///     version 1   no imports, and no changes of them
///     version 2   changes(intent, ordinal, record, title, file, tableName, key, before, after): rows as JSON, whole in every
///                 change, without a checksum; nothing tells whose journal it is
///
/// While one is only read it stays as it is, and temporary views and tables give it those of today: it has no index by record.
/// The first thing written to it brings it up.
extension JournalSchema {
  /// Lets this connection read an older journal as if it were one of today.
  package static func showAsOfToday(_ db: Database) throws {
    let found = try found(in: db)
    guard found == 1 || found == 2 else { return }
    db.add(function: rowOfJSON)
    try db.execute(sql: "PRAGMA temp_store = MEMORY")
    try db.execute(sql: views)
    if found == 1 { try db.execute(sql: emptyImports) }
  }

  /// Whether this connection was prepared for another version than the journal has by now.
  package static func isShownWrongly(in db: Database) throws -> Bool {
    let hasViews =
      try db.firstRow("SELECT 1 FROM temp.sqlite_master WHERE name = 'records'") { _ in true } ?? false
    return hasViews != (1..<version).contains(try found(in: db))
  }

  private static let views = """
    CREATE TEMP VIEW stores AS
      SELECT 1 AS id, iif(tableName = 'revs', 'Cloudant Sync', 'SQLiteData') AS kind, NULL AS file
      FROM main.changes LIMIT 1;
    CREATE TEMP VIEW intents AS SELECT id, undoes, startedAt, note, 'write' AS act FROM main.intents;
    CREATE TEMP TABLE places (
      intent, record, ordinal, title, PRIMARY KEY (intent, record, ordinal)
    ) WITHOUT ROWID;
    INSERT OR IGNORE INTO places SELECT intent, record, ordinal, title FROM main.changes;
    CREATE TEMP TABLE records (
      intent, record, ordinal, title, checksum, PRIMARY KEY (intent, record)
    ) WITHOUT ROWID;
    INSERT OR IGNORE INTO records SELECT intent, record, ordinal, title, NULL FROM places ORDER BY ordinal;
    CREATE TEMP VIEW changes AS
      SELECT old.ordinal AS id, places.intent AS intent, places.record AS record, file, tableName,
        parley_row(key) AS key, parley_row(before) AS before, parley_row(after) AS after,
        iif(file = 'journal' AND json_valid(key), json_extract(key, '$.id'), NULL) AS import
      FROM places CROSS JOIN main.changes AS old
        ON old.intent = places.intent AND old.ordinal = places.ordinal;
    CREATE TEMP VIEW blobs AS SELECT NULL AS id, NULL AS sha256, NULL AS bytes WHERE 0;
    """

  private static let emptyImports = """
    CREATE TEMP VIEW imports AS
      SELECT NULL AS id, NULL AS recordName, NULL AS zoneName, NULL AS ownerName, NULL AS recordType,
        NULL AS receivedAt, NULL AS path, NULL AS isDeleted, NULL AS serverRecord, NULL AS ancestorRecord,
        NULL AS clientRow, NULL AS serverJSON WHERE 0;
    """

  private static let rowOfJSON = DatabaseFunction("parley_row", argumentCount: 1, pure: true) { values in
    String.fromDatabaseValue(values[0]).map { Data(bytes(ofJSON: $0)) }
  }

  /// A row that cannot be read stays the text it is, which is none: whoever needs it is told.
  fileprivate static func bytes(ofJSON json: String) -> [UInt8] {
    guard let row = try? RowJSON.decode(json), let encoded = try? EncodedRow(row, longLength: .max) else {
      return Array(json.utf8)
    }
    return encoded.bytes
  }
}

/// Bringing an older journal up.
extension JournalSchema {
  /// Brings a journal of an older Parley up to this version; what is in it stays.
  package static func migrate(_ db: Database) throws {
    let found = try found(in: db)
    if found < version {
      try db.execute(sql: beginning(found))
      try copyChanges(in: db)
      try db.execute(sql: "DROP TABLE oldChanges; PRAGMA user_version = \(version)")
    }
    try db.execute(sql: indexes)
  }

  private static func beginning(_ found: Int) -> String {
    """
    ALTER TABLE changes RENAME TO oldChanges;
    DROP INDEX IF EXISTS changes_imports;
    DROP INDEX IF EXISTS receipts_finishedAt;
    ALTER TABLE intents ADD COLUMN \(act);
    \(stores)
    \(changes)
    \(found == 1 ? imports : "")
    """
  }

  /// One record at a time, as a journal may hold more than memory does.
  private static func copyChanges(in db: Database) throws {
    var (record, ordinal, intent) = (EncodedRecord(id: "", title: "", changes: []), 0, Int64(0))
    func copy() throws {
      if !record.changes.isEmpty { try record.insert(ordinal, of: intent, in: db) }
    }
    let sql = """
      SELECT intent, record, title, file, tableName, key, before, after FROM oldChanges ORDER BY intent, ordinal
      """
    try db.forEachRow(sql) { row in
      if row.integer(0) != intent || row.text(1) != record.id {
        try copy()
        ordinal = row.integer(0) == intent ? ordinal + 1 : 0
        intent = row.integer(0)
        record = EncodedRecord(id: row.text(1), title: row.text(2), changes: [])
      }
      record.changes.append(EncodedChange(old: row))
    }
    try copy()
  }
}

extension EncodedChange {
  /// A change of version 1 or 2. One that cannot be read is kept as it was, and is none: see ``EncodedRecord/isWhole``.
  fileprivate init(old row: SQLRow) {
    let key = row.text(5)
    do {
      let file = StoredChange.File(rawValue: row.text(3)) ?? .metadata
      let change = StoredChange(
        file: file, table: row.text(4), key: try RowJSON.decode(key) ?? [:],
        before: try row.optionalText(6).flatMap(RowJSON.decode),
        after: try row.optionalText(7).flatMap(RowJSON.decode))
      try self.init(change)
    } catch {
      self.init(
        file: row.text(3), table: row.text(4), key: Array(key.utf8), before: row.optionalBytes(6),
        after: row.optionalBytes(7))
    }
  }
}
