import StoreInterface

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
///     10  blobLost                  the asset was not downloaded, or NULL was set here and never sent
///     11  vanishedWithParent        as far as the metadata is still there
///     12  parentLost                the foreign key became NULL, by the engine or here
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
  /// - Parameter parent: nil where neither the metadata nor the inbox says.
  case unsynced(parent: WantedParent?)
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
  /// What was held back of a record of which something else was lost: to send the row would send the loss as well.
  indirect case besideLoss(StuckRecord)
  case rowWithoutMetadata
  case invalidName(String)
  case tooLarge(bytes: Int)
  /// A save is queued and there is no such record.
  case queuedForNothing
}

/// What mending a record comes to.
enum Mending: Sendable, Equatable {
  /// A save is queued, of what the server does not have.
  case firstUpload
  /// A save is queued, which takes the place of the server's values. The record's time is raised just above the ancestor's if that is what holds it back.
  case upload(raisesTime: Bool)
  case queueDeletion
  case keepRow
  case moveToZone
  case dropUnsynced
  case dropChange
  /// The row gets what the server has of these fields, and nothing is sent.
  case takeServer(fields: [String])
}

extension StuckRecord {
  /// nil if Parley cannot mend it, or not without doing harm.
  var mending: Mending? {
    switch self {
    case .neverUploaded: .firstUpload
    case .editNeverSent, .keptAgainstServer: .upload(raisesTime: false)
    case .clockBehind, .sameTime: .upload(raisesTime: true)
    case .queuedInOtherZone: .moveToZone
    case .deleteWaiting(let isPending): isPending ? nil : .queueDeletion
    case .deletionOverRow: .keepRow
    case .unsynced, .unsyncedThoughHere: .dropUnsynced
    case .queuedForNothing: .dropChange
    // Which value counts is a person's to say, and the server's bytes may not be here.
    case .refusedFromServer: nil
    // An upload would make the loss of a value good everywhere, or fail again for the same reason.
    case .blobLost, .parentLost, .besideLoss, .tooLarge, .invalidName, .ancestorUnreadable,
      .ancestorWithoutFields:
      nil
    case .waitingForUpload, .uploadStalled, .deletionRefused, .unknownTable, .noRow, .vanishedWithParent,
      .rowWithoutMetadata:
      nil
    }
  }
}

extension StuckRecord {
  /// What else can be done where the row has kept its value against the server's; nil where there is nothing to choose.
  var mendingFromServer: Mending? { fieldsGivenUp.isEmpty ? nil : .takeServer(fields: fieldsGivenUp) }

  /// Fields of which the server has a value that somebody set there, later or at the same time; mending sends the row's over it.
  var fieldsGivenUp: [String] {
    switch self {
    case .keptAgainstServer(let fields), .sameTime(let fields), .clockBehind(let fields, _): fields
    default: []
    }
  }
}

extension StuckRecord {
  /// What it tells of the row's values and the server's.
  enum Differing: Equatable {
    case fields([String])
    /// All in which they differ, as the row is sent as a whole.
    case all
    /// What the server has is deleted there.
    case ended
  }

  /// nil where no value is put in the place of another.
  var differing: Differing? {
    switch self {
    case .editNeverSent(let fields), .keptAgainstServer(let fields), .clockBehind(let fields, _),
      .sameTime(let fields), .blobLost(let fields), .parentLost(let fields):
      .fields(fields)
    case .besideLoss(let held): held.differing
    case .queuedInOtherZone, .deletionOverRow: .all
    case .deleteWaiting(isPending: false): .ended
    // The server has nothing of it, or nobody here knows what.
    case .neverUploaded, .refusedFromServer, .ancestorUnreadable, .ancestorWithoutFields, .rowWithoutMetadata:
      nil
    // Nothing of it is sent, or nothing but what the app sends anyway.
    case .waitingForUpload, .uploadStalled, .deleteWaiting(isPending: true), .unsynced, .unsyncedThoughHere,
      .deletionRefused, .unknownTable, .noRow, .vanishedWithParent, .invalidName, .tooLarge,
      .queuedForNothing:
      nil
    }
  }
}

extension Finding {
  init(
    _ stuck: StuckRecord, _ name: RecordName, title: String, time: Int64?, isWaiting: Bool = false,
    related: [RecordName] = [], values: Evidence = "", differences: [LastWrite.FieldChange] = [],
    decidesConflict: Bool = false
  ) {
    var words = stuck.words
    words.evidence = words.evidence + values
    self.init(
      words, of: name.whole, table: name.table, record: name.primaryKey, title: title,
      canBeMended: stuck.mending?.words,
      takesSide: !stuck.fieldsGivenUp.isEmpty || decidesConflict || stuck.mending == .dropUnsynced,
      isWaiting: isWaiting, related: related.map(\.whole), time: time)
    takesServer = stuck.mendingFromServer?.words
    self.differences = differences
  }
}

