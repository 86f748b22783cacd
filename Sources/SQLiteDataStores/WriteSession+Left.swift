import Merging
import RowJournals
import StoreInterface

/// Taking up what an interrupted write left, as somebody else had changed the record before the next start.
///
/// Column by column: what is still as it was written becomes what it was before, what somebody else made of it stays. The
/// record's rows in the inbox come back, so that it is in conflict again and can be decided anew.
extension WriteSession {
  /// - Throws: ``Moved`` if nothing of it is there.
  func takingUp(_ record: RecordChanges) throws -> [StoredChange] {
    let beside = Set(try record.besideTables { try $0.isAsLeft(in: current($0)) }.map(\.table))
    let changes = try record.changes.reversed().filter {
      !record.isByTrigger($0) || beside.contains($0.table)
    }
    .compactMap { try takingUp($0) }
    if changes.isEmpty { throw Moved("nothing of it is as it was written") }
    return changes
  }

  private func takingUp(_ change: StoredChange) throws -> StoredChange? {
    let now = try current(change)
    if now == change.before { return nil }
    if now == change.after { return change.reversed }
    guard let now, let before = change.before, let after = change.after else { return nil }
    let written = before.filter { $0.value != after[$0.key] && now[$0.key] == after[$0.key] }
    if written.isEmpty { return nil }
    return StoredChange(
      file: change.file, table: change.table, key: change.key, before: now,
      after: now.merging(written) { _, before in before })
  }
}
