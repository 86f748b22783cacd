import Foundation
import GRDB
import GRDBSQLite
import Merging
import StoreInterface

/// Tells of every row that a transaction changes, and so of those that only triggers and foreign keys of the app do, or that a
/// column which has to be unique replaces.
///
/// It tells where a row stands, and not what it was: SQLite tells that truly of some tables only. Who needs it takes the change
/// back, and looks.
///
/// Virtual tables and their shadows are not watched: what a full-text index holds follows from the rows, also when these are
/// taken back.
package final class RowWatch {
  /// Where a row stands in its table: its rowid, or the primary key where there is none.
  package struct Place {
    package let shape: TableShape
    /// Empty where the rows of the table cannot be told apart.
    package let key: RowImage
  }

  package struct Noticed {
    package let place: Place
    /// Whether no row stood there before.
    package let isAddition: Bool
    /// Whether the statement itself deleted it, in favour of another one.
    package let isReplaced: Bool
  }

  private struct Name: Hashable {
    let schema: String
    let table: String
  }

  /// One change of one row, as the hook tells it.
  private struct Event {
    let table: Int
    let operation: Int32
    /// 0 for what the statement itself does, more for what triggers and foreign keys do.
    let depth: Int32
    let rowid: Int64
    let newRowid: Int64
    /// Of a table without a rowid, as they can be asked for only now.
    var oldKey: RowImage?
    var newKey: RowImage?
  }

  /// What a statement does to a row.
  package enum Deed: Int32 {
    // because sqlite.org/c3ref/c_alter_table.html gives these numbers to the three: the enum takes no imported constants.
    case delete = 9
    case insert = 18
    case update = 23
  }

  private let hook: RowHook
  private let db: Database
  private var tables: [Name: Int] = [:]
  private var shapes: [TableShape] = []
  private var events: [Event] = []
  /// Why SQLite did not give a key: a hook can end nothing.
  private var failure: ResultCode?

  /// - Parameter hook: nil where this SQLite has none.
  /// - Throws: ``Refusal`` if there is no such hook, or two tables cannot be told apart.
  package init(_ schemas: [String], in db: Database, hook: RowHook? = .found) throws {
    guard let hook else {
      throw Refusal(
        nil,
        "the SQLite library here was built without SQLITE_ENABLE_PREUPDATE_HOOK, so nobody could tell what else a write changes"
      )
    }
    (self.hook, self.db) = (hook, db)
    for schema in schemas {
      let names = try RowWatch.tables(of: schema, in: db)
      if let reason = TableShape.reasonTablesAreAlike(names) { throw Refusal(nil, reason) }
      for table in names {
        guard let shape = try TableShape(table, schema: schema, in: db) else { continue }
        tables[Name(schema: schema, table: table)] = shapes.count
        shapes.append(shape)
      }
    }
    _ = hook.set(db.sqliteConnection, noticeRow, Unmanaged.passUnretained(self).toOpaque())
  }

  // A connection that is closed has no hook any more, and GRDB no address for it.
  deinit { if let connection = db.sqliteConnection { _ = hook.set(connection, nil, nil) } }

  package func forget() {
    events.removeAll(keepingCapacity: true)
    failure = nil
  }

  /// Whether since ``forget()`` nothing was done but this, to one row of one table, by the statement itself.
  package func sawOnly(_ deed: Deed, in table: TableShape) -> Bool {
    guard events.count == 1, let only = events.first else { return false }
    return only.operation == deed.rawValue && only.depth == 0
      && shapes[only.table].foldedName == table.foldedName
  }

  /// Each row once, in the order in which they were first touched.
  ///
  /// - Throws: `DatabaseError` if nobody can tell where one of them stands.
  package func noticed() throws -> [Noticed] {
    if let failure { throw DatabaseError(resultCode: failure) }
    var noticed: [Noticed] = []
    var known: Set<Place> = []
    func add(_ place: Place, isAddition: Bool = false, isReplaced: Bool = false) {
      guard known.insert(place).inserted else { return }
      noticed.append(Noticed(place: place, isAddition: isAddition, isReplaced: isReplaced))
    }
    for event in events {
      let shape = shapes[event.table]
      if event.operation != SQLITE_INSERT {
        let isReplaced = event.operation == SQLITE_DELETE && event.depth == 0
        add(shape.place(event.rowid, event.oldKey), isReplaced: isReplaced)
      }
      if event.operation != SQLITE_DELETE {
        add(shape.place(event.newRowid, event.newKey), isAddition: event.operation == SQLITE_INSERT)
      }
    }
    return noticed
  }

  private static func tables(of schema: String, in db: Database) throws -> [String] {
    let sql = """
      SELECT name FROM pragma_table_list WHERE schema = ? AND type = 'table' AND name NOT LIKE 'sqlite^_%' ESCAPE '^'
      """
    return try db.rows(sql, [.text(schema)]) { $0.text(0) }
  }

  fileprivate func notice(
    _ operation: Int32, _ schema: String, _ table: String, _ rowid: Int64, _ newRowid: Int64
  ) {
    guard let table = tables[Name(schema: schema, table: table)] else { return }
    var event = Event(
      table: table, operation: operation, depth: hook.depth(db.sqliteConnection), rowid: rowid,
      newRowid: newRowid)
    let shape = shapes[table]
    if shape.isWithoutRowid {
      if operation != SQLITE_INSERT { event.oldKey = key(shape, hook.old) }
      if operation != SQLITE_DELETE { event.newKey = key(shape, hook.new) }
    }
    events.append(event)
  }

  private func key(_ shape: TableShape, _ column: RowHook.Column) -> RowImage {
    var key: RowImage = [:]
    for (index, name) in shape.keyPlaces {
      var value: OpaquePointer?
      let code = column(db.sqliteConnection, index, &value)
      if let value, code == SQLITE_OK {
        key[name] = Value(value)
      } else {
        failure = ResultCode(rawValue: code)
      }
    }
    return key
  }
}