extension Mending {
  /// Whether it decides a conflict about the deletion, if there is one.
  var isAboutDeletion: Bool { self == .queueDeletion || self == .keepRow }

  var words: String {
    switch self {
    case .firstUpload: "One pending change is queued, and the app uploads the record at its next launch."
    case .upload(raisesTime: false):
      "One pending change is queued, and the app uploads the record at its next launch: these fields take the place of the server's."
    case .upload(raisesTime: true):
      "The record's time becomes the latest of those fields' times in the ancestor plus one, and its upload is queued: these fields take the place of the server's."
    case .queueDeletion:
      "The deletion is queued, and the app sends it at its next launch; a conflict about it is decided with it."
    case .keepRow:
      "An upload with a new time is queued, in place of the deletion if there is one, and the mark of deletion is taken off; a conflict about the deletion is decided with it."
    case .moveToZone:
      "The change is queued for the zone that the record lives in, in place of the other one; an ancestor that is of another zone is forgotten."
    case .dropUnsynced:
      "The entry is taken off the list, by which the app asks the server for the record at every fetch: from then on the app has what the server has of it only once that changes there, or once everything is fetched anew."
    case .dropChange: "The change is taken out of the queue."
    case .takeServer(let fields):
      "The row takes what the server has of \(fields.listed), and nothing is sent; what it has there now is given up. Undo brings it back."
    }
  }
}

/// The record that one without a row belongs to.
struct WantedParent: Sendable, Equatable {
  let name: RecordName
  /// What its row is called; nil where there is none.
  let title: String?
}

extension StuckRecord {
  var key: String { words.key }

  fileprivate static func evidence(waitingFor parent: WantedParent?) -> Evidence {
    switch (parent?.name, parent?.title) {
    case (let name?, let title?):
      "The record is on the list of those not taken in, and has no row; it belongs to \(hidden: title) (\(hidden: name.whole)), which is here."
    case (let name?, nil):
      "The record is on the list of those not taken in, and has no row; nor has \(hidden: name.whole), which it belongs to."
    case (nil, _): "The record is on the list of those not taken in, and has no row."
    }
  }

