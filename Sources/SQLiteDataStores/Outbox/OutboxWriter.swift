import GRDB
import SQLiteFiles

/// The connection that leaves a draft to the app, which may be running: one short transaction, and no lock that stays.
///
/// The metadatabase is attached because what the person saw is read again; nothing is written to it.
struct OutboxWriter {
  private let queue: DatabaseQueue

  init(_ files: StoreFiles) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(1)
    queue = try DatabaseQueue(
      path: databaseURI(files.database, query: "mode=rw"), configuration: configuration)
    try queue.inDatabase { db in
      let metadatabase = databaseURI(files.metadatabase, query: "mode=rw")
      try db.execute(sql: "ATTACH DATABASE ? AS \(quoted(Metadatabase.schema))", arguments: [metadatabase])
    }
  }

  func transaction(_ body: (Database) throws -> Database.TransactionCompletion) throws {
    try queue.inTransaction(.immediate, body)
  }

  /// A connection that cannot be closed now is closed when its last statement goes.
  func close() { try? queue.close() }
}
