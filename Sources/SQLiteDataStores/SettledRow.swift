import GRDB
import Journals
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

/// Triggers of the app may make something else of a change than was drafted. What was drafted has to be there afterwards;
/// other columns of the row are the app's own affair, such as the time of its last change.
struct SettledRow {
  let change: StoredChange
  let shape: TableShape
  /// The row as it is now.
  let now: RowImage?
  let db: Database

  /// - Throws: ``Refusal``
  func checkDraft() throws {
    switch (change.after, now) {
    case (nil, nil): break
    case (nil, .some): throw refusal(nil, "keeps the row, which was to be deleted")
    case (.some, nil): throw refusal(nil, change.before == nil ? "keeps the row out" : "deletes the row")
    case (.some(let after), .some(let now)):
      if let name = try change.drafted.first(where: { try !holds(now[$0], after[$0], $0) }) {
        let isKept = change.before.map { $0[name] == now[name] } ?? false
        throw refusal(name, isKept ? "keeps its old value" : "makes another value of it")
      }
    }
  }

  /// A write that is taken back ends where triggers let it: a column that they set at every change has no way back. But some
  /// of it has to be undone.
  ///
  /// - Throws: ``Refusal``
  func checkTakenBack() throws {
    guard change.file == .app, !ParleyTables.written.contains(change.table), let before = change.before,
      let now, change.after != nil
    else { return try checkDraft() }
    if change.drafted.allSatisfy({ before[$0] == now[$0] }) {
      throw refusal(nil, "lets nothing of the row come back")
    }
  }

  /// What a write changed beside the record is restored to the last column, or the write is refused.
  ///
  /// - Throws: ``Refusal``
  func checkExactly() throws {
    if now != change.after { throw refusal(nil, "makes another row of it") }
  }

  /// As SQLite compares, which converts a value by the column's type before it is stored.
  private func holds(_ now: Value?, _ drafted: Value?, _ name: String) throws -> Bool {
    if now == drafted { return true }
    let (condition, values) = shape.condition(change.key)
    let sql = "SELECT \(quoted(name)) COLLATE BINARY IS ? FROM \(shape.sqlName) WHERE \(condition)"
    return try db.firstRow(sql, [drafted ?? .null] + values) { $0.integer(0) != 0 } ?? false
  }

  private func refusal(_ field: String?, _ deed: String) -> Refusal {
    Refusal(field, "a trigger or constraint of the table \(change.table) \(deed)")
  }
}
