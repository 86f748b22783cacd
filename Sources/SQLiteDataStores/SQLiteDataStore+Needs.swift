import GRDB
import Merging
import SQLiteFiles
import StoreInterface

/// Which other records a draft may need, by the foreign keys of the app's tables.
extension SQLiteDataStore {
  package func recordsNeeded(by write: PlannedWrite) throws -> [String] {
    try read { db in
      let name = RecordName(whole: write.seen.id)
      guard let shape = try tables.shape(of: name.table, in: db) else { return [] }
      let references = References(db: db)
      switch write.draft.action {
      case .save: return try references.parents(of: write, shape).map(\.whole)
      case .delete:
        guard let row = try shape.row(of: name, in: db) else { return [] }
        return try references.children(of: row, shape).map(\.whole)
      case .alternative: return []
      }
    }
  }
}

/// By the names of records: what no record can be, as its key is of several columns, is passed over.
extension References {
  /// What the draft points to, whether or not that is there.
  fileprivate func parents(of write: PlannedWrite, _ shape: TableShape) throws -> [RecordName] {
    try shape.foreignKeys.compactMap { key in
      guard let column = key.columns.first else { return nil }
      return try parent(key, write.draft[column] ?? write.seen[column]?.client?.value)
    }
  }

  /// The record that a key with this value points to.
  func parent(_ key: TableShape.ForeignKey, _ value: Value?) throws -> RecordName? {
    guard key.columns.count == 1, let text = value?.keyText, let table = try tableName(key.table),
      let parent = try TableShape(table, in: db), let own = parent.singleKey,
      parent.column(pointedToBy: key) == own
    else { return nil }
    return RecordName(primaryKey: text, table: table)
  }

  /// Whether a key that points to nothing here will point to something, as that is decided to come back.
  func isToCome(_ key: TableShape.ForeignKey, _ values: [Value]) throws -> Bool {
    guard let record = try parent(key, values.first) else { return false }
    return try comesBack(record.whole)
  }

  /// The rows that point to this one.
  fileprivate func children(of image: RowImage, _ shape: TableShape) throws -> [RecordName] {
    try childKeys(of: shape).flatMap { try children($0, of: image) }
  }

  /// The rows that point to this one by one key.
  func children(_ child: TableShape.ForeignKey, of image: RowImage) throws -> [RecordName] {
    guard let key = try TableShape(child.table, in: db)?.singleKey else { return [] }
    let sql = "SELECT \(quoted(key.name)) FROM main.\(quoted(child.table)) WHERE \(condition(child))"
    let keys = try db.rows(sql, child.parentColumns.map { image[$0] ?? .null }) { $0.value(0).keyText }
    return keys.compactMap(\.self).map { RecordName(primaryKey: $0, table: child.table) }
  }

  /// As the table itself is called: a key names it in whatever case, and a record's name does not.
  private func tableName(_ name: String) throws -> String? {
    let sql = "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE"
    return try db.firstRow(sql, [.text(name)]) { $0.text(0) }
  }
}
