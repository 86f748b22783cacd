import Foundation
import GRDB
import KeyedArchives
import Merging
import SQLiteDataStores
import SQLiteFiles
import StoreInterface

/// Makes the files of a SQLiteData store the way the library leaves them: both in WAL mode, with the library's schema, and
/// the inbox that keeps server records.
package final class StoreBuilder {
  package let database: String
  package let metadatabase: String
  private let queue: DatabaseQueue

  /// - Parameters:
  ///   - name: of the app's database, with its extension.
  ///   - tables: CREATE TABLE statements by the tables' names, parents first.
  package init(folder: String, name: String, container: String, tables: [(name: String, sql: String)]) throws
  {
    database = folder + "/" + name
    metadatabase = "\(folder)/.\(stem(name)).metadata-\(container).sqlite"
    for path in [database, metadatabase] where FileStatus(path: path) != nil {
      throw StoreError.writeFailed(path: path, detail: "it is already there")
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    queue = try DatabaseQueue(
      path: databaseURI(database, query: "mode=rwc"), configuration: StoreBuilder.configuration)
    try queue.inDatabase { db in
      let uri = databaseURI(metadatabase, query: "mode=rwc")
      try db.execute(sql: "ATTACH DATABASE ? AS \(quoted(Metadatabase.schema))", arguments: [uri])
      // A store that is lost while it is made is made again; waiting for the disk would be most of the time it takes.
      for schema in ["main", quoted(Metadatabase.schema)] {
        try db.execute(sql: "PRAGMA \(schema).synchronous = OFF; PRAGMA \(schema).journal_mode = OFF")
      }
    }
    try write { db in
      for table in tables { try db.execute(sql: table.sql) }
      try db.execute(sql: StoreBuilder.appSchema)
      try db.execute(sql: StoreBuilder.metadataSchema)
      for table in tables { try StoreBuilder.register(table.name, sql: table.sql, in: db) }
    }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(
        function: DatabaseFunction("sqlitedata_icloud_currentTime", argumentCount: 0) { _ in
          WallClock.now()
        })
    }
    return configuration
  }

  /// Rows may go in before the rows they point to.
  package func write(_ body: (Database) throws -> Void) throws {
    try queue.inTransaction(.immediate) { db in
      try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
      try body(db)
      return .commit
    }
  }

  /// Puts both databases into WAL mode, as the library leaves them, and closes them.
  package func close() throws {
    try queue.inDatabase { db in
      for schema in ["main", quoted(Metadatabase.schema)] {
        try db.execute(sql: "PRAGMA \(schema).journal_mode = WAL")
      }
    }
    try queue.close()
  }

  /// One row of the library's list of tables that sync, with the columns as the library describes them.
  private static func register(_ table: String, sql: String, in db: Database) throws {
    var columns: [String] = []
    let pragma =
      "SELECT dflt_value, pk, name, \"notnull\", type FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid"
    try db.forEachRow(pragma, [.text(table)]) { row in
      let texts = [row.value(0), row.value(2), row.value(4)].map(RowJSON.encode)
      columns.append(
        """
        {"defaultValue":\(texts[0]),"isPrimaryKey":\(row.integer(1) > 0),"name":\(texts[1]),\
        "isNotNull":\(row.integer(3) != 0),"type":\(texts[2])}
        """)
    }
    try db.run(
      "INSERT INTO \(Metadatabase.recordTypes) (tableName, schema, tableInfo) VALUES (?, ?, ?)",
      [.text(table), .text(sql), .text("[\(columns.joined(separator: ","))]")])
  }

  /// The table that keeps server records, as FOR-APPS.md tells it, and the library's list of migrations.
  private static let appSchema = """
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO grdb_migrations VALUES ('Create tables'), ('Add the inbox');
    \(ParleyTables.inbox)
    \(ParleyTables.inboxIndex)
    """

  /// The hidden database; see ``Metadatabase``.
  private static let metadataSchema = """
    CREATE TABLE "sqlitedata_icloud"."sqlitedata_icloud_metadata" (
      "recordPrimaryKey" TEXT NOT NULL, "recordType" TEXT NOT NULL,
      "recordName" TEXT NOT NULL AS ("recordPrimaryKey" || ':' || "recordType"),
      "zoneName" TEXT NOT NULL, "ownerName" TEXT NOT NULL,
      "parentRecordPrimaryKey" TEXT, "parentRecordType" TEXT,
      "parentRecordName" TEXT AS ("parentRecordPrimaryKey" || ':' || "parentRecordType"),
      "lastKnownServerRecord" BLOB, "_lastKnownServerRecordAllFields" BLOB, "share" BLOB,
      "hasLastKnownServerRecord" INTEGER NOT NULL AS ("lastKnownServerRecord" IS NOT NULL),
      "isShared" INTEGER NOT NULL AS ("share" IS NOT NULL),
      "userModificationTime" INTEGER NOT NULL DEFAULT (sqlitedata_icloud_currentTime()),
      "_isDeleted" INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY ("recordPrimaryKey", "recordType"), UNIQUE ("recordName")
    ) STRICT;
    CREATE INDEX "sqlitedata_icloud"."sqlitedata_icloud_metadata_zoneID"
      ON "sqlitedata_icloud_metadata" ("ownerName", "zoneName");
    CREATE INDEX "sqlitedata_icloud"."sqlitedata_icloud_metadata_parentRecordName"
      ON "sqlitedata_icloud_metadata" ("parentRecordName");
    CREATE INDEX "sqlitedata_icloud"."sqlitedata_icloud_metadata_isShared"
      ON "sqlitedata_icloud_metadata" ("isShared");
    CREATE INDEX "sqlitedata_icloud"."sqlitedata_icloud_metadata_hasLastKnownServerRecord"
      ON "sqlitedata_icloud_metadata" ("hasLastKnownServerRecord");
    CREATE TABLE "sqlitedata_icloud"."sqlitedata_icloud_recordTypes" (
      "tableName" TEXT NOT NULL PRIMARY KEY, "schema" TEXT NOT NULL, "tableInfo" TEXT NOT NULL
    ) STRICT;
    CREATE TABLE "sqlitedata_icloud"."sqlitedata_icloud_stateSerialization" (
      "scope" TEXT NOT NULL PRIMARY KEY, "data" TEXT NOT NULL
    ) STRICT;
    CREATE TABLE "sqlitedata_icloud"."sqlitedata_icloud_unsyncedRecordIDs" (
      "recordName" TEXT NOT NULL, "zoneName" TEXT NOT NULL, "ownerName" TEXT NOT NULL,
      PRIMARY KEY ("recordName", "zoneName", "ownerName")
    ) STRICT;
    CREATE TABLE "sqlitedata_icloud"."sqlitedata_icloud_pendingRecordZoneChanges" (
      "pendingRecordZoneChange" BLOB NOT NULL
    ) STRICT;
    CREATE TABLE "sqlitedata_icloud"."grdb_migrations" (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO "sqlitedata_icloud"."grdb_migrations" VALUES ('Create Metadata Tables');
    """
}

