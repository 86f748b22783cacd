import GRDB
import GRDBSQLite
import Merging
import StoreInterface

/// Tells of every row that a transaction changes, and so of those that only triggers and foreign keys of the app do.
///
/// Each table has triggers of our own, which belong to the connection and come into no file. SQLite's update hook would not
/// do: it tells nothing of tables without a rowid, of a DELETE of all rows, and of what a row was.
///
/// Virtual tables and their shadows are not watched: what a full-text index holds follows from the rows, also when these are
/// taken back.
package final class RowWatch {
  package struct Noticed {
    package let shape: TableShape
    /// The columns of the primary key; without one the `rowid` of a row that is kept, and all columns of any other.
    package let key: RowImage
    /// The row before the first change of it; nil if it was added, or if only its key was asked for.
    package let before: RowImage?
    package let isAddition: Bool
  }

  /// The events of a trigger, by the number that it calls with.
  fileprivate enum Event: Int64 {
    case added, removed, changed
    /// The row after a change, which may have another key.
    case becomes
  }

  /// A table, and which columns its triggers tell of a row that was.
  fileprivate struct Watched {
    let shape: TableShape
    let key: [TableShape.Column]
    let keepsRow: Bool

    init(_ shape: TableShape, keepsRow: Bool) {
      self.shape = shape
      self.keepsRow = keepsRow && shape.stored.count <= RowWatch.mostColumns
      key = keepsRow ? shape.key.isEmpty ? [.rowid] : shape.key : shape.identity
    }

    /// What is told of a row that was.
    var told: [TableShape.Column] { keepsRow ? key + shape.stored : key }
  }

  private static let function = "parley_noticed"
  /// SQLite allows a function 127 arguments.
  fileprivate static let mostColumns = 100

  private var tables: [Watched] = []
  package private(set) var noticed: [Noticed] = []
  private var known: Set<Row> = []

  private struct Row: Hashable {
    let table: Int
    let key: RowImage
  }

  /// - Parameter keepsRow: the tables of which a row that was changed is kept, and not only its key.
  package init(_ schemas: [String], in db: Database, keepsRow: (TableShape) -> Bool) throws {
    for schema in schemas {
      for name in try RowWatch.tables(of: schema, in: db) {
        guard let shape = try TableShape(name, schema: schema, in: db) else { continue }
        tables.append(Watched(shape, keepsRow: keepsRow(shape)))
      }
    }
    try addFunction(to: db)
    for (number, table) in tables.enumerated() { try db.execute(sql: table.triggers(number)) }
  }

  package func forget() { (noticed, known) = ([], []) }

  private static func tables(of schema: String, in db: Database) throws -> [String] {
    var names: [String] = []
    let sql = """
      SELECT name FROM pragma_table_list WHERE schema = ? AND type = 'table' AND name NOT LIKE 'sqlite^_%' ESCAPE '^'
      """
    try db.forEachRow(sql, [.text(schema)]) { names.append($0.text(0)) }
    return names
  }

  private func addFunction(to db: Database) throws {
    let code = sqlite3_create_function_v2(
      db.sqliteConnection, RowWatch.function, -1, SQLITE_UTF8, Unmanaged.passRetained(self).toOpaque(),
      { context, count, values in
        guard let watch = sqlite3_user_data(context), let values else { return }
        Unmanaged<RowWatch>.fromOpaque(watch).takeUnretainedValue()
          .notice((0..<Int(count)).map { Value(values[$0]) })
      }, nil, nil, { watch in watch.map { Unmanaged<RowWatch>.fromOpaque($0).release() } })
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  /// - Parameter arguments: the number of the table, the event, and the columns that are told.
  private func notice(_ arguments: [Value]) {
    guard case .integer(let number)? = arguments.first, tables.indices.contains(Int(number)),
      case .integer(let code)? = arguments.dropFirst().first, let event = Event(rawValue: code)
    else { return }
    let table = tables[Int(number)]
    let values = arguments.dropFirst(2)
    let key = RowImage(table.key, values)
    guard known.insert(Row(table: Int(number), key: key)).inserted else { return }
    let isAddition = event == .added || event == .becomes
    noticed.append(
      Noticed(
        shape: table.shape, key: key,
        before: !isAddition && table.keepsRow
          ? RowImage(table.shape.stored, values.dropFirst(table.key.count)) : nil,
        isAddition: isAddition))
  }
}

extension RowWatch.Watched {
  fileprivate func triggers(_ number: Int) -> String {
    """
    \(trigger(number, "INSERT", [call(number, .added, "NEW", key)]))
    \(trigger(number, "DELETE", [call(number, .removed, "OLD", told)]))
    \(trigger(number, "UPDATE", [call(number, .changed, "OLD", told), call(number, .becomes, "NEW", key)]))
    """
  }

  private func trigger(_ number: Int, _ event: String, _ calls: [String]) -> String {
    """
    CREATE TEMP TRIGGER "parley_watch_\(number)_\(event)" AFTER \(event) ON \(shape.sqlName) BEGIN
    \(calls.joined(separator: "\n")) END;
    """
  }

  private func call(
    _ number: Int, _ event: RowWatch.Event, _ row: String, _ columns: [TableShape.Column]
  ) -> String {
    let values = columns.map { "\(row).\(quoted($0.name))" }
    let arguments = (["\(number)", "\(event.rawValue)"] + values).joined(separator: ", ")
    return "SELECT \(RowWatch.function)(\(arguments));"
  }
}

extension TableShape {
  /// The columns that name a row: of the primary key, or all where there is none.
  package var identity: [Column] { key.isEmpty ? Array(stored.prefix(RowWatch.mostColumns)) : key }
}

extension TableShape.Column {
  fileprivate static let rowid = TableShape.Column(
    name: "rowid", declaredType: "INTEGER", affinity: .integer, isRequired: true, keyPosition: 1,
    isGenerated: false)
}

extension RowImage {
  fileprivate init(_ columns: [TableShape.Column], _ values: some Sequence<Value>) {
    self.init(zip(columns.map(\.name), values), uniquingKeysWith: { first, _ in first })
  }
}

extension Value {
  fileprivate init(_ value: OpaquePointer?) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      let start = sqlite3_value_text(value)
      self.init(storedText: UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    case SQLITE_BLOB:
      let bytes = UnsafeRawBufferPointer(
        start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
      self = .blob(Blob(bytes: Array(bytes)))
    default: self = .null
    }
  }
}
