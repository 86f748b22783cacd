import GRDB
import Merging
import StoreInterface

/// The app's inbox as one transaction, or one page of a walk, asks it for the rows of one record after the other. What the table is like,
/// and what no index finds, is asked once for all of them, when somebody asks for the first.
final class InboxLookup {
  private let db: Database
  private let names: AnyCollection<String>
  private lazy var columns = Result { try InboxRow.select(in: db) }
  private lazy var isIndexed = Result { try InboxRow.hasIndex(in: db) }
  /// By name, oldest first; nil where an index finds them, and nothing of them has to be held.
  private lazy var scanned = Result {
    try isIndexed.get() ? nil : try InboxRow.ids(of: RecordNames(names), in: db)
  }

  /// - Parameter names: the records that are to be asked for.
  init(of names: some Collection<String>, in db: Database) {
    (self.db, self.names) = (db, AnyCollection(names))
  }

  /// Oldest first.
  func ids(of recordName: String) throws -> [Int64] {
    if let scanned = try scanned.get() { return scanned[recordName] ?? [] }
    let sql = "SELECT id FROM main.parley_inbox WHERE recordName = ? ORDER BY id"
    return try db.rows(sql, [.text(recordName)]) { $0.integer(0) }
  }

  /// The rows of its record before this one, newest first. Only where an index finds them: a scan for each record of a page would make a
  /// large inbox slow. nil where none does.
  func rows(before row: InboxRow) throws -> [InboxRow]? {
    guard try isIndexed.get() else { return nil }
    let sql = try columns.get() + " WHERE recordName = ? AND id < ? ORDER BY id DESC"
    return try db.rows(sql, [.text(row.recordName), .integer(row.id)], InboxRow.init(_:))
  }

  /// Newest first.
  func rows(of recordName: String) throws -> [InboxRow] {
    let columns = try columns.get()
    if try isIndexed.get() {
      let sql = columns + " WHERE recordName = ? ORDER BY id DESC"
      return try db.rows(sql, [.text(recordName)], InboxRow.init(_:))
    }
    return try ids(of: recordName).reversed().compactMap { try InboxRow.row(id: $0, columns, in: db) }
  }
}
