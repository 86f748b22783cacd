import SQLiteFiles

/// The triggers that keep what the engine merges away, for the app's own writer connection.
///
/// How the engine takes in a record (sqlite-data f6bd67aa, CloudKit/SyncEngine.swift, `upsertFromServerRecord`; see FORMAT.md,
/// "How the engine takes in a record"), and what hears of it; all in one transaction, while
/// `syncEngineIsSynchronizingChanges()` is true:
///
///     INSERT metadata with the incoming record, or only its zone  → merge_begins: the record, the ancestor, the time
///     INSERT row ON CONFLICT DO UPDATE or DO NOTHING               → before_insert: the row as it is, and where it differs
///       (columns with a local change are left out of the UPDATE)   → after_update: which of these the server's value took
///     UPDATE metadata, both archives                               → merge_ends: into the inbox, or forgotten
///
/// - The BEFORE INSERT trigger is called for each such INSERT, also one that does nothing (tried on SQLite 3.40). Its NEW row
///   has the server's values.
/// - An acknowledgement updates the archives too, but nothing is inserted before it: no merge has begun, and none ends.
/// - A column that differs and was left out is a local change: only then anybody has to decide. Without an ancestor the
///   engine overwrites the whole row, and any difference counts in a row with an unsent edit.
/// - Nor is anything left out of a record that has moved to another zone: with the zone the engine takes away both archives, before the row
///   is written, and finds no ancestor. That is no end of the merge; the ancestor of the former zone is kept with it. The engine does
///   the same with all that belong to it: they come in with the zone set already and without an ancestor, like what both devices made,
///   which only an unsent edit tells from them.
/// - That a blob was set to NULL the engine does not see, and gives the row the server's bytes again. Where bytes take the place of a
///   NULL in a row with an unsent edit, somebody has to decide, too.
/// - In somebody else's zone the server may not permit an edit. Then the engine puts the server's record in its place, whatever differs, and
///   leaves nothing out either. So of a row with an unsent edit that lies there any column that was overwritten counts.
/// - Where nothing was left out, the edit gave way, and nothing else tells that from one that was kept, and sent since: it is noted in
///   the inbox.
/// - A record that the server deleted is only a DELETE of the row. Whether the row had an unsent edit is told by
///   ``UnsentTriggers``.
/// - What was sent and not answered is no ancestor, though the engine merges as if it were, and then puts its values back
///   into the server's record: nothing differs any more, and the server's values are nowhere. See ``SendingTriggers``.
/// - A merge that failed leaves an unfinished row in the temporary table; the next one begins by removing it.
struct CaptureTriggers {
  static let merging = #""parley_merging""#

  static let mergingTable = """
    CREATE TEMP TABLE IF NOT EXISTS "parley_merging" (
      "recordName" TEXT PRIMARY KEY,
      "serverRecord" BLOB, "ancestorRecord" BLOB, "clientTime" INTEGER, "wasDeleted" INTEGER,
      "path" TEXT,
      "signs" TEXT, -- a pattern of the columns: that somebody has to decide
      "clientRow" TEXT,
      "columns" TEXT -- = as on the server, ! kept against its value, < overwritten by it, 0 NULL overwritten by bytes
    );
    """

  static let synchronizing = #""sqlitedata_icloud_syncEngineIsSynchronizingChanges"()"#
  static let metadata = Metadatabase.sqlName(Metadatabase.metadata)
  static let now = #"coalesce("sqlitedata_icloud_currentTime"(), 0)"#

  static let newName = #"NEW."recordPrimaryKey" || ':' || NEW."recordType""#

  /// Whether the record of a row of the metadata is being merged.
  static let isMerging = "EXISTS (SELECT 1 FROM \(merging) WHERE \"recordName\" = \(newName))"

  /// Whether what comes in has moved from the zone in which it is known.
  private static let isOfOtherZone =
    #"(known."zoneName" <> NEW."zoneName" OR known."ownerName" <> NEW."ownerName")"#

