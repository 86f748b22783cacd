import Merging
import StoreInterface

extension Finding {
  init(_ stuck: StuckRecord, _ name: RecordName, title: String, time: Int64?, related: [RecordName] = []) {
    self.init(
      id: "\(stuck.key):\(name.whole)", table: name.table, record: name.primaryKey,
      title: title, what: stuck.what, evidence: stuck.evidence, cause: stuck.cause, remedy: stuck.remedy,
      canBeMended: stuck.mending?.words, related: related.map(\.whole), time: time)
  }
}

extension Mending {
  var words: String {
    switch self {
    case .upload(raisesTime: false):
      "One pending change is queued, and the app uploads the record at its next launch."
    case .upload(raisesTime: true):
      "The record's time becomes the latest of those fields' times in the ancestor plus one, and its upload is queued."
    case .queueDeletion:
      "The deletion is queued, and the app sends it at its next launch; a conflict about it is decided with it."
    case .keepRow:
      "An upload with a new time is queued, in place of the deletion if there is one, and the mark of deletion is taken off; a conflict about the deletion is decided with it."
    case .moveToZone: "The change is queued for the zone that the record lives in, in place of the other one."
    case .dropUnsynced:
      "The entry is taken off the list; it comes back at the next fetch if the server still has the record."
    case .dropChange: "The change is taken out of the queue."
    }
  }
}

extension StuckRecord {
  var what: String {
    switch self {
    case .neverUploaded: "never uploaded"
    case .editNeverSent: "edit never sent"
    case .keptAgainstServer: "kept against the server"
    case .clockBehind: "clock behind"
    case .sameTime: "same time"
    case .refusedFromServer: "refused from the server"
    case .waitingForUpload: "waiting for upload"
    case .uploadStalled: "upload stalled"
    case .queuedInOtherZone: "queued for another zone"
    case .deleteWaiting: "delete waiting"
    case .deletionOverRow: "deletion over a row"
    case .unsynced: "waiting for its parent"
    case .unsyncedThoughHere: "unsynced though here"
    case .deletionRefused: "deletion refused"
    case .ancestorUnreadable: "ancestor unreadable"
    case .ancestorWithoutFields: "ancestor without fields"
    case .unknownTable: "unknown table"
    case .noRow: "no row"
    case .vanishedWithParent: "vanished with its parent"
    case .blobLost: "blob lost"
    case .parentLost: "parent lost"
    case .rowWithoutMetadata: "row without metadata"
    case .invalidName: "invalid record name"
    case .tooLarge: "too large"
    case .queuedForNothing: "queued for nothing"
    }
  }

