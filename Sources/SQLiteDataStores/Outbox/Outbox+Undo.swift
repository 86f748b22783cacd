import Journals
import Merging
import RowJournals

extension WriteSession {
  /// Why a change is not taken back.
  func movedWords(_ change: StoredChange) throws -> String {
    if change.table == OutboxRow.table, let row = try current(change), row["appliedAt"] != .null {
      return "the app has applied the draft"
    }
    return "\(change.words) changed since it was written"
  }
}

extension SQLiteDataStore {
  /// A write to the outbox changes nothing else. The inbox is at hand by both.
  func route(of intent: Intent) throws -> WriteRoute {
    if intent.act == .import { return route }
    let changes = try intent.records.lazy.map { try self.log.readableChanges(of: $0, in: intent.id).changes }
    return changes.first { !$0.isEmpty }?.contains { $0.table == OutboxRow.table } == true ? .outbox : .direct
  }
}
