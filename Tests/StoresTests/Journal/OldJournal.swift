import Digests
import Foundation
import GRDB
import Merging
import SQLiteFiles
import StoreInterface

@testable import Journals
@testable import RowJournals

/// A journal of today, written once more as an older Parley had it: its tables are word for word those of then.
enum OldJournal {
  static func make(_ path: String, version: Int) throws {
    if version == 8 { return try make(path, without: withoutLastDecisions, version: 8) }
    if version == 7 { return try make(path, without: withoutRefusals, version: 7) }
    if version == 6 { return try make(path, without: withoutAnswers, version: 6) }
    if version == 5 { return try make(path, without: withoutGivenUp, version: 5) }
    if version == 4 { return try makeVersion4(path) }
    let today = Journal(path: path, clock: { Demo.now })
    let intents = try today.read(or: []) { db in try Journal.intents("1", in: db) }
    let records = try intents.map { intent in
      try intent.records.map { try today.changes(of: $0, in: intent.id) }
    }
    let imports = try today.kept(OldJournals.importKind, .everIn).reversed().map { kept in
      (kept.id, try RowDecoder.row(kept.bytes) { _ in nil })
    }
    today.close()
    let queue = try DatabaseQueue(path: path + "-old")
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL; \(tables(version))")
      try db.execute(sql: "ATTACH DATABASE ? AS today", arguments: [path])
      try db.execute(sql: "INSERT INTO decisions SELECT \(columns) FROM today.decisions")
      let act = version < 3 ? "" : ", act"
      try db.execute(
        sql:
          "INSERT INTO intents (id, undoes, startedAt, note\(act)) SELECT id, undoes, startedAt, note\(act) FROM today.intents"
      )
      if version == 3 { try db.execute(sql: "INSERT INTO stores SELECT * FROM today.stores") }
      for (id, row) in imports where version > 1 {
        let columns = row.sorted { $0.key < $1.key }
        let names = columns.map(\.key).joined(separator: ", ")
        let marks = columns.map { _ in ", ?" }.joined()
        try db.run(
          "INSERT INTO imports (id, \(names)) VALUES (?\(marks))", [.integer(id)] + columns.map(\.value))
      }
      for (intent, records) in zip(intents, records) {
        var ordinal = 0
        for (place, record) in records.enumerated() {
          if version == 3 { try insert(record, place, of: intent.id, in: db) }
          for change in record.changes where version < 3 {
            try insert(change, of: record, ordinal, intent.id, in: db)
            ordinal += 1
          }
        }
      }
      try db.execute(sql: "INSERT INTO receipts SELECT * FROM today.receipts")
      try db.execute(sql: "DETACH DATABASE today")
    }
    try queue.close()
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: path + "-old", toPath: path)
  }

  /// Of decisions, before they knew what they give up.
  private static let columns =
    "id, record, field, choice, value, opaqueKind, fingerprint, decidedAt, note"

  private static let withoutLastDecisions = "ALTER TABLE intents DROP COLUMN lastDecision;"
  private static let withoutRefusals = "\(withoutLastDecisions) DROP TABLE refusals;"
  private static let withoutAnswers = "\(withoutRefusals) ALTER TABLE decisions DROP COLUMN answer;"
  private static let withoutGivenUp = "\(withoutAnswers) ALTER TABLE decisions DROP COLUMN givenUp;"

  private static func make(_ path: String, without columns: String, version: Int) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "\(columns) PRAGMA user_version = \(version);")
    }
    try queue.close()
  }

  /// Receipts are others since, too.
  private static func makeVersion4(_ path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          ALTER TABLE receipts RENAME TO newReceipts;
          \(receipts)
          INSERT INTO receipts SELECT * FROM newReceipts;
          DROP TABLE newReceipts;
          CREATE INDEX receipts_newest ON receipts(finishedAt DESC, intent DESC, record);
          CREATE INDEX receipts_record ON receipts(record);
          \(withoutGivenUp)
          PRAGMA user_version = 4;
          """)
    }
    try queue.close()
  }

  private static func insert(
    _ change: StoredChange, of record: RecordChanges, _ ordinal: Int, _ intent: Int64, in db: Database
  ) throws {
    let table = change.file == .journal ? "imports" : change.table
    func json(_ row: RowImage?) -> Value { row.map { .text(RowJSON.encode($0)) } ?? .null }
    try db.run(
      "INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        .integer(intent), .integer(Int64(ordinal)), .text(record.record), .text(record.title),
        .text(change.file.rawValue), .text(table), json(change.key), json(change.before), json(change.after),
      ])
  }

  private static func insert(_ record: RecordChanges, _ place: Int, of intent: Int64, in db: Database) throws
  {
    var sum = SHA256()
    var changes: [[Value]] = []
    for text in [String(intent), record.record, record.title] { sum.add(Array(text.utf8)) }
    for change in record.changes {
      let table = change.file == .journal ? "imports" : change.table
      for text in [change.file.rawValue, table] { sum.add(Array(text.utf8)) }
      var values: [Value] = []
      for row in [change.key, change.before, change.after] {
        let encoded = try row.map { try EncodedRow($0) }
        for (hash, bytes) in encoded?.long ?? [:] {
          try db.run(
            "INSERT OR IGNORE INTO blobs (sha256, bytes) VALUES (?, ?)",
            [.blob(Blob(bytes: hash)), .blob(Blob(bytes: bytes))])
        }
        sum.add(encoded?.bytes)
        values.append(encoded.map { .blob(Blob(bytes: $0.bytes)) } ?? .null)
      }
      changes.append(
        [.integer(intent), .text(record.record), .text(change.file.rawValue), .text(table)] + values
          + [change.file == .journal ? change.key["id"] ?? .null : .null])
    }
    try db.run(
      "INSERT INTO records VALUES (?, ?, ?, ?, ?)",
      [
        .integer(intent), .text(record.record), .integer(Int64(place)), .text(record.title),
        .blob(Blob(bytes: sum.finish())),
      ])
    for change in changes {
      try db.run(
        "INSERT INTO changes (intent, record, file, tableName, key, before, after, import) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        change)
    }
  }

  static func tables(_ version: Int) -> String {
    """
    CREATE TABLE decisions (
      id INTEGER PRIMARY KEY, record TEXT NOT NULL, field TEXT,
      choice TEXT CHECK (choice IN ('ancestor', 'client', 'server', 'edit', 'merged')),
      value ANY, opaqueKind TEXT, fingerprint TEXT NOT NULL, decidedAt INTEGER NOT NULL, note TEXT
    ) STRICT;
    CREATE INDEX decisions_record ON decisions(record);
    CREATE TABLE intents (
      id INTEGER PRIMARY KEY, undoes INTEGER REFERENCES intents(id), startedAt INTEGER NOT NULL, note TEXT
      \(version < 3 ? "" : ", act TEXT NOT NULL DEFAULT 'write' CHECK (act IN ('write', 'import'))")
    ) STRICT;
    \(receipts)
    \(version < 3 ? rowsAsJSON(version) : rowsAsBytes)
    \(version == 1 ? "" : imports)
    PRAGMA user_version = \(version);
    """
  }

  private static let receipts = """
    CREATE TABLE receipts (
      intent INTEGER NOT NULL REFERENCES intents(id), record TEXT NOT NULL,
      outcome TEXT NOT NULL CHECK (outcome IN ('written', 'completed', 'rolledBack', 'left')),
      detail TEXT, finishedAt INTEGER NOT NULL, PRIMARY KEY (intent, record)
    ) STRICT, WITHOUT ROWID;
    """

  private static func rowsAsJSON(_ version: Int) -> String {
    """
    CREATE TABLE changes (
      intent INTEGER NOT NULL REFERENCES intents(id), ordinal INTEGER NOT NULL, record TEXT NOT NULL,
      title TEXT NOT NULL, file TEXT NOT NULL CHECK (file IN ('app', 'metadata'\(version == 1 ? "" : ", 'journal'"))),
      tableName TEXT NOT NULL, key TEXT NOT NULL, before TEXT, after TEXT, PRIMARY KEY (intent, ordinal)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX receipts_finishedAt ON receipts(finishedAt);
    """
  }

  private static let rowsAsBytes = """
    CREATE TABLE stores (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, file TEXT NOT NULL) STRICT;
    CREATE TABLE records (
      intent INTEGER NOT NULL REFERENCES intents(id), record TEXT NOT NULL, ordinal INTEGER NOT NULL,
      title TEXT NOT NULL, checksum BLOB NOT NULL, PRIMARY KEY (intent, record)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE changes (
      id INTEGER PRIMARY KEY, intent INTEGER NOT NULL, record TEXT NOT NULL,
      file TEXT NOT NULL CHECK (file IN ('app', 'metadata', 'journal')), tableName TEXT NOT NULL,
      key BLOB NOT NULL, before BLOB, after BLOB, import INTEGER,
      FOREIGN KEY (intent, record) REFERENCES records(intent, record)
    ) STRICT;
    CREATE INDEX changes_record ON changes(intent, record);
    CREATE INDEX changes_import ON changes(import, intent) WHERE import IS NOT NULL;
    CREATE TABLE blobs (id INTEGER PRIMARY KEY, sha256 BLOB NOT NULL UNIQUE, bytes BLOB NOT NULL) STRICT;
    CREATE INDEX receipts_newest ON receipts(finishedAt DESC, intent DESC, record);
    CREATE INDEX receipts_record ON receipts(record);
    CREATE INDEX intents_undoes ON intents(undoes);
    """

  private static let imports = """
    CREATE TABLE imports (
      id INTEGER PRIMARY KEY AUTOINCREMENT, recordName TEXT NOT NULL, zoneName TEXT NOT NULL,
      ownerName TEXT NOT NULL, recordType TEXT NOT NULL, receivedAt INTEGER NOT NULL,
      path TEXT NOT NULL CHECK (path IN ('send', 'fetch', 'probe', 'import')),
      isDeleted INTEGER NOT NULL DEFAULT 0, serverRecord BLOB, ancestorRecord BLOB, clientRow TEXT, serverJSON TEXT
    ) STRICT;
    CREATE INDEX imports_record ON imports(recordName, id);
    """
}
