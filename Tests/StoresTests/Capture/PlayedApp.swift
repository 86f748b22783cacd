import GRDB
import Merging
import Synchronization

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import Samples
@testable import StoreInterface

/// An app with SQLiteData in it, as far as its writer connection goes: the functions that the library registers, temporary
/// triggers that do what those of its published schema do, the queue of its sync engine, and writes in the engine's order.
final class PlayedApp: Sendable {
  private struct State {
    var time: Int64 = 1_000
    var isSynchronizing = false
    var queued: [String: Queued] = [:]
  }

  /// What the engine is to send for a record; the later change replaces the earlier.
  enum Queued: Sendable { case save, delete }

  static let name = "Notes.sqlite"
  static let container = "iCloud.com.example.Notes"
  /// A name with quotes and spaces, and an integer key.
  static let odd = #"my "odd" table's"#
  static let oddColumn = #"it's "odd" too"#

  static let tables: [(name: String, sql: String)] = [
    (
      "notes",
      """
      CREATE TABLE "notes" (
        "id" TEXT NOT NULL PRIMARY KEY, "title" TEXT NOT NULL DEFAULT '', "body" TEXT COLLATE NOCASE,
        "size" REAL, "rank" INTEGER, "picture" BLOB, "seenAt" INTEGER,
        "length" INTEGER GENERATED ALWAYS AS (length("title")) VIRTUAL
      ) STRICT
      """
    ),
    (
      odd,
      "CREATE TABLE \(quoted(odd)) (\"number\" INTEGER PRIMARY KEY NOT NULL, \(quoted(oddColumn)) TEXT) STRICT"
    ),
    ("tags", "CREATE TABLE \"tags\" (\"title\" TEXT PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID"),
    ("lists", "CREATE TABLE \"lists\" (\"id\" TEXT PRIMARY KEY NOT NULL, \"title\" TEXT) STRICT"),
    (
      "items",
      """
      CREATE TABLE "items" (
        "id" TEXT PRIMARY KEY NOT NULL, "title" TEXT,
        "listID" TEXT NOT NULL REFERENCES "lists"("id") ON DELETE CASCADE
      ) STRICT
      """
    ),
  ]

  let path: String
  let queue: DatabaseQueue
  private let shared: Shared

  convenience init(in folder: TestFolder) throws {
    let builder = try StoreBuilder(
      folder: folder.path, name: PlayedApp.name, container: PlayedApp.container, tables: PlayedApp.tables)
    // As an app that never captured: no inbox.
    try builder.write { try $0.execute(sql: "DROP TABLE parley_inbox") }
    try builder.close()
    try self.init(path: builder.database)
  }

  /// The app starts with the store that is there.
  init(path: String) throws {
    self.path = path
    shared = Shared()
    queue = try PlayedApp.open(path, shared)
    try queue.write { db in
      for table in try Metadatabase.syncedTables(in: db) { try PlayedApp.makeTriggers(table, in: db) }
      try db.execute(sql: PlayedApp.metadataTriggers)
    }
  }

  /// What the registered functions read.
  private final class Shared: Sendable {
    let state = Mutex(State())
  }

