import GRDB
import Journals
import KeyedArchives
import Merging
import RowJournals
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
/// shows neither in these was changed by somebody else: the record is left alone. That the app was started, and took in once more
/// what it had, is no change: see ``StoredChange/holds(_:_:in:)``.
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
  fileprivate func isDone(in now: RowImage?) -> Bool {
    isThere(now, drafted) { now, left, column in
      isOfMetadata ? holds(now, left, in: column) : now == left
    }
  }

  /// Whether a row is as the change left it. The app may have changed the table since: what has no column any more, or had none
  /// then, says nothing.
  func isAsLeft(in now: RowImage?) -> Bool {
    isThere(now, (after ?? [:]).keys.sorted()) { now, left, _ in now == left }
  }

  private func isThere(
    _ now: RowImage?, _ columns: [String], _ holds: (_ now: Value, _ left: Value?, String) -> Bool
  ) -> Bool {
    guard let after, let now else { return now == nil && after == nil }
    return columns.allSatisfy { name in now[name].map { holds($0, after[name], name) } ?? true }
  }

  private var isOfMetadata: Bool { file == .metadata && table == Metadatabase.metadata }

  /// Whether a column of a record's metadata has what was left in it, or what the engine makes of that where it takes in once more the
  /// record that it has, as at any start: the time becomes now, and is kept in the archive of the record.
  private func holds(_ now: Value, _ left: Value?, in column: String) -> Bool {
    if now == left { return true }
    switch (now, left) {
    case (.integer(let now), .integer) where column == Self.timeColumn: return isSince(now)
    case (.blob(let now), .blob(let left)?):
      return Self.archiveColumns.contains(column) && now.isVersionOf(left)
    default: return false
    }
  }

  /// Whether a time of metadata is that of neither side of the change, but of what came after it.
  private func isSince(_ time: Int64) -> Bool {
    [before, after].allSatisfy { row in
      if case .integer(let known)? = row?[Self.timeColumn] { time > known } else { true }
    }
  }

  private static let timeColumn = "userModificationTime"
  private static let archiveColumns = ["lastKnownServerRecord", "_lastKnownServerRecordAllFields"]

  /// The same change of the row as it is now.
  func applied(to now: RowImage?) -> StoredChange {
    guard before != nil, let now else { return self }
    var change = self
    change.before = now
    change.after = drafted(over: now)
    if let time = laterTime(in: now) { change.after?[Self.timeColumn] = time }
    return change
  }

  /// The time of a record's metadata, where the engine has set it since: a value that seems older than what was taken in is not sent. nil
  /// for any other row.
  private func laterTime(in now: RowImage) -> Value? {
    guard isOfMetadata, case .integer(let time)? = now[Self.timeColumn], isSince(time) else { return nil }
    return .integer(time)
  }
}

extension Blob {
  /// Whether both are archives of one record as the server gave it once.
  fileprivate func isVersionOf(_ other: Blob) -> Bool {
    let tags = [self, other].map { blob in
      blob.bytes.flatMap { try? ArchivedRecord(decoding: $0) }?.stamp.tag
    }
    return tags[0] != nil && tags[0] == tags[1]
  }
}
