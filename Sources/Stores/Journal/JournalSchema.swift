import GRDB
import Merging

/// Parley's own log beside a store. Rows are only ever added.
///
///     decisions   one choice for one field or record; a later one for the same subject stands over it
///     intents     one write or undo, before it happens
///     changes     what an intent is about to change: every row, as it was and as it will be
///     receipts    what became of an intent, record by record
///     imports     server records that were brought in, where the app has no inbox for them (since version 2)
///
/// An import is settled by a change of a write that was done, and back in the inbox by one of an undo that was done: see
/// ``StoredChange/settling(import:)``. So one receipt says for store and journal alike what became of a record.
///
/// Values lie in columns of any type, so that text, 64-bit integers and bytes are kept exactly; rows lie as JSON, in the
/// form that the README tells. Times are nanoseconds since 1970.
enum JournalSchema {
  static let version = 2

  static let sql = """
    CREATE TABLE decisions (
      id INTEGER PRIMARY KEY,
      record TEXT NOT NULL,
      field TEXT,                       -- NULL: the record as a whole
      choice TEXT CHECK (choice IN ('ancestor', 'client', 'server', 'edit', 'merged')), -- NULL: taken back
      value ANY,                        -- of edit and merged
      opaqueKind TEXT,                  -- value holds the bytes of something nobody understands
      fingerprint TEXT NOT NULL,
      decidedAt INTEGER NOT NULL,
      note TEXT
    ) STRICT;
    CREATE INDEX decisions_record ON decisions(record);
    CREATE TABLE intents (
      id INTEGER PRIMARY KEY,
      undoes INTEGER REFERENCES intents(id), -- NULL: a write
      startedAt INTEGER NOT NULL,
      note TEXT
    ) STRICT;
    \(changes)
    CREATE TABLE receipts (
      intent INTEGER NOT NULL REFERENCES intents(id),
      record TEXT NOT NULL,
      outcome TEXT NOT NULL CHECK (outcome IN ('written', 'completed', 'rolledBack', 'left')),
      detail TEXT,
      finishedAt INTEGER NOT NULL,
      PRIMARY KEY (intent, record)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX receipts_finishedAt ON receipts(finishedAt);
    \(indexes)
    \(imports)
    PRAGMA user_version = \(version);
    """

  /// Made where they are missing: nothing but speed hangs on them, so they are no version of their own.
  private static let indexes = """
    CREATE INDEX IF NOT EXISTS receipts_record ON receipts(record);
    CREATE INDEX IF NOT EXISTS intents_undoes ON intents(undoes);
    """

  private static let changes = """
    CREATE TABLE changes (
      intent INTEGER NOT NULL REFERENCES intents(id),
      ordinal INTEGER NOT NULL,
      record TEXT NOT NULL,
      title TEXT NOT NULL,
      file TEXT NOT NULL CHECK (file IN ('app', 'metadata', 'journal')),
      tableName TEXT NOT NULL,
      key TEXT NOT NULL,
      before TEXT,                      -- NULL: there was no row
      after TEXT,                       -- NULL: there will be none
      PRIMARY KEY (intent, ordinal)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX changes_imports ON changes(key, intent) WHERE file = 'journal';
    """

  /// The columns of `parley_inbox`, and what stands in the place of the archive where there is none.
  private static let imports = """
    CREATE TABLE imports (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      recordName TEXT NOT NULL,
      zoneName TEXT NOT NULL,
      ownerName TEXT NOT NULL,
      recordType TEXT NOT NULL,
      receivedAt INTEGER NOT NULL,
      path TEXT NOT NULL CHECK (path IN ('send', 'fetch', 'probe', 'import')),
      isDeleted INTEGER NOT NULL DEFAULT 0,
      serverRecord BLOB,                -- archived CKRecord
      ancestorRecord BLOB,
      clientRow TEXT,
      serverJSON TEXT                   -- the record as CloudKit's JSON has it: never becomes an ancestor
    ) STRICT;
    CREATE INDEX imports_record ON imports(recordName, id);
    """

  /// Version 1 had no imports, and no changes of them.
  private static let from1to2 = """
    ALTER TABLE changes RENAME TO changesOfVersion1;
    \(changes)
    INSERT INTO changes SELECT * FROM changesOfVersion1;
    DROP TABLE changesOfVersion1;
    \(imports)
    PRAGMA user_version = 2;
    """

  /// Brings a journal of an older Parley up to this version; what is in it stays.
  static func migrate(_ db: Database) throws {
    if try found(in: db) == 1 { try db.execute(sql: from1to2) }
    try db.execute(sql: indexes)
  }

  /// Whether the journal has imports. An older one is read as it is, since reading changes nothing.
  static func hasImports(in db: Database) throws -> Bool { try found(in: db) >= 2 }

  /// Whether nothing was written to it yet, as where the disk was full when it was made.
  static func isUnbegun(in db: Database) throws -> Bool {
    guard try found(in: db) == 0 else { return false }
    return try db.firstRow("SELECT 1 FROM sqlite_master LIMIT 1") { _ in false } ?? true
  }

  private static func found(in db: Database) throws -> Int {
    try db.firstRow("PRAGMA user_version") { Int($0.integer(0)) } ?? 0
  }

  /// - Throws: ``StoreError/journalTooNew(path:version:)`` for a journal of a newer Parley: it is refused, not guessed at;
  ///   ``StoreError/journalUnusable(path:detail:)`` for one that is something else.
  static func check(_ path: String, in db: Database) throws {
    let found = try found(in: db)
    if found > version { throw StoreError.journalTooNew(path: path, version: found) }
    guard found >= 1 else {
      throw StoreError.journalUnusable(path: path, detail: "it is not a journal of Parley")
    }
  }
}