  private static func open(_ path: String, _ shared: Shared) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(
        function: DatabaseFunction("sqlitedata_icloud_currentTime", argumentCount: 0) { _ in
          shared.state.withLock(\.time)
        })
      db.add(
        function: DatabaseFunction("sqlitedata_icloud_syncEngineIsSynchronizingChanges", argumentCount: 0) {
          _ in
          shared.state.withLock(\.isSynchronizing)
        })
      for (name, queued) in [("played_didUpdate", Queued.save), ("played_didDelete", .delete)] {
        db.add(
          function: DatabaseFunction(name, argumentCount: 1) { values in
            let record = String.fromDatabaseValue(values[0]) ?? ""
            shared.state.withLock { $0.queued[record] = queued }
            return nil
          })
      }
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let files = try StoreFiles(path: path, metadatabase: nil)
    try queue.inDatabase {
      try $0.execute(sql: "ATTACH DATABASE ? AS sqlitedata_icloud", arguments: [files.metadatabase])
    }
    return queue
  }

  private static let synchronizing = "sqlitedata_icloud_syncEngineIsSynchronizingChanges()"

  /// The triggers that keep the metadata up with the rows. A row that is written again keeps its mark of deletion, and a deletion
  /// has no time.
  private static func makeTriggers(_ table: String, in db: Database) throws {
    let key = quoted(try TableShape(table, in: db)?.singleKey?.name ?? "id")
    let (on, type, metadata) = (quoted(table), literal(table), Metadatabase.metadata)
    func record(_ row: String) -> String {
      "recordPrimaryKey = CAST(\(row).\(key) AS TEXT) AND recordType = \(type)"
    }
    let insert = """
      INSERT INTO \(metadata) (recordPrimaryKey, recordType, zoneName, ownerName, userModificationTime)
      VALUES (NEW.\(key), \(type), '\(Metadatabase.defaultZone)', '\(Metadatabase.defaultOwner)',
        sqlitedata_icloud_currentTime())
      ON CONFLICT (recordPrimaryKey, recordType) DO NOTHING;
      """
    try db.execute(
      sql: """
        CREATE TEMP TRIGGER \(quoted("app_insert_" + table)) AFTER INSERT ON \(on) BEGIN
          \(insert)
        END;
        CREATE TEMP TRIGGER \(quoted("app_update_" + table)) AFTER UPDATE ON \(on) BEGIN
          \(insert)
          UPDATE \(metadata) SET userModificationTime = sqlitedata_icloud_currentTime() WHERE \(record("NEW"));
        END;
        CREATE TEMP TRIGGER \(quoted("app_delete_" + table)) AFTER DELETE ON \(on) WHEN NOT \(synchronizing) BEGIN
          UPDATE \(metadata) SET _isDeleted = 1 WHERE \(record("OLD"));
        END;
        CREATE TEMP TRIGGER \(quoted("app_sync_delete_" + table)) AFTER DELETE ON \(on) WHEN \(synchronizing) BEGIN
          DELETE FROM \(metadata) WHERE \(record("OLD"));
        END;
        """)
  }

  /// Those that tell the engine, and what a move to another zone takes away, from all that belong to the record as well. While the mark of deletion stands, another deletion looks like an edit.
  private static let metadataTriggers = """
    CREATE TEMP TRIGGER app_metadata_insert AFTER INSERT ON \(Metadatabase.metadata) WHEN NOT \(synchronizing) BEGIN
      SELECT played_didUpdate(NEW.recordName);
    END;
    CREATE TEMP TRIGGER app_metadata_update AFTER UPDATE ON \(Metadatabase.metadata)
    WHEN OLD._isDeleted = NEW._isDeleted AND NOT \(synchronizing) BEGIN
      SELECT played_didUpdate(NEW.recordName);
    END;
    CREATE TEMP TRIGGER app_metadata_zone AFTER UPDATE OF zoneName, ownerName ON \(Metadatabase.metadata)
    WHEN NEW.zoneName <> OLD.zoneName OR NEW.ownerName <> OLD.ownerName BEGIN
      UPDATE \(Metadatabase.metadata) SET zoneName = NEW.zoneName, ownerName = NEW.ownerName,
        lastKnownServerRecord = NULL, _lastKnownServerRecordAllFields = NULL
      WHERE recordName IN (
        WITH RECURSIVE moved(name) AS (
          SELECT NEW.recordName
          UNION SELECT child.recordName FROM \(Metadatabase.metadata) AS child JOIN moved ON child.parentRecordName = name)
        SELECT name FROM moved);
    END;
    CREATE TEMP TRIGGER app_metadata_delete AFTER UPDATE OF _isDeleted ON \(Metadatabase.metadata)
    WHEN NOT OLD._isDeleted AND NEW._isDeleted AND NOT \(synchronizing) BEGIN
      SELECT played_didDelete(NEW.recordName);
    END;
    """

  func close() throws { try queue.close() }
}

extension PlayedApp {
  /// Runs what `parley capture` prints.
  func capture() throws {
    let capture = try SQLiteDataStore.open(path: path).capture()
    try queue.write { db in for sql in capture.upgrade + capture.statements { try db.execute(sql: sql) } }
  }

