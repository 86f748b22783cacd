import GRDB
import Merging
import SQLiteFiles

/// The one connection that writes: both databases, for the length of one transaction.
///
/// It locks them exclusively: SQLite gives that lock only if no other process has them open in WAL mode, so what the probe
/// said a moment ago is made certain. Pages are kept in memory until the commit, so that no byte of the store changes before
/// the intent is in the journal; of more than 64 MB some go to the disk, where SQLite itself takes them back after a crash.
struct StoreWriter {
  private let queue: DatabaseQueue

  init(_ files: StoreFiles, clock: @escaping @Sendable () -> Int64) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(1)
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
      // The metadata's schema calls the app's own clock for a default; an INSERT would not even compile without it.
      db.add(function: DatabaseFunction("sqlitedata_icloud_currentTime", argumentCount: 0) { _ in clock() })
    }
    queue = try DatabaseQueue(
      path: databaseURI(files.database, query: "mode=rw"), configuration: configuration)
    try queue.inDatabase { db in
      let metadatabase = databaseURI(files.metadatabase, query: "mode=rw")
      try db.execute(sql: "ATTACH DATABASE ? AS \(quoted(Metadatabase.schema))", arguments: [metadatabase])
      for schema in ["main", Metadatabase.schema] {
        try db.execute(sql: "PRAGMA \(quoted(schema)).cache_size = \(-StoreWriter.cache)")
      }
    }
  }

  /// In KiB.
  private static let cache = 64 << 10

  /// Runs `body` in a transaction over both files, and commits it if `body` says so.
  func transaction(_ body: (Database) throws -> Database.TransactionCompletion) throws {
    try queue.inTransaction(.immediate, body)
  }

  /// Moves what was written from the `-wal` into the databases, as far as that goes, and closes them.
  ///
  /// What stays in the `-wal` is no less durable, so nothing here is worth an error.
  func close() {
    try? queue.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    try? queue.close()
  }
}

/// How a draft gets into the store.
package enum WriteRoute: String, Sendable, CaseIterable {
  /// Row, metadata, ancestor and pending change are written here, while the app is closed.
  case direct
  /// The app applies it, from its table `parley_outbox`.
  case outbox
}

extension WriteRoute {
  var words: String {
    switch self {
    case .direct:
      """
      The row, its metadata, the ancestor and one pending change are written in one transaction over both databases. \
      The app uploads the record at its next launch.
      """
    case .outbox:
      """
      The draft goes into the app's parley_outbox, also while the app runs. The app applies it if the row is still what was \
      seen here, and uploads it; until then the record waits, and undo takes the draft back.
      """
    }
  }

  /// No finding is mended through the outbox.
  static let mending = """
    Nothing but that, in one transaction over both databases. A pending change that is added follows the format of real ones, \
    but was never read by CloudKit itself.
    """

  var notVerified: String {
    switch self {
    case .direct:
      """
      Never read by CloudKit itself: what is written for it, the pending change and the advanced ancestor, follows the format \
      of real archives.
      """
    case .outbox:
      """
      The app's own code that applies an outbox cannot be seen from here; the one that the README names was run beside \
      the published schema of SQLiteData, not inside of an app.
      """
    }
  }
}
