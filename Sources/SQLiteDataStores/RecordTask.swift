import GRDB
import Journals
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

/// What is to be done for one record; it finds out what to change only when its turn comes.
struct RecordTask {
  let id: String
  let title: String
  /// - Returns: what was changed of it.
  let perform: () throws -> [StoredChange]

  init(_ write: PlannedWrite, _ session: WriteSession, _ route: WriteRoute, note: String?) {
    id = write.seen.id
    title = write.seen.title
    perform = {
      guard let state = try session.state(of: write.seen.id) else {
        throw Moved("it is no longer in conflict")
      }
      if state.conflict.details.waitingSince != nil { throw Moved("a draft of it waits for the app") }
      if let words = write.seen.moved(to: state.conflict) { throw Moved(words) }
      let plan = try WritePlan(write.draft, state, session)
      return try session.apply(route == .direct ? plan.changes() : plan.outboxChanges(note: note))
    }
  }

  init(undoOf record: Intent.Record, of intent: Int64, _ session: WriteSession) {
    id = record.id
    title = record.title
    perform = {
      let isLeft = record.isLeft
      let record = try session.journal.changes(of: record, in: intent)
      if isLeft { return try session.apply(session.takingUp(record), isExact: true) }
      let own = record.changes.filter { !record.isByTrigger($0) }
      if let moved = try own.first(where: { try !$0.isAsLeft(in: session.current($0)) }) {
        throw Moved(try session.movedWords(moved))
      }
      return try session.takeBack(record)
    }
  }
}

struct Moved: Error {
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
    case InboxRow.table, StoredChange.kept: "the inbox"
    case OutboxRow.table: "the outbox"
    case ParleyTables.unsentName: "the app's note of unsent edits"
    default: "the row"
    }
  }
}

extension WriteSession {
  /// Tries each; a refused one again once others went through, as a child fits only after its parent.
  ///
  /// - Parameter keep: gets what was changed of a record as soon as it was, for all of them may be more than fits into memory.
  func attempt(
    _ tasks: [RecordTask], _ keep: (RecordChanges) throws -> Void
  ) throws -> [CheckedWrite] {
    var checked = try StoreCall.forEach(tasks, of: path) { try attempt($0, keep) }
    while true {
      let refused = checked.indices.filter { checked[$0].isRefused }
      var progress = false
      for index in refused {
        checked[index] = try attempt(tasks[index], keep)
        progress = progress || !checked[index].isRefused
      }
      if !progress { return checked }
    }
  }

  private func attempt(
    _ task: RecordTask, _ keep: (RecordChanges) throws -> Void
  ) throws -> CheckedWrite {
    CheckedWrite(id: task.id, title: task.title, outcome: try outcome(of: task, keep))
  }

  private func outcome(
    of task: RecordTask, _ keep: (RecordChanges) throws -> Void
  ) throws -> CheckedWrite.Outcome {
    let changes: [StoredChange]
    do {
      changes = try task.perform()
    } catch let moved as Moved {
      return .moved(moved.words)
    } catch let refusal as Refusal {
      try checkTransaction(after: refusal, of: task)
      return .refused(field: refusal.field, refusal.reason)
    }
    try keep(RecordChanges(record: task.id, title: task.title, changes: changes))
    return .fine
  }

  /// A trigger may take back the whole transaction, and so does SQLite where one had to be interrupted. Without it every
  /// further record would be written for good, and nobody would know.
  private func checkTransaction(after refusal: Refusal, of task: RecordTask) throws {
    if db.isInsideTransaction { return }
    let detail = "\(refusal.reason); with it nothing of the others was written"
    throw StoreError.refused(record: task.id, field: refusal.field, detail: detail)
  }
}

extension CheckedWrite {
  fileprivate var isRefused: Bool {
    if case .refused = outcome { true } else { false }
  }
}
