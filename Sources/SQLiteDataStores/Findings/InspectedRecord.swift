import GRDB
import Journals
import KeyedArchives
import Merging
import SQLiteFiles
import StoreInterface

/// A record's metadata, row and place in the queues, laid side by side.
struct InspectedRecord {
  struct Queued: Sendable {
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
      if metadata.isDeleted { return [.deleteWaiting(isPending: isDeletionQueued)] }
      // That a table is missing which syncs here is told once, of the store.
      return shape == nil && isSynced ? [] : [.unknownTable(exists: shape != nil)]
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
    if change.zone != metadata.zone { return .queuedInOtherZone }
    return isStalled(queued) ? .uploadStalled(part: queued.part) : .waitingForUpload(part: queued.part)
  }

  /// What the engine took over goes out within minutes. What is in the table waits for the app, however long that is not opened.
  private func isStalled(_ queued: Queued) -> Bool {
    let age = now.subtractingReportingOverflow(metadata.modificationTime)
    return queued.isInEngine && (age.overflow || age.partialValue > InspectedRecord.stallTime)
  }

  /// Whether nothing is wrong: the change is queued, and goes out with the app's next chance.
  func isOnItsWay(_ stuck: StuckRecord) -> Bool {
    if case .waitingForUpload = stuck { return true }
    guard case .deleteWaiting(isPending: true) = stuck, let queued else { return false }
    return !isStalled(queued)
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
    !metadata.hasSystemFields || ancestor?.isUnconfirmed == true
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
      known[name].map { !(row[name] ?? .null).isRecorded(as: $0.value) } ?? false
    }.sorted()
  }

  private func unsent(_ fields: [String], _ row: RowImage, _ shape: TableShape) throws -> [StuckRecord] {
    let blobs = fields.filter { row[$0] == .null && known[$0]?.value.isBlob == true }
    let parents = try fields.filter { try isLetGo($0, shape) }
    let lost: [StuckRecord] =
      (blobs.isEmpty ? [] : [.blobLost(fields: blobs)])
      + (parents.isEmpty ? [] : [.parentLost(fields: parents)])
    let others = fields.filter { !blobs.contains($0) && !parents.contains($0) }
    if others.isEmpty { return lost }
    return lost + [lost.isEmpty ? held(others) : .besideLoss(held(others))]
  }

  /// Fields in which the app put its own value into the record that came from the server. The row has that value, too, so
  /// nothing seems to differ here; the server and the other devices have another one.
  private func refused(but differing: [String]) -> [StuckRecord] {
    let fields = (ancestor?.refusedFields ?? []).subtracting(differing).sorted()
    return fields.isEmpty ? [] : [.refusedFromServer(fields: fields)]
  }

  private func isLetGo(_ field: String, _ shape: TableShape) throws -> Bool {
    guard let key = shape.foreignKeys(of: field).first, key.onDelete.hasPrefix("SET "),
      case .text(let parent)? = known[field]?.value
    else { return false }
    return try !hasRow(RecordName(primaryKey: parent, table: key.table))
  }

  /// The row as it is written: without generated columns.
  var stored: RowImage? {
    guard let row, let shape else { return nil }
    return shape.withoutGenerated(row)
  }

  /// A time at which the engine sends every field that differs, and other devices take it. Later than needed would let
  /// later edits of right clocks lose.
  var timeToSend: Int64 {
    guard let row, let shape else { return metadata.modificationTime }
    let newest = differingFields(row, shape).compactMap { known[$0]?.time }.max() ?? .min
    return WriteTime.time(of: stored, now: metadata.modificationTime, after: [newest])
  }

  /// What the row has and what the server has, of the first fields: nobody should send one over the other unseen.
  func values(of fields: [String]) -> Evidence {
    fields.prefix(3).reduce("") { all, field in
      let (here, there) = (row?[field] ?? .null, known[field]?.value ?? .null)
      return all
        + " Of \(told: field) the row has \(hidden: here.inALine), the server \(hidden: there.inALine)."
    }
  }

  /// The same for the eye, and of all fields: what the server last had, as far as is known here, and what the row has.
  func differences(of stuck: StuckRecord) -> [LastWrite.FieldChange] {
    let columns = shape?.stored.filter { $0.keyPosition == 0 }.map(\.name) ?? known.keys.sorted()
    switch stuck.differing {
    case nil: return []
    case .fields(let fields): return columns.filter(fields.contains).map(difference)
    case .all:
      guard let row, let shape else { return [] }
      return columns.filter(differingFields(row, shape).contains).map(difference)
    case .ended:
      let ended = columns.map { LastWrite.FieldChange(name: $0, before: known[$0]?.value.told, after: nil) }
      return ended.filter { $0.before != nil && $0.before != .null }
    }
  }

  private func difference(_ field: String) -> LastWrite.FieldChange {
    LastWrite.FieldChange(
      name: field, before: known[field]?.value.told, after: (row?[field] ?? .null).told)
  }

  /// Why the fields were not sent, as far as their times tell.
  private func held(_ fields: [String]) -> StuckRecord {
    let times = fields.compactMap { known[$0]?.time }
    let newest = times.max() ?? .min
    if newest > metadata.modificationTime { return .clockBehind(fields: fields, isAhead: newest > now) }
    if newest == metadata.modificationTime { return .sameTime(fields: fields) }
    return isSetSinceMade(newest) ? .keptAgainstServer(fields: fields) : .editNeverSent(fields: fields)
  }

  /// Whether a field that has this time was set after the record was made, as making it sets all fields. That another field was set later
  /// tells nothing: both may have come in at once.
  private func isSetSinceMade(_ time: Int64) -> Bool {
    known.values.contains { field in field.time.map { $0 < time } ?? false }
  }
}

