import KeyedArchives
import Merging
import SQLiteFiles
import StoreInterface

/// A record's metadata, row and place in the queues, laid side by side.
struct InspectedRecord {
  struct Queued {
    let change: PendingZoneChange
    /// Where it waits.
    let part: String
    /// In the engine's own queue, which is sent while the app runs; else in the table for the next launch.
    let isInEngine: Bool
  }

  let name: RecordName
  let metadata: MetadataRow
  /// nil if the app database has no such table.
  let shape: TableShape?
  /// Whether the table is in recordTypes.
  let isSynced: Bool
  /// With generated columns; nil if there is none.
  let row: RowImage?
  let ancestor: ArchivedVersion?
  let queued: Queued?
  let isUnsynced: Bool
  /// Nanoseconds since 1970.
  let now: Int64
  /// Whether the record is in the list of conflicts: what differs there is told there.
  let isListed: () throws -> Bool
  /// Whether this record has a row here.
  let hasRow: (RecordName) throws -> Bool

  static let stallTime: Int64 = 600_000_000_000

  /// Empty if nothing is wrong with it.
  func stuck() throws -> [StuckRecord] {
    guard let shape, isSynced else {
      return metadata.isDeleted
        ? [.deleteWaiting(isPending: isDeletionQueued)] : [.unknownTable(exists: shape != nil)]
    }
    guard let row else { return try withoutRow(shape) }
    if isDeletionQueued || metadata.isDeleted { return [.deletionOverRow(isPending: isDeletionQueued)] }
    if let queued { return [waiting(queued)] }
    return try unlessListed(unqueued(row, shape))
  }

  private func unlessListed(_ stuck: [StuckRecord]) throws -> [StuckRecord] {
    // Only asked of what is stuck, as it reads the record's archives.
    try stuck.isEmpty || !isListed() ? stuck : []
  }

  private var isDeletionQueued: Bool { queued?.change.kind == .delete }

  private func waiting(_ queued: Queued) -> StuckRecord {
    let change = queued.change
    if change.zoneName != metadata.zoneName || change.ownerName != metadata.ownerName {
      return .queuedInOtherZone
    }
    let isOld = now.subtractingReportingOverflow(metadata.modificationTime)
    return queued.isInEngine && (isOld.overflow || isOld.partialValue > InspectedRecord.stallTime)
      ? .uploadStalled(part: queued.part) : .waitingForUpload(part: queued.part)
  }

  private func withoutRow(_ shape: TableShape) throws -> [StuckRecord] {
    if metadata.isDeleted { return [.deleteWaiting(isPending: isDeletionQueued)] }
    if isUnsynced { return [] }
    if let parent = metadata.parent, shape.parent?.onDelete == "CASCADE", try !hasRow(parent) {
      return try unlessListed([.vanishedWithParent])
    }
    return try unlessListed([.noRow(lacking: lacking(shape))])
  }

  /// Fields without which the row cannot be stored.
  private func lacking(_ shape: TableShape) -> [String] {
    guard let known = ancestor?.version.fields else { return [] }
    return shape.stored.filter { column in
      guard column.isRequired, column.keyPosition == 0 else { return false }
      return known[column.name].map { $0.value == .null } ?? false
    }.map(\.name)
  }

  private func unqueued(_ row: RowImage, _ shape: TableShape) throws -> [StuckRecord] {
    if let rule = name.brokenRule { return [.invalidName(rule)] }
    let differing = wasNeverUploaded ? [] : differingFields(row, shape)
    if wasNeverUploaded || !differing.isEmpty, row.sizeWithoutBlobs > InspectedRecord.sizeLimit {
      return [.tooLarge(bytes: row.sizeWithoutBlobs)]
    }
    if wasNeverUploaded { return [.neverUploaded] }
    if let problem = ancestorProblem { return [problem] }
    return try unsent(differing, row, shape) + refused(but: differing)
  }

  /// The app keeps a record as ancestor from its first sending on, whether or not the server took it.
  private var wasNeverUploaded: Bool {
    metadata.systemFields == nil || ancestor?.record?.isConfirmed == false
  }

