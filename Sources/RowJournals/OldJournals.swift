import Digests
import GRDB
import Journals
import Merging
import SQLiteFiles
import StoreInterface

/// Journals of older Parleys, of which nothing is lost. They were made of rows, as all stores were SQLite's.
///
///     version 1   changes(intent, ordinal, record, title, file, tableName, key, before, after): rows as JSON, whole in every
///                 change, without a checksum; nothing tells whose journal it is
///     version 2   and imports: server records, which come and go by changes of the file "journal"
///     version 3   stores; records with a checksum each, and their changes, with rows as bytes; long values in blobs
///     version 4   ``JournalSchema``: no rows and no files, and an import is something that is kept
package enum OldJournals {
  package static let versions = OldVersions(ladder: ladder) { db in
    try db.firstRow("SELECT \(kind) FROM changes LIMIT 1") { $0.text(0) }
  }

  private typealias Tell = (_ done: Int, _ all: Int) throws -> Void

  static let ladder: [JournalStep] = [addImports, keepRowsAsBytes, keepChangesAsBytes]

  /// Versions 1 and 2 do not tell whose journal it is. Only datastores have a table of this name.
  private static let kind = "iif(tableName = 'revs', 'Cloudant Sync', 'SQLiteData')"

  /// What an import is kept as.
  package static let importKind = "import"

  @Sendable private static func addImports(_ db: Database, _ tell: Tell) throws {
    try db.execute(
      sql: """
        CREATE TABLE imports (
          id INTEGER PRIMARY KEY AUTOINCREMENT, recordName TEXT NOT NULL, zoneName TEXT NOT NULL,
          ownerName TEXT NOT NULL, recordType TEXT NOT NULL, receivedAt INTEGER NOT NULL, path TEXT NOT NULL,
          isDeleted INTEGER NOT NULL DEFAULT 0, serverRecord BLOB, ancestorRecord BLOB, clientRow TEXT,
          serverJSON TEXT
        ) STRICT;
        """)
  }
}

/// From version 2 to 3.
extension OldJournals {
  @Sendable private static func keepRowsAsBytes(_ db: Database, _ tell: Tell) throws {
    try db.execute(sql: tablesOfVersion3)
    try keepRecords(ofOldChanges: db, tell)
    try db.execute(sql: "DROP TABLE oldChanges")
  }

  private static let tablesOfVersion3 = """
    ALTER TABLE changes RENAME TO oldChanges;
    DROP INDEX IF EXISTS changes_imports;
    DROP INDEX IF EXISTS receipts_finishedAt;
    ALTER TABLE intents ADD COLUMN act TEXT NOT NULL DEFAULT 'write' CHECK (act IN ('write', 'import'));
    CREATE TABLE stores (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, file TEXT NOT NULL) STRICT;
    INSERT INTO stores SELECT 1, \(kind), '' FROM oldChanges LIMIT 1;
    CREATE TABLE records (
      intent INTEGER NOT NULL, record TEXT NOT NULL, ordinal INTEGER NOT NULL, title TEXT NOT NULL,
      checksum BLOB NOT NULL, PRIMARY KEY (intent, record)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE changes (
      id INTEGER PRIMARY KEY, intent INTEGER NOT NULL, record TEXT NOT NULL, file TEXT NOT NULL,
      tableName TEXT NOT NULL, key BLOB NOT NULL, before BLOB, after BLOB, import INTEGER
    ) STRICT;
    CREATE INDEX changes_record ON changes(intent, record);
    CREATE TABLE blobs (
      id INTEGER PRIMARY KEY, sha256 BLOB NOT NULL UNIQUE, bytes BLOB NOT NULL
    ) STRICT;
    """

  /// One record at a time, as a journal may hold more than memory does.
  private static func keepRecords(ofOldChanges db: Database, _ tell: Tell) throws {
    let all = try db.count("oldChanges")
    var (record, done) = (OldRecord(intent: 0, id: "", ordinal: 0, title: ""), 0)
    let sql = """
      SELECT intent, record, title, file, tableName, key, before, after FROM oldChanges ORDER BY intent, ordinal
      """
    try db.forEachRow(sql) { row in
      if !record.has(change: row) {
        try record.insert(in: db)
        record = record.next(ofChange: row)
      }
      try record.append(ofJSON: row, in: db)
      done += 1
      try tell(done, all)
    }
    try record.insert(in: db)
  }
}

/// From version 3 to 4.
extension OldJournals {
  @Sendable private static func keepChangesAsBytes(_ db: Database, _ tell: Tell) throws {
    try db.execute(sql: tablesOfVersion4)
    try keepImports(in: db)
    try keepRecords(ofVersion3: db, tell)
    try db.execute(sql: "DROP TABLE changes; DROP TABLE oldRecords; DROP TABLE imports")
  }

  private static let tablesOfVersion4 = """
    ALTER TABLE decisions RENAME TO oldDecisions;
    DROP INDEX IF EXISTS decisions_record;
    \(JournalSchema.decisions)
    INSERT INTO decisions SELECT * FROM oldDecisions;
    DROP TABLE oldDecisions;
    ALTER TABLE records RENAME TO oldRecords;
    \(JournalSchema.records)
    """

  private static func keepImports(in db: Database) throws {
    let columns = [
      "recordName", "zoneName", "ownerName", "recordType", "receivedAt", "path", "isDeleted", "serverRecord",
      "ancestorRecord", "clientRow", "serverJSON",
    ]
    try db.forEachRow("SELECT id, \(columns.joined(separator: ", ")) FROM imports ORDER BY id") { row in
      let values = columns.indices.map { (columns[$0], row.value(Int32($0 + 1))) }
      let bytes = try EncodedRow(RowImage(uniqueKeysWithValues: values), longLength: .max).bytes
      _ = try Payload(kind: importKind, bytes: bytes).keep(row.integer(0), of: row.text(1), in: db)
    }
  }