extension RecordName {
  /// The rule of record names that this one breaks, to follow "the key"; nil if it breaks none.
  var brokenRule: String? {
    // Not of `whole`, which would be made for each record of a store.
    let (key, table) = (primaryKey.utf8, table.utf8)
    let count = key.count + (table.isEmpty ? 0 : 1 + table.count)
    if key.first == UInt8(ascii: "_") { return "begins with _" }
    if count > 255 { return "makes a record name of \(count) bytes; 255 are allowed" }
    let isASCII = key.allSatisfy { $0 < 0x80 } && table.allSatisfy { $0 < 0x80 }
    return isASCII ? nil : "has letters that are not ASCII"
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
  /// What a finding holds of it, of which there may be a million: of large bytes how many they are, and their hash.
  fileprivate var told: Value {
    guard case .blob(let blob) = self, let count = blob.bytes?.count, count > 4_096 else { return self }
    return .blob(Blob(leavingOutBytesOf: blob))
  }

  fileprivate var inALine: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): "“\(text.prefix(60))\(text.count > 60 ? "…" : "")”"
    case .blob(let blob): blob.count.map { "\($0) bytes" } ?? "a blob"
    case .opaque: jsonText ?? "what is no text"
    }
  }
}

/// What has to be known beside a record to tell whether it is stuck.
struct Circumstances: Sendable {
  let queues: QueuedChanges
  /// What waits in the inbox about each record.
  let inbox: Inbox.Names
  /// Records that were not taken in.
  let unsynced: Set<String>
  /// Records of which a draft waits for the app, which would apply it over what was mended.
  let waiting: RecordNames
  /// Nanoseconds since 1970.
  let now: Int64

  init(in db: Database, journal: Journal, now: Int64) throws {
    queues = try QueuedChanges(in: db)
    inbox = try Inbox(db: db, journal: journal).names()
    let sql = "SELECT recordName FROM \(Metadatabase.sqlName(Metadatabase.unsynced))"
    unsynced = Set(try db.rows(sql) { $0.text(0) })
    waiting = try OutboxRow.waitingRecords(in: db)
    self.now = now
  }

  static let waits =
    "draft of it waits for the app, which would change it again: open the app, or take that write back"

