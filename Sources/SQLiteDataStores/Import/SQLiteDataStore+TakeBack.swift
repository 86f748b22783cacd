import Journals
import Merging
import RowJournals
import StoreInterface

extension SQLiteDataStore {
  /// Takes imports out of the journal again. Nothing of the store is written, so the app may run.
  func takeBackImports(of write: Intent, isRehearsal: Bool) throws -> [CheckedWrite] {
    if isForReading, !isRehearsal { try StoreAccess.openedForReading.check(files.database) }
    var intent = log.intent(write.act, undoes: write.id, note: nil)
    let outcomes = try write.records.map { record in
      try takeBack(record, of: write.id) { if !isRehearsal { try intent.append($0) } }
    }
    if let id = try intent.flush() { try log.finish(id) }
    return outcomes
  }

  private func takeBack(
    _ record: Intent.Record, of write: Int64, _ append: (RecordChanges) throws -> Void
  ) throws -> CheckedWrite {
    CheckedWrite(id: record.id, title: record.title, outcome: try outcome(of: record, in: write, append))
  }

  private func outcome(
    of record: Intent.Record, in write: Int64, _ append: (RecordChanges) throws -> Void
  ) throws -> CheckedWrite.Outcome {
    do {
      var taken = try log.changes(of: record, in: write)
      for change in taken.changes where try log.current(change) != change.after {
        return .moved("\(change.words) changed since it was written")
      }
      taken.changes = taken.changes.reversed().map(\.reversed)
      try append(taken)
      return .fine
    } catch let refusal as Refusal {
      return .refused(field: refusal.field, refusal.reason)
    }
  }
}

extension Journal {
  /// An import as it is now; nil if it is settled.
  func current(_ change: StoredChange) throws -> RowImage? {
    guard case .integer(let id)? = change.key["id"] else { return nil }
    return try isSettled(id) ? nil : change.key
  }
}
