import GRDB
import GRDBSQLite
import Merging

extension TableShape {
  /// nil if there is no such table.
  package convenience init?(_ name: String, schema: String = "main", in db: Database) throws {
    let options = try TableShape.options(name, schema: schema, in: db)
    let found = try TableShape.columns(of: name, schema, isStrict: options.isStrict, in: db)
    var columns = found.all
    if columns.isEmpty { return nil }
    let table = quoted(schema) + "." + quoted(name)
    for place in try TableShape.unreadable(found.computed, of: columns, table, in: db) {
      columns[place].isForTheApp = true
    }
    self.init(
      name: name, schema: schema, columns: columns,
      foreignKeys: try TableShape.foreignKeys(name, schema: schema, in: db),
      isWithoutRowid: options.isWithoutRowid)
  }

  /// - Returns: also the places of those that are computed as they are read.
  private static func columns(
    of table: String, _ schema: String, isStrict: Bool, in db: Database
  ) throws -> (all: [Column], computed: [Int]) {
    var (columns, computed): ([Column], [Int]) = ([], [])
    let sql =
      "SELECT name, type, \"notnull\", pk, hidden, dflt_value FROM pragma_table_xinfo(?, ?) ORDER BY cid"
    try db.forEachRow(sql, [.text(table), .text(schema)]) { row in
      let hidden = row.integer(4)
      if hidden == 1 { return }
      if hidden == 2 { computed.append(columns.count) }
      columns.append(TableShape.column(row, of: table, schema, isStrict: isStrict, in: db))
    }
    return (columns, computed)
  }

  private static func column(
    _ row: SQLRow, of table: String, _ schema: String, isStrict: Bool, in db: Database
  ) -> Column {
    let (name, type) = (row.text(0), row.text(1))
    let affinity = Affinity(declaredType: type, isStrict: isStrict)
    return Column(
      name: name, declaredType: type, affinity: affinity, isRequired: row.integer(2) != 0,
      keyPosition: Int(row.integer(3)), isGenerated: row.integer(4) > 1,
      comparesBytes: comparesBytes(name, of: table, schema, in: db),
      initial: Value(literal: row.optionalText(5) ?? "NULL", in: affinity))
  }

  /// No pragma tells the collation of a column. A view has none.
  private static func comparesBytes(
    _ column: String, of table: String, _ schema: String, in db: Database
  ) -> Bool {
    var collation: UnsafePointer<CChar>?
    let code = sqlite3_table_column_metadata(
      db.sqliteConnection, schema, table, column, nil, &collation, nil, nil, nil)
    guard code == SQLITE_OK, let collation else { return true }
    return String(cString: collation).uppercased() == "BINARY"
  }

  /// Which of the columns that are computed as they are read cannot be. Mostly all can, which one statement tells.
  private static func unreadable(
    _ computed: [Int], of columns: [Column], _ table: String, in db: Database
  ) throws -> [Int] {
    if try canRead(computed.map { columns[$0] }, table, in: db) { return [] }
    return try computed.filter { try !canRead([columns[$0]], table, in: db) }
  }

  private static func canRead(_ columns: [Column], _ table: String, in db: Database) throws -> Bool {
    if columns.isEmpty { return true }
    do {
      _ = try db.makeStatement(sql: "SELECT \(list(columns)) FROM \(table)")
      return true
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      return false
    }
  }

  private static func options(
    _ name: String, schema: String, in db: Database
  ) throws -> (isStrict: Bool, isWithoutRowid: Bool) {
    let sql = "SELECT strict, wr FROM pragma_table_list(?) WHERE schema = ?"
    return try db.firstRow(sql, [.text(name), .text(schema)]) { ($0.integer(0) != 0, $0.integer(1) != 0) }
      ?? (false, false)
  }

  package static func foreignKeys(_ name: String, schema: String, in db: Database) throws -> [ForeignKey] {
    var keys: [(id: Int64, table: String, from: [String], to: [String], onDelete: String)] = []
    let sql =
      "SELECT id, \"table\", \"from\", \"to\", on_delete FROM pragma_foreign_key_list(?, ?) ORDER BY id, seq"
    try db.forEachRow(sql, [.text(name), .text(schema)]) { row in
      if keys.last?.id != row.integer(0) { keys.append((row.integer(0), row.text(1), [], [], row.text(4))) }
      keys[keys.count - 1].from.append(row.text(2))
      if let to = row.optionalText(3) { keys[keys.count - 1].to.append(to) }
    }
    return keys.map {
      ForeignKey(table: $0.table, columns: $0.from, parentColumns: $0.to, onDelete: $0.onDelete)
    }
  }
}