  private static func keepRecords(ofVersion3 db: Database, _ tell: Tell) throws {
    let all = try db.count("oldRecords")
    var done = 0
    let sql = """
      SELECT intent, record, ordinal, title, checksum FROM oldRecords
      WHERE intent IN (SELECT id FROM intents) ORDER BY intent, ordinal
      """
    try db.forEachRow(sql) { row in
      let record = try OldRecord(row, in: db)
      try record.today.insert(
        record.ordinal, of: record.intent, isWhole: record.checksum == row.bytes(4), in: db)
      done += 1
      try tell(done, all)
    }
  }
}

extension Database {
  fileprivate func count(_ table: String) throws -> Int {
    try firstRow("SELECT count(*) FROM \(table)") { Int($0.integer(0)) } ?? 0
  }
}

/// A record of version 3.
private struct OldRecord {
  struct Change {
    let file: String
    let table: String
    let key: [UInt8]
    let before: [UInt8]?
    let after: [UInt8]?
    var importID: Int64?
  }

  let intent: Int64
  let id: String
  let ordinal: Int
  let title: String
  var changes: [Change] = []
  /// Whether its rows could be read when it was brought up from version 2. Such a record has no checksum that fits.
  var isReadable = true

  init(intent: Int64, id: String, ordinal: Int, title: String) {
    (self.intent, self.id, self.ordinal, self.title) = (intent, id, ordinal, title)
  }

  init(_ row: SQLRow, in db: Database) throws {
    self.init(intent: row.integer(0), id: row.text(1), ordinal: Int(row.integer(2)), title: row.text(3))
    let sql = """
      SELECT file, tableName, key, before, after, import FROM changes WHERE intent = ? AND record = ? ORDER BY id
      """
    try db.forEachRow(sql, [.integer(intent), .text(id)]) { row in
      changes.append(
        Change(
          file: row.text(0), table: row.text(1), key: row.bytes(2), before: row.optionalBytes(3),
          after: row.optionalBytes(4), importID: row.isNull(5) ? nil : row.integer(5)))
    }
  }

  var checksum: [UInt8] {
    var sum = SHA256()
    for text in [String(intent), id, title] { sum.add(Array(text.utf8)) }
    for change in changes {
      sum.add(Array(change.file.utf8))
      sum.add(Array(change.table.utf8))
      for row in [change.key, change.before, change.after] { sum.add(row) }
    }
    return sum.finish()
  }

  var today: RecordIntent {
    var bytes: [UInt8] = []
    for change in changes where change.importID == nil {
      bytes.append(change.file, change.table, key: change.key, before: change.before, after: change.after)
    }
    let marks = changes.compactMap { change in
      change.importID.map { RecordIntent.Mark(kept: $0, isIn: change.after != nil) }
    }
    return RecordIntent(
      id: id, title: title,
      payload: bytes.isEmpty ? nil : Payload(kind: RecordIntent.rows, bytes: bytes), marks: marks)
  }
}

extension OldRecord {
  /// Whether this change of version 1 or 2 is of this record.
  func has(change row: SQLRow) -> Bool { row.integer(0) == intent && row.text(1) == id }

  /// The record that such a change begins, behind this one.
  func next(ofChange row: SQLRow) -> OldRecord {
    let ordinal = row.integer(0) == intent ? ordinal + 1 : 0
    return OldRecord(intent: row.integer(0), id: row.text(1), ordinal: ordinal, title: row.text(2))
  }

  /// A change of version 1 or 2. One that cannot be read is kept as it was, and is none.
  mutating func append(ofJSON row: SQLRow, in db: Database) throws {
    let key = row.text(5)
    func bytes(_ json: String?) throws -> [UInt8]? {
      guard let json, let image = try RowJSON.decode(json) else { return nil }
      let row = try EncodedRow(image)
      try Payload.keep(parts: row.long, in: db)
      return row.bytes
    }
    do {
      var change = Change(
        file: row.text(3), table: row.text(4), key: try bytes(key) ?? [],
        before: try bytes(row.optionalText(6)), after: try bytes(row.optionalText(7)))
      if change.file == "journal", case .integer(let id)? = try RowJSON.decode(key)?["id"] {
        change.importID = id
      }
      changes.append(change)
    } catch  where !(error is DatabaseError) {
      isReadable = false
      changes.append(
        Change(
          file: row.text(3), table: row.text(4), key: Array(key.utf8), before: row.optionalBytes(6),
          after: row.optionalBytes(7)))
    }
  }

  func insert(in db: Database) throws {
    if changes.isEmpty { return }
    try db.run(
      "INSERT OR IGNORE INTO records (intent, record, ordinal, title, checksum) VALUES (?, ?, ?, ?, ?)",
      [
        .integer(intent), .text(id), .integer(Int64(ordinal)), .text(title),
        .blob(Blob(bytes: isReadable ? checksum : [])),
      ])
    for change in changes {
      let rows = [change.key, change.before, change.after].map {
        $0.map { Value.blob(Blob(bytes: $0)) } ?? .null
      }
      try db.run(
        "INSERT INTO changes (intent, record, file, tableName, key, before, after, import) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [.integer(intent), .text(id), .text(change.file), .text(change.table)] + rows
          + [change.importID.map { .integer($0) } ?? .null])
    }
  }
}
