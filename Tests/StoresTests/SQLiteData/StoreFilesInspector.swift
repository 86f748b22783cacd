import GRDB
import Merging

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// Looks into both databases of a store, and changes them behind its back.
struct StoreFilesInspector {
  let files: StoreFiles

  init(_ database: String) throws { files = try StoreFiles(path: database, metadatabase: nil) }

  func rows(_ sql: String, _ arguments: [Value] = []) throws -> [[Value]] {
    let writer = try SQLiteWriter(files, clock: { 0 })
    defer { writer.close() }
    var rows: [[Value]] = []
    try writer.transaction { db in
      let columns = try Int32(db.cachedStatement(sql: sql).columnCount)
      try db.forEachRow(sql, arguments) { row in rows.append((0..<columns).map(row.value)) }
      return .rollback
    }
    return rows
  }

  func value(_ sql: String, _ arguments: [Value] = []) throws -> Value? {
    try rows(sql, arguments).first?.first
  }

  func run(_ sql: String, _ arguments: [Value] = []) throws {
    let writer = try SQLiteWriter(files, clock: { 0 })
    defer { writer.close() }
    try writer.transaction { db in
      try db.run(sql, arguments)
      return .commit
    }
  }

  /// Every row of every table of both databases, as SQL literals.
  func dump() throws -> [String] {
    let writer = try SQLiteWriter(files, clock: { 0 })
    defer { writer.close() }
    var lines: [String] = []
    try writer.transaction { db in
      for schema in ["main", Metadatabase.schema] {
        for table in try db.rows(Self.tables(in: schema), [], { $0.text(0) }) {
          lines += try Self.dump(schema, table, in: db).sorted()
        }
      }
      return .rollback
    }
    return lines
  }

  private static func tables(in schema: String) -> String {
    "SELECT name FROM \(schema).sqlite_master WHERE type = 'table' AND name <> 'sqlite_sequence'"
  }

  private static func dump(_ schema: String, _ table: String, in db: Database) throws -> [String] {
    let columns = try db.rows("SELECT name FROM pragma_table_xinfo(?, ?)", [.text(table), .text(schema)]) {
      "quote(\(quoted($0.text(0))))"
    }
    let sql = "SELECT \(columns.joined(separator: " || ' ' || ")) FROM \(schema).\(quoted(table))"
    return try db.rows(sql, []) { "\(table): \($0.text(0))" }
  }

  /// Columns of a record's metadata.
  func metadata(_ columns: String, _ recordName: String) throws -> [Value]? {
    try rows("SELECT \(columns) FROM \(Metadatabase.metadata) WHERE recordName = ?", [.text(recordName)])
      .first
  }

  /// What is queued for this record.
  func pending(_ recordName: String) throws -> [PendingZoneChange] {
    try rows("SELECT pendingRecordZoneChange FROM \(Metadatabase.pending)").compactMap { row in
      guard case .blob(let blob) = row[0] else { return nil }
      return try? PendingZoneChange(decoding: blob.bytes ?? [])
    }.filter { $0.recordName == recordName }
  }

  func inboxCount(_ recordName: String) throws -> Value? {
    try value("SELECT count(*) FROM parley_inbox WHERE recordName = ?", [.text(recordName)])
  }
}