  /// While a draft of its record waits nothing mends it, and only what ends that is a way.
  func told(_ finding: Finding) -> Finding {
    guard finding.canBeMended != nil || finding.takesServer != nil, waiting.contains(finding.subject) else {
      return finding
    }
    var told = finding
    (told.canBeMended, told.takesServer, told.takesSide) = (nil, nil, false)
    told.remedy = "A \(Circumstances.waits)."
    return told
  }
}

/// Inspects records inside of one read or write.
struct RecordInspector {
  let db: Database
  let store: SQLiteDataStore
  let surroundings: Circumstances
  private let records: RecordReader
  private let inboxSelection: String
  private var tables: TableShapes { records.tables }

  init(db: Database, store: SQLiteDataStore, surroundings: Circumstances) throws {
    (self.db, self.store, self.surroundings) = (db, store, surroundings)
    records = try store.records(in: db)
    inboxSelection = try InboxRow.select(in: db)
  }

  func findings(_ name: RecordName, _ metadata: MetadataRow) throws -> [Finding] {
    let (isPlain, ancestor) = try plainly(name, metadata)
    if isPlain { return [] }
    let record = try inspect(name, metadata, ancestor)
    let stuck = try record.stuck()
    if stuck.isEmpty { return [] }
    let title = title(record)
    return try stuck.map { stuck in
      let related = stuck == .vanishedWithParent ? metadata.parent.map { [$0] } ?? [] : []
      return surroundings.told(
        Finding(
          stuck, name, title: title, time: metadata.modificationTime, isWaiting: record.isOnItsWay(stuck),
          related: related, values: record.values(of: stuck.fieldsGivenUp),
          differences: try record.differences(of: stuck).map { try titled($0, record.shape) },
          decidesConflict: try stuck.mending?.isAboutDeletion == true && record.isListed()))
    }
  }

  /// As a review tells it: a key by what it points to.
  private func titled(_ field: LastWrite.FieldChange, _ shape: TableShape?) throws -> LastWrite.FieldChange {
    guard let shape, !shape.foreignKeys(of: field.name).isEmpty else { return field }
    var field = field
    field.titles = try ReferenceTitles(db: db, tables: tables).titles(
      of: [field.before, field.after], column: field.name, of: shape.name)
    return field
  }

  /// Whether a look at row and ancestor tells already that nothing is wrong. Nearly all records are so, and of none of them anything
  /// is to be put together for ``InspectedRecord``, which says what is wrong with all others.
  ///
  /// - Returns: also the ancestor, if it was read for that.
  private func plainly(
    _ name: RecordName, _ metadata: MetadataRow
  ) throws -> (isSynced: Bool, ancestor: ArchivedRecord?) {
    guard !metadata.isDeleted, metadata.hasSystemFields, let archive = metadata.allFields,
      name.brokenRule == nil, surroundings.queues.change(of: name.whole, in: metadata.zone) == nil,
      try tables.isSynced(name.table, in: db), let shape = try tables.shape(of: name.table, in: db),
      let ancestor = try? ArchivedRecord(decoding: archive)
    else { return (false, nil) }
    let isSynced = try shape.withRow(of: name, in: db) { row in
      AgreedRow(ancestor: ancestor, shape: shape).isSeen(in: row)
    }
    return (isSynced ?? false, ancestor)
  }

  /// - Parameter ancestor: what the metadata have, if it was read already.
  func inspect(
    _ name: RecordName, _ metadata: MetadataRow, _ ancestor: ArchivedRecord? = nil
  ) throws -> InspectedRecord {
    let shape = try tables.shape(of: name.table, in: db)
    let seen = SeenRecord(
      name: name, metadata: metadata, row: try shape?.row(of: name, in: db),
      ancestor: ancestor.map { ArchivedVersion($0, shape: shape) }
        ?? ArchivedVersion(metadata.allFields, shape: shape))
    return InspectedRecord(
      name: name, metadata: metadata, shape: shape, isSynced: try tables.isSynced(name.table, in: db),
      row: seen.row, ancestor: seen.ancestor,
      queued: surroundings.queues.change(of: name.whole, in: metadata.zone),
      isUnsynced: surroundings.unsynced.contains(name.whole), now: surroundings.now,
      isListed: { try isListed(seen) }, hasRow: hasRow)
  }