  /// Names fields, never values or keys.
  var evidence: Evidence {
    switch self {
    case .neverUploaded:
      "The row is here, the server never gave its record a change tag, and no upload is queued."
    case .editNeverSent(let fields):
      "The row differs from the ancestor in \(told: fields.listed), and no upload is queued."
    case .keptAgainstServer(let fields):
      "The row differs from the ancestor in \(told: fields.listed), which is what the server's last change was about; no upload is queued."
    case .clockBehind(let fields, let isAhead):
      "The row differs from the ancestor in \(told: fields.listed), whose time there is \(told: isAhead ? "in the future" : "later than the row's")."
    case .sameTime(let fields):
      "The row differs from the ancestor in \(told: fields.listed), and both have the same time."
    case .refusedFromServer(let fields):
      "The server's value of \(told: fields.listed) was not taken over: the last-known server record was changed to have the row's."
    case .waitingForUpload(let part): "An upload of the record is queued (\(told: part))."
    case .uploadStalled(let part):
      "An upload of the record is queued (\(told: part)), since more than ten minutes."
    case .queuedInOtherZone:
      "A change of the record is queued for a zone in which its metadata does not have it."
    case .deleteWaiting(let isPending):
      "The record is marked as deleted\(told: isPending ? ", and its deletion is queued" : "; no deletion is queued")."
    case .deletionOverRow(let isPending):
      "The row is here, and \(told: isPending ? "a deletion of the record is queued" : "the record is marked as deleted")."
    case .unsynced: "The record is on the list of those not taken in, and has no row."
    case .unsyncedThoughHere: "The record is on the list of those not taken in, though its row is here."
    case .deletionRefused(let children):
      "The record is on the list of those not taken in and has no row, but \(children) \(told: children == 1 ? "record names" : "records name") it as parent."
    case .ancestorUnreadable(let reason): "The last-known server record is there, but \(told: reason)."
    case .ancestorWithoutFields: "The last-known server record has an identity and a tag, and no field."
    case .unknownTable(exists: false): "The metadata has the record; the app database has no table for it."
    case .unknownTable(exists: true):
      "The metadata has the record; its table is there, but not in recordTypes, the list of those that sync."
    case .noRow(let lacking):
      lacking.isEmpty
        ? "The metadata has the record; the table is known, and has no row for it."
        : "The metadata has the record; the table is known, and has no row for it; its archive has no value for \(told: lacking.listed), which must have one."
    case .vanishedWithParent:
      "The metadata has the record, which goes with its parent (ON DELETE CASCADE); neither has a row."
    case .blobLost(let fields): "\(told: fields.listed) is NULL in the row, and a file in the ancestor."
    case .parentLost(let fields):
      "\(told: fields.listed) names a record in the ancestor, and no longer does in the row; that record is not here."
    case .rowWithoutMetadata: "The row is in a table that syncs, and the metadata does not have it."
    case .invalidName(let rule): "The record's key \(told: rule)."
    case .tooLarge(let bytes):
      "The row differs from what the server has, and its fields without blobs have \(bytes) bytes."
    case .queuedForNothing: "An upload is queued, and the metadata has no such record."
    }
  }

  var cause: String {
    switch self {
    case .neverUploaded:
      "The first upload was given up, most often because the iCloud storage was full, or the app ended before it queued it."
    case .editNeverSent:
      "The upload was given up, the app ended before it queued it, or the row was changed outside of the app."
    case .keptAgainstServer:
      "The server's change came in while the edit here was unsent; the app kept the value here and queued nothing."
    case .clockBehind(_, let isAhead):
      "\(isAhead ? "A device's clock was ahead when the field was set" : "This device's clock was behind when the row was edited"), and a field is sent only with a later time."
    case .sameTime:
      "Two devices set it at the same time, or the row was changed outside of the app; at equal times no device takes the other's value."
    case .refusedFromServer:
      "Two devices set it at the same time, or a clock was ahead when it was set here; the app takes a value from the server only with a later time than its own."
    case .waitingForUpload: "The app was not running or not online since the record was edited."
    case .uploadStalled:
      "The engine was not told to send, is held back by the server, or its app is not running or not online."
    case .queuedInOtherZone:
      "The record moved to another zone, as when it is shared, after the change was queued."
    case .deleteWaiting:
      "The app was not running or not online since the record was deleted, or may not delete it."
    case .deletionOverRow(isPending: true):
      "The record was deleted and made again with the same key before the deletion was sent; only the deletion will be."
    case .deletionOverRow(isPending: false):
      "The record was deleted and made again with the same key, and the app left the mark of deletion; while that stands, deleting the record in the app is taken for an edit, and never sent."
    case .unsynced: "The record came in before the one it belongs to, or that one is missing here."
    case .unsyncedThoughHere: "The row came back, or was restored, and the app has not fetched since."
    case .deletionRefused:
      "The record was deleted here, and the server refused, as other records belong to it."
    case .ancestorUnreadable:
      "The archive was damaged, or written by something that this version does not know."
    case .ancestorWithoutFields:
      "The server acknowledged an upload without the fields, and the app kept that as ancestor."
    case .unknownTable(exists: false): "A newer version of the app made the record on another device."
    case .unknownTable(exists: true):
      "The app did not finish its start since the table was added, or no longer syncs it."
    case .noRow(let lacking):
      lacking.isEmpty
        ? "The row could not be stored when it came in, or was removed while the app was not watching."
        : "The row could not be stored when it came in: the table's rules did not allow it."
    case .vanishedWithParent:
      "The upload was refused because the server does not have the parent, and the app deleted the row for it."
    case .blobLost: "The file was not there when the record came in, and the app wrote NULL."
    case .parentLost:
      "The upload was refused because the server does not have the parent, and the app let go of it."
    case .rowWithoutMetadata:
      "The row was made outside of the app, or made again before its deletion was sent; the app never queues it."
    case .invalidName: "The app's generator of keys made one that is no name for the server."
    case .tooLarge:
      "The server takes no record of more than 1 MB beside its files, so the upload fails each time."
    case .queuedForNothing:
      "The record was deleted or moved since; the app drops the change at its next launch."
    }
  }

