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

  public func write(_ writes: [PlannedWrite], note: String?) throws -> [CheckedWrite] {
    try commit(route, undoes: nil, note: note) { db in try attempt(writes, note: note, in: db) }
  }

  public func undoLastWrite() throws -> [CheckedWrite] {
    guard let last = try log.newestWrite() else { throw StoreError.nothingToUndo }
    return try commit(last.route, undoes: last.id, note: nil) { db in try attempt(undoOf: last, in: db) }
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
  private func commit(
    _ route: WriteRoute, undoes: Int64?, note: String?, _ body: (Database) throws -> [Attempt]
  ) throws -> [CheckedWrite] {
    var attempts: [Attempt] = []
    var intent: Intent?
    try transaction(route) { db in
      attempts = try body(db)
      let records = attempts.compactMap(\.recordChanges)
      if records.isEmpty { return .rollback }
      intent = try log.append(intent: records, undoes: undoes, note: note)
      return .commit
    }
    if let intent {
      try log.append(intent.records.map { Receipt($0.record, .written) }, of: intent)
    }
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
    return try session.attempt(writes.map { Task($0, session, route, note: note) })
  }

  private func attempt(undoOf intent: Intent, in db: Database) throws -> [Attempt] {
    let session = try WriteSession(db, self, names: [])
    // The last one first: what was made to fit into what came before is taken back before that is.
    return try session.attempt(intent.records.reversed().map { Task(undoOf: $0, session) }).reversed()
  }
}

extension Attempt {
  fileprivate var recordChanges: RecordChanges? {
    changes.map { RecordChanges(record: checked.id, title: checked.title, changes: $0) }
  }
}

/// What is to be done for one record; it finds out what to change only when its turn comes.
private struct Task {
  let id: String
  let title: String
  let changes: () throws -> [StoredChange]

  init(_ write: PlannedWrite, _ session: WriteSession, _ route: WriteRoute, note: String?) {
    id = write.seen.id
    title = write.seen.title
    changes = {
      guard let state = try session.state(of: write.seen.id) else {
        throw Moved("it is no longer in conflict")
      }
      if state.conflict.details.waitingSince != nil { throw Moved("a draft of it waits for the app") }
      if let words = write.seen.moved(to: state.conflict) { throw Moved(words) }
      let plan = try WritePlan(write.draft, state, session)
      return try route == .direct ? plan.changes() : plan.outboxChanges(note: note)
    }
  }

  init(undoOf record: RecordChanges, _ session: WriteSession) {
    id = record.record
    title = record.title
    changes = {
      for change in record.changes where try session.current(change) != change.after {
        throw Moved(try session.movedWords(change))
      }
      return record.changes.reversed().map(\.reversed)
    }
  }
}

private struct Moved: Error {
  let words: String
  init(_ words: String) { self.words = words }
}

extension StoredChange {
  /// What the row is, for a person.
  var words: String {
    switch table {
    case Metadatabase.metadata: "its sync metadata"
    case Metadatabase.pending: "its pending change"
    case Metadatabase.unsynced: "the list of unsynced records"
    case InboxRow.table: "the inbox"
    case OutboxRow.table: "the outbox"
    default: "the row"
    }
  }
}

extension WriteSession {
  fileprivate func movedWords(_ change: StoredChange) throws -> String {
    if change.table == OutboxRow.table, let row = try current(change), row["appliedAt"] != .null {
      return "the app has applied the draft"
    }
    return "\(change.words) changed since it was written"
  }
}

extension Intent {
  /// A write to the outbox changes nothing else.
  var route: WriteRoute {
    records.contains { $0.changes.contains { $0.table == OutboxRow.table } } ? .outbox : .direct
  }
}

extension WriteSession {
  /// Tries each; a refused one again once others went through, as a child fits only after its parent.
  fileprivate func attempt(_ tasks: [Task]) throws -> [Attempt] {
    var attempts = try tasks.map(attempt)
    while true {
      let refused = attempts.indices.filter { attempts[$0].isRefused }
      var progress = false
      for index in refused {
        attempts[index] = try attempt(tasks[index])
        progress = progress || !attempts[index].isRefused
      }
      if !progress { break }
    }
    return try attempts.map(settled)
  }

  private func attempt(_ task: Task) throws -> Attempt {
    do {
      let changes = try task.changes()
      try apply(changes)
      return Attempt(checked: CheckedWrite(id: task.id, title: task.title, outcome: .fine), changes: changes)
    } catch let moved as Moved {
      return Attempt(checked: CheckedWrite(id: task.id, title: task.title, outcome: .moved(moved.words)))
    } catch let refusal as Refusal {
      let outcome = CheckedWrite.Outcome.refused(field: refusal.field, refusal.reason)
      return Attempt(checked: CheckedWrite(id: task.id, title: task.title, outcome: outcome))
    }
  }

  private func settled(_ attempt: Attempt) throws -> Attempt {
    var attempt = attempt
    attempt.changes = try attempt.changes.map(settled)
    return attempt
  }
}

extension Attempt {
  fileprivate var isRefused: Bool {
    if case .refused = checked.outcome { true } else { false }
  }
}