private let noticeRow: RowHook.Callback = { context, _, operation, schema, table, rowid, newRowid in
  guard let context, let schema, let table else { return }
  Unmanaged<RowWatch>.fromOpaque(context).takeUnretainedValue()
    .notice(operation, String(cString: schema), String(cString: table), rowid, newRowid)
}

extension RowWatch.Place: Hashable {
  package static func == (left: Self, right: Self) -> Bool {
    left.key == right.key && left.shape.foldedName == right.shape.foldedName
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(shape.foldedName)
    hasher.combine(key)
  }
}

extension TableShape {
  /// The columns of the key, by their numbers. None where the table computes a column before them: which number a column has then
  /// differs between the versions of SQLite.
  fileprivate var keyPlaces: [(Int32, String)] {
    let end = columns.lastIndex { $0.keyPosition > 0 } ?? 0
    if columns[..<end].contains(where: \.isGenerated) { return [] }
    return zip(Int32(0)..., columns).filter { $0.1.keyPosition > 0 }.map { ($0, $1.name) }
  }

  /// - Parameter key: of a table without a rowid.
  fileprivate func place(_ rowid: Int64, _ key: RowImage?) -> RowWatch.Place {
    RowWatch.Place(shape: self, key: key ?? self.rowid.map { [$0: .integer(rowid)] } ?? [:])
  }

  /// The columns that name a place in the table; nil if there are none.
  private var placeColumns: [String]? {
    isWithoutRowid ? keyPlaces.isEmpty ? nil : key.map(\.name) : rowid.map { [$0] }
  }

  /// Where the rows with these values stand.
  package func places(_ key: RowImage, in db: Database) throws -> [RowWatch.Place] {
    guard let names = placeColumns else { return [] }
    let list = names.map(quoted).joined(separator: ", ")
    let (condition, values) = condition(key)
    return try db.rows("SELECT \(list) FROM \(sqlName) WHERE \(condition)", values) { row in
      let place = zip(names, zip(Int32(0)..., names).map { row.value($0.0) })
      return RowWatch.Place(shape: self, key: RowImage(uniqueKeysWithValues: place))
    }
  }
}

/// SQLite's hook before every change of a row: the only one that tells also of rows which REPLACE deletes, of tables without a
/// rowid, and of a DELETE of all rows (sqlite.org/c3ref/preupdate_blobwrite.html).
///
/// Debian's library has it, but its header declares it only to who compiles SQLite, so it is looked up by name. Apple's could
/// not be tried; a library without it is refused, and nothing is written.
package struct RowHook {
  package typealias Callback =
    @convention(c) (
      _ context: UnsafeMutableRawPointer?, OpaquePointer?, _ operation: Int32,
      _ schema: UnsafePointer<CChar>?, _ table: UnsafePointer<CChar>?, _ rowid: Int64, _ newRowid: Int64
    ) -> Void
  package typealias Column =
    @convention(c) (OpaquePointer?, _ index: Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32

  package typealias Setter =
    @convention(c) (OpaquePointer?, Callback?, UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
  package typealias Depth = @convention(c) (OpaquePointer?) -> Int32

  package let set: Setter
  package let old: Column
  package let new: Column
  /// 0 for a row that the statement itself changes, more for what triggers and foreign keys do.
  package let depth: Depth

  package static let found: RowHook? = {
    guard let set = address("sqlite3_preupdate_hook"), let old = address("sqlite3_preupdate_old"),
      let new = address("sqlite3_preupdate_new"), let depth = address("sqlite3_preupdate_depth")
    else { return nil }
    // because these are the types that sqlite3.h gives the four functions.
    return RowHook(
      set: unsafeBitCast(set, to: Setter.self),
      old: unsafeBitCast(old, to: Column.self), new: unsafeBitCast(new, to: Column.self),
      depth: unsafeBitCast(depth, to: Depth.self))
  }()

  private static func address(_ name: String) -> UnsafeMutableRawPointer? {
    let program = dlopen(nil, RTLD_LAZY)
    defer { if let program { dlclose(program) } }
    return dlsym(program, name)
  }
}

extension Value {
  fileprivate init(_ value: OpaquePointer) {
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