  /// CloudKit takes no record of more, files aside.
  static let sizeLimit = 1_000_000

  private var ancestorProblem: StuckRecord? {
    switch ancestor?.version {
    case nil, .unknown(ArchivedVersion.noFields)?: .ancestorWithoutFields
    case .unknown(let reason)?: .ancestorUnreadable(reason)
    case .present?, .deleted?, .absent?: nil
    }
  }
}

/// Fields in which the row differs from the ancestor. They are compared by value, as the time in the metadata moves with every
/// record that is fetched.
extension InspectedRecord {
  private var known: RecordVersion.Fields { ancestor?.version.fields ?? [:] }

  private func differingFields(_ row: RowImage, _ shape: TableShape) -> [String] {
    shape.stored.map(\.name).filter { name in
      known[name].map { $0.value != row[name] ?? .null } ?? false
    }.sorted()
  }

  private func unsent(_ fields: [String], _ row: RowImage, _ shape: TableShape) throws -> [StuckRecord] {
    let blobs = fields.filter { row[$0] == .null && known[$0]?.value.isBlob == true }
    let parents = try fields.filter { try isLetGo($0, row, shape) }
    // To send the row would send the loss as well.
    let lost: [StuckRecord] =
      (blobs.isEmpty ? [] : [.blobLost(fields: blobs)])
      + (parents.isEmpty ? [] : [.parentLost(fields: parents)])
    return lost.isEmpty && !fields.isEmpty ? [held(fields)] : lost
  }

  /// Fields in which the app put its own value into the record that came from the server. The row has that value, too, so
  /// nothing seems to differ here; the server and the other devices have another one.
  private func refused(but differing: [String]) -> [StuckRecord] {
    let fields = (ancestor?.refusedFields ?? []).subtracting(differing).sorted()
    return fields.isEmpty ? [] : [.refusedFromServer(fields: fields)]
  }

  private func isLetGo(_ field: String, _ row: RowImage, _ shape: TableShape) throws -> Bool {
    guard let key = shape.foreignKeys(of: field).first, key.onDelete.hasPrefix("SET "),
      case .text(let parent)? = known[field]?.value
    else { return false }
    return try !hasRow(RecordName(primaryKey: parent, table: key.table))
  }

  /// A time at which the engine sends every field that differs, and other devices take it. Later than needed would let
  /// later edits of right clocks lose.
  var timeToSend: Int64 {
    guard let row, let shape else { return metadata.modificationTime }
    let newest = differingFields(row, shape).compactMap { known[$0]?.time }.max() ?? .min
    return max(metadata.modificationTime, newest == .max ? .max : newest + 1)
  }

  /// Why the fields were not sent, as far as their times tell.
  private func held(_ fields: [String]) -> StuckRecord {
    let times = fields.compactMap { known[$0]?.time }
    let newest = times.max() ?? .min
    if newest > metadata.modificationTime { return .clockBehind(fields: fields, isAhead: newest > now) }
    if newest == metadata.modificationTime { return .sameTime(fields: fields) }
    let others = known.filter { !fields.contains($0.key) }.compactMap(\.value.time)
    return newest > .min && !others.isEmpty && others.allSatisfy { $0 < newest }
      ? .keptAgainstServer(fields: fields) : .editNeverSent(fields: fields)
  }
}

extension RecordName {
  /// The rule of record names that this one breaks, to follow "the key"; nil if it breaks none.
  var brokenRule: String? {
    let name = whole.utf8
    if name.first == UInt8(ascii: "_") { return "begins with _" }
    if name.count > 255 { return "makes a record name of \(name.count) bytes; 255 are allowed" }
    return name.allSatisfy { $0 < 0x80 } ? nil : "has letters that are not ASCII"
  }
}

extension RowImage {
  fileprivate var sizeWithoutBlobs: Int {
    values.reduce(0) { size, value in
      switch value {
      case .text(let text): size + text.utf8.count
      case .opaque(_, let bytes): size + bytes.count
      case .integer, .real: size + 8
      case .blob, .null: size
      }
    }
  }
}

extension Value {
  fileprivate var isBlob: Bool { if case .blob = self { true } else { false } }
}
