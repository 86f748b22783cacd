import ExactJSON
import GRDB
import Merging
import SQLiteFiles

/// Lays the tables of the app beside the list of tables that sync.
///
/// The list, `recordTypes`, has each CREATE statement as text, and its columns as JSON:
/// `[{"defaultValue":"''","isNotNull":true,"isPrimaryKey":false,"name":"title","type":"TEXT"}, …]`. If the text differs, the
/// app sets the columns that changed to the ancestors' values at its next start.
enum SchemaCheck {
  private struct Registered {
    let table: String
    let sql: String
    let columns: String
  }

  static func troubles(in db: Database) throws -> [StoreTrouble] {
    let registered = try registered(in: db)
    let troubles = try registered.compactMap { try trouble($0, in: db) }
    return try isEmpty(registered, in: db)
      ? troubles + [.everythingIsGone(tables: registered.count)] : troubles
  }

  private static func registered(in db: Database) throws -> [Registered] {
    var tables: [Registered] = []
    let sql =
      "SELECT tableName, schema, tableInfo FROM \(Metadatabase.sqlName(Metadatabase.recordTypes)) ORDER BY tableName"
    try db.forEachRow(sql) {
      tables.append(Registered(table: $0.text(0), sql: $0.text(1), columns: $0.text(2)))
    }
    return tables
  }

  private static func trouble(_ registered: Registered, in db: Database) throws -> StoreTrouble? {
    let query = "SELECT sql FROM main.sqlite_master WHERE type IN ('table', 'view') AND name = ?"
    guard let sql = try db.firstRow(query, [.text(registered.table)], { $0.text(0) }) else {
      return .tableIsMissing(table: registered.table)
    }
    if sql == registered.sql { return nil }
    let then = columns(registered.columns)
    let now = try columns(of: registered.table, in: db)
    let changed = Set(then.keys).union(now.keys).filter { then[$0] != now[$0] }
    return .schemaChanged(table: registered.table, columns: changed.sorted())
  }

  private struct Column: Equatable {
    let type: String
    let isRequired: Bool
    let isKey: Bool
    let defaultValue: String?
  }

  /// Empty if the JSON is of another form.
  private static func columns(_ json: String) -> [String: Column] {
    var reader = JSONReader(Array(json.utf8))
    var columns: [String: Column] = [:]
    for column in (try? reader.single())?.elements ?? [] {
      guard let name = column["name"]?.text else { continue }
      columns[name] = Column(
        type: column["type"]?.text ?? "", isRequired: column["isNotNull"]?.bool ?? false,
        isKey: column["isPrimaryKey"]?.bool ?? false, defaultValue: column["defaultValue"]?.text)
    }
    return columns
  }

  private static func columns(of table: String, in db: Database) throws -> [String: Column] {
    var columns: [String: Column] = [:]
    let sql = "SELECT name, type, \"notnull\", pk, dflt_value FROM pragma_table_info(?, 'main')"
    try db.forEachRow(sql, [.text(table)]) { row in
      columns[row.text(0)] = Column(
        type: row.text(1), isRequired: row.integer(2) != 0, isKey: row.integer(3) > 0,
        defaultValue: row.optionalText(4))
    }
    return columns
  }

  private static func isEmpty(_ registered: [Registered], in db: Database) throws -> Bool {
    if registered.isEmpty { return false }
    let tables = [Metadatabase.sqlName(Metadatabase.metadata)]
    let present = try registered.filter { try TableShape($0.table, in: db) != nil }
      .map { "main." + quoted($0.table) }
    return try (tables + present).allSatisfy { table in
      try db.firstRow("SELECT 1 FROM \(table) LIMIT 1") { _ in false } ?? true
    }
  }
}
