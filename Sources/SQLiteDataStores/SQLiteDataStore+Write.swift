import GRDB
import Journals
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

extension SQLiteDataStore {
  package func check(_ writes: [PlannedWrite]) throws -> [CheckedWrite] {
    try rehearse(route) { db in try attempt(writes, note: nil, in: db) { _ in } }
  }

  /// What a check does, and takes back, is what a write does.
  package func statements(_ writes: [PlannedWrite]) throws -> [String] {
    var statements: [String] = []
    try transaction(route) { db in
      let log = StatementLog(db)
      _ = try attempt(writes, note: nil, in: db) { _ in }
      statements = log.statements
      return .rollback
    }
    return statements
  }

  package func write(_ writes: [PlannedWrite], note: String?) throws -> [CheckedWrite] {
    try finishInterruptedWrites()
    return try commit(route, undoes: nil, note: note) { db, keep in
      try attempt(writes, note: note, in: db, keep)
    }
  }

  package func undo(_ extent: UndoExtent) throws -> [CheckedWrite] {
    try finishInterruptedWrites()
    return try log.undo(extent) { write in
      if try log.isOfTheJournalAlone(write) { return try takeBackImports(of: write) }
      return try commit(route(of: write), undoes: write.id, note: nil) { db, keep in
        try attempt(undoOf: write, in: db, keep)
      }
    }
  }
}

extension SQLiteDataStore {
  /// What `body` would do, in a transaction that is taken back at its end.
  func rehearse(_ route: WriteRoute, _ body: (Database) throws -> [CheckedWrite]) throws -> [CheckedWrite] {
    var checked: [CheckedWrite] = []
    try transaction(route) { db in
      checked = try body(db)
      return .rollback
    }
    return checked
  }

  /// Intent, commit, receipt: in this order, each durable before the next.
  ///
  /// - Throws: ``StoreError/writeFailed(path:detail:)`` if nothing was written, ``StoreError/writeUnknown(path:detail:)``,
  ///   ``StoreError/receiptMissing(path:detail:)``
  func commit(
    _ route: WriteRoute, undoes: Int64?, note: String?,
    _ body: (Database, _ keep: (RecordChanges) throws -> Void) throws -> [CheckedWrite]
  ) throws -> [CheckedWrite] {
    var checked: [CheckedWrite] = []
    var intent = log.intent(undoes: undoes, note: note)
    do {
      try transaction(route) { db in
        checked = try body(db) { record in
          try Journal.beforeWriting(files.database) { try intent.append(record, hashing: true) }
        }
        try Journal.beforeWriting(files.database) { _ = try intent.flush() }
        return intent.id == nil ? .rollback : .commit
      }
    } catch {
      guard let intent = intent.id else { throw error }
      return try outcomes(of: checked, intent, after: error)
    }
    let detail = route == .outbox && undoes == nil ? "into the app's outbox" : nil
    if let intent = intent.id { try log.finish(intent, detail: detail, in: files.database) }
    return checked
  }

  /// A commit that failed may have been done in one of the files, or in both. So the files are looked at, and mended.
  private func outcomes(
    of checked: [CheckedWrite], _ intent: Int64, after error: any Error
  ) throws -> [CheckedWrite] {
    guard let open = try? log.openIntents().first(where: { $0.id == intent }),
      let receipts = try? mended(open)
    else {
      throw StoreError.writeUnknown(path: files.database, detail: StoreError.detail(of: error))
    }
    // If this fails, the next start finds what was found here.
    try? log.append(receipts, of: intent)
    if receipts.allSatisfy({ $0.outcome == .rolledBack }) { throw error }
    let found = Dictionary(receipts.map { ($0.record, $0) }) { first, _ in first }
    return checked.map { $0.told(by: found[$0.id], after: error) }
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
        throw StoreError.writing(files.database, error, beside: route == .outbox, holder: holder())
      }
    }
  }

  /// What was written one way is taken back, and mended, the same way.
  func access(for route: WriteRoute) -> StoreAccess {
    isForReading ? access() : accessToFinish(route)
  }

  /// Whether anybody could write that way now, however the store was opened.
  func accessToFinish(_ route: WriteRoute) -> StoreAccess {
    route == .direct ? accessForDirectWrites() : accessToTheOutbox()
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

  private func attempt(
    _ writes: [PlannedWrite], note: String?, in db: Database, _ keep: (RecordChanges) throws -> Void
  ) throws -> [CheckedWrite] {
    let session = try WriteSession(db, self, names: Set(writes.map(\.seen.id)))
    return try session.attempt(writes.map { RecordTask($0, session, route, note: note) }, keep)
  }

  func attempt(
    undoOf intent: Intent, in db: Database, _ keep: (RecordChanges) throws -> Void
  ) throws -> [CheckedWrite] {
    let session = try WriteSession(db, self, names: [])
    // The last one first: what was made to fit into what came before is taken back before that is.
    let tasks = intent.records.reversed().map { RecordTask(undoOf: $0, of: intent.id, session) }
    return try session.attempt(tasks, keep).reversed()
  }
}
