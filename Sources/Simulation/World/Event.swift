import Merging

/// What a step turned out to be. Facts; the words are in `Event+Words.swift`.
package enum Event: Sendable, Equatable {
  case created
  case edited(Set<String>)
  case deleted
  case undeleted
  /// A person wanted something that the device has no row for.
  case noSuchRow
  case sent(DeviceRecord.Pending)
  /// Something was pending, and there is nothing to send: the row is as the server has it, or gone.
  case nothingToSend
  case confirmed(ChangeTag?)
  case deletionConfirmed
  case conflictOnSend(Encounter)
  case conflictOnFetch(Encounter)
  /// A record came in and met no edit. The columns that changed.
  case fetched(Set<String>)
  case fetchedDeletion(lostEdit: Bool)
  case resolved(RecordConflict, Draft)
  case nothingToResolve
  /// The server has lost or never had it: it is sent again as new.
  case queuedAgain
  case batchFailed
  case refused(Refusal)
  /// The parent is not here yet; it is fetched again with every fetch.
  case parked
  /// The server no longer has what was parked.
  case unparked
  /// Of a table that this version of the app does not know: kept whole, for a later one.
  case kept
  /// Without a time of its own, so not written by this library.
  case ignored
  case serverSaved(ChangeTag?)
  case serverDeleted

  package enum Refusal: Sendable, Equatable {
    /// The parent is not on the server. With what that did here.
    case parentMissing(Table.Parent.OnDelete?)
    case childrenRemain
    /// This device may only read. Whether the edit here was overwritten.
    case readOnly(overwritten: Bool)
  }
}

/// What a rule set did when a server's version met an edit that was not sent.
package enum Encounter: Sendable, Equatable {
  /// The model: it waits, with the suggestions.
  case waiting(RecordConflict)
  /// SQLiteData: it was merged on the spot, column by column.
  case merged([String: ColumnFate])
  /// SQLiteData: the deletion was applied, or the deleted record written again.
  case overrun
}

/// What today's SQLiteData does with one column when a server record comes in.
package enum ColumnFate: String, Sendable, CaseIterable {
  /// The server's value is written into the row.
  case taken
  /// The row differs from the last-known record, so it stays, whatever the times.
  case keptEdit
  /// The last-known value differs from the server's and is not older, so it is put back into the server's record.
  case putBack
  /// The server's record does not know the column.
  case untouched
}

/// An event, where it happened.
package struct Happening: Sendable, Equatable {
  /// nil at the server.
  package var device: String?
  package var record: RecordName
  package var event: Event
}