  /// Whichever record it is: the evidence names fields, never values or keys.
  var words: Finding.Words {
    switch self {
    case .neverUploaded:
      Finding.Words(
        "never-uploaded", what: "never uploaded",
        "The row is here, the server never gave its record a change tag, and no upload is queued.",
        cause:
          "The first upload was given up, most often because the iCloud storage was full, or the app ended before it queued it.",
        remedy: "Free iCloud storage, then queue it again: change any field of the record in the app.")
    case .editNeverSent(let fields):
      Finding.Words(
        "edit-never-sent", what: "edit never sent",
        "The row differs from the ancestor in \(told: fields.listed), and no upload is queued.",
        cause:
          "The upload was given up, the app ended before it queued it, or the row was changed outside of the app; or the app kept it against what came in from the server.",
        remedy:
          "Queue it again: change any field of the record in the app; all fields that differ are then sent, and take the place of the server's values."
      )
    case .keptAgainstServer(let fields): Self.words(ofKept: fields, serverIsTaken: "here or in the app")
    case .clockBehind(let fields, let isAhead):
      Finding.Words(
        "clock-behind", what: "clock behind",
        "The row differs from the ancestor in \(told: fields.listed), whose time there is \(told: isAhead ? "in the future" : "later than the row's").",
        cause:
          "\(isAhead ? "A device's clock was ahead when the field was set" : "This device's clock was behind when the row was edited"), and a field is sent only with a later time.",
        remedy: "Set the clock right, and write the record back with a later time.")
    case .sameTime(let fields):
      Finding.Words(
        "same-time", what: "same time",
        "The row differs from the ancestor in \(told: fields.listed), and both have the same time.",
        cause:
          "Two devices set it at the same time, this device's clock was behind when the row was edited, or the row was changed outside of the app; at equal times no device takes the other's value.",
        remedy: "Decide which value counts, and write it back with a later time.")
    case .refusedFromServer(let fields):
      Finding.Words(
        "refused-from-server", what: "refused from the server",
        "The server's value of \(told: fields.listed) was not taken over: the last-known server record was changed to have the row's.",
        cause:
          "Two devices set it at the same time, or a clock was ahead when it was set here; the app takes a value from the server only with a later time than its own.",
        remedy:
          "Import the server's record, or the other device's database, and decide in the list; or set the field to a new value in the app, here or there."
      )
    case .waitingForUpload(let part):
      Finding.Words(
        "waiting-for-upload", what: "waiting for upload",
        "An upload of the record is queued (\(told: part)).",
        cause: "The app was not running or not online since the record was edited.",
        remedy: "Open the app with a network connection and wait.")
    case .uploadStalled(let part):
      Finding.Words(
        "upload-stalled", what: "upload stalled",
        "An upload of the record is queued (\(told: part)), since more than ten minutes.",
        cause:
          "The engine was not told to send, is held back by the server, or its app is not running or not online.",
        remedy: "Open the app anew with a network connection; that sends what is queued.")
    case .queuedInOtherZone:
      Finding.Words(
        "queued-in-other-zone", what: "queued for another zone",
        "A change of the record is queued for a zone in which its metadata does not have it.",
        cause: "The record moved to another zone, as when it is shared, after the change was queued.",
        remedy: "Queue the change for the right zone.")
    case .deleteWaiting(isPending: true):
      Finding.Words(
        "delete-waiting", what: "delete waiting",
        "The record is marked as deleted, and its deletion is queued.",
        cause: "The app was not running or not online since the deletion was queued, or may not delete it.",
        remedy: "Open the app with a network connection; if the record returns, delete it once more.")
    case .deleteWaiting(isPending: false):
      Finding.Words(
        "delete-never-queued", what: "delete never queued",
        "The record is marked as deleted, and no deletion is queued.",
        cause: "The app ended before it queued the deletion, or the deletion was given up.",
        remedy: "Queue the deletion, or delete the record once more where it is still to be seen.")
    case .deletionOverRow(isPending: true):
      Finding.Words(
        "deletion-over-row", what: "deletion over a row",
        "The row is here, and a deletion of the record is queued.",
        cause:
          "The record was deleted and made again with the same key before the deletion was sent; only the deletion will be.",
        remedy:
          "Queue the row for upload in place of the deletion, or change it in the app after that was sent.")
    case .deletionOverRow(isPending: false):
      Finding.Words(
        "deletion-over-row", what: "deletion over a row",
        "The row is here, and the record is marked as deleted.",
        cause:
          "The record was deleted and made again with the same key, and the app left the mark of deletion; while that stands, deleting the record in the app is taken for an edit, and never sent.",
        remedy: "Take the mark off and queue the row for upload; no change in the app does that.")
    case .unsynced(let parent):
      Finding.Words(
        "unsynced", what: "waiting for its parent", StuckRecord.evidence(waitingFor: parent),
        cause: "The record came in before the one it belongs to, or that one is missing here.",
        remedy:
          "Restore the record it belongs to; or drop the entry, and delete it on the server if nobody wants it."
      )
    case .unsyncedThoughHere:
      Finding.Words(
        "unsynced-though-here", what: "unsynced though here",
        "The record is on the list of those not taken in, though its row is here.",
        cause: "The row came back, or was restored, and the app has not fetched since.",
        remedy: "Open the app with a network connection, or drop the entry.")
    case .deletionRefused(let children):
      Finding.Words(
        "deletion-refused", what: "deletion refused",
        "The record is on the list of those not taken in and has no row, but \(children) \(told: children == 1 ? "record names" : "records name") it as parent.",
        cause: "The record was deleted here, and the server refused, as other records belong to it.",
        remedy: "Delete the records that belong to it first, then this one.")
    case .ancestorUnreadable(let reason):
      Finding.Words(
        "ancestor-unreadable", what: "ancestor unreadable",
        "The last-known server record is there, but \(told: reason).",
        cause: "The archive was damaged, or written by something that this version does not know.",
        remedy: fetchWhole)
    case .ancestorWithoutFields:
      Finding.Words(
        "ancestor-without-fields", what: "ancestor without fields",
        "The last-known server record has an identity and a tag, and no field.",
        cause: "The server acknowledged an upload without the fields, and the app kept that as ancestor.",
        remedy: fetchWhole)
    case .unknownTable(exists: false):
      Finding.Words(
        "unknown-table", what: "unknown table",
        "The metadata has the record; the app database has no table for it.",
        cause: "A newer version of the app made the record on another device.",
        remedy: "Update the app; the record is kept until then.")
    case .unknownTable(exists: true):
      Finding.Words(
        "unknown-table", what: "unknown table",
        "The metadata has the record; its table is there, but not in recordTypes, the list of those that sync.",
        cause: "The app did not finish its start since the table was added, or no longer syncs it.",
        remedy: "Open the app; never add to recordTypes by hand.")
    case .noRow(let lacking):
      Finding.Words(
        "no-row", what: "no row",
        lacking.isEmpty
          ? "The metadata has the record; the table is known, and has no row for it."
          : "The metadata has the record; the table is known, and has no row for it; its archive has no value for \(told: lacking.listed), which must have one.",
        cause: lacking.isEmpty
          ? "The row could not be stored when it came in, or was removed while the app was not watching."
          : "The row could not be stored when it came in: the table's rules did not allow it.",
        remedy: lacking.isEmpty
          ? "Fetch the record once more, or delete it on the server if nobody wants it."
          : "Give \(lacking.listed) a default for NULL (NOT NULL ON CONFLICT REPLACE DEFAULT …), and fetch the record once more."
      )
    case .vanishedWithParent:
      Finding.Words(
        "vanished-with-parent", what: "vanished with its parent",
        "The metadata has the record, which goes with its parent (ON DELETE CASCADE); neither has a row.",
        cause:
          "The upload was refused because the server does not have the parent, and the app deleted the row for it.",
        remedy: "Restore the row from a backup once the server has its parent; the app then queues it.")
    case .blobLost(let fields):
      Finding.Words(
        "blob-lost", what: "blob lost",
        "\(told: fields.listed) is NULL in the row, and a file in the ancestor.",
        cause:
          "The file was not there when the record came in, and the app wrote NULL; or it was taken away here, and that was never sent.",
        remedy:
          "Restore it from the device that made it, or from a backup, and do not upload the row before; if it was taken away here, change any field of the record in the app, which sends that."
      )
    case .parentLost(let fields):
      Finding.Words(
        "parent-lost", what: "parent lost",
        "\(told: fields.listed) names a record in the ancestor, and no longer does in the row; that record is not here.",
        cause:
          "The upload was refused because the server does not have the parent, and the app let go of it; or the parent was deleted here, and that this record lost it was never sent.",
        remedy:
          "Restore the parent or choose another, or change any other field if it was deleted here; do it in the app, which then queues the record."
      )
    case .besideLoss(.keptAgainstServer(let fields)):
      // What was lost beside it is why nothing of the record can be mended here.
      Self.words(ofKept: fields, serverIsTaken: "in the app").besideLoss
    case .besideLoss(let held): held.words.besideLoss
    case .rowWithoutMetadata:
      Finding.Words(
        "row-without-metadata", what: "row without metadata",
        "The row is in a table that syncs, and the metadata does not have it.",
        cause:
          "The row was made outside of the app, or made again before its deletion was sent; the app never queues it.",
        remedy: "Change any field of the record in the app.")
    case .invalidName(let rule):
      Finding.Words(
        "invalid-name", what: "invalid record name", "The record's key \(told: rule).",
        cause: "The app's generator of keys made one that is no name for the server.",
        remedy: "Make the record again with a key of at most 255 ASCII bytes that does not begin with _.")
    case .tooLarge(let bytes):
      Finding.Words(
        "too-large", what: "too large",
        "The row differs from what the server has, and its fields without blobs have \(bytes) bytes.",
        cause:
          "The server takes no record of more than 1 MB beside its files, so the upload fails each time.",
        remedy:
          "Shorten its texts, or keep them in a BLOB column, which is sent as a file; then queue it again.")
    case .queuedForNothing:
      Finding.Words(
        "queued-for-nothing", what: "queued for nothing",
        "An upload is queued, and the metadata has no such record.",
        cause: "The record was deleted or moved since; the app drops the change at its next launch.",
        remedy: "Nothing has to be done.")
    }
  }

