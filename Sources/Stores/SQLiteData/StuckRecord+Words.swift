import Merging

extension Finding {
  init(_ stuck: StuckRecord, _ name: RecordName, title: String, time: Int64?) {
    self.init(
      id: "\(stuck.key):\(name.primaryKey):\(name.table)", table: name.table, record: name.primaryKey,
      title: title,
      what: stuck.what, evidence: stuck.evidence, cause: stuck.cause, remedy: stuck.remedy, time: time)
  }
}

extension StuckRecord {
  var what: String {
    switch self {
    case .neverUploaded: "never uploaded"
    case .editNeverSent: "edit never sent"
    case .waitingForUpload: "waiting for upload"
    case .deleteWaiting: "delete waiting"
    case .unsynced: "waiting for its parent"
    case .ancestorUnreadable: "ancestor unreadable"
    case .ancestorWithoutFields: "ancestor without fields"
    case .unknownTable: "unknown table"
    case .noRow: "no row"
    }
  }

  var evidence: String {
    switch self {
    case .neverUploaded: "The row is here, there is no last-known server record, and no upload is queued."
    case .editNeverSent(let fields):
      "The row differs from the ancestor in \(fields.joined(separator: ", ")), and no upload is queued."
    case .waitingForUpload: "An upload of the record is queued."
    case .deleteWaiting(let isPending):
      "The record is marked as deleted\(isPending ? ", and its deletion is queued" : "; no deletion is queued")."
    case .unsynced: "The record is on the list of those not taken in, and has no row."
    case .ancestorUnreadable(let reason): "The last-known server record is there, but \(reason)."
    case .ancestorWithoutFields: "The last-known server record has an identity and a tag, and no field."
    case .unknownTable:
      "The metadata has the record; the app database has no table for it, or does not sync it."
    case .noRow: "The metadata has the record; the table is known, and has no row for it."
    }
  }

  var cause: String {
    switch self {
    case .neverUploaded:
      "The first upload was given up, most often because the iCloud storage was full, or the app ended before it queued it."
    case .editNeverSent:
      "The upload was given up, the app ended before it queued it, or the row was changed outside of the app."
    case .waitingForUpload: "The app was not running or not online since the record was edited."
    case .deleteWaiting:
      "The app was not running or not online since the record was deleted, or may not delete it."
    case .unsynced: "The record came in before the one it belongs to, or that one is missing here."
    case .ancestorUnreadable:
      "The archive was damaged, or written by something that this version does not know."
    case .ancestorWithoutFields:
      "The server acknowledged an upload without the fields, and the app kept that as ancestor."
    case .unknownTable: "A newer version of the app made the record on another device."
    case .noRow: "The row could not be stored when it came in, or was removed while the app was not watching."
    }
  }

  var remedy: String {
    switch self {
    case .neverUploaded:
      "Free iCloud storage, then change any field of the record in the app; that queues it again."
    case .editNeverSent: "Change any field of the record in the app; all fields that differ are then sent."
    case .waitingForUpload: "Open the app with a network connection and wait."
    case .deleteWaiting: "Open the app with a network connection; if the record returns, delete it once more."
    case .unsynced: "Restore the record it belongs to; or delete it on the server if nobody wants it."
    case .ancestorUnreadable, .ancestorWithoutFields:
      "Fetch the whole record from the server once more and keep it as the ancestor."
    case .unknownTable: "Update the app; the record is kept until then."
    case .noRow: "Fetch the record once more, or delete it on the server if nobody wants it."
    }
  }
}
