import GRDB
import Merging

/// Parley's own log beside a store. Rows are only ever added.
///
///     decisions   one choice for one field or record; a later one for the same subject stands over it
///     intents     one write or undo, before it happens
///     changes     what an intent is about to change: every row, as it was and as it will be
///     receipts    what became of an intent, record by record
///
/// Values lie in columns of any type, so that text, 64-bit integers and bytes are kept exactly; rows lie as JSON, in the
/// form that the README tells. Times are nanoseconds since 1970.
enum JournalSchema {
  static let version = 1

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
    CREATE TABLE changes (
      intent INTEGER NOT NULL REFERENCES intents(id),
      ordinal INTEGER NOT NULL,
      record TEXT NOT NULL,
      title TEXT NOT NULL,
      file TEXT NOT NULL CHECK (file IN ('app', 'metadata')),
      tableName TEXT NOT NULL,
      key TEXT NOT NULL,
      before TEXT,                      -- NULL: there was no row
      after TEXT,                       -- NULL: there will be none
      PRIMARY KEY (intent, ordinal)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE receipts (
      intent INTEGER NOT NULL REFERENCES intents(id),
      record TEXT NOT NULL,
      outcome TEXT NOT NULL CHECK (outcome IN ('written', 'completed', 'rolledBack', 'left')),
      detail TEXT,
      finishedAt INTEGER NOT NULL,
      PRIMARY KEY (intent, record)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX receipts_finishedAt ON receipts(finishedAt);
    PRAGMA user_version = \(version);
    """

  /// - Throws: ``StoreError/journalTooNew(path:version:)`` for a journal of a newer Parley: it is refused, not guessed at;
  ///   ``StoreError/journalUnusable(path:detail:)`` for one that is something else.
  static func check(_ path: String, in db: Database) throws {
    let found = try db.firstRow("PRAGMA user_version") { Int($0.integer(0)) } ?? 0
    if found > version { throw StoreError.journalTooNew(path: path, version: found) }
    guard found == version else {
      throw StoreError.journalUnusable(path: path, detail: "it is not a journal of Parley")
    }
  }
}