  var remedy: String {
    switch self {
    case .neverUploaded:
      "Free iCloud storage, then queue it again: change any field of the record in the app."
    case .editNeverSent:
      "Queue it again: change any field of the record in the app; all fields that differ are then sent."
    case .keptAgainstServer:
      "Decide: to keep the value here, queue it again; to take the server's, set the field to it in the app."
    case .clockBehind: "Set the clock right, and write the record back with a later time."
    case .sameTime: "Decide which value counts, and write it back with a later time."
    case .refusedFromServer:
      "Import the server's record, or the other device's database, and decide in the list; or set the field to a new value in the app, here or there."
    case .waitingForUpload: "Open the app with a network connection and wait."
    case .uploadStalled: "Open the app anew with a network connection; that sends what is queued."
    case .queuedInOtherZone: "Queue the change for the right zone."
    case .deleteWaiting: "Open the app with a network connection; if the record returns, delete it once more."
    case .deletionOverRow(isPending: true):
      "Queue the row for upload in place of the deletion, or change it in the app after that was sent."
    case .deletionOverRow(isPending: false):
      "Take the mark off and queue the row for upload; no change in the app does that."
    case .unsynced:
      "Restore the record it belongs to; or drop the entry, and delete it on the server if nobody wants it."
    case .unsyncedThoughHere: "Open the app with a network connection, or drop the entry."
    case .deletionRefused: "Delete the records that belong to it first, then this one."
    case .ancestorUnreadable, .ancestorWithoutFields:
      "Fetch the whole record from the server once more and keep it as the ancestor."
    case .unknownTable(exists: false): "Update the app; the record is kept until then."
    case .unknownTable(exists: true): "Open the app; never add to recordTypes by hand."
    case .noRow(let lacking):
      lacking.isEmpty
        ? "Fetch the record once more, or delete it on the server if nobody wants it."
        : "Give \(lacking.listed) a default for NULL (NOT NULL ON CONFLICT REPLACE DEFAULT …), and fetch the record once more."
    case .vanishedWithParent:
      "Restore the row from a backup once the server has its parent; the app then queues it."
    case .blobLost: "Restore it from the device that made it, or from a backup; do not upload the row before."
    case .parentLost: "Restore the parent or choose another; do it in the app, which then queues the record."
    case .rowWithoutMetadata: "Change any field of the record in the app."
    case .invalidName:
      "Make the record again with a key of at most 255 ASCII bytes that does not begin with _."
    case .tooLarge:
      "Shorten its texts, or keep them in a BLOB column, which is sent as a file; then queue it again."
    case .queuedForNothing: "Nothing has to be done."
    }
  }
}

extension [String] {
  /// "title", "title and notes", "title, notes and 3 more".
  var listed: String {
    if count > 5 { return prefix(4).joined(separator: ", ") + " and \(count - 4) more" }
    return count > 1 ? dropLast().joined(separator: ", ") + " and " + self[count - 1] : joined()
  }
}
