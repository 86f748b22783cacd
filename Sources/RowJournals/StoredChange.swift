import GRDB
import Merging
import SQLiteFiles
import StoreInterface

/// One row of a store as it was before a write and as it is after. Everything a write consists of is told by these, so
/// checking, undoing and mending an interrupted write are the same few lines.
package struct StoredChange: Sendable, Equatable {
  package enum File: String, Sendable, CaseIterable {
    case app, metadata
    /// What is kept in the journal: nothing is written there, the receipt says it all.
    case journal
  }

  package let file: File
  package let table: String
  /// The columns that name the row, and their values. Of one that is deleted also its rowid, with which it comes back: tables that
  /// triggers keep, such as one to search by, may know it by that alone.
  package let key: RowImage
  /// All columns but the generated ones; nil: no row.
  package var before: RowImage?
  package var after: RowImage?

  package init(file: File, table: String, key: RowImage, before: RowImage? = nil, after: RowImage? = nil) {
    (self.file, self.table, self.key, self.before, self.after) = (file, table, key, before, after)
  }

  package var reversed: StoredChange {
    StoredChange(file: file, table: table, key: key, before: after, after: before)
  }

  package var changesNothing: Bool { before == after }

  /// The same wherever there is room for the row.
  package func anywhere(in shape: TableShape) -> StoredChange {
    let own = key.filter { pair in shape.key.contains { $0.name == pair.key } }
    // A table without a key has no other name for the row.
    return StoredChange(
      file: file, table: table, key: own.isEmpty ? key : own, before: before, after: after)
  }

  /// Whether it says where the row lay, and rows have such places still.
  package func hasPlace(in shape: TableShape) -> Bool { shape.rowid.map { key[$0] != nil } ?? false }
}

extension StoredChange {
  /// What it changes, column by column.
  package var fields: [LastWrite.FieldChange] {
    let names = Set((before ?? [:]).keys).union((after ?? [:]).keys).sorted()
    return names.filter { before?[$0] != after?[$0] }.map {
      LastWrite.FieldChange(name: $0, of: table, before: before?[$0], after: after?[$0])
    }
  }

  /// The columns that the change is about.
  package var drafted: [String] { changed(from: before, to: after).sorted() }

  private func changed(from before: RowImage?, to after: RowImage?) -> [String] {
    guard let after else { return [] }
    guard let before else { return Array(after.keys) }
    return after.keys.filter { before[$0] != after[$0] }
  }

  /// `row` with what is drafted of it.
  package func drafted(over row: RowImage) -> RowImage? {
    guard let after else { return nil }
    let drafted = Set(changed(from: before, to: after))
    return row.merging(after.filter { drafted.contains($0.key) }) { _, drafted in drafted }
  }

  package static let kept = "kept"

  /// A write settles what is kept in the journal: it goes once there is a receipt, and is back once there is one of the undo.
  package static func settling(kept id: Int64) -> StoredChange {
    let key: RowImage = ["id": .integer(id)]
    return StoredChange(file: .journal, table: kept, key: key, before: key, after: nil)
  }

  /// The key of a row in a table that has none: see ``TableShape/rowid``.
  package static let rowid = TableShape.usualRowid

  /// The row as it is now; nil if there is none.
  ///
  /// - Throws: ``Refusal`` if the table no longer has the columns that this is about. Others may have gone, and come.
  package func current(_ shape: TableShape, in db: Database) throws -> RowImage? {
    // Where it lay names no row, be it that there are such places or not.
    let named = key.count > 1 && key.count > shape.key.count ? anywhere(in: shape).key : key
    let lost = key.keys.filter { !TableShape.rowidNames.contains($0) && named[$0] == nil }
    try check(named.keys.filter { $0 != shape.rowid } + lost + meant, shape)
    return try shape.row(named, columns: shape.stored, in: db)
  }

  /// The columns that it changes, one way or back.
  private var meant: [String] {
    guard before == nil || after == nil else {
      return changed(from: before, to: after) + changed(from: after, to: before)
    }
    return after.map(StoredChange.needed) ?? []
  }

  /// The columns of a row without which something of it would be lost.
  private static func needed(_ image: RowImage) -> [String] { image.filter { $0.value != .null }.map(\.key) }

  private func check(_ columns: [String], _ shape: TableShape) throws {
    if let name = columns.filter({ shape[$0] == nil }).min() {
      throw Refusal(name, "the table \(shape.name) has no column \(quoted(name)) any more")
    }
  }

  /// Turns `before` into `after`. Only the columns that differ are written.
  package func apply(_ shape: TableShape, in db: Database) throws {
    if let statement = try statement(shape) { try db.run(statement.sql, statement.values) }
  }

  /// Has SQLite make the statement, and runs it not: where the table needs something for it that only the app has, it fails already
  /// then.
  package func compile(_ shape: TableShape, in db: Database) throws {
    if let statement = try statement(shape) { _ = try db.cachedStatement(sql: statement.sql) }
  }

  private typealias Statement = (sql: String, values: [Value])

  /// nil where there is nothing to do.
  private func statement(_ shape: TableShape) throws -> Statement? {
    switch (before, after) {
    case (nil, nil): nil
    case (nil, let after?): try insert(after, shape)
    case (.some, nil): delete(shape)
    case (let before?, let after?): update(before, after, shape)
    }
  }

  private func insert(_ image: RowImage, _ shape: TableShape) throws -> Statement {
    // A rowid is no column of the image, and has to come back as well.
    try check(StoredChange.needed(image), shape)
    let image = image.filter { shape[$0.key] != nil }.merging(key) { image, _ in image }
    let names = image.keys.sorted()
    let list = names.map { quoted($0) }.joined(separator: ", ")
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    return (
      "INSERT INTO \(shape.sqlName) (\(list)) VALUES (\(marks))", names.map { image[$0] ?? .null }
    )
  }

  private func update(_ before: RowImage, _ after: RowImage, _ shape: TableShape) -> Statement? {
    let names = after.compactMap { before[$0.key] == $0.value ? nil : $0.key }.sorted()
    if names.isEmpty { return nil }
    let (condition, values) = shape.condition(key)
    return (shape.update(of: names, where: condition), names.map { after[$0] ?? .null } + values)
  }

  private func delete(_ shape: TableShape) -> Statement {
    let (condition, values) = shape.condition(key)
    return ("DELETE FROM \(shape.sqlName) WHERE \(condition)", values)
  }
}
