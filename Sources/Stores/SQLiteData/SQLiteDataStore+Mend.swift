import GRDB
import Merging

/// Mending after a crash.
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
/// A file that shows neither was changed by somebody else since: the record is left alone.
extension SQLiteDataStore {
  /// Nothing is mended that cannot be written now: the next one who can finds it still.
  func mendInterruptedWrites() throws {
    for intent in try log.openIntents() {
      let route = try route(of: intent)
      guard access(for: route) == .writable else { continue }
      var receipts: [Receipt] = []
      try transaction(route) { db in
        let session = try WriteSession(db, self, names: [])
        receipts = try intent.records.map { try session.mend($0, of: intent.id) }
        return .commit
      }
      try log.append(receipts, of: intent.id)
    }
  }
}

/// What a file shows of an interrupted write.
private enum Trace {
  /// The write changes nothing in this file.
  case nothing
  case before, after, neither
}

extension WriteSession {
  /// What the journal no longer tells truly, or is about tables that are gone, cannot be mended.
  fileprivate func mend(_ record: Intent.Record, of intent: Int64) throws -> Receipt {
    do {
      return try mend(try journal.changes(of: record, in: intent))
    } catch let refusal as Refusal {
      return Receipt(record.id, .left, detail: refusal.reason)
    }
  }

  private func mend(_ record: RecordChanges) throws -> Receipt {
    let traces = try StoredChange.File.allCases.map { file in
      try trace(record.changes.filter { $0.file == file })
    }
    if traces.contains(.neither) {
      return Receipt(record.record, .left, detail: "somebody else changed it since")
    }
    if !traces.contains(.after) { return Receipt(record.record, .rolledBack, detail: "nothing was written") }
    return try complete(record)
  }

  private func trace(_ changes: [StoredChange]) throws -> Trace {
    if changes.isEmpty { return .nothing }
    let now = try changes.map { try current($0) }
    if zip(now, changes).allSatisfy({ $0 == $1.after }) { return .after }
    return zip(now, changes).allSatisfy { $0 == $1.before } ? .before : .neither
  }

  private func complete(_ record: RecordChanges) throws -> Receipt {
    let missing = try record.changes.filter { try current($0) != $0.after }
    do {
      try apply(missing, isExact: true)
      return Receipt(record.record, .completed)
    } catch let refusal as Refusal {
      try apply(
        try record.changes.filter { try current($0) != $0.before }.reversed().map(\.reversed), isExact: true)
      return Receipt(record.record, .rolledBack, detail: refusal.reason)
    }
  }
}
