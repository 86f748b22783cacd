import GRDB
import Merging

/// The app's inbox as one transaction asks it for the rows of one record after the other. What the table is like, and what no index
/// finds, is asked once for all of them.
struct InboxLookup {
  private let db: Database
  private let columns: String
  /// By name, oldest first; nil where an index finds them, and nothing of them has to be held.
  private let scanned: [String: [Int64]]?

  /// - Parameter names: the records that are to be asked for.
  init(of names: some Collection<String>, in db: Database) throws {
    self.db = db
    columns = try InboxRow.select(in: db)
    scanned = try InboxRow.hasIndex(in: db) ? nil : InboxRow.ids(of: Set(names), in: db)
  }

  /// Oldest first.
  func ids(of recordName: String) throws -> [Int64] {
    if let scanned { return scanned[recordName] ?? [] }
    let sql = "SELECT id FROM main.parley_inbox WHERE recordName = ? ORDER BY id"
    return try db.rows(sql, [.text(recordName)]) { $0.integer(0) }
  }

  /// Newest first.
  func rows(of recordName: String) throws -> [InboxRow] {
    try ids(of: recordName).reversed().compactMap { id in
      try InboxRow.row(id: id, columns, in: db)
    }
  }
}