extension StoreBuilder {
  package static let damaged = Array("not an archive".utf8)

  /// Puts a sample into all of the tables where a real store would have it.
  package func add(_ sample: Sample, _ table: SampleTable, in db: Database) throws {
    if let row = sample.clientRow, !sample.isWithoutRow { try insert(row, into: quoted(table.name), in: db) }
    let ancestor = sample.ancestorArchive(table)
    try addMetadata(sample, table, ancestor, in: db)
    if let kind = sample.pending { try addPending(kind, sample.recordName, in: db) }
    try addIncoming(sample, table, in: db)
  }

  /// What came in for a record that is in its tables already.
  package func addIncoming(_ sample: Sample, _ table: SampleTable, in db: Database) throws {
    guard let server = sample.server else { return }
    let ancestor = sample.ancestorArchive(table)?.allFields
    try addIncoming(server, sample, table, ancestor: ancestor, in: db)
  }

  package func insert(_ row: RowImage, into sqlName: String, in db: Database) throws {
    let names = row.keys.sorted()
    let list = names.map { quoted($0) }.joined(separator: ", ")
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    try db.run("INSERT INTO \(sqlName) (\(list)) VALUES (\(marks))", names.map { row[$0] ?? .null })
  }

  private func addMetadata(
    _ sample: Sample, _ table: SampleTable, _ ancestor: (systemFields: [UInt8], allFields: [UInt8])?,
    in db: Database
  ) throws {
    let parent = (sample.clientRow ?? sample.row)[table.parent?.column ?? ""] ?? .null
    try insert(
      [
        "recordPrimaryKey": .text(sample.key), "recordType": .text(sample.table),
        "zoneName": .text(Metadatabase.defaultZone), "ownerName": .text(Metadatabase.defaultOwner),
        "parentRecordPrimaryKey": parent,
        "parentRecordType": parent == .null ? .null : table.parent.map { .text($0.table) } ?? .null,
        "lastKnownServerRecord": Value(ancestor?.systemFields),
        "_lastKnownServerRecordAllFields": Value(ancestor?.allFields),
        "userModificationTime": .integer(sample.clientTime ?? sample.time),
        "_isDeleted": .integer(sample.client == nil ? 1 : 0),
      ], into: Metadatabase.sqlName(Metadatabase.metadata), in: db)
  }

