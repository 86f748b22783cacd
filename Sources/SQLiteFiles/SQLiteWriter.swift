import GRDB
import GRDBSQLite

/// The one connection that writes a database and those attached to it, for one transaction after the other.
///
/// Alone it locks them exclusively from the beginning: SQLite gives that lock only if no other process has them open in WAL mode, so what
/// the probe said a moment ago is made certain. Beside an app that runs it is a short transaction, and no lock stays.
package struct SQLiteWriter {
  private let queue: DatabaseQueue
  private let isAlone: Bool

  /// - Parameters:
  ///   - attached: a file by the name of its schema.
  ///   - probes: of the files, which tell who is in the way.
  ///   - prepare: gives the connection what the store's schema needs, such as a collation.
  package init(
    _ path: String, attached: KeyValuePairs<String, String> = [:], isAlone: Bool = true,
    probes: [LockProbe] = [], prepare: @escaping @Sendable (Database) throws -> Void = { _ in }
  ) throws {
    self.isAlone = isAlone
    let configuration = SQLiteWriter.configuration(isAlone, prepare)
    let logged = SQLiteWriter.logged(path, attached)
    func open() throws -> DatabaseQueue {
      let queue = try DatabaseQueue(path: databaseURI(path, query: "mode=rw"), configuration: configuration)
      try queue.attach(attached)
      try queue.inDatabase { db in try logged.forEach(db.keepLog) }
      return queue
    }
    queue = isAlone ? try LockProbe.taking(probes) { try open().taken() } : try open()
  }

  /// The schemas of the files beside which a `-wal` lies now, before it is opened, which makes one.
  private static func logged(_ path: String, _ attached: KeyValuePairs<String, String>) -> [String] {
    ([("main", path)] + attached.map { ($0.key, $0.value) })
      .filter { FileStatus(path: $0.1 + "-wal") != nil }.map(\.0)
  }

  private static func configuration(
    _ isAlone: Bool, _ prepare: @escaping @Sendable (Database) throws -> Void
  ) -> Configuration {
    var configuration = Configuration()
    // Those that are to be alone wait for each other in vain, as long as they have it open.
    configuration.busyMode = isAlone ? .immediateError : .timeout(1)
    configuration.prepareDatabase { db in
      // Else what a savepoint would take back goes to the disk, once one was of more than 64 kB: pages that nobody reads, more of them
      // than the write itself has.
      try db.execute(sql: "PRAGMA temp_store = MEMORY")
      if isAlone { try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
      try prepare(db)
    }
    return configuration
  }

  /// How much is kept in memory until the commit, so that no byte of the store changes before the intent is in the journal; of more
  /// some goes to the disk, where SQLite itself takes it back after a crash.
  package func keepInMemory(kibibytes: Int, of schema: String) throws {
    try queue.inDatabase { try $0.execute(sql: "PRAGMA \(quoted(schema)).cache_size = \(-kibibytes)") }
  }

  /// Runs `body` in a transaction over all files, and commits it if `body` says so.
  package func transaction(_ body: (Database) throws -> Database.TransactionCompletion) throws {
    var isCommitting = false
    defer { if isCommitting { CommitGate.end() } }
    try queue.inTransaction(.immediate) { db in
      guard try body(db) == .commit else { return .rollback }
      CommitGate.begin()
      isCommitting = true
      return .commit
    }
  }

  /// Alone it moves what was written from the `-wal` into the databases, as far as that goes. What stays in the `-wal` is no less
  /// durable, and a connection that cannot be closed now is closed when its last statement goes: nothing here is worth an error.
  package func close() {
    if isAlone { try? queue.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") } }
    try? queue.close()
  }
}

extension Database {
  /// An empty `-wal` stays where one lay, though nothing is in it any more. These files may be a copy, which is put back over those it was
  /// made of: SQLite would play their old one into the new database.
  fileprivate func keepLog(of schema: String) throws {
    var isKept: CInt = 1
    sqlite3_file_control(sqliteConnection, schema, SQLITE_FCNTL_PERSIST_WAL, &isKept)
    // Else it stays as long as it was.
    try execute(sql: "PRAGMA \(quoted(schema)).journal_size_limit = 0")
  }
}

extension DatabaseQueue {
  fileprivate func attach(_ files: KeyValuePairs<String, String>) throws {
    try inDatabase { db in
      for (schema, path) in files {
        let file = databaseURI(path, query: "mode=rw")
        try db.execute(sql: "ATTACH DATABASE ? AS \(quoted(schema))", arguments: [file])
      }
    }
  }

  /// With the lock that stays from now on. With a rollback journal it keeps those out who read, too: one that comes in while pages wait
  /// for their place would be waited for with each of them, and the commit would wait in vain.
  fileprivate func taken() throws -> DatabaseQueue {
    try inDatabase { try $0.execute(sql: "BEGIN EXCLUSIVE; ROLLBACK; PRAGMA busy_timeout = 1000") }
    return self
  }
}
