import GRDB
import Journals
import Merging
import SQLiteFiles
import StoreInterface

/// Tells what a server record that comes in is, beside what is known of that record already.
struct ImportJudge {
  enum Verdict {
    /// The row that the inbox takes in.
    case new(InboxRow, hasTimeAhead: Bool)
    case unchanged, older
    case unknownTable
    case refused(String)
  }

  let db: Database
  let records: RecordReader
  let journal: Journal
  /// The newest row of the app's inbox for each record.
  let inbox: ByRecord<Int64>
  let now: Int64

  /// - Parameter taken: what the same import has taken for this record already.
  func verdict(on incoming: IncomingRecord, taken: InboxRow?) throws -> Verdict {
    let record = incoming.record
    guard let name = RecordName(record.recordName), name.table == record.recordType,
      let shape = try records.tables.shape(of: name.table, in: db), shape.singleKey != nil,
      try records.tables.isSynced(name.table, in: db)
    else { return .unknownTable }
    let metadata = try MetadataRow.of(name, in: db)
    if let reason = otherPlace(incoming, metadata) { return .refused(reason) }
    let ancestor = ArchivedVersion(metadata?.allFields, shape: shape)
    let version = incoming.version(shape).recognizing(assetsOf: ancestor)
    if !incoming.isDeleted, !version.version.isPresent { return .refused(ArchivedVersion.noFields) }
    let row = InboxRow(incoming, metadata, receivedAt: now)
    let toAncestor = ancestor.map { KnownVersion($0).standing(of: incoming, version) } ?? .other
    let waiting = try taken ?? waiting(record.recordName)
    let toWaiting = try waiting.map { try standing(of: incoming, version, to: $0, shape) } ?? .other
    return switch (toAncestor, toWaiting) {
    case (.sameTag, _), (_, .sameTag), (_, .sameValues): .unchanged
    case (.older, _), (_, .older): .older
    // The server went on from what waits, be it back to the ancestor: what waits must not stand.
    case (_, .newer) where try waiting.map(isOpen) ?? false: .new(row, hasTimeAhead: isAhead(version))
    case (.sameValues, _): .unchanged
    case (.newer, _), (.other, _):
      try records.state(of: row, server: incoming.isDeleted ? nil : version).isConflict
        ? .new(row, hasTimeAhead: isAhead(version)) : .unchanged
    }
  }

  /// What waits for this record, or was settled last: what was decided once is not asked for again.
  private func waiting(_ recordName: String) throws -> InboxRow? {
    let kept = try inbox[recordName].flatMap { try InboxRow.row(id: $0, InboxRow.select(in: db), in: db) }
    return InboxRow.newer(kept, try journal.lastImport(of: recordName))
  }

  /// Of what was settled, the same values saved once more are another edit.
  private func standing(
    of incoming: IncomingRecord, _ version: ArchivedVersion, to waiting: InboxRow, _ shape: TableShape
  ) throws -> KnownVersion.Standing {
    let known = KnownVersion(waiting, shape)
    let standing = known.standing(of: incoming, version)
    return try standing == .sameValues && known.isBefore(incoming) && !isOpen(waiting) ? .other : standing
  }

  private func isAhead(_ version: ArchivedVersion) -> Bool {
    version.version.isAhead(of: records.rules.latestTime)
  }

  private func isOpen(_ row: InboxRow) throws -> Bool {
    row.place == .app || row.id == 0 ? true : try !journal.isSettled(row.id)
  }

  private func otherPlace(_ incoming: IncomingRecord, _ metadata: MetadataRow?) -> String? {
    switch metadata?.otherPlace(of: incoming.record) {
    case .zone(let zone, let here)?: "it lies in the zone \(zone), the record here in \(here)"
    case .owner(let owner, let here)?:
      "it is the archive of another account: its zone belongs to \(owner), here to \(here)"
    case nil: nil
    }
  }
}

/// A version that is here already, to compare with.
private struct KnownVersion {
  enum Standing {
    case sameTag, sameValues
    /// By the server's clock.
    case older, newer
    /// Another one, and nobody can tell which is newer.
    case other
  }

  private let tag: String?
  private let modifiedAt: Int64?
  /// nil if it is deleted or cannot be read.
  private let fields: RecordVersion.Fields?
  private let isDeleted: Bool
  private let hasArchive: Bool

  init(_ ancestor: ArchivedVersion) {
    // In which the app put back values of its own is no longer what the server tagged.
    tag = ancestor.refusedFields.isEmpty ? ancestor.stamp.tag : nil
    modifiedAt = ancestor.stamp.time
    fields = ancestor.version.fields
    isDeleted = false
    hasArchive = true
  }

  init(_ row: InboxRow, _ shape: TableShape) {
    let version =
      ArchivedVersion(row.serverRecord, shape: shape) ?? ArchivedVersion(json: row.serverJSON, shape: shape)
    tag = version?.stamp.tag
    // When a record was deleted nobody tells: it was before the deletion came in.
    modifiedAt = row.isDeleted ? version?.stamp.time ?? row.receivedAt : version?.stamp.time
    fields = row.isDeleted ? nil : version?.version.fields
    isDeleted = row.isDeleted
    hasArchive = row.serverRecord != nil
  }

  func standing(of incoming: IncomingRecord, _ version: ArchivedVersion) -> Standing {
    if let same = sameness(incoming, version) { return same }
    guard let time = incoming.record.modifiedAt, let modifiedAt, time != modifiedAt else { return .other }
    return time < modifiedAt ? .older : .newer
  }

  /// By the server's clock.
  func isBefore(_ incoming: IncomingRecord) -> Bool {
    guard let time = incoming.record.modifiedAt, let modifiedAt else { return false }
    return modifiedAt < time
  }

  private func sameness(_ incoming: IncomingRecord, _ version: ArchivedVersion) -> Standing? {
    if isDeleted || incoming.isDeleted { return isDeleted && incoming.isDeleted ? .sameValues : nil }
    // An archive says more than the JSON that is here, and any fields more than those that cannot be read.
    guard let fields, hasArchive || incoming.archive == nil else { return nil }
    if let tag, tag == incoming.record.changeTag { return .sameTag }
    let isSame = version.version.fields?.allSatisfy { fields[$0.key]?.value == $0.value.value } ?? false
    return isSame ? .sameValues : nil
  }
}

extension InboxRow {
  /// - Parameter receivedAt: in nanoseconds since 1970.
  convenience init(_ incoming: IncomingRecord, _ metadata: MetadataRow?, receivedAt: Int64) {
    let record = incoming.record
    self.init(
      id: 0, recordName: record.recordName,
      zoneName: metadata?.zoneName ?? (record.zoneName.isEmpty ? Metadatabase.defaultZone : record.zoneName),
      ownerName: metadata?.ownerName
        ?? (incoming.archive == nil ? Metadatabase.defaultOwner : record.ownerName),
      receivedAt: receivedAt, path: "import", isDeleted: incoming.isDeleted,
      serverRecord: incoming.isDeleted ? nil : incoming.archive, serverJSON: incoming.json,
      recordType: record.recordType)
  }
}