  /// Whether the record is a conflict. Not all that waits in the inbox is one: it may be applied, or differ in nothing.
  private func isListed(_ record: SeenRecord) throws -> Bool {
    let rows = try Inbox(db: db, journal: store.log).rows(
      of: record.name.whole, surroundings.inbox, inboxSelection)
    var records = records
    records.seen = record
    return try OpenRows.first(of: rows, records) != nil
  }

  private func hasRow(_ name: RecordName) throws -> Bool {
    try tables.shape(of: name.table, in: db)?.row(of: name, in: db) != nil
  }

  private func title(_ record: InspectedRecord) -> String {
    let shape = record.shape
    if let shape, let row = record.row, let title = RecordTitle.title(of: row, shape: shape) { return title }
    let version = record.ancestor?.version
    let versions = version.map { ThreeWay(ancestor: nil, client: $0, server: $0) }
    return versions.flatMap { RecordTitle.title(of: $0, shape: shape) } ?? record.name.primaryKey
  }
}

/// Records that are told by the queues and lists alone.
extension RecordInspector {
  func unsynced() throws -> [Finding] {
    try surroundings.unsynced.sorted().map { recordName in
      let name = RecordName(whole: recordName)
      let metadata = try MetadataRow.of(name, in: db)
      let (stuck, children) = try unsynced(name, metadata)
      let related = children + (try parent(of: name, metadata).map { [$0] } ?? [])
      return surroundings.told(
        Finding(stuck, name, title: name.primaryKey, time: metadata?.modificationTime, related: related))
    }
  }

  func unsynced(_ name: RecordName, _ metadata: MetadataRow?) throws -> (StuckRecord, children: [RecordName])
  {
    if try hasRow(name) { return (.unsyncedThoughHere, []) }
    // What came from the server has metadata; what was deleted here has none any more.
    let children = try metadata == nil || metadata?.isDeleted == true ? children(of: name) : []
    if !children.isEmpty { return (.deletionRefused(children: children.count), children) }
    let parent = try parent(of: name, metadata)
    return (.unsynced(parent: try parent.map { WantedParent(name: $0, title: try titleOfRow($0)) }), [])
  }

  /// Of a record that was never taken in only what came in about it can tell.
  private func parent(of name: RecordName, _ metadata: MetadataRow?) throws -> RecordName? {
    if let metadata { return metadata.parent }
    let rows = try Inbox(db: db, journal: store.log).rows(of: name.whole, surroundings.inbox, inboxSelection)
    return rows.first?.serverRecord.flatMap { try? ArchivedRecord(decoding: $0) }?.parentRecordName
      .map(RecordName.init(whole:))
  }

  /// nil where it has none.
  private func titleOfRow(_ name: RecordName) throws -> String? {
    guard let shape = try tables.shape(of: name.table, in: db), let row = try shape.row(of: name, in: db)
    else { return nil }
    return RecordTitle.title(of: row, shape: shape) ?? name.primaryKey
  }

  private func children(of name: RecordName) throws -> [RecordName] {
    let sql = """
      SELECT recordPrimaryKey, recordType FROM \(Metadatabase.sqlName(Metadatabase.metadata))
      WHERE parentRecordName = ? LIMIT 100
      """
    return try db.rows(sql, [.text(name.whole)]) { RecordName(primaryKey: $0.text(0), table: $0.text(1)) }
  }

  /// Saves in the table for which the engine will find no metadata. Of its own queue it knows better itself.
  func queuedForNothing() throws -> [Finding] {
    var seen: Set<String> = []
    return try surroundings.queues.table.entries.compactMap { entry in
      guard let change = entry.change, change.kind == .save, seen.insert(change.recordName).inserted else {
        return nil
      }
      let name = RecordName(whole: change.recordName)
      if try MetadataRow.of(name, in: db) != nil { return nil }
      return surroundings.told(Finding(.queuedForNothing, name, title: name.primaryKey, time: nil))
    }
  }
}
