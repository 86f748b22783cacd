import Merging

/// A way in which a record is stuck. The causes were read in sqlite-data f6bd67aa, CloudKit/SyncEngine.swift.
enum StuckRecord: Sendable, Equatable {
  case neverUploaded
  case editNeverSent(fields: [String])
  case waitingForUpload
  case deleteWaiting(isPending: Bool)
  case unsynced
  case ancestorUnreadable(String)
  case ancestorWithoutFields
  case unknownTable
  case noRow

  /// Part of a finding's identity, so never changed.
  var key: String {
    switch self {
    case .neverUploaded: "never-uploaded"
    case .editNeverSent: "edit-never-sent"
    case .waitingForUpload: "waiting-for-upload"
    case .deleteWaiting: "delete-waiting"
    case .unsynced: "unsynced"
    case .ancestorUnreadable: "ancestor-unreadable"
    case .ancestorWithoutFields: "ancestor-without-fields"
    case .unknownTable: "unknown-table"
    case .noRow: "no-row"
    }
  }
}

/// A record's metadata and row, laid side by side.
struct InspectedRecord {
  let metadata: MetadataRow
  let isKnownTable: Bool
  /// With generated columns.
  let row: RowImage?
  let ancestor: ArchivedVersion?
  let isPending: Bool
  let isInInbox: Bool

  /// nil if nothing is wrong with it.
  var stuck: StuckRecord? {
    if metadata.isDeleted { return .deleteWaiting(isPending: isPending) }
    if !isKnownTable { return .unknownTable }
    guard let row else { return isInInbox ? nil : .noRow }
    if isPending { return .waitingForUpload }
    if isInInbox { return nil }
    if metadata.systemFields == nil { return .neverUploaded }
    return ancestorProblem ?? unsentEdit(row)
  }

  private var ancestorProblem: StuckRecord? {
    switch ancestor?.version {
    case nil, .unknown(ArchivedVersion.noFields)?: .ancestorWithoutFields
    case .unknown(let reason)?: .ancestorUnreadable(reason)
    case .present?, .deleted?, .absent?: nil
    }
  }

  /// The row is compared by values: the time in the metadata moves with every record that is fetched.
  private func unsentEdit(_ row: RowImage) -> StuckRecord? {
    let known = ancestor?.version.fields ?? [:]
    let fields = row.keys.filter { name in known[name].map { $0.value != row[name] } ?? false }
    return fields.isEmpty ? nil : .editNeverSent(fields: fields.sorted())
  }
}
