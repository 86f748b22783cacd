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
    // No lazy map, which takes nothing that throws: what is taken instead would read all of a large write at once.
    for record in intent.records {
      let changes = try log.readableChanges(of: record, in: intent.id).changes
      if !changes.isEmpty { return changes.contains { $0.table == OutboxRow.table } ? .outbox : .direct }
    }
    return .direct
  }
}
