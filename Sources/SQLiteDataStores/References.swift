import GRDB
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

/// Foreign keys, looked up row by row: SQLite's own message does not tell which one failed.
struct References {
  let db: Database
  /// Whether a record that is not here is decided to come back. A write asks nobody: it has made that before.
  var comesBack: (String) throws -> Bool = { _ in false }

  /// - Parameter andNULL: whether it is asked of NULL, too, where the key leads. It points to nothing, but SQLite makes no statement for it
  ///   either where the key leads nowhere; whoever writes hears that from SQLite.
  /// - Throws: ``Refusal`` naming the field whose record is not there.
  func checkParents(
    of image: RowImage, _ shape: TableShape, changedFrom before: RowImage?, andNULL: Bool = false
  ) throws {
    for key in shape.foreignKeys {
      let values = key.columns.map { image[$0] ?? .null }
      let isUnchanged = before.map { before in key.columns.allSatisfy { before[$0] == image[$0] } } ?? false
      let isNULL = values.contains(.null)
      if isUnchanged || isNULL && !andNULL || isItself(key, values, image, shape) { continue }
      if try !hasParent(key, values) && !isNULL && !isToCome(key, values) {
        throw Refusal(
          key.columns.first, DraftRefusal.missing(values, in: key.table),
          awaiting: try parent(key, values.first)?.whole)
      }
    }
  }

  private func isItself(
    _ key: TableShape.ForeignKey, _ values: [Value], _ image: RowImage, _ shape: TableShape
  ) -> Bool {
    guard key.points(to: shape), let columns = shape.columns(pointedToBy: key) else { return false }
    return columns.map { image[$0.name] ?? .null } == values
  }

  /// - Throws: ``Refusal`` if nobody can look.
  private func hasParent(_ key: TableShape.ForeignKey, _ values: [Value]) throws -> Bool {
    let columns = try parentColumns(key)
    guard columns.count == values.count else { return false }
    let condition = columns.map { quoted($0) + " = ?" }.joined(separator: " AND ")
    do {
      return try db.hasRow("SELECT 1 FROM main.\(quoted(key.table)) WHERE \(condition)", values)
    } catch let error as DatabaseError where error.isOfForeignKey {
      throw Refusal(leadingNowhere: key, error.message ?? "")
    }
  }

  private func parentColumns(_ key: TableShape.ForeignKey) throws -> [String] {
    if !key.parentColumns.isEmpty { return key.parentColumns }
    guard let parent = try TableShape(key.table, in: db) else {
      throw Refusal(leadingNowhere: key, "no such table: main.\(key.table)")
    }
    return parent.key.map(\.name)
  }

  /// Rows that point to this one would be deleted or changed with it, without the app ever telling the server. So a record
  /// is not deleted while there are any. What the row says of itself goes with it.
  func checkChildren(of image: RowImage, key: RowImage, _ shape: TableShape) throws {
    let itself = shape.condition(key)
    for child in try childKeys(of: shape) {
      try check(child, of: image, butFor: child.points(to: shape) ? itself : nil)
    }
  }

  /// Rows that point to what this one was, and is no more. Of a key that is deferred they may be changed after it.
  func checkLeft(by change: StoredChange, _ shape: TableShape) throws {
    guard let before = change.before else { return }
    for child in try childKeys(of: shape) {
      let names = child.parentColumns
      if let after = change.after, names.allSatisfy({ before[$0] == after[$0] }) { continue }
      try check(child, of: before, field: change.after == nil ? nil : names.first)
    }
  }

  private func check(
    _ child: TableShape.ForeignKey, of image: RowImage, field: String? = nil,
    butFor itself: (sql: String, values: [Value])? = nil
  ) throws {
    let others = itself.map { " AND NOT (\($0.sql))" } ?? ""
    let sql = "SELECT count(*) FROM main.\(quoted(child.table)) WHERE \(condition(child))\(others)"
    let values = child.parentColumns.map { image[$0] ?? .null } + (itself?.values ?? [])
    let count = try db.firstRow(sql, values) { $0.integer(0) } ?? 0
    if count == 0 { return }
    let belong = "\(count) record\(count == 1 ? "" : "s") of \(child.table) belong\(count == 1 ? "s" : "")"
    // A row that points to itself would be among them.
    let children = try count == 1 ? children(child, of: image) : []
    let only = children.count == 1 ? children[0].whole : nil
    throw Refusal(field, "\(belong) to it; move or delete those first", awaiting: only)
  }

  /// What the rows are found by that point to one record.
  func condition(_ child: TableShape.ForeignKey) -> String {
    child.columns.map { quoted($0) + " = ?" }.joined(separator: " AND ")
  }

