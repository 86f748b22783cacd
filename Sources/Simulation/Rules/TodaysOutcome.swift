import Merging

/// How a server's record reaches a device.
package enum SyncPath: String, Sendable, CaseIterable {
  /// It comes in with a fetch.
  case fetch
  /// It comes back with a refused save.
  case send

  /// How the server's version of this conflict came.
  init(_ conflict: RecordConflict) { self = conflict.details.isMetOnSend ? .send : .fetch }
}

/// What today's SQLiteData would do with one field of a conflict, or with the record as a whole.
package struct TodaysOutcome: Sendable, Equatable {
  /// The side whose value the row holds afterwards. The client's, where both are the same.
  package var kept: Side
  /// nil for a record as a whole.
  package var value: Value?
  /// One phrase without a full stop: "edited here and not sent, so the row is kept, whatever the times".
  package var reason: String
  /// Whether the three-way merge suggests something else.
  package var differs: Bool
}

extension TodaysRules {
  /// What today's SQLiteData would do with each changed field, by its name. Empty where the record is decided as a whole.
  ///
  /// The conflict is really played: the row is the client's version, the last-known record is the ancestor, and the
  /// server's version comes in on `path`; nil: as it came.
  package static func outcome(
    of conflict: RecordConflict, on path: SyncPath? = nil
  ) -> [String: TodaysOutcome] {
    guard !conflict.isWhole, let server = conflict.versions.server.fields else { return [:] }
    let path = path ?? SyncPath(conflict)
    var record = DeviceRecord(conflict.versions.client, ancestor: lastKnown(conflict))
    let site = Site(conflict)
    let rules = TodaysRules()
    if path == .send {
      record.pending = .save
      _ = rules.upload(of: &record, at: site)
    }
    let fates = rules.upsert(ServerRecord(server, tag: ChangeTag(2)), into: &record, at: site) ?? [:]
    let outcomes = conflict.fields.filter(\.needsDecision).map { field in
      let fate = fates[field.name] ?? .untouched
      return (field.name, field.outcome(fate, value: record.value(field.name), conflict, on: path))
    }
    return Dictionary(uniqueKeysWithValues: outcomes)
  }

  /// An ancestor of which nothing is known is one, to the engine: a record without fields.
  private static func lastKnown(_ conflict: RecordConflict) -> ServerRecord? {
    switch conflict.versions.ancestor {
    case .present(let fields)?: ServerRecord(fields, tag: ChangeTag(1))
    case .unknown?: ServerRecord([:], tag: ChangeTag(1))
    case .deleted?, .absent?, nil: nil
    }
  }

  /// The same for a record that is deleted on one side; nil where it is decided field by field, or not known.
  package static func recordOutcome(of conflict: RecordConflict, on path: SyncPath? = nil) -> TodaysOutcome? {
    guard case .deletedAgainstEdit(let deleted)? = conflict.wholeReason else { return nil }
    // Who deleted it without the app has queued nothing, and what becomes of that nobody knows.
    if case .deleted(time: nil) = conflict.versions.client { return nil }
    let (kept, reason) = TodaysRules.kept(deleted: deleted, on: path ?? SyncPath(conflict))
    return TodaysOutcome(
      kept: kept, value: nil, reason: reason, differs: conflict.wholeSuggestion != .take(kept))
  }

  private static func kept(deleted: Side, on path: SyncPath) -> (Side, String) {
    switch (deleted, path) {
    case (.server, .fetch): (.server, "the deletion is applied without a look at the edit, which is lost")
    case (_, .fetch): (.client, orphan)
    case (.server, .send): (.client, "the server does not have the record, so the row is sent as a new one")
    case (_, .send): (.client, "the server deletes whatever it has, edited or not")
    }
  }

  private static let orphan = """
    the row is written again, then the waiting deletion is sent all the same: the record is deleted everywhere, and its row \
    stays here, out of sync
    """
}

extension FieldConflict {
  fileprivate func outcome(
    _ fate: ColumnFate, value: Value, _ conflict: RecordConflict, on path: SyncPath
  ) -> TodaysOutcome {
    TodaysOutcome(
      kept: fate == .taken && value != client?.value ? .server : .client, value: value,
      reason: conflict.versions.ancestor?.isUnknown == true
        ? reasonWithoutFields(fate)
        : reason(fate, hasAncestor: conflict.versions.ancestor?.isPresent == true, on: path),
      differs: value != suggestion.value)
  }

  private func reasonWithoutFields(_ fate: ColumnFate) -> String {
    switch fate {
    case .keptEdit: "the last-known record has no fields, so whatever the row has counts as edited here"
    case .taken: "neither the row nor the last-known record has a value, so the server's is taken"
    case .putBack, .untouched: fate.reason
    }
  }

  private func reason(_ fate: ColumnFate, hasAncestor: Bool, on path: SyncPath) -> String {
    switch (fate, hasAncestor, path) {
    case (.taken, false, .fetch): "there is no last-known record, so the server's whole row is taken"
    case (.taken, false, .send): "what was just sent counts as last known, and the server's is newer"
    case (.putBack, false, _): "what was just sent counts as last known, and is as new as the server's"
    case (.taken, true, _) where client?.value == .null && ancestor?.value != .null:
      "that a blob was set to NULL here is not seen, so the server's is taken"
    case (.taken, true, _), (.putBack, true, _), (.keptEdit, _, _), (.untouched, _, _): fate.reason
    }
  }
}

extension Site {
  /// The merge itself happens after every edit.
  fileprivate init(_ conflict: RecordConflict) {
    let newest = conflict.fields.flatMap { [$0.client?.time, $0.server?.time] }.compactMap(\.self).max() ?? 0
    self.init(
      name: RecordID(conflict.primaryKey, in: conflict.table),
      table: Table(conflict.table, columns: conflict.fields.map(\.field)),
      now: newest == .max ? newest : newest + 1)
  }
}
