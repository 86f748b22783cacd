import SQLiteFiles

/// The triggers that remember what the engine has sent and the server has not answered, for the writer connection.
///
/// The engine keeps the first upload of a record as the last-known record before the server has answered, and an answer
/// that clashes with it is merged as if both sides had agreed on it (sqlite-data f6bd67aa, CloudKit/SyncEngine.swift,
/// `refreshLastKnownServerRecord`, `handleSentRecordZoneChanges`). Nothing in the metadata tells it from a confirmed one.
///
///     no record → one, and no merge                → it is in flight: remembered
///     in flight → merged                           → the two sides made the record apart: always into the inbox, without it
///     in flight → one with other system fields     → confirmed: forgotten. If the record was confirmed once before, the server
///                                                    had deleted it, and the upload has undone that: into the inbox
///     one → none, by the engine                    → the server does not know it, or refused the save: remembered as the last
///                                                    that was confirmed
///
/// - `unknownItem`, `zoneNotFound` and `serverRejectedRequest` look alike. Only that the record is then taken in as a new one
///   tells that the server had none, so the deletion is kept with the answer to that.
/// - System fields have the server's tag and dates. An upload that is tried again has the same ones; one that was moved to
///   another parent in between has not, and counts as confirmed.
/// - A record that changes its zone has its archives removed, too. It is not a deletion.
struct SendingTriggers {
  let table: CapturedTable

  private static let sending = quoted(ParleyTables.sendingName)

  var all: [String] { [undoneDeletion, afterDelete] }

  /// BEFORE, as the note is forgotten after.
  private var undoneDeletion: String {
    """
    CREATE TEMP TRIGGER IF NOT EXISTS \(table.trigger("undone_deletion"))
    BEFORE UPDATE OF "_lastKnownServerRecordAllFields" ON \(CaptureTriggers.metadata)
    WHEN \(CaptureTriggers.synchronizing) AND NEW."recordType" = \(literal(table.name))
      AND NEW."lastKnownServerRecord" IS NOT OLD."lastKnownServerRecord"
      AND \(SendingTriggers.isInFlight("OLD")) AND NOT \(CaptureTriggers.isMerging)
    BEGIN
      INSERT INTO "parley_inbox" ("recordName", "zoneName", "ownerName", "recordType", "receivedAt", "path",
        "isDeleted", "ancestorRecord", "clientRow", "clientTime")
      SELECT "recordName", NEW."zoneName", NEW."ownerName", NEW."recordType", \(CaptureTriggers.now), 'send',
        1, "ancestorRecord",
        \(table.json("seen")),
        OLD."userModificationTime"
      FROM \(SendingTriggers.sending)
      JOIN main.\(quoted(table.name)) AS seen ON CAST(seen.\(quoted(table.key)) AS TEXT) = NEW."recordPrimaryKey"
      WHERE "recordName" = \(CaptureTriggers.newName) AND "ancestorRecord" IS NOT NULL
        AND NEW."_lastKnownServerRecordAllFields" IS NOT NULL;
    END;
    """
  }

  private var afterDelete: String {
    """
    CREATE TEMP TRIGGER IF NOT EXISTS \(table.trigger("not_sent_after_delete"))
    AFTER DELETE ON main.\(quoted(table.name))
    BEGIN
      DELETE FROM \(SendingTriggers.sending)
      WHERE "recordName" = \(table.recordName("OLD"));
    END;
    """
  }
}

/// In the trigger that hears of each last-known record.
extension SendingTriggers {
  /// Whether the last-known record of a row of the metadata was sent and never confirmed.
  static func isInFlight(_ metadata: String) -> String {
    """
    EXISTS (SELECT 1 FROM \(sending) AS sent
          WHERE sent."recordName" = \(metadata)."recordPrimaryKey" || ':' || \(metadata)."recordType"
            AND sent."record" = \(metadata)."lastKnownServerRecord")
    """
  }

  /// Before what depends on it.
  static let noted = """
    INSERT INTO \(sending) ("recordName", "record")
      SELECT \(CaptureTriggers.newName), NEW."lastKnownServerRecord"
      WHERE OLD."lastKnownServerRecord" IS NULL AND NOT \(CaptureTriggers.isMerging)
      ON CONFLICT ("recordName") DO UPDATE SET "record" = excluded."record";
      INSERT INTO \(sending) ("recordName", "ancestorRecord")
      SELECT \(CaptureTriggers.newName), OLD."_lastKnownServerRecordAllFields"
      WHERE NEW."lastKnownServerRecord" IS NULL AND OLD."lastKnownServerRecord" IS NOT NULL
        AND NEW."zoneName" = OLD."zoneName" AND NEW."ownerName" = OLD."ownerName"
        AND NOT \(CaptureTriggers.isMerging)
      ON CONFLICT ("recordName") DO UPDATE SET "record" = NULL,
        "ancestorRecord" = iif("record" = OLD."lastKnownServerRecord", "ancestorRecord", excluded."ancestorRecord");
    """

  /// After it.
  static let forgotten = """
    DELETE FROM \(sending)
      WHERE "recordName" = \(CaptureTriggers.newName) AND NEW."lastKnownServerRecord" IS NOT NULL
        AND "record" IS NOT NEW."lastKnownServerRecord";
    """
}
