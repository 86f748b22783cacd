import GRDB
import Merging
import SQLiteFiles
import StoreInterface
import Synchronization

/// The tables of SQLiteData's hidden database, attached as `sqlitedata_icloud`.
///
///     sqlitedata_icloud_metadata                  one row a record: zone, parent, both archives, the time of the last change
///     sqlitedata_icloud_recordTypes               the tables that sync
///     sqlitedata_icloud_pendingRecordZoneChanges  changes made while the engine was stopped; read and emptied at launch
///     sqlitedata_icloud_unsyncedRecordIDs         records that came before their parent
///     sqlitedata_icloud_stateSerialization        the engine's own state, with its queue
///
/// Learnt from pointfreeco/sqlite-data f6bd67aa, CloudKit/Internal/Metadatabase.swift. The CREATE statements are the same
/// from 1.0.0 to 1.11.0; forks add columns, so all reading is by name. More in FORMAT.md, "The metadatabase".
package enum Metadatabase {
  package static let schema = "sqlitedata_icloud"
  package static let metadata = "sqlitedata_icloud_metadata"
  package static let recordTypes = "sqlitedata_icloud_recordTypes"
  package static let pending = "sqlitedata_icloud_pendingRecordZoneChanges"
  package static let pendingColumn = "pendingRecordZoneChange"
  package static let unsynced = "sqlitedata_icloud_unsyncedRecordIDs"
  static let state = "sqlitedata_icloud_stateSerialization"
  package static let defaultZone = "co.pointfree.SQLiteData.defaultZone"
  package static let defaultOwner = "__defaultOwner__"

  package static func sqlName(_ table: String) -> String { quoted(schema) + "." + quoted(table) }

  /// - Throws: ``StoreError/notAStore(path:detail:)`` naming the first table that is not there.
  static func check(_ path: String, in db: Database) throws {
    for table in [metadata, recordTypes, pending, unsynced] {
      if try !has(table, in: db) {
        throw StoreError.notAStore(
          path: path, detail: "its metadatabase has no table \(table)" + (try hintOfMissingWAL(in: db)))
      }
    }
    // Their names alone: all that can be told of a table's shape was a tenth of a start.
    let columns = try db.rows("SELECT name FROM pragma_table_xinfo(?, ?)", [.text(metadata), .text(schema)]) {
      $0.text(0)
    }
    for name in MetadataRow.names where !columns.contains(name) {
      throw StoreError.notAStore(path: path, detail: "the table \(metadata) has no column \(name)")
    }
  }

  /// Until the first checkpoint everything lies in the `-wal`, tables too.
  private static func hintOfMissingWAL(in db: Database) throws -> String {
    let isFilled = try db.hasRow("SELECT 1 FROM \(quoted(schema)).sqlite_master LIMIT 1")
    return isFilled ? "" : ", and no other; it may have been copied without its -wal"
  }

  static func has(_ table: String, in db: Database) throws -> Bool {
    try db.hasTable(table, in: schema)
  }

  static func syncedTables(in db: Database) throws -> Set<String> {
    Set(try db.rows("SELECT tableName FROM \(sqlName(recordTypes))") { $0.text(0) })
  }
}

/// One row of `sqlitedata_icloud_metadata`. A class, as what is made of a record has it in several places.
final class MetadataRow: Sendable {
  let zoneName: String
  let ownerName: String
  /// Whether the app has an archive of what the server told beside the fields. Its bytes are read where somebody needs them alone.
  let hasSystemFields: Bool
  /// The archive of the ancestor.
  let allFields: [UInt8]?
  /// Nanoseconds since 1970.
  let modificationTime: Int64
  let isDeleted: Bool
  /// nil for a record without a parent.
  let parent: RecordName?

  /// Whether the app knows nothing of the server's.
  var isWithoutRecord: Bool { allFields == nil && !hasSystemFields }

  static let names = [
    "zoneName", "ownerName", "lastKnownServerRecord", "_lastKnownServerRecordAllFields",
    "userModificationTime", "_isDeleted", "parentRecordPrimaryKey", "parentRecordType",
  ]
  private static let systemFields = "lastKnownServerRecord"
  private static let columns = names.map { $0 == systemFields ? $0 + " IS NOT NULL" : $0 }
    .joined(separator: ", ")
  private static let table = Metadatabase.sqlName(Metadatabase.metadata)
  // Made once, as they are asked for with every record.
  private static let one = "SELECT \(columns) FROM \(table) WHERE recordPrimaryKey = ? AND recordType = ?"
  private static let later = """
    SELECT rowid, recordPrimaryKey, recordType, \(columns) FROM \(table) WHERE rowid > ? ORDER BY rowid LIMIT ?
    """