  private static func words(ofKept fields: [String], serverIsTaken place: String) -> Finding.Words {
    Finding.Words(
      "kept-against-server", what: "kept against the server",
      "The row differs from the ancestor in \(told: fields.listed), which was set on the server since the record was made; no upload is queued.",
      cause:
        "A change came in while the edit here was unsent, and the app kept the value here and queued nothing, or ended as it took that change in; or the edit was made after it, and its upload given up.",
      remedy:
        "Decide: to keep the value here, queue it again, and it takes the place of the server's; to take the server's, give the row that value, \(place)."
    )
  }
}

extension Finding.Words {
  fileprivate var besideLoss: Self {
    Self(
      key, what: what, evidence, cause: cause,
      remedy:
        "First restore what was lost of the record, unless it was taken away here: whatever sends these fields sends that, too. \(remedy)"
    )
  }
}

extension [String] {
  /// "title", "title and notes", "title, notes and 3 more".
  var listed: String {
    if count > 5 { return prefix(4).joined(separator: ", ") + " and \(count - 4) more" }
    return count > 1 ? dropLast().joined(separator: ", ") + " and " + self[count - 1] : joined()
  }
}

/// The app never asks for a record that it has.
private let fetchWhole =
  "Fetch the whole record from the server once more and keep it as the ancestor: parley import PATH FILE takes it from another "
  + "device's database of the app, or as an archived CKRecord; then decide and write it here."
