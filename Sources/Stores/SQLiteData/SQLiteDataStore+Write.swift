import GRDB
import Merging

extension SQLiteDataStore {
  public func check(_ writes: [PlannedWrite]) throws -> [CheckedWrite] {
    var checked: [CheckedWrite] = []
    try transaction(route) { db in
      checked = try attempt(writes, note: nil, in: db).map(\.checked)
      return .rollback
    }
    return checked
  }

  /// What a check does, and takes back, is what a write does.
  public func statements(_ writes: [PlannedWrite]) throws -> [String]? {
    var statements: [String] = []
    try transaction(route) { db in
      let log = StatementLog(db)
      _ = try attempt(writes, note: nil, in: db)
      statements = log.statements
      return .rollback
    }
    return statements
  }

  public func write(_ writes: [PlannedWrite], note: String?) throws -> [CheckedWrite] {
    try commit(route, undoes: nil, note: note) { db in try attempt(writes, note: note, in: db) }
  }

  public func undo(_ extent: UndoExtent) throws -> [CheckedWrite] {
    try log.undo(extent) { write in
      if try log.isOfTheJournalAlone(write) { return try takeBackImports(of: write) }
      return try commit(route(of: write), undoes: write.id, note: nil) { db in
        try attempt(undoOf: write, in: db)
      }
    }
  }
}

/// What became of one record inside of a transaction.
struct Attempt {
  var checked: CheckedWrite
  /// nil unless it is fine.
  var changes: [StoredChange]?
}

extension SQLiteDataStore {
  /// Intent, commit, receipt: in this order, each durable before the next.
  func commit(
    _ route: WriteRoute, undoes: Int64?, note: String?, _ body: (Database) throws -> [Attempt]
  ) throws -> [CheckedWrite] {
    var attempts: [Attempt] = []
    var intent: Int64?
    do {
      try transaction(route) { db in
        attempts = try body(db)
        var writer = log.intent(undoes: undoes, note: note, hashing: true)
        for record in attempts.compactMap(\.recordChanges) { try writer.append(record) }
        intent = try writer.flush()
        return intent == nil ? .rollback : .commit
      }
    } catch {
      // A commit that failed left each file as it was or as it should be. If it cannot be looked at now, the next opening
      // of the store will.
      if intent != nil { try? mendInterruptedWrites() }
      throw error
    }
    if let intent { try log.finish(intent) }
    return attempts.map(\.checked)
  }

  /// Runs `body` on both databases: while nobody reads or writes them, or for the outbox in between.
  ///
  /// - Throws: ``StoreError/readOnly(path:reason:)``, ``StoreError/locked(path:holder:)``,
  ///   ``StoreError/writeFailed(path:detail:)``
  func transaction(
    _ route: WriteRoute, _ body: (Database) throws -> Database.TransactionCompletion
  ) throws {
    if case .readOnly(let reason) = access(for: route) {
      throw StoreError.readOnly(path: files.database, reason: reason)
    }
    try reader.whileClosed {
      do {
        switch route {
        case .direct: try directTransaction(body)
        case .outbox: try outboxTransaction(body)
        }
      } catch {
        throw StoreError.writing(files.database, error, route, holder: holder())
      }
    }
  }

  /// What was written one way is taken back, and mended, the same way.
  func access(for route: WriteRoute) -> StoreAccess {
    if isForReading { return access() }
    return route == .direct ? accessForDirectWrites() : accessToTheOutbox()
  }

  private func directTransaction(_ body: (Database) throws -> Database.TransactionCompletion) throws {
    let writer = try StoreWriter(files, clock: clock)
    defer { writer.close() }
    try writer.transaction(body)
  }

  private func outboxTransaction(_ body: (Database) throws -> Database.TransactionCompletion) throws {
    let writer = try OutboxWriter(files)
    defer { writer.close() }
    try writer.transaction(body)
  }

  private func attempt(_ writes: [PlannedWrite], note: String?, in db: Database) throws -> [Attempt] {
    let session = try WriteSession(db, self, names: Set(writes.map(\.seen.id)))
    return try session.attempt(writes.map { RecordTask($0, session, route, note: note) })
  }

  private func attempt(undoOf intent: Intent, in db: Database) throws -> [Attempt] {
    let session = try WriteSession(db, self, names: [])
    // The last one first: what was made to fit into what came before is taken back before that is.
    return try session.attempt(
      intent.records.reversed().map { RecordTask(undoOf: $0, of: intent.id, session) }
    ).reversed()
  }
}

extension Attempt {
  fileprivate var recordChanges: RecordChanges? {
    changes.map { RecordChanges(record: checked.id, title: checked.title, changes: $0) }
  }
}
