import GRDB
import Merging

extension CloudantStore {
  public func check(_ writes: [PlannedWrite]) throws -> [CheckedWrite] {
    var checked: [CheckedWrite] = []
    try withWriter { writer in
      for write in writes {
        try writer.transaction { db in
          checked.append(try DocumentTask(write).attempt(documents(in: db)).checked)
          return .rollback
        }
      }
    }
    return checked
  }

  public func write(_ writes: [PlannedWrite], note: String?) throws -> [CheckedWrite] {
    try commit(writes.map { DocumentTask($0) }, undoes: nil, note: note)
  }

  public func undo(_ extent: UndoExtent) throws -> [CheckedWrite] {
    try log.undo(extent) { write in
      try commit(write.records.map { DocumentTask(undoOf: $0) }, undoes: write.id, note: nil)
    }
  }
}

extension CloudantStore {
  /// For each document: its part of the intent, then its transaction. At the end the receipts, which so are missing for all
  /// of them if the program is interrupted.
  private func commit(_ tasks: [DocumentTask], undoes: Int64?, note: String?) throws -> [CheckedWrite] {
    var ledger = WriteLedger(log: log, undoes: undoes, note: note)
    var checked: [CheckedWrite] = []
    do {
      try withWriter { writer in
        for task in tasks { checked.append(try commit(task, writer, &ledger)) }
      }
    } catch {
      try ledger.close()
      throw error
    }
    try ledger.close()
    return checked
  }

  private func commit(
    _ task: DocumentTask, _ writer: DatastoreWriter, _ ledger: inout WriteLedger
  ) throws -> CheckedWrite {
    var attempt: DocumentAttempt?
    try writer.transaction { db in
      let made = try task.attempt(documents(in: db))
      attempt = made
      guard let changes = made.changes else { return .rollback }
      try ledger.begin(RecordChanges(record: task.id, title: task.title, changes: changes))
      return .commit
    }
    guard let attempt else {
      throw StoreError.writeFailed(path: files.database, detail: "the transaction did not run")
    }
    if attempt.changes != nil { ledger.finish(task.id) }
    return attempt.checked
  }

  /// Runs `body` with a connection that writes, while nobody reads or writes the datastore.
  ///
  /// - Throws: ``StoreError/readOnly(path:reason:)``, ``StoreError/locked(path:holder:)``,
  ///   ``StoreError/writeFailed(path:detail:)``
  func withWriter(_ body: (DatastoreWriter) throws -> Void) throws {
    if case .readOnly(let reason) = access() {
      throw StoreError.readOnly(path: files.database, reason: reason)
    }
    try reader.whileClosed {
      do {
        let writer = try DatastoreWriter(files)
        defer { writer.close() }
        try body(writer)
      } catch {
        throw StoreError.writing(files.database, error, holder: holder())
      }
    }
  }
}

/// What the journal is told of one write of several documents.
private struct WriteLedger {
  let log: Journal
  let undoes: Int64?
  let note: String?
  private var intent: Intent?
  private var written: Set<String> = []

  init(log: Journal, undoes: Int64?, note: String?) {
    (self.log, self.undoes, self.note) = (log, undoes, note)
  }

  mutating func begin(_ record: RecordChanges) throws {
    if var open = intent {
      try log.append(record, to: &open)
      intent = open
    } else {
      intent = try log.append(intent: [record], undoes: undoes, note: note)
    }
  }

  mutating func finish(_ record: String) { written.insert(record) }

  func close() throws {
    guard let intent else { return }
    try log.append(
      intent.records.map { record in
        written.contains(record.record)
          ? Receipt(record.record, .written)
          : Receipt(record.record, .rolledBack, detail: "it could not be committed")
      }, of: intent)
  }
}

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

/// What became of one document inside of its transaction.
struct DocumentAttempt {
  var checked: CheckedWrite
  /// nil unless it is fine.
  var changes: [StoredChange]?
}

/// What is to be done to one document; it finds out what to change only inside of its transaction.
struct DocumentTask {
  struct Moved: Error {
    let words: String
    init(_ words: String) { self.words = words }
  }

  let id: String
  let title: String
  private let changes: (DocumentReader) throws -> [StoredChange]

  init(_ write: PlannedWrite) {
    id = write.seen.id
    title = write.seen.title
    changes = { reader in
      guard let state = try reader.state(of: write.seen.id) else {
        throw Moved("it is no longer in conflict")
      }
      if let words = write.seen.moved(to: state.conflict) { throw Moved(words) }
      var plan = try DocumentPlan(state, reader)
      return try plan.changes(write.draft)
    }
  }

  init(undoOf record: RecordChanges) {
    id = record.record
    title = record.title
    changes = { try DocumentUndo(record, $0).changes() }
  }

  func attempt(_ reader: DocumentReader) throws -> DocumentAttempt {
    do {
      let changes = try changes(reader)
      try apply(changes, reader)
      return DocumentAttempt(checked: CheckedWrite(id: id, title: title, outcome: .fine), changes: changes)
    } catch let moved as Moved {
      return DocumentAttempt(checked: CheckedWrite(id: id, title: title, outcome: .moved(moved.words)))
    } catch let refusal as Refusal {
      let outcome = CheckedWrite.Outcome.refused(field: refusal.field, refusal.reason)
      return DocumentAttempt(checked: CheckedWrite(id: id, title: title, outcome: outcome))
    }
  }

  private func apply(_ changes: [StoredChange], _ reader: DocumentReader) throws {
    for change in changes where !change.changesNothing {
      let shape = change.table == "revs" ? reader.schema.revs : reader.schema.attachments
      guard let shape else { throw Refusal(nil, "there is no table \(change.table)") }
      do {
        try change.apply(shape, in: reader.db)
      } catch {
        throw Refusal(error, table: shape) ?? error
      }
    }
  }
}
