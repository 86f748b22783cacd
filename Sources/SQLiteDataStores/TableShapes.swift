import GRDB
import Merging
import SQLiteFiles
import Synchronization

/// The shapes of the tables, read once each. A change of the schema, by an update of the app, is noticed by its version.
final class TableShapes: Sendable {
  private struct Known {
    var version: Int64?
    var shapes: [String: TableShape?] = [:]
    var synced: Set<String>?
  }

  private let known = Mutex(Known())

  /// The table of the app database; nil if there is none.
  func shape(of table: String, in db: Database) throws -> TableShape? {
    try known.withLock { known in
      try refresh(&known, db)
      if let shape = known.shapes[table] { return shape }
      let shape = try TableShape(table, in: db)
      known.shapes[table] = .some(shape)
      return shape
    }
  }

  func isSynced(_ table: String, in db: Database) throws -> Bool {
    try known.withLock { known in
      try refresh(&known, db)
      let synced = try known.synced ?? Metadatabase.syncedTables(in: db)
      known.synced = synced
      return synced.contains(table)
    }
  }

  private func refresh(_ known: inout Known, _ db: Database) throws {
    let version = try db.firstRow("PRAGMA main.schema_version") { $0.integer(0) }
    if version != known.version { known = Known(version: version) }
  }
}
