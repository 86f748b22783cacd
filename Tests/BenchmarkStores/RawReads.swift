import GRDB
import Merging
import SQLiteFiles

/// What reading a ``LargeStore`` costs at least, through SQLite's C interface, by somebody who makes nothing of the bytes.
public enum RawReads {
  /// All that a conflict is made of: row, metadata with the ancestor, and the server's record.
  ///
  /// - Returns: nanoseconds of this thread, and how many conflicts there are.
  public static func conflicts(of path: String) throws -> (nanoseconds: Int64, rows: Int) {
    try read(
      path,
      """
      SELECT * FROM main.parley_inbox i JOIN metadata.sqlitedata_icloud_metadata m ON m.recordName = i.recordName
      JOIN main.reminders r ON r.id = m.recordPrimaryKey
      """)
  }

  /// All rows and all metadata, each looked up in the other table.
  public static func everything(of path: String) throws -> (nanoseconds: Int64, rows: Int) {
    let metadata = try read(path, "SELECT * FROM metadata.sqlitedata_icloud_metadata")
    let missing = try read(
      path,
      """
      SELECT * FROM main.reminders r WHERE NOT EXISTS (
        SELECT 1 FROM metadata.sqlitedata_icloud_metadata WHERE recordPrimaryKey = r.id AND recordType = 'reminders')
      """)
    let unknown = try read(
      path,
      """
      SELECT * FROM metadata.sqlitedata_icloud_metadata m WHERE NOT EXISTS (
        SELECT 1 FROM main.reminders WHERE id = m.recordPrimaryKey)
      """)
    return (metadata.nanoseconds + missing.nanoseconds + unknown.nanoseconds, metadata.rows)
  }

  private static func read(_ path: String, _ sql: String) throws -> (nanoseconds: Int64, rows: Int) {
    let queue = try DatabaseQueue(path: path)
    return try queue.inDatabase { db in
      try db.run("ATTACH ? AS metadata", [.text(LargeStore.metadata(of: path))])
      let start = ProcessorTime.ofThread()
      var (rows, bytes) = (0, 0)
      let columns = try db.makeStatement(sql: sql).columnCount
      try db.forEachRow(sql) { row in
        rows += 1
        for column in 0..<Int32(columns) { row.withBytes(column) { bytes += $0.count } }
      }
      return (ProcessorTime.ofThread() - start, rows + (bytes < 0 ? 1 : 0))
    }
  }
}
