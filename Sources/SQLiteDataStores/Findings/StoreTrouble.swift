import Merging
import StoreInterface

/// What is wrong with a store as a whole, or with one of its tables and queues.
enum StoreTrouble: Sendable, Equatable {
  case undecodable(rowid: Int64, bytes: Int, error: String)
  case queueIsHuge(part: String, bytes: Int)
  case queueIsUnreadable(part: String, reason: String)
  /// - Parameter columns: those that were added, removed or changed; empty if only the text of the statement did.
  case schemaChanged(table: String, columns: [String])
  case tableIsMissing(table: String)
  case everythingIsGone(tables: Int)

  /// The id of a row of the queue begins with this.
  static let undecodableKey = "pending-undecodable"
}

extension Finding {
  init(_ trouble: StoreTrouble) {
    let (table, record) = trouble.place
    self.init(
      id: trouble.id, table: table, record: record, title: trouble.title, what: trouble.what,
      evidence: trouble.evidence, cause: trouble.cause, remedy: trouble.remedy,
      canBeMended: trouble.canBeMended)
  }
}

extension StoreTrouble {
  fileprivate var id: String {
    switch self {
    case .undecodable(let rowid, _, _): "\(StoreTrouble.undecodableKey):\(rowid)"
    case .queueIsHuge(let part, _): "queue-huge:\(part)"
    case .queueIsUnreadable(let part, _): "queue-unreadable:\(part)"
    case .schemaChanged(let table, _): "schema-changed:\(table)"
    case .tableIsMissing(let table): "table-missing:\(table)"
    case .everythingIsGone: "everything-gone"
    }
  }

  fileprivate var place: (table: String, record: String) {
    switch self {
    case .undecodable(let rowid, _, _): (Metadatabase.pending, "\(rowid)")
    case .queueIsHuge, .queueIsUnreadable: (Metadatabase.state, "")
    case .schemaChanged(let table, _), .tableIsMissing(let table): (table, "")
    case .everythingIsGone: (Metadatabase.metadata, "")
    }
  }

  fileprivate var title: String {
    switch self {
    case .undecodable(let rowid, _, _): "pending change \(rowid)"
    case .queueIsHuge(let part, _), .queueIsUnreadable(let part, _): part
    case .schemaChanged(let table, _), .tableIsMissing(let table): "table \(table)"
    case .everythingIsGone: "the whole store"
    }
  }

  fileprivate var what: String {
    switch self {
    case .undecodable: "undecodable pending change"
    case .queueIsHuge: "queue is huge"
    case .queueIsUnreadable: "queue unreadable"
    case .schemaChanged: "schema changed"
    case .tableIsMissing: "table is missing"
    case .everythingIsGone: "everything is gone"
    }
  }

  fileprivate var evidence: Evidence {
    switch self {
    case .undecodable(let rowid, let bytes, let error):
      "Row \(told: "\(rowid)") of the queue has \(bytes) bytes that are no pending change: \(told: error)."
    case .queueIsHuge(_, let bytes): "The engine's state has \(bytes) bytes."
    case .queueIsUnreadable(_, let reason): "The engine's state is there, but \(told: reason)."
    case .schemaChanged(_, let columns):
      "The CREATE statement is not the one in recordTypes; \(told: columns.isEmpty ? "the columns are" : columns.listed + " changed")."
    case .tableIsMissing: "recordTypes has the table; the app database does not."
    case .everythingIsGone(let tables):
      "\(tables) \(told: tables == 1 ? "table syncs" : "tables sync"); not one of them has a row, and the metadata has none."
    }
  }

  fileprivate var cause: String {
    switch self {
    case .undecodable: "Another program wrote it, or the file was damaged."
    case .queueIsHuge: "So many changes wait that the engine writes all of them again at each change."
    case .queueIsUnreadable: "A newer system wrote it in another form, or the file was damaged."
    case .schemaChanged:
      "The app was updated and has not started since, or the table was changed outside of it."
    case .tableIsMissing:
      "The table was dropped or renamed, this is another app's database, or it was copied without its -wal."
    case .everythingIsGone:
      "The person signed out of iCloud or changed the account, the zone was deleted on the server, or the app is new."
    }
  }

  fileprivate var remedy: String {
    switch self {
    case .undecodable:
      "Delete this row while the app is closed: it stops the app's sync from starting properly at every launch."
    case .queueIsHuge:
      "Keep the app in front until the queue is empty; clearing stateSerialization makes it fetch everything anew."
    case .queueIsUnreadable:
      "Nothing has to be done for the app; but what is told here as not queued may be queued in there after all."
    case .schemaChanged:
      "Back up both files: at its next start the app sets the columns that changed to the ancestors' values. "
        + "Never edit recordTypes."
    case .tableIsMissing:
      "Open the database that belongs to this metadatabase, copied with its -wal. Never edit recordTypes."
    case .everythingIsGone:
      "Sign in to the same account and wait for the fetch, or restore a backup of both files."
    }
  }

  fileprivate var canBeMended: String? {
    if case .undecodable = self { "The row is deleted from the queue." } else { nil }
  }
}
