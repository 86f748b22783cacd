import GRDB
import Journals
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

extension CloudantStore {
  package func check(_ writes: [PlannedWrite]) throws -> [CheckedWrite] {
    try rehearse(writes.map { DocumentTask($0) })
  }

  /// What a write does is done, and taken back. In one transaction, so that the sequence numbers go on from document to
  /// document as they will.
  package func statements(_ writes: [PlannedWrite]) throws -> [String] {
    var statements: [String] = []
    try withWriter { writer in
      try writer.transaction { db in
        let log = StatementLog(db)
        for write in writes { _ = try DocumentTask(write).attempt(documents(in: db)) }
        statements = log.statements
        return .rollback
      }
    }
    return statements
  }

  package func write(_ writes: [PlannedWrite], note: String?) throws -> [CheckedWrite] {
    try finishInterruptedWrites()
    return try commit(writes.map { DocumentTask($0) }, undoes: nil, note: note)
  }

  package func undo(_ extent: UndoExtent) throws -> [CheckedWrite] {
    try finishInterruptedWrites()
    return try log.undo(extent) { write in
      // The last one first: a document may be in it more than once, mended in several ways.
      let tasks = write.records.reversed().map { DocumentTask(undoOf: $0, of: write.id, log) }
      return try commit(tasks, undoes: write.id, note: nil).reversed()
    }
  }

  package func mend(_ findings: [Finding.ID], note: String?) throws -> [CheckedWrite] {
    try finishInterruptedWrites()
    var seen: Set<Finding.ID> = []
    let tasks = findings.filter { seen.insert($0).inserted }.map { DocumentTask(mending: $0) }
    return try commit(tasks, undoes: nil, note: note)
  }
}

extension CloudantStore {
  /// Each document in a transaction of its own, which is taken back at its end.
  func rehearse(_ tasks: [DocumentTask]) throws -> [CheckedWrite] {
    var checked: [CheckedWrite] = []
    try withWriter { writer in
      _ = try StoreCall.forEach(tasks, of: info.path) { task in
        try writer.transaction { db in
          checked.append(try task.attempt(documents(in: db)).checked)
          return .rollback
        }
      }
    }
    return checked
  }

  /// For each document: its part of the intent, then its transaction. At the end the receipts, which so are missing for all
  /// of them if the program is interrupted.
  private func commit(_ tasks: [DocumentTask], undoes: Int64?, note: String?) throws -> [CheckedWrite] {
    var ledger = WriteLedger(log: log, store: files.database, undoes: undoes, note: note)
    var checked: [CheckedWrite] = []
    do {
      try withWriter { writer in
        _ = try StoreCall.forEach(tasks, of: info.path) {
          checked.append(try commit($0, writer, &ledger))
        }
      }
    } catch {
      return try checked + outcomes(of: tasks[checked.count...], &ledger, after: error)
    }
    try ledger.close()
    return checked
  }

  /// What was committed stays, so it would be wrong to say that nothing was written. A commit that failed may have been done:
  /// the datastore tells.
  private func outcomes(
    of tasks: ArraySlice<DocumentTask>, _ ledger: inout WriteLedger, after error: any Error
  ) throws -> [CheckedWrite] {
    guard let found = try? found(ledger.unfinished) else {
      throw StoreError.writeUnknown(path: files.database, detail: StoreError.detail(of: error))
    }
    // If this fails, the next start finds what was found here.
    try? ledger.close(found.map(\.receipt))
    if !ledger.hasWritten, found.allSatisfy({ $0.state == .untouched }) { throw error }
    let receipts = Dictionary(found.map { ($0.id, $0.receipt) }) { first, _ in first }
    return tasks.map { task in
      let written = CheckedWrite(id: task.id, title: task.title, outcome: .fine)
      return receipts[task.id].map { written.told(by: $0, after: error) } ?? task.notReached(error)
    }
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
