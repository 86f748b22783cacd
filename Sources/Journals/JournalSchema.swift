import GRDB
import Merging
import StoreInterface

/// Parley's own log beside a store. Rows are only ever added.
///
///     stores      whose journal this is; the last row counts
///     decisions   one choice for one field or record; a later one for the same subject stands over it
///     intents     one write, undo or import, before it happens
///     records     what an intent is about, record by record, with a checksum over all its changes
///     changes     every row that an intent changes, as it was and as it will be
///     blobs       the long values of these rows, each once, whoever has it
///     receipts    what became of an intent, record by record
///     imports     server records that were brought in, where the app has no inbox for them
///
/// An import comes and goes by a change of an intent that was done: see ``StoredChange/settling(import:)``. So one receipt
/// says for store and journal alike what became of a record.
///
/// Decided values lie in columns of any type, rows as bytes (``EncodedRow``): text, 64-bit integers, reals and bytes are kept
/// exactly. Times are nanoseconds since 1970. Versions 1 and 2 are told in `JournalSchema+Old.swift`.
package enum JournalSchema {
  package static let version = 3

  package static let sql = """
    \(stores)
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
      undoes INTEGER REFERENCES intents(id), -- NULL: no undo
      startedAt INTEGER NOT NULL,
      note TEXT,
      \(act)
    ) STRICT;
    CREATE TABLE receipts (
      intent INTEGER NOT NULL REFERENCES intents(id),
      record TEXT NOT NULL,
      outcome TEXT NOT NULL CHECK (outcome IN ('written', 'completed', 'rolledBack', 'left')),
      detail TEXT,
      finishedAt INTEGER NOT NULL,
      PRIMARY KEY (intent, record)
    ) STRICT, WITHOUT ROWID;
    \(changes)
    \(imports)
    \(indexes)
    PRAGMA user_version = \(version);
    """

  package static let stores = """
    CREATE TABLE stores (
      id INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      file TEXT NOT NULL                -- the database's name, without its folder
    ) STRICT;
    """

  package static let act = "act TEXT NOT NULL DEFAULT 'write' CHECK (act IN ('write', 'import'))"

  package static let changes = """
    CREATE TABLE records (
      intent INTEGER NOT NULL REFERENCES intents(id),
      record TEXT NOT NULL,
      ordinal INTEGER NOT NULL,
      title TEXT NOT NULL,
      checksum BLOB NOT NULL,
      PRIMARY KEY (intent, record)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE changes (
      id INTEGER PRIMARY KEY,
      intent INTEGER NOT NULL,
      record TEXT NOT NULL,
      file TEXT NOT NULL CHECK (file IN ('app', 'metadata', 'journal')),
      tableName TEXT NOT NULL,
      key BLOB NOT NULL,
      before BLOB,                      -- NULL: there was no row
      after BLOB,                       -- NULL: there will be none
      import INTEGER,                   -- which import it is about
      FOREIGN KEY (intent, record) REFERENCES records(intent, record)
    ) STRICT;
    CREATE INDEX changes_record ON changes(intent, record);
    CREATE INDEX changes_import ON changes(import, intent) WHERE import IS NOT NULL;
    CREATE TABLE blobs (
      id INTEGER PRIMARY KEY,
      sha256 BLOB NOT NULL UNIQUE,
      bytes BLOB NOT NULL
    ) STRICT;
    """

  /// The columns of `parley_inbox`, and what stands in the place of the archive where there is none.
  package static let imports = """
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

  /// Made where they are missing: nothing but speed hangs on them, so they are no version of their own.
  package static let indexes = """
    CREATE INDEX IF NOT EXISTS receipts_newest ON receipts(finishedAt DESC, intent DESC, record);
    CREATE INDEX IF NOT EXISTS receipts_record ON receipts(record);
    CREATE INDEX IF NOT EXISTS intents_undoes ON intents(undoes);
    """

  /// Whether nothing was written to it yet, as where the disk was full when it was made.
  package static func isUnbegun(in db: Database) throws -> Bool {
    guard try found(in: db) == 0 else { return false }
    return try db.firstRow("SELECT 1 FROM main.sqlite_master LIMIT 1") { _ in false } ?? true
  }

  package static func found(in db: Database) throws -> Int {
    try db.firstRow("PRAGMA main.user_version") { Int($0.integer(0)) } ?? 0
  }

  /// - Throws: ``StoreError/journalTooNew(path:version:)`` for a journal of a newer Parley: it is refused, not guessed at;
  ///   ``StoreError/journalUnusable(path:detail:)`` for one that is something else.
  package static func check(_ path: String, in db: Database) throws {
    let found = try found(in: db)
    if found > version { throw StoreError.journalTooNew(path: path, version: found) }
    guard found >= 1 else {
      throw StoreError.journalUnusable(path: path, detail: "it is not a journal of Parley")
    }
  }
}