  package func addPending(_ kind: PendingZoneChange.Kind, _ recordName: String, in db: Database) throws {
    let change = PendingZoneChange(
      kind: kind, recordName: recordName, zoneName: Metadatabase.defaultZone,
      ownerName: Metadatabase.defaultOwner)
    try addPending(change.encoded(), in: db)
  }

  package func addPending(_ bytes: [UInt8], in db: Database) throws {
    try insert(
      [Metadatabase.pendingColumn: Value(bytes)], into: Metadatabase.sqlName(Metadatabase.pending), in: db)
  }

  package func addUnsynced(_ recordName: String, in db: Database) throws {
    try insert(
      [
        "recordName": .text(recordName), "zoneName": .text(Metadatabase.defaultZone),
        "ownerName": .text(Metadatabase.defaultOwner),
      ], into: Metadatabase.sqlName(Metadatabase.unsynced), in: db)
  }

  private func addIncoming(
    _ server: Sample.Incoming, _ sample: Sample, _ table: SampleTable, ancestor: [UInt8]?, in db: Database
  ) throws {
    let isCaptured = ["send", "fetch"].contains(sample.path)
    try insert(
      [
        "recordName": .text(sample.recordName), "zoneName": .text(Metadatabase.defaultZone),
        "ownerName": .text(Metadatabase.defaultOwner), "recordType": .text(sample.table),
        "receivedAt": .integer(sample.receivedAt), "path": .text(sample.path),
        "isDeleted": .integer(server.isDeletion ? 1 : 0),
        "serverRecord": Value(sample.serverArchive(server, table)),
        "ancestorRecord": isCaptured ? Value(ancestor) : .null,
        "clientRow": isCaptured ? sample.clientRow.map { .text(RowJSON.encode($0)) } ?? .null : .null,
      ], into: quoted(InboxRow.table), in: db)
  }
}

extension Value {
  fileprivate init(_ bytes: [UInt8]?) { self = bytes.map { .blob(Blob(bytes: $0)) } ?? .null }
}

extension Sample.Incoming {
  fileprivate var isDeletion: Bool {
    if case .deletion = self { true } else { false }
  }
}

extension Sample {
  fileprivate func ancestorArchive(_ table: SampleTable) -> (systemFields: [UInt8], allFields: [UInt8])? {
    let record = table.archive(
      of: row, key: key, time: time, tag: "a00\(key.suffix(2))", device: "Blob's Mac")
    return switch ancestor {
    case .none: nil
    case .whole: (record.encodedSystemFields(), record.encoded())
    case .systemFields: (record.encodedSystemFields(), record.encodedSystemFields())
    case .damaged: (record.encodedSystemFields(), StoreBuilder.damaged)
    }
  }

  fileprivate func serverArchive(_ server: Incoming, _ table: SampleTable) -> [UInt8]? {
    switch server {
    case .deletion: nil
    case .damaged: StoreBuilder.damaged
    case .edits(let edits):
      table.archive(
        of: row.merging(edits.mapValues(\.value)) { _, edited in edited }, key: key, time: time,
        times: edits.mapValues(\.time), tag: "c00\(key.suffix(2))", device: "Blob's iPad"
      ).encoded()
    }
  }
}
