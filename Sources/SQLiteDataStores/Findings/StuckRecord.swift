import Merging

/// A way in which a record is stuck. The causes were read in sqlite-data f6bd67aa, CloudKit/SyncEngine.swift; the numbers are
/// the rows of FORMAT.md, "Ways of being stuck".
///
///     1   neverUploaded             the first save was given up; its record is the ancestor all the same, without a tag
///     2   editNeverSent             an edit was given up, or made outside of the app
///     3   keptAgainstServer         the server changed the field too, and the app kept its own value without queueing it
///     4   ancestorWithoutFields, ancestorUnreadable
///     5   clockBehind               a field's time in the ancestor is later than the edit's, so it is not sent
///     6   sameTime                  … or equal, so no other device takes it over
///     –   refusedFromServer         the other side of 5 and 6: the server's value was not taken over here
///     7   unsynced                  came before its parent
///     8   unknownTable
///     9   noRow                     could not be stored, or its save was dropped
///     10  blobLost                  the asset was not downloaded
///     11  vanishedWithParent        as far as the metadata is still there
///     12  parentLost                the foreign key became NULL
///     13  deletionRefused, unsyncedThoughHere
///     14  deleteWaiting
///     15  deletionOverRow, rowWithoutMetadata
///     20  ``StoreTrouble/queueIsHuge(part:bytes:)``
///     21  uploadStalled             waitingForUpload is the same before it is suspicious
///     23  ``StoreTrouble/undecodable(rowid:bytes:error:)``
///     24  ``StoreTrouble/schemaChanged(table:columns:)``, ``StoreTrouble/tableIsMissing(table:)``
///     26  invalidName
///     27  tooLarge
///     18, 19  ``StoreTrouble/everythingIsGone(tables:)``, if nothing at all is left
///
/// What cannot be told from the files:
/// - 14, a deletion that failed on the server: its metadata is removed before it is sent, so nothing is left here.
/// - 16, an edit of a shared record that the server did not permit: the app has put the server's version in its place.
/// - 17, a save that the server rejected, or whose zone is unknown: its ancestor was cleared, so it looks like 1.
/// - 18, a zone that was deleted on the server: its rows went with their metadata; other zones look as always.
/// - 22, a row that the library cannot read: it looks like 1 or 2, as the save was dropped without a word.
/// - 25, a record of other software: the app ignores it and keeps nothing of it.
/// - 3, where the merge moved the record's time on and the ancestor's fields all have one time: it looks like 2.
enum StuckRecord: Sendable, Equatable {
  case neverUploaded
  case editNeverSent(fields: [String])
  case keptAgainstServer(fields: [String])
  /// - Parameter isAhead: the ancestor's time lies in the future.
  case clockBehind(fields: [String], isAhead: Bool)
  case sameTime(fields: [String])
  case refusedFromServer(fields: [String])
  case waitingForUpload(part: String)
  case uploadStalled(part: String)
  case queuedInOtherZone
  case deleteWaiting(isPending: Bool)
  /// - Parameter isPending: the deletion is queued; else the record is only marked as deleted.
  case deletionOverRow(isPending: Bool)
  case unsynced
  case unsyncedThoughHere
  case deletionRefused(children: Int)
  case ancestorUnreadable(String)
  case ancestorWithoutFields
  case unknownTable(exists: Bool)
  /// - Parameter lacking: fields that must have a value, and have none in the archive.
  case noRow(lacking: [String])
  case vanishedWithParent
  case blobLost(fields: [String])
  case parentLost(fields: [String])
  case rowWithoutMetadata
  case invalidName(String)
  case tooLarge(bytes: Int)
  /// A save is queued and there is no such record.
  case queuedForNothing

  /// Part of a finding's identity, so never changed. Holds no colon.
  var key: String {
    switch self {
    case .neverUploaded: "never-uploaded"
    case .editNeverSent: "edit-never-sent"
    case .keptAgainstServer: "kept-against-server"
    case .clockBehind: "clock-behind"
    case .sameTime: "same-time"
    case .refusedFromServer: "refused-from-server"
    case .waitingForUpload: "waiting-for-upload"
    case .uploadStalled: "upload-stalled"
    case .queuedInOtherZone: "queued-in-other-zone"
    case .deleteWaiting: "delete-waiting"
    case .deletionOverRow: "deletion-over-row"
    case .unsynced: "unsynced"
    case .unsyncedThoughHere: "unsynced-though-here"
    case .deletionRefused: "deletion-refused"
    case .ancestorUnreadable: "ancestor-unreadable"
    case .ancestorWithoutFields: "ancestor-without-fields"
    case .unknownTable: "unknown-table"
    case .noRow: "no-row"
    case .vanishedWithParent: "vanished-with-parent"
    case .blobLost: "blob-lost"
    case .parentLost: "parent-lost"
    case .rowWithoutMetadata: "row-without-metadata"
    case .invalidName: "invalid-name"
    case .tooLarge: "too-large"
    case .queuedForNothing: "queued-for-nothing"
    }
  }
}

/// What mending a record comes to.
enum Mending: Sendable, Equatable {
  /// A save is queued. The record's time is raised just above the ancestor's if that is what holds it back.
  case upload(raisesTime: Bool)
  case queueDeletion
  case keepRow
  case moveToZone
  case dropUnsynced
  case dropChange
}

extension StuckRecord {
  /// nil if Parley cannot mend it, or not without doing harm.
  var mending: Mending? {
    switch self {
    case .neverUploaded, .editNeverSent, .keptAgainstServer: .upload(raisesTime: false)
    case .clockBehind, .sameTime: .upload(raisesTime: true)
    case .queuedInOtherZone: .moveToZone
    case .deleteWaiting(let isPending): isPending ? nil : .queueDeletion
    case .deletionOverRow: .keepRow
    case .unsynced, .unsyncedThoughHere: .dropUnsynced
    case .queuedForNothing: .dropChange
    // Which value counts is a person's to say, and the server's bytes may not be here.
    case .refusedFromServer: nil
    // An upload would make the loss of a value good everywhere, or fail again for the same reason.
    case .blobLost, .parentLost, .tooLarge, .invalidName, .ancestorUnreadable, .ancestorWithoutFields: nil
    case .waitingForUpload, .uploadStalled, .deletionRefused, .unknownTable, .noRow, .vanishedWithParent,
      .rowWithoutMetadata:
      nil
    }
  }
}
