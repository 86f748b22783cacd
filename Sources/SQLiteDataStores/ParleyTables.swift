import SQLiteFiles

/// The tables of our own, in the app's database, as FOR-APPS.md tells them.
///
/// Readers go by the columns' names and bear that those are missing which came after the others: see ``upgrades``. No comment
/// before them has a comma: SQLite would take it for the column's beginning when somebody drops that one.
package enum ParleyTables {
  package static let inbox = """
    CREATE TABLE IF NOT EXISTS "parley_inbox" (
      "id" INTEGER PRIMARY KEY AUTOINCREMENT,
      "recordName" TEXT NOT NULL,             -- primaryKey:table
      "zoneName" TEXT NOT NULL, "ownerName" TEXT NOT NULL, "recordType" TEXT NOT NULL,
      "receivedAt" INTEGER NOT NULL,          -- nanoseconds since 1970
      "path" TEXT NOT NULL CHECK ("path" IN ('send', 'fetch', 'probe', 'import')),
      "isDeleted" INTEGER NOT NULL DEFAULT 0, -- the server says: deleted
      "serverRecord" BLOB,                    -- archived CKRecord, all fields
      "ancestorRecord" BLOB,                  -- the last-known server record when this one was received
      "clientRow" TEXT,                       -- JSON: the row when this was received and the engine had not touched it
      -- its userModificationTime then; the engine sets that to now
      "clientTime" INTEGER,
      -- 1: the engine kept nothing of it against the server's record
      "isReplaced" INTEGER
    ) STRICT;
    """

  static let outbox = """
    CREATE TABLE IF NOT EXISTS "parley_outbox" (
      "id" INTEGER PRIMARY KEY AUTOINCREMENT,
      "recordName" TEXT NOT NULL, "recordType" TEXT NOT NULL, "primaryKey" TEXT NOT NULL,
      "decidedAt" INTEGER NOT NULL,           -- nanoseconds since 1970
      "action" TEXT NOT NULL CHECK ("action" IN ('save', 'delete')),
      "draft" TEXT,                           -- JSON: only the columns that differ from the row that was seen
      "seenRow" TEXT,                         -- JSON: that row; the draft is for it and for no other. NULL: there was none
      "serverRecord" BLOB,                    -- the new ancestor; NULL: the ancestor stays; empty: there is none
      "note" TEXT,
      "appliedAt" INTEGER,                    -- nanoseconds since 1970; set by the app
      -- nanoseconds since 1970: the time that the draft needs to be sent and to win
      "modificationTime" INTEGER,
      -- lastKnownServerRecord when it was decided; another one by now stays the ancestor
      "seenAncestor" BLOB,
      -- JSON: the ids of the rows of parley_inbox that leave it when the draft is applied
      "settles" TEXT
    ) STRICT;
    """

  static let unsentName = "parley_unsent"

  /// The tables of ours that a write changes.
  static let written: Set<String> = [InboxRow.table, OutboxRow.table, unsentName]
  static let all: Set<String> = written.union(["parley_since"])

  static let unsent = """
    CREATE TABLE IF NOT EXISTS "parley_unsent" (
      "recordName" TEXT NOT NULL PRIMARY KEY, -- primaryKey:table; edited, and the server may not have the edit
      -- JSON: the row that the server has, which was edited. NULL: not known, or there was none
      "row" TEXT
    ) STRICT;
    """

  static let since = """
    CREATE TABLE IF NOT EXISTS "parley_since" (
      "recordType" TEXT NOT NULL PRIMARY KEY,
      -- nanoseconds since 1970: edits are told in parley_unsent from then on
      "time" INTEGER NOT NULL
    ) STRICT;
    """

  /// What the engine has sent and the server has not answered, or the engine gave up: see ``SendingTriggers``.
  static let sendingName = "parley_sending"

  static let sending = """
    CREATE TABLE IF NOT EXISTS "parley_sending" (
      "recordName" TEXT NOT NULL PRIMARY KEY, -- primaryKey:table
      "record" BLOB,                          -- the lastKnownServerRecord that was sent and never confirmed
      -- the last record that the server confirmed; it does not know that one any more
      "ancestorRecord" BLOB
    ) STRICT;
    """

  package static let inboxIndex = """
    CREATE INDEX IF NOT EXISTS "parley_inbox_recordName" ON "parley_inbox" ("recordName");
    """

  static let indexes = """
    \(inboxIndex)
    CREATE INDEX IF NOT EXISTS "parley_outbox_recordName" ON "parley_outbox" ("recordName");
    """

  /// The columns that came after the others, each by the statement that adds it to a table of before.
  static let upgrades = [
    Upgrade(table: InboxRow.table, column: "clientTime", type: "INTEGER"),
    Upgrade(table: InboxRow.table, column: "isReplaced", type: "INTEGER"),
    Upgrade(table: OutboxRow.table, column: "modificationTime", type: "INTEGER"),
    Upgrade(table: OutboxRow.table, column: "seenAncestor", type: "BLOB"),
    Upgrade(table: OutboxRow.table, column: "settles", type: "TEXT"),
  ]

  struct Upgrade {
    let table: String
    let column: String
    let type: String

    var sql: String { "ALTER TABLE \(quoted(table)) ADD COLUMN \(quoted(column)) \(type);" }
  }
}
