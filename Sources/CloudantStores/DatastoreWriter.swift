import GRDB
import Merging
import SQLiteFiles

/// The one connection that writes, for one transaction after the other.
///
/// It locks the file exclusively, so that what the probe said a moment ago is made certain, and knows the collation: without
/// it no row can be added. Pages are kept in memory until a commit (`cache_spill`), so no byte of the file changes before the
/// intent is in the journal.
struct DatastoreWriter {
  private let queue: DatabaseQueue

  init(_ files: DatastoreFiles) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(1)
    configuration.prepareDatabase { db in
      try DatastoreSchema.addCollation(to: db)
      try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
      try db.execute(sql: "PRAGMA cache_spill = OFF")
    }
    queue = try DatabaseQueue(
      path: databaseURI(files.database, query: "mode=rw"), configuration: configuration)
  }

  /// Runs `body` in a transaction, and commits it if `body` says so.
  func transaction(_ body: (Database) throws -> Database.TransactionCompletion) throws {
    try queue.inTransaction(.immediate, body)
  }

  /// Moves what was written from a `-wal` into the database, as far as that goes, and closes it. What stays in the `-wal` is
  /// no less durable, so nothing here is worth an error.
  func close() {
    try? queue.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    try? queue.close()
  }
}