  /// Those on the metadata, for all tables.
  static let common = [
    """
    CREATE TEMP TRIGGER IF NOT EXISTS "parley_merge_begins"
    BEFORE INSERT ON \(metadata)
    WHEN \(synchronizing) AND NEW."_lastKnownServerRecordAllFields" IS NOT NULL
    BEGIN
      DELETE FROM \(merging);
      INSERT INTO \(merging) ("recordName", "serverRecord", "path", "signs")
      VALUES (\(newName), NEW."_lastKnownServerRecordAllFields", 'fetch', '*[<!0]*');
      UPDATE \(merging) SET ("ancestorRecord", "clientTime", "wasDeleted", "path", "signs") = (
        SELECT coalesce(iif(sent."record" IS NULL, known."_lastKnownServerRecordAllFields", NULL), sent."ancestorRecord"),
          known."userModificationTime", known."_isDeleted", iif(sent."record" IS NULL, 'fetch', 'send'),
          CASE WHEN sent."record" IS NOT NULL THEN '*'
            WHEN (known."_lastKnownServerRecordAllFields" IS NULL OR \(isOfOtherZone))
              AND \(UnsentTriggers.mayBeUnsent("known")) THEN '*[<!0]*'
            ELSE '*!*' END
        FROM \(metadata) AS known
        LEFT JOIN \(quoted(ParleyTables.sendingName)) AS sent ON sent."recordName" = \(newName)
          AND (sent."record" IS NULL OR sent."record" = known."lastKnownServerRecord")
        WHERE known."recordPrimaryKey" = NEW."recordPrimaryKey" AND known."recordType" = NEW."recordType")
      WHERE EXISTS (SELECT 1 FROM \(metadata) AS known
        WHERE known."recordPrimaryKey" = NEW."recordPrimaryKey" AND known."recordType" = NEW."recordType");
    END;
    """,
    """
    CREATE TEMP TRIGGER IF NOT EXISTS "parley_merge_ends"
    AFTER UPDATE OF "_lastKnownServerRecordAllFields" ON \(metadata)
    WHEN \(synchronizing) AND (NEW."_lastKnownServerRecordAllFields" IS NOT NULL OR NOT \(isMerging))
    BEGIN
      \(SendingTriggers.noted)
      INSERT INTO "parley_inbox" ("recordName", "zoneName", "ownerName", "recordType", "receivedAt", "path",
        "serverRecord", "ancestorRecord", "clientRow", "clientTime", "isReplaced")
      SELECT "recordName", NEW."zoneName", NEW."ownerName", NEW."recordType", \(now), "path",
        "serverRecord", "ancestorRecord", "clientRow", "clientTime", NOT \(UnsentTriggers.isKept)
      FROM \(merging)
      WHERE "recordName" = \(newName)
        AND CASE WHEN "clientRow" IS NULL THEN "wasDeleted"
          ELSE "columns" GLOB "signs" OR ("columns" GLOB '*0*' OR "columns" GLOB '*<*'
            AND NEW."ownerName" <> \(literal(Metadatabase.defaultOwner))) AND \(UnsentTriggers.isUnsentMerge) END;
      \(UnsentTriggers.whenKnownServerRecordChanges)
      \(SendingTriggers.forgotten)
      DELETE FROM \(merging) WHERE "recordName" = \(newName);
    END;
    """,
  ]

  let table: CapturedTable

  var all: [String] { [beforeInsert, afterUpdate, beforeDelete] }

  /// Values are compared as they are stored, whatever the column's collation.
  private func differs(_ left: String, _ right: String, _ column: String) -> String {
    "\(left).\(quoted(column)) COLLATE BINARY IS NOT \(right).\(quoted(column))"
  }

  private var beforeInsert: String {
    let signs = table.columns.map { "iif(\(differs("seen", "NEW", $0)), '!', '=')" }
    return """
      CREATE TEMP TRIGGER IF NOT EXISTS \(table.trigger("before_insert"))
      BEFORE INSERT ON \(table.target)
      WHEN \(CaptureTriggers.synchronizing)
      BEGIN
        UPDATE \(CaptureTriggers.merging) SET ("clientRow", "columns") = (
          SELECT \(table.json("seen")),
            \(CaptureTriggers.joined(signs))
          FROM \(table.target) AS seen WHERE seen.\(quoted(table.key)) = NEW.\(quoted(table.key)))
        WHERE "recordName" = \(table.recordName("NEW")) AND "clientRow" IS NULL;
      END;
      """
  }

  /// A column that a trigger of the app sets besides, as a time of the last change, was no difference and becomes none.
  private var afterUpdate: String {
    let signs = table.columns.enumerated().map { index, column in
      let sign = "substr(\"columns\", \(index + 1), 1)"
      let (old, new) = ("OLD.\(quoted(column))", "NEW.\(quoted(column))")
      let overwritten = "iif(\(old) IS NULL AND typeof(\(new)) = 'blob', '0', '<')"
      return "iif(\(sign) = '!' AND \(differs("OLD", "NEW", column)), \(overwritten), \(sign))"
    }
    return """
      CREATE TEMP TRIGGER IF NOT EXISTS \(table.trigger("after_update"))
      AFTER UPDATE ON \(table.target)
      WHEN \(CaptureTriggers.synchronizing)
      BEGIN
        UPDATE \(CaptureTriggers.merging) SET "columns" =
          \(CaptureTriggers.joined(signs))
        WHERE "recordName" = \(table.recordName("OLD"));
      END;
      """
  }

  private var beforeDelete: String {
    """
    CREATE TEMP TRIGGER IF NOT EXISTS \(table.trigger("before_delete"))
    BEFORE DELETE ON \(table.target)
    WHEN \(CaptureTriggers.synchronizing)
    BEGIN
      INSERT INTO "parley_inbox" ("recordName", "zoneName", "ownerName", "recordType", "receivedAt", "path",
        "isDeleted", "ancestorRecord", "clientRow", "clientTime")
      SELECT \(table.recordName("OLD")), "zoneName", "ownerName", "recordType", \(CaptureTriggers.now), 'fetch',
        1, "_lastKnownServerRecordAllFields",
        \(table.json("OLD")),
        "userModificationTime"
      FROM \(CaptureTriggers.metadata)
      WHERE "recordPrimaryKey" = CAST(OLD.\(quoted(table.key)) AS TEXT) AND "recordType" = \(literal(table.name))
        AND \(UnsentTriggers(table: table).isUnsent("OLD"));
    END;
    """
  }

  /// An empty text for a table that has a key and nothing else.
  private static func joined(_ signs: [String]) -> String {
    signs.isEmpty ? "''" : inTree(signs, separator: "\n      || ")
  }
}