  /// The foreign keys of other tables that point to this one, with the parent's columns filled in.
  func childKeys(of shape: TableShape) throws -> [TableShape.ForeignKey] {
    let sql = "SELECT name FROM main.sqlite_master WHERE type = 'table' ORDER BY name"
    let tables = try db.rows(sql) { $0.text(0) }
    return try tables.flatMap { table in
      try TableShape.foreignKeys(table, schema: "main", in: db).compactMap { childKey($0, of: table, shape) }
    }
  }

  /// nil for one that points to another table, or to nothing that is there.
  private func childKey(
    _ key: TableShape.ForeignKey, of table: String, _ shape: TableShape
  ) -> TableShape.ForeignKey? {
    guard key.points(to: shape), let parent = shape.columns(pointedToBy: key),
      parent.count == key.columns.count
    else { return nil }
    return TableShape.ForeignKey(table: table, columns: key.columns, parentColumns: parent.map(\.name))
  }
}

extension DatabaseError {
  /// Whether what it points to is not there. A collation that only the app has is another matter.
  fileprivate var isOfForeignKey: Bool {
    let words = message ?? ""
    return resultCode == .SQLITE_ERROR
      && (words.hasPrefix("no such table") || words.hasPrefix("no such column"))
  }
}

/// Which keys that another side has point to nothing here, nor to what is decided to come back, so that what the store would refuse is
/// called sure by nobody. Asked for each record of a list: what the row itself has is there, and the others are one step in an index.
struct ParentLookup {
  let references: References
  let tables: TableShapes
  private var db: Database { references.db }

  func unreferenced(
    in versions: ThreeWay<RecordVersion>, _ name: RecordName, _ shape: TableShape
  ) throws -> [String: Set<Value>] {
    guard let client = versions.client.fields, let server = versions.server.fields else { return [:] }
    var missing: [String: Set<Value>] = [:]
    for key in shape.foreignKeys where key.columns.count == 1 {
      let column = key.columns[0]
      let values = [server[column]?.value, versions.ancestor?.fields?[column]?.value].compactMap(\.self)
      for value in Set(values) where value != client[column]?.value {
        if try isMissing(value, key, name, shape) { missing[column, default: []].insert(value) }
      }
    }
    return missing
  }

  private func isMissing(
    _ value: Value, _ key: TableShape.ForeignKey, _ name: RecordName, _ shape: TableShape
  ) throws -> Bool {
    guard value != .null, value.reasonNotToStore == nil else { return false }
    if key.points(to: shape), value == .text(name.primaryKey) { return false }
    guard let parent = try tables.shape(of: key.table, in: db),
      let column = parent.column(pointedToBy: key)?.name
    else { return true }
    let sql = "SELECT 1 FROM main.\(quoted(key.table)) WHERE \(quoted(column)) = ?"
    return try !db.hasRow(sql, [value]) && !references.isToCome(key, [value])
  }
}

/// The titles of the records that foreign keys point to: a person chooses between "Health" and "Family", not between two
/// keys. Looked up for one record at a time, never in a list.
struct ReferenceTitles {
  let db: Database
  let tables: TableShapes

  func adding(to state: RecordState) throws -> RecordConflict {
    var conflict = state.conflict
    for place in conflict.fields.changed {
      let name = conflict.fields.declared[place].name
      guard let key = state.shape?.foreignKeys(of: name).first, key.columns.count == 1 else { continue }
      let field = conflict.fields[place]
      conflict.details.references[field.name] = try titles(
        of: Side.allCases.map { field.version($0)?.value }, in: key)
    }
    return conflict
  }

  /// Of values of a column; empty where it does not point to records by itself.
  func titles(of values: [Value?], column: String, of table: String) throws -> [Value: String] {
    guard let key = try tables.shape(of: table, in: db)?.foreignKeys(of: column).first,
      key.columns.count == 1
    else { return [:] }
    return try titles(of: values, in: key)
  }

  private func titles(of values: [Value?], in key: TableShape.ForeignKey) throws -> [Value: String] {
    guard let shape = try tables.shape(of: key.table, in: db) else { return [:] }
    var titles: [Value: String] = [:]
    for value in values.compactMap(\.self) where titles[value] == nil {
      guard value.reasonNotToStore == nil, value != .null else { continue }
      titles[value] = try title(of: value, in: shape, key)
    }
    return titles
  }

  private func title(of value: Value, in shape: TableShape, _ key: TableShape.ForeignKey) throws -> String? {
    guard let column = shape.column(pointedToBy: key)?.name,
      let row = try shape.row(pointedToBy: value, in: column, db)
    else { return nil }
    return RecordTitle.title(of: row, shape: shape)
  }
}