  init(_ row: SQLRow, at first: Int32 = 0) {
    zoneName = row.text(first)
    ownerName = row.text(first + 1)
    hasSystemFields = row.integer(first + 2) != 0
    allFields = row.optionalBytes(first + 3)
    modificationTime = row.integer(first + 4)
    isDeleted = row.integer(first + 5) != 0
    parent = row.optionalText(first + 6).map { RecordName(primaryKey: $0, table: row.text(first + 7)) }
  }

  /// The same with another archive.
  init(_ other: MetadataRow, allFields: [UInt8]) {
    (zoneName, ownerName, hasSystemFields) = (other.zoneName, other.ownerName, other.hasSystemFields)
    (modificationTime, isDeleted, parent) = (other.modificationTime, other.isDeleted, other.parent)
    self.allFields = allFields
  }

  static func of(_ name: RecordName, in db: Database) throws -> MetadataRow? {
    try db.firstRow(one, [.text(name.primaryKey), .text(name.table)]) { MetadataRow($0) }
  }

  /// The archive of what the server told beside the fields; nil if there is none.
  static func systemFields(of name: RecordName, in db: Database) throws -> [UInt8]? {
    let sql = "SELECT \(systemFields) FROM \(table) WHERE recordPrimaryKey = ? AND recordType = ?"
    return try db.firstRow(sql, [.text(name.primaryKey), .text(name.table)]) { $0.optionalBytes(0) } ?? nil
  }

  /// Calls `body` with each of the rows after `rowid` in the order they were made, at most `limit`.
  ///
  /// - Returns: the last one's rowid; nil if there is none.
  static func each(
    after rowid: Int64, limit: Int, in db: Database, _ body: (RecordName, MetadataRow) throws -> Void
  ) throws -> Int64? {
    var order = KeyOrder.rising(from: rowid)
    var last: Int64?
    try db.forEachRow(later, [.integer(rowid), .integer(Int64(limit))]) { row in
      let rowid = row.integer(0)
      try order.pass(rowid)
      try body(RecordName(primaryKey: row.text(1), table: row.text(2)), MetadataRow(row, at: 3))
      last = rowid
    }
    return last
  }
}

/// "primaryKey:table", as CloudKit knows a record. A key may hold colons, a table's name may not: the last one divides.
struct RecordName: Sendable, Hashable {
  let primaryKey: String
  let table: String

  /// As it is stored; a name without a table has no colon.
  var whole: String { table.isEmpty ? primaryKey : "\(primaryKey):\(table)" }

  init(primaryKey: String, table: String) { (self.primaryKey, self.table) = (primaryKey, table) }

  /// One without a table where there is no colon.
  init(whole name: String) { self = RecordName(name) ?? RecordName(primaryKey: name, table: "") }

  /// nil if there is no colon: a record that another program wrote.
  init?(_ name: String) {
    guard let colon = name.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
    primaryKey = String(name[..<colon])
    table = String(name[name.utf8.index(after: colon)...])
  }
}

/// The shapes of the tables, read once each. A change of the schema, by an update of the app, is noticed by its version.
final class TableShapes: Sendable {
  private final class Known: Sendable {
    let version: Int64?
    let shapes = Mutex<[String: TableShape?]>([:])
    let synced = Mutex<Set<String>?>(nil)
    let changed = Mutex<[String: Set<String>]>([:])

    init(version: Int64? = nil) { self.version = version }
  }

  private let known: Mutex<Known>
  private let isPinned: Bool

  init() {
    known = Mutex(Known())
    isPinned = false
  }

  private init(pinned: Known) {
    known = Mutex(pinned)
    isPinned = true
  }

  /// The same for one transaction, in which no schema changes: nobody asks for its version with each row.
  func pinned(in db: Database) throws -> TableShapes { TableShapes(pinned: try current(db)) }

  /// The table of the app database; nil if there is none.
  func shape(of table: String, in db: Database) throws -> TableShape? {
    try current(db).shapes.withLock { shapes in
      if let shape = shapes[table] { return shape }
      let shape = try TableShape(table, in: db)
      shapes[table] = .some(shape)
      return shape
    }
  }

  func isSynced(_ table: String, in db: Database) throws -> Bool {
    try current(db).synced.withLock { known in
      let synced = try known ?? Metadatabase.syncedTables(in: db)
      known = synced
      return synced.contains(table)
    }
  }

  /// See ``SchemaCheck/changedColumns(of:in:)``.
  func changedColumns(of table: String, in db: Database) throws -> Set<String> {
    try current(db).changed.withLock { known in
      if let columns = known[table] { return columns }
      let columns = try SchemaCheck.changedColumns(of: table, in: db)
      known[table] = columns
      return columns
    }
  }

  private func current(_ db: Database) throws -> Known {
    try known.withLock { known in
      if isPinned { return known }
      let version = try db.firstRow("PRAGMA main.schema_version") { $0.integer(0) }
      if version != known.version { known = Known(version: version) }
      return known
    }
  }
}
