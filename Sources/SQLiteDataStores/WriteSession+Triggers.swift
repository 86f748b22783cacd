import GRDB
import Journals
import Merging
import SQLiteFiles
import StoreInterface

/// What triggers and foreign keys of the app change beside the rows that were meant.
///
/// - Another record: refused. The app's engine is not here to note it for the upload, so the devices would stay apart.
/// - A row of any other table, such as a list of searchable words or a counter: journalled, and taken back with the write
///   where it still is as the write left it.
/// - A row that is added there, such as a line in a log, stays: its trigger says what becomes of it when the record changes back.
extension WriteSession {
  /// Whether the app alone knows the table, and no engine uploads its rows.
  func isBesideTheRecords(_ shape: TableShape) -> Bool {
    shape.schema == "main" && !synced.contains(shape.name.lowercased())
      && !ParleyTables.all.contains(shape.name)
  }

  /// The rows that changed since ``RowWatch/forget()`` and are not among those that were meant, as changes.
  ///
  /// - Throws: ``Refusal``
  func changesByTriggers(beside settled: [StoredChange]) throws -> [StoredChange] {
    let meant = Set(
      try settled.filter { $0.file != .journal }.map { change in
        let shape = try shape(of: change)
        return MeantRow(change, shape, isKept: isBesideTheRecords(shape))
      })
    return try watch().noticed.filter { !meant.contains(MeantRow($0)) }.compactMap { noticed in
      try refuseOthers(noticed)
      if noticed.isAddition { return nil }
      var change = StoredChange(
        file: .app, table: noticed.shape.name, key: noticed.key, before: noticed.before, after: nil)
      change.after = try current(change)
      return change
    }
  }

  private func refuseOthers(_ noticed: RowWatch.Noticed) throws {
    let table = noticed.shape.name
    let key = noticed.key.values.map(RowJSON.encode).joined(separator: ", ")
    if noticed.shape.schema != "main" || ParleyTables.all.contains(table) {
      throw Refusal(nil, "a trigger changes \(table), which only the app's engine and Parley may")
    }
    if synced.contains(table.lowercased()) {
      let deed = noticed.isAddition ? "adds" : "changes"
      throw Refusal(
        nil,
        "a trigger \(deed) another record, \(key) in \(table), and nothing here would upload that: "
          + "only the app can write it, through its outbox")
    }
    if noticed.before == nil, !noticed.isAddition {
      throw Refusal(
        nil, "a trigger changes \(key) in \(table), which has too many columns to be kept for undo")
    }
  }
}

/// Names a row, so that the rows that were meant can be told from those that were noticed.
private struct MeantRow: Hashable {
  private let table: String
  private let key: RowImage

  init(_ noticed: RowWatch.Noticed) { (table, key) = (noticed.shape.sqlName.lowercased(), noticed.key) }

  /// A key is what the row itself has: SQLite may have stored it in another type than was asked for.
  ///
  /// - Parameter isKept: whether the watch keeps the rows of the table. Then it names one without a key by its rowid, else by what
  ///   is in it.
  init(_ change: StoredChange, _ shape: TableShape, isKept: Bool) {
    let row = change.after ?? change.before ?? change.key
    table = shape.sqlName.lowercased()
    key =
      isKept && shape.key.isEmpty && change.key[StoredChange.rowid] != nil
      ? change.key : row.filter { entry in shape.identity.contains { $0.name == entry.key } }
  }
}

extension RecordChanges {
  /// Whether a trigger made it beside the write: nothing of the record hangs on it.
  func isByTrigger(_ change: StoredChange) -> Bool {
    change.file == .app && !ParleyTables.all.contains(change.table)
      && RecordName(record)?.table.lowercased() != change.table.lowercased()
  }
}
