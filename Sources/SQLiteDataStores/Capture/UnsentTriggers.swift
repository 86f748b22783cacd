import SQLiteFiles

/// The triggers that remember which rows the app has edited and the server may not know yet, for the writer connection.
///
/// They are for one question: had a row an edit, where the engine takes all of it, or what it does not see? So it is of one that the server
/// deletes, that comes in from another zone, or of which the server does not permit an edit, and where bytes take the place of a NULL. The
/// metadata does not say (a row that is only fetched gets the time of now, too), and SQL does not read archives. Any edit of the row counts:
/// what is no conflict is seen by who reads the archives.
///
///     an edit of the app       → remembered, with the row before it
///     an acknowledgement       → forgotten, if the record has the row's time: then nothing was edited after the sending
///     a merge                  → forgotten, if the row became what the server has; else remembered: the row of before is not
///                                the server's any more
///     the app deletes the row  → forgotten
///
/// - A record that is uploaded bears, in each field that it changes, the time that the metadata has then, and every edit moves
///   that time. So a time that is found in the archive was sent. It is looked for as it stands there: the field 3 of a
///   protobuf message, or the integer of a property list. Where it stands otherwise the edit stays remembered, which keeps
///   one row too many and loses none.
/// - An edit from before the app began to capture was not heard. For a row whose last write was before that, and whose time
///   its archive does not have, it is taken for granted.
struct UnsentTriggers {
  let table: CapturedTable

  private static let unsent = quoted(ParleyTables.unsentName)
  private static let notSynchronizing = "NOT " + CaptureTriggers.synchronizing

  /// For each table, once: from when on its edits are heard.
  var all: [String] { [since, beforeUpdate, afterInsert, afterDelete] }

  private var since: String {
    """
    INSERT OR IGNORE INTO "parley_since" ("recordType", "time")
    VALUES (\(literal(table.name)), \(CaptureTriggers.now));
    """
  }

  /// Before, as the metadata gets the time of now with the row.
  private var beforeUpdate: String {
    """
    CREATE TEMP TRIGGER IF NOT EXISTS \(table.trigger("before_edit"))
    BEFORE UPDATE ON \(table.target)
    WHEN \(UnsentTriggers.notSynchronizing)
    BEGIN
      INSERT INTO \(UnsentTriggers.unsent) ("recordName", "row")
      SELECT \(table.recordName("NEW")), iif(\(isRowOlderThanCapture("OLD")), NULL,
        \(table.json("OLD")))
      WHERE NOT EXISTS (SELECT 1 FROM \(UnsentTriggers.unsent) WHERE "recordName" = \(table.recordName("NEW")));
    END;
    """
  }

  private var afterInsert: String {
    """
    CREATE TEMP TRIGGER IF NOT EXISTS \(table.trigger("after_new"))
    AFTER INSERT ON \(table.target)
    WHEN \(UnsentTriggers.notSynchronizing)
    BEGIN
      INSERT OR IGNORE INTO \(UnsentTriggers.unsent) ("recordName") VALUES (\(table.recordName("NEW")));
    END;
    """
  }

  private var afterDelete: String {
    """
    CREATE TEMP TRIGGER IF NOT EXISTS \(table.trigger("after_delete"))
    AFTER DELETE ON \(table.target)
    BEGIN
      DELETE FROM \(UnsentTriggers.unsent) WHERE "recordName" = \(table.recordName("OLD"));
    END;
    """
  }

  /// Whether the row has an edit that the server may not have. A row that was edited back to what the server has, has none.
  func isUnsent(_ row: String) -> String {
    """
    (EXISTS (SELECT 1 FROM \(UnsentTriggers.unsent) AS unsent WHERE unsent."recordName" = \(table.recordName(row))
          AND unsent."row" IS NOT \(table.json(row)))
        OR \(isRowOlderThanCapture(row)))
    """
  }

