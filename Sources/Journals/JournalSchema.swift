import GRDB
import Merging
import StoreInterface

/// Parley's own log beside a store. Rows are only ever added; but an intent that goes on is begun once more, and those of its records of
/// which nobody has heard, where the others are known, go over into a new one.
///
///     stores      whose journal this is; the last row counts
///     decisions   one choice for one field or record; a later one for the same subject stands over it
///     intents     one write, undo or import, before it happens
///     records     what an intent does, record by record: bytes that the store can read, and a checksum over all of it
///     blobs       long parts of these bytes, each once, whoever has it
///     receipts    what became of an intent, record by record
///     kept        what a store keeps here until it is settled, or for good: the ids of revisions that a server accepted
///     marks       which intents bring that in, and take it out
///     splits      intents that went over from another, and with which they were begun; made with the first of them
///     refusals    drafts that the store refused, each by the newest decision about its record; the last row counts
///
/// What is kept comes and goes by an intent that was done, so one receipt says for store and journal alike what became of a
/// record.
///
/// A field that is put together of its parts is a decision without a choice, as one that is taken back, with `parts` in the
/// place of the opaque kind: a Parley that knows no parts has it to decide.
///
/// Decided values lie in columns of any type: text, 64-bit integers, reals and bytes are kept exactly. Times are nanoseconds
/// since 1970, and only told: which decisions a write has written, and which came after it, their rows tell. But those of one record's
/// decisions and receipts go on where a clock was set back: the log is in their order, and of what a Parley of before has written they tell.
package enum JournalSchema {
  package static let version = 9

  static let sql = """
    CREATE TABLE stores (
      id INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      file TEXT NOT NULL                -- the database's name, without its folder; empty: any of that kind
    ) STRICT;
    \(decisions)
    CREATE TABLE intents (
      id INTEGER PRIMARY KEY,
      undoes INTEGER REFERENCES intents(id), -- NULL: no undo
      startedAt INTEGER NOT NULL,
      note TEXT,
      act TEXT NOT NULL DEFAULT 'write' CHECK (act IN ('write', 'import'))
    ) STRICT;
    \(receipts)
    CREATE TABLE blobs (
      id INTEGER PRIMARY KEY,
      sha256 BLOB NOT NULL UNIQUE,
      bytes BLOB NOT NULL
    ) STRICT;
    \(records)
    \(givenUp)
    \(answers)
    \(refusals)
    \(lastDecisions)
    \(indexes)
    PRAGMA user_version = \(version);
    """

  /// Not by IN, of which SQLite makes a table for each row that it checks, where it is of more than two. Journals that are there say it so,
  /// and take the same.
  private static func isOne(_ column: String, of names: String...) -> String {
    names.map { "\(column) = '\($0)'" }.joined(separator: " OR ")
  }

  // What came with version 9.

  /// Writes know the newest decision that they may have written, by its row; 0: none, as what is mended. NULL where a Parley of before has
  /// written, be it since, as one that was open then: of these the times tell.
  private static let lastDecisions = "ALTER TABLE intents ADD COLUMN lastDecision INTEGER;"

  // What came with version 8.

  /// They know which drafts a store refused, so that nobody takes these for ready in another session.
  private static let refusals = """
    CREATE TABLE refusals (
      id INTEGER PRIMARY KEY,
      decision INTEGER NOT NULL REFERENCES decisions(id),
      field TEXT,                       -- NULL: the record as a whole
      reason TEXT,                      -- NULL: the store takes it again
      refusedAt INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX refusals_decision ON refusals(decision, id);
    """

  // What came with version 7.

  /// Decisions keep what their store called them, as it cannot tell once the conflict is gone. NULL: it had no name, or who decided
  /// kept none.
  private static let answers = "ALTER TABLE decisions ADD COLUMN answer TEXT;"

  // What came with version 6.

  /// Decisions know what they give up; see ``KeptGivenUp``. NULL: who decided kept nothing of that.
  private static let givenUp = "ALTER TABLE decisions ADD COLUMN givenUp TEXT;"

  // What came with version 5.

  /// It knows what a server refuses once it is asked to write it, when the intent is durable.
  private static let receipts = """
    CREATE TABLE receipts (
      intent INTEGER NOT NULL REFERENCES intents(id),
      record TEXT NOT NULL,
      outcome TEXT NOT NULL CHECK (\(isOne("outcome", of: "written", "completed", "rolledBack", "left", "notDone"))),
      detail TEXT,
      finishedAt INTEGER NOT NULL,
      PRIMARY KEY (intent, record)
    ) STRICT, WITHOUT ROWID;
    """

  private static let receiptsAgain = """
    ALTER TABLE receipts RENAME TO oldReceipts;
    \(receipts)
    INSERT INTO receipts SELECT * FROM oldReceipts;
    DROP TABLE oldReceipts;
    """

  // What came with version 4. The ladder makes journals of version 3 into these, word for word: a later version leaves them as
  // they are, and changes them by a step of its own, which stores that have no ladder need as well.

  /// It knows alternatives by name.
  package static let decisions = """
    CREATE TABLE decisions (
      id INTEGER PRIMARY KEY,
      record TEXT NOT NULL,
      field TEXT,                       -- NULL: the record as a whole
      choice TEXT CHECK (\(isOne("choice", of: "ancestor", "client", "server", "edit", "merged", "alternative"))),
                                        -- NULL: taken back
      value ANY,                        -- of edit and merged; the name of an alternative
      opaqueKind TEXT,                  -- value holds the bytes of something nobody understands
      fingerprint TEXT NOT NULL,
      decidedAt INTEGER NOT NULL,
      note TEXT
    ) STRICT;
    CREATE INDEX decisions_record ON decisions(record);
    """

  /// It knows no rows.
  package static let records = """
    CREATE TABLE records (
      intent INTEGER NOT NULL REFERENCES intents(id),
      record TEXT NOT NULL,
      ordinal INTEGER NOT NULL,
      title TEXT NOT NULL,
      kind TEXT,                        -- what the payload is, as the store names it
      payload BLOB,                     -- NULL: it is about what is kept here alone
      checksum BLOB NOT NULL,
      PRIMARY KEY (intent, record)
    ) STRICT;
    CREATE TABLE kept (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      record TEXT NOT NULL,
      payload BLOB NOT NULL
    ) STRICT;
    CREATE INDEX kept_record ON kept(record, id);
    CREATE TABLE marks (
      kept INTEGER NOT NULL,
      intent INTEGER NOT NULL,
      record TEXT NOT NULL,
      isIn INTEGER NOT NULL,
      PRIMARY KEY (kept, intent, record)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX marks_record ON marks(intent, record);
    """

  /// Made for the first that is split off, which most journals never have: no more hangs on it than after which writes a part of one was
  /// begun, so it is no version of its own.
  static let splits = """
    CREATE TABLE IF NOT EXISTS splits (
      intent INTEGER PRIMARY KEY,
      begunWith INTEGER NOT NULL        -- the first, of what was split off more than once
    ) STRICT;
    """

  /// Made where they are missing: nothing but speed hangs on them, so they are no version of their own.
  private static let indexes = """
    CREATE INDEX IF NOT EXISTS receipts_newest ON receipts(finishedAt DESC, intent DESC, record);
    CREATE INDEX IF NOT EXISTS receipts_record ON receipts(record);
    CREATE INDEX IF NOT EXISTS intents_undoes ON intents(undoes);
    """

  /// Whether nothing was written to it yet, as where the disk was full when it was made.
  static func isUnbegun(in db: Database) throws -> Bool {
    guard try found(in: db) == 0 else { return false }
    return try db.firstRow("SELECT 1 FROM main.sqlite_master LIMIT 1") { _ in false } ?? true
  }

  static func found(in db: Database) throws -> Int {
    try db.firstRow("PRAGMA main.user_version") { Int($0.integer(0)) } ?? 0
  }

  /// - Throws: ``StoreError/journalTooNew(path:version:)`` for a journal of a newer Parley: it is refused, not guessed at;
  ///   ``StoreError/journalUnusable(path:detail:)`` for one that is something else.
  static func check(_ path: String, in db: Database) throws {
    let found = try found(in: db)
    if found > version { throw StoreError.journalTooNew(path: path, version: found) }
    guard found >= 1, try db.hasTable("decisions"), try db.hasTable("intents") else {
      throw StoreError.journalUnusable(path: path, detail: "it is not a journal of Parley")
    }
  }

  /// Brings a journal of an older Parley up to this version, a step after the other; what is in it stays.
  ///
  /// - Parameter ladder: what brings version 1 up to 2, 2 to 3, and 3 to 4, which only stores of rows have had.
  static func migrate(_ path: String, _ db: Database, _ ladder: [JournalStep]) throws {
    let first = try found(in: db)
    for version in first..<version {
      try step(from: version, ladder)(db) { done, all in
        // How long a step takes, nobody knows before: each counts the same. Receipts are copied in no time.
        try StoreCall.begin((version - first) * all + done, of: (Self.ofReceipts - first) * all, in: path)
      }
      try db.execute(sql: "PRAGMA user_version = \(version + 1)")
    }
    try db.execute(sql: indexes)
  }

  /// The version of which only the receipts are others since, and what takes no time.
  private static let ofReceipts = 4

  /// The version of which no decision knows what it gives up.
  private static let ofGivenUp = 5

  /// The version of which no decision knows its name.
  private static let ofAnswers = 6

  /// The version that knows nothing of refusals.
  private static let ofRefusals = 7

  /// The version of which times alone tell which decisions were written.
  private static let ofTimes = 8

  private static func step(from version: Int, _ ladder: [JournalStep]) throws -> JournalStep {
    if version == ofTimes { return { db, _ in try db.execute(sql: lastDecisions) } }
    if version == ofRefusals { return { db, _ in try db.execute(sql: refusals) } }
    if version == ofAnswers { return { db, _ in try db.execute(sql: answers) } }
    if version == ofGivenUp { return { db, _ in try db.execute(sql: givenUp) } }
    if version == ofReceipts { return { db, _ in try db.execute(sql: receiptsAgain) } }
    guard version <= ladder.count else { throw Damage("no store has a step from version \(version)") }
    return ladder[version - 1]
  }

  static func isOld(in db: Database) throws -> Bool { try found(in: db) < version }
}
