import GRDB
import Merging

extension SQLiteDataStore {
  public func check(_ writes: [PlannedWrite]) throws -> [CheckedWrite] {
    var checked: [CheckedWrite] = []
    try transaction { db in
      checked = try attempt(writes, in: db).map(\.checked)
      return .rollback
    }
    return checked
  }

  public func write(_ writes: [PlannedWrite], note: String?) throws -> [CheckedWrite] {
    try commit(undoes: nil, note: note) { db in try attempt(writes, in: db) }
  }

  public func undoLastWrite() throws -> [CheckedWrite] {
    guard let last = try log.newestWrite() else { throw StoreError.nothingToUndo }
    return try commit(undoes: last.id, note: nil) { db in try attempt(undoOf: last, in: db) }
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
    undoes: Int64?, note: String?, _ body: (Database) throws -> [Attempt]
  ) throws -> [CheckedWrite] {
    var attempts: [Attempt] = []
    var intent: Intent?
    do {
      try transaction { db in
        attempts = try body(db)
        let records = attempts.compactMap(\.recordChanges)
        if records.isEmpty { return .rollback }
        intent = try log.append(intent: records, undoes: undoes, note: note)
        return .commit
      }
    } catch {
      // A commit that failed left each file as it was or as it should be. If it cannot be looked at now, the next opening
      // of the store will.
      if intent != nil { try? mendInterruptedWrites() }
      throw error
    }
    if let intent {
      try log.append(intent.records.map { Receipt($0.record, .written) }, of: intent)
    }
    return attempts.map(\.checked)
  }

  /// Runs `body` on both databases while nobody reads or writes them.
  ///
  /// - Throws: ``StoreError/readOnly(path:reason:)``, ``StoreError/locked(path:holder:)``,
  ///   ``StoreError/writeFailed(path:detail:)``
  func transaction(_ body: (Database) throws -> Database.TransactionCompletion) throws {
    if case .readOnly(let reason) = access() {
      throw StoreError.readOnly(path: files.database, reason: reason)
    }
    try reader.whileClosed {
      do {
        let writer = try StoreWriter(files, clock: clock)
        defer { writer.close() }
        try writer.transaction(body)
      } catch {
        throw StoreError.writing(files.database, error, holder: holder())
      }
    }
  }

  private func attempt(_ writes: [PlannedWrite], in db: Database) throws -> [Attempt] {
    let session = try WriteSession(db, self, names: Set(writes.map(\.seen.id)))
    return try session.attempt(writes.map { RecordTask($0, session) })
  }

  private func attempt(undoOf intent: Intent, in db: Database) throws -> [Attempt] {
    let session = try WriteSession(db, self, names: [])
    // The last one first: what was made to fit into what came before is taken back before that is.
    return try session.attempt(intent.records.reversed().map { RecordTask(undoOf: $0, session) }).reversed()
  }
}

extension Attempt {
  fileprivate var recordChanges: RecordChanges? {
    changes.map { RecordChanges(record: checked.id, title: checked.title, changes: $0) }
  }
}
