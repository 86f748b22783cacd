import GRDB
import Merging
import StoreInterface

/// The app's inbox as one transaction, or one page of a walk, asks it for the rows of one record after the other. What the table is like,
/// and what no index finds, is asked once for all of them, when the first is asked for: of a list none ever is.
final class InboxLookup {
  private let db: Database
  private let names: AnyCollection<String>
  private lazy var known = Result { try Known(of: names, in: db) }

  private struct Known {
    let columns: String
    /// By name, oldest first; nil where an index finds them, and nothing of them has to be held.
    let scanned: ByRecord<[Int64]>?

    init(of names: AnyCollection<String>, in db: Database) throws {
      columns = try InboxRow.select(in: db)
      scanned = try InboxRow.hasIndex(in: db) ? nil : InboxRow.ids(of: RecordNames(names), in: db)
    }
  }

  /// - Parameter names: the records that are to be asked for.
  init(of names: some Collection<String>, in db: Database) {
    (self.db, self.names) = (db, AnyCollection(names))
  }

  /// Oldest first.
  func ids(of recordName: String) throws -> [Int64] {
    if let scanned = try known.get().scanned { return scanned[recordName] ?? [] }
    let sql = "SELECT id FROM main.parley_inbox WHERE recordName = ? ORDER BY id"
    return try db.rows(sql, [.text(recordName)]) { $0.integer(0) }
  }

  /// Newest first.
  func rows(of recordName: String) throws -> [InboxRow] {
    let columns = try known.get().columns
    return try ids(of: recordName).reversed().compactMap { try InboxRow.row(id: $0, columns, in: db) }
  }
}
