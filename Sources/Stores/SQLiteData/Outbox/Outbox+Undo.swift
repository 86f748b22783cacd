import Merging

extension WriteSession {
  /// Why a change is not taken back.
  func movedWords(_ change: StoredChange) throws -> String {
    if change.table == OutboxRow.table, let row = try current(change), row["appliedAt"] != .null {
      return "the app has applied the draft"
    }
    return "\(change.words) changed since it was written"
  }
}

extension Intent {
  /// A write to the outbox changes nothing else.
  var route: WriteRoute {
    records.contains { $0.changes.contains { $0.table == OutboxRow.table } } ? .outbox : .direct
  }
}
