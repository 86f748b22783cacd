import Merging

/// What a draft means for the outbox: one row, in place of all that the app then does itself.
extension WritePlan {
  /// A draft of the same record that still waits is replaced.
  ///
  /// - Throws: ``Refusal`` if the app would not be able to apply it.
  func outboxChanges(note: String?) throws -> [StoredChange] {
    let row = try rowAfter()
    try session.rehearse(rowChange(row))
    let replaced = try OutboxRow.waiting(of: state.inbox.recordName, in: session.db).map { id in
      var change = outboxChange(id: id)
      change.before = try session.current(change)
      return change
    }
    var change = outboxChange(id: try OutboxRow.nextID(in: session.db))
    change.after = change.key.merging(draftImage(row, note: note)) { id, _ in id }
    return replaced + [change]
  }

  private func outboxChange(id: Int64) -> StoredChange {
    StoredChange(file: .app, table: OutboxRow.table, key: ["id": .integer(id)], before: nil, after: nil)
  }

  private func draftImage(_ row: RowImage?, note: String?) -> RowImage {
    [
      "recordName": .text(state.inbox.recordName), "recordType": .text(state.name.table),
      "primaryKey": .text(state.name.primaryKey), "decidedAt": .integer(session.now),
      "action": .text(row == nil ? "delete" : "save"),
      "draft": row.map { .text(RowJSON.encode(difference($0))) } ?? .null,
      "seenRow": state.row.map { .text(RowJSON.encode($0)) } ?? .null,
      "serverRecord": newAncestor(row), "note": note.map { .text($0) } ?? .null, "appliedAt": .null,
    ]
  }

  /// The key is in a column of its own.
  private func difference(_ row: RowImage) -> RowImage {
    row.filter { $0.key != key.name && state.row?[$0.key] != $0.value }
  }

  private func newAncestor(_ row: RowImage?) -> Value {
    if case .advanced(let archive) = aim(row).ancestor { .blob(Blob(bytes: archive)) } else { .null }
  }
}