  private func isRowOlderThanCapture(_ row: String) -> String {
    """
    EXISTS (SELECT 1 FROM \(CaptureTriggers.metadata) AS known
          WHERE known."recordPrimaryKey" = CAST(\(row).\(quoted(table.key)) AS TEXT)
            AND known."recordType" = \(literal(table.name))
            AND \(UnsentTriggers.isOlderThanCapture("known")))
    """
  }
}

extension UnsentTriggers {
  /// In the trigger that ends a merge, which an acknowledgement fires as well: no merge has begun before that. What is only
  /// in flight is not acknowledged, and what it made the engine put back is still to be sent.
  static let whenKnownServerRecordChanges = """
    INSERT OR REPLACE INTO \(unsent) ("recordName")
      SELECT "recordName" FROM \(CaptureTriggers.merging)
      WHERE "recordName" = \(newName) AND \(isKept);
      DELETE FROM \(unsent)
      WHERE "recordName" = \(newName) AND iif(\(CaptureTriggers.isMerging), \(becameTheServers),
        \(hasOwnTime("NEW")) AND NOT \(SendingTriggers.isInFlight("NEW")));
      UPDATE \(unsent) SET "row" = NULL WHERE "recordName" = \(newName);
    """

  /// Whether the row of a merge may have had an edit that was not sent, in the trigger that ends it.
  static let isUnsentMerge = """
    (EXISTS (SELECT 1 FROM \(unsent) AS unsent WHERE unsent."recordName" = \(CaptureTriggers.merging)."recordName"
            AND unsent."row" IS NOT \(CaptureTriggers.merging)."clientRow")
          OR \(isOlderThanCapture("NEW", time: "\(CaptureTriggers.merging).\"clientTime\"",
            archive: "\(CaptureTriggers.merging).\"ancestorRecord\"")))
    """

  /// Whether the row of a record that comes in may have an edit that was not sent, in the trigger that begins its merge.
  static func mayBeUnsent(_ known: String) -> String {
    """
    (EXISTS (SELECT 1 FROM \(unsent) WHERE "recordName" = \(newName))
              OR \(isOlderThanCapture(known)))
    """
  }

  private static func isOlderThanCapture(_ metadata: String) -> String {
    isOlderThanCapture(metadata, time: time(of: metadata), archive: archive(of: metadata))
  }

  /// Whether the last write of a row was before the capture, and its archive does not have that time.
  private static func isOlderThanCapture(_ record: String, time: String, archive: String) -> String {
    """
    EXISTS (SELECT 1 FROM "parley_since" AS since WHERE since."recordType" = \(record)."recordType"
                AND \(time) <= since."time" AND NOT \(hasTime(time, archive)))
    """
  }

  private static let newName = CaptureTriggers.newName

  /// Whether the engine has kept anything of the row against the record that came in.
  static let isKept = #"("columns" GLOB '*!*' OR "path" = 'send')"#

  private static let becameTheServers = """
    EXISTS (SELECT 1 FROM \(CaptureTriggers.merging)
          WHERE "recordName" = \(newName) AND NOT coalesce(\(isKept), 0))
    """

  private static func hasOwnTime(_ metadata: String) -> String {
    hasTime(time(of: metadata), archive(of: metadata))
  }

  private static func time(of metadata: String) -> String { "\(metadata).\"userModificationTime\"" }

  private static func archive(of metadata: String) -> String {
    "\(metadata).\"_lastKnownServerRecordAllFields\""
  }

  /// Whether the archive has the time in it. One of less than nine bytes, before 1972, is not looked for.
  private static func hasTime(_ time: String, _ archive: String) -> String {
    let low = (0..<8).map { "((\(time) >> \($0 * 7)) & 127) | 128" }.joined(separator: ", ")
    let format = String(repeating: "%02X", count: 9)
    return """
      (instr(hex(\(archive)), printf('18\(format)', \(low), (\(time) >> 56) & 127)) > 0
            OR instr(hex(\(archive)), printf('13%016X', \(time))) > 0)
      """
  }
}