  /// The same before all edits: of what is older than the capture it takes for granted that it was edited.
  func captureAll() throws {
    setTime(1)
    try capture()
  }

  func setTime(_ time: Int64) { shared.state.withLock { $0.time = time } }

  /// What the engine is to send, by the names of the records.
  var queued: [String: Queued] { shared.state.withLock(\.queued) }

  /// What is sent leaves the queue.
  func dequeue(_ name: String) { shared.state.withLock { $0.queued[name] = nil } }

  func enqueue(_ name: String) { shared.state.withLock { $0.queued[name] = .save } }

  /// A person's edit at this time.
  func edit(at time: Int64, _ sql: String, _ arguments: [Value] = []) throws {
    setTime(time)
    try queue.write { try $0.run(sql, arguments) }
  }

  func rows(_ sql: String) throws -> [[Value]] {
    try queue.read { db in
      let columns = try Int32(db.cachedStatement(sql: sql).columnCount)
      var rows: [[Value]] = []
      try db.forEachRow(sql) { row in rows.append((0..<columns).map(row.value)) }
      return rows
    }
  }

  func inTransaction(_ body: (Database) throws -> Void) throws {
    try queue.inTransaction(.immediate) { db in
      try body(db)
      return .commit
    }
  }

  /// A write of the engine at this time.
  func synchronizing(at time: Int64, _ body: (Database) throws -> Void) throws {
    shared.state.withLock { ($0.time, $0.isSynchronizing) = (time, true) }
    defer { shared.state.withLock { $0.isSynchronizing = false } }
    try queue.write(body)
  }

  /// The server has this record: it was fetched, or came back as the answer to a save that clashed with it.
  ///
  /// - Parameters:
  ///   - files: of its assets, by their columns.
  ///   - isForced: whether it comes in place of an edit that the server does not permit.
  func receive(
    _ record: ArchivedRecord, files: [String: [UInt8]] = [:], isForced: Bool = false, at time: Int64
  ) throws {
    try synchronizing(at: time) { try PlayedApp.upsert(record, files, isForced, in: $0) }
  }

  /// The server has saved what this device sent.
  func acknowledge(_ record: ArchivedRecord, at time: Int64) throws {
    try synchronizing(at: time) { try PlayedApp.setLastKnown(record, in: $0) }
  }

  /// The server says that the record was deleted.
  func receiveDeletion(of table: String, _ condition: String, at time: Int64) throws {
    try synchronizing(at: time) { try $0.execute(sql: "DELETE FROM \(quoted(table)) WHERE \(condition)") }
  }

  private static func upsert(
    _ incoming: ArchivedRecord, _ files: [String: [UInt8]], _ isForced: Bool, in db: Database
  ) throws {
    guard let name = RecordName(incoming.recordName), let shape = try TableShape(name.table, in: db) else {
      return
    }
    try insertMetadata(incoming, name, in: db)
    guard let metadata = try MetadataRow.of(name, in: db) else { return }
    var record = incoming
    record.setTime(metadata.modificationTime)
    var written = shape.stored.map(\.name)
    if !isForced, let ancestor = metadata.allFields, let row = try shape.row(of: name, in: db) {
      written = try record.restore(try ArchivedRecord(decoding: ancestor), row, shape, written)
      // That an asset was taken away is not seen.
      written += files.keys.filter { row[$0] == .null && !written.contains($0) }
    }
    try upsertRow(record, files, name, shape, written, in: db)
    try setLastKnown(record, in: db)
  }

  private static func insertMetadata(_ record: ArchivedRecord, _ name: RecordName, in db: Database) throws {
    let (blob, system) = archives(of: record)
    let parent = record.parentRecordName.flatMap { RecordName($0) }
    try db.run(
      """
      INSERT INTO sqlitedata_icloud_metadata (recordPrimaryKey, recordType, zoneName, ownerName,
        lastKnownServerRecord, _lastKnownServerRecordAllFields, userModificationTime,
        parentRecordPrimaryKey, parentRecordType) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (recordPrimaryKey, recordType)
      DO UPDATE SET zoneName = excluded.zoneName, ownerName = excluded.ownerName
      """,
      [
        .text(name.primaryKey), .text(name.table), .text(record.zoneName), .text(record.ownerName), system,
        blob, .integer(record.modificationTime ?? 0), parent.map { .text($0.primaryKey) } ?? .null,
        parent.map { .text($0.table) } ?? .null,
      ])
  }

