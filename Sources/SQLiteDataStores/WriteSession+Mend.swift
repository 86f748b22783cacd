import GRDB
import Journals
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

/// What a file shows of an interrupted write.
private enum Trace {
  /// The write changes nothing in this file.
  case nothing
  case before, after, neither
}

/// Mending after a crash, or after a commit that failed.
///
/// A commit over two attached databases is atomic for each of them only, where both are in WAL mode. So after a crash
/// between intent and receipt each file has, for itself, all of the changes or none:
///
///     app     metadata   then
///     before  before     nothing was written: rolled back
///     after   after      all was written, only the receipt is missing: completed
///     after   before     the metadata's half is written now: completed
///     before  after      the row's half is written now: completed; or taken back, if the store's rules refuse it
///
/// Only the columns that the write changes are looked at and written: the app may have edited others since. A file that
/// shows neither in these was changed by somebody else: the record is left alone.
extension WriteSession {
  func state(of record: RecordChanges) throws -> InterruptedWrite.State {
    let traces = try traces(of: record)
    if traces.contains(.neither) { return .changedSince }
    if !traces.contains(.after) { return .untouched }
    return traces.contains(.before) ? .half : .complete
  }

  /// What is kept in the journal follows from the receipt, so it shows nothing.
  private func traces(of record: RecordChanges) throws -> [Trace] {
    try [StoredChange.File.app, .metadata].map { file in
      try trace(record.changes.filter { $0.file == file && !record.isByTrigger($0) })
    }
  }

  private func trace(_ changes: [StoredChange]) throws -> Trace {
    if changes.isEmpty { return .nothing }
    if try changes.allSatisfy({ $0.isDone(in: try current($0)) }) { return .after }
    return try changes.allSatisfy { $0.reversed.isDone(in: try current($0)) } ? .before : .neither
  }

  func complete(_ record: RecordChanges) throws -> Receipt {
    do {
      try apply(missing(of: record.changes, record), isExact: true)
      return Receipt(record.record, .completed)
    } catch let refusal as Refusal where db.isInsideTransaction {
      let back = try missing(of: record.changes.reversed().map(\.reversed), record)
      try apply(back.map(fitting), isExact: true)
      return Receipt(record.record, .rolledBack, detail: refusal.reason)
    }
  }

  /// What is still to be done of `changes`. What triggers changed beside the record is done only where nobody was since.
  private func missing(of changes: [StoredChange], _ record: RecordChanges) throws -> [StoredChange] {
    let untouched = try record.besideTables { change in
      let now = try current(change)
      return change.isDone(in: now) || change.reversed.isDone(in: now)
    }
    let tables = Set(untouched.map(\.table))
    return try changes.compactMap { change in
      if record.isByTrigger(change) && !tables.contains(change.table) { return nil }
      let now = try current(change)
      return change.isDone(in: now) ? nil : change.applied(to: now)
    }
  }
}

extension StoredChange {
  /// Whether a row is as the change leaves it, in the columns that it is about.
  fileprivate func isDone(in now: RowImage?) -> Bool { isThere(now, drafted) }

  /// Whether a row is as the change left it. The app may have changed the table since: what has no column any more, or had none
  /// then, says nothing.
  func isAsLeft(in now: RowImage?) -> Bool { isThere(now, (after ?? [:]).keys.sorted()) }

  private func isThere(_ now: RowImage?, _ columns: [String]) -> Bool {
    guard let after, let now else { return now == nil && after == nil }
    return columns.allSatisfy { now[$0] == nil || now[$0] == after[$0] }
  }

  /// The same change of the row as it is now.
  func applied(to now: RowImage?) -> StoredChange {
    guard before != nil, let now else { return self }
    var change = self
    change.before = now
    change.after = drafted(over: now)
    return change
  }
}