  private static func upsertRow(
    _ record: ArchivedRecord, _ files: [String: [UInt8]], _ name: RecordName, _ shape: TableShape,
    _ written: [String], in db: Database
  ) throws {
    guard let key = shape.singleKey else { return }
    var fields = record.fields(of: shape)
    for (column, bytes) in files { fields[column]?.value = .blob(Blob(bytes: bytes)) }
    // The file of another asset is nowhere here, and its column stays as it is.
    let known = shape.stored.map(\.name).filter {
      fields[$0]?.time != nil && fields[$0]?.value.isAtHand != false && $0 != key.name
    }
    let columns = [key.name] + known
    let values = [shape.keyValue(name.primaryKey, key)] + known.map { fields[$0]?.value ?? .null }
    let updates = known.filter(written.contains).map { "\(quoted($0)) = excluded.\(quoted($0))" }
    let update = updates.isEmpty ? "DO NOTHING" : "DO UPDATE SET " + updates.joined(separator: ", ")
    try db.run(
      """
      INSERT INTO \(shape.sqlName) (\(columns.map { quoted($0) }.joined(separator: ", ")))
      VALUES (\(columns.map { _ in "?" }.joined(separator: ", "))) ON CONFLICT (\(quoted(key.name))) \(update)
      """, values)
  }

  private static func archives(of record: ArchivedRecord) -> (all: Value, system: Value) {
    (.blob(Blob(bytes: record.encoded())), .blob(Blob(bytes: record.encodedSystemFields())))
  }

  static func setLastKnown(_ record: ArchivedRecord, in db: Database) throws {
    let (blob, system) = archives(of: record)
    try db.run(
      """
      UPDATE sqlitedata_icloud_metadata SET zoneName = ?, ownerName = ?, lastKnownServerRecord = ?,
        _lastKnownServerRecordAllFields = ?, userModificationTime = max(userModificationTime, ?) WHERE recordName = ?
      """,
      [
        .text(record.zoneName), .text(record.ownerName), system, blob, .integer(record.modificationTime ?? 0),
        .text(record.recordName),
      ])
  }
}

extension ArchivedRecord {
  fileprivate mutating func setTime(_ time: Int64) {
    values[Self.modificationTimeKey] = .integer(max(time, modificationTime ?? 0))
  }

  /// What the library's merge does to an incoming record; returns the columns that the row takes over from it.
  fileprivate mutating func restore(
    _ ancestor: ArchivedRecord, _ row: RowImage, _ shape: TableShape, _ columns: [String]
  ) throws -> [String] {
    let (known, incoming) = (ancestor.fields(of: shape), fields(of: shape))
    setTime(ancestor.modificationTime ?? 0)
    return columns.filter { column in
      let isOlder = (known[column]?.time ?? -1) >= (incoming[column]?.time ?? -1)
      let isRestored = isOlder && known[column]?.value != incoming[column]?.value
      if isRestored {
        let timeKey = Self.modificationTimeKey(of: column)
        values[column] = ancestor.values[column]
        values[timeKey] = ancestor.values[timeKey]
      }
      return !isRestored && row[column] == known[column]?.value ?? .null
    }
  }

  /// A record of the table "notes" (or another), each field with its time.
  static func sample(
    _ name: String, tag: String, serverTime: Int64, _ fields: [String: (ArchivedValue?, Int64)]
  ) -> ArchivedRecord {
    var record = ArchivedRecord(
      recordType: RecordName(name)?.table ?? "", recordName: name, zoneName: Metadatabase.defaultZone,
      changeTag: tag, createdAt: 1_000_000, modifiedAt: serverTime * 1_000_000)
    for (column, (value, time)) in fields {
      record.values[column] = value
      record.values[modificationTimeKey(of: column)] = .integer(time)
    }
    record.values[modificationTimeKey] = .integer(fields.values.map(\.1).max() ?? 0)
    return record
  }
}
