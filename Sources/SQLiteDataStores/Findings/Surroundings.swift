import GRDB
import Journals
import Merging
import SQLiteFiles
import StoreInterface

/// What has to be known beside a record to tell whether it is stuck.
struct Surroundings: Sendable {
  let queue: PendingQueue
  let engineQueue: EngineQueue
  /// What waits in the inbox about each record.
  let inbox: Inbox.Names
  /// Records that were not taken in.
  let unsynced: Set<String>
  /// Nanoseconds since 1970.
  let now: Int64

  init(in db: Database, journal: Journal, now: Int64) throws {
    queue = try PendingQueue(in: db)
    engineQueue = try EngineQueue(in: db)
    inbox = try Inbox(db: db, journal: journal).names()
    var unsynced: Set<String> = []
    try db.forEachRow("SELECT recordName FROM \(Metadatabase.sqlName(Metadatabase.unsynced))") {
      unsynced.insert($0.text(0))
    }
    self.unsynced = unsynced
    self.now = now
  }

  /// What the table says counts: the engine takes it over after its own.
  func queued(_ recordName: String) -> InspectedRecord.Queued? {
    if let change = queue.change(of: recordName) {
      return InspectedRecord.Queued(change: change, part: PendingQueue.name, isInEngine: false)
    }
    return engineQueue.entry(of: recordName).map {
      InspectedRecord.Queued(change: $0.change, part: $0.scope, isInEngine: true)
    }
  }
}

/// Inspects records inside of one read or write.
struct RecordInspector {
  let db: Database
  let store: SQLiteDataStore
  let surroundings: Surroundings

  private var tables: TableShapes { store.tables }

  func findings(_ name: RecordName, _ metadata: MetadataRow) throws -> [Finding] {
    let record = try inspect(name, metadata)
    let stuck = try record.stuck()
    if stuck.isEmpty { return [] }
    let title = title(record)
    return stuck.map { stuck in
      let related = stuck == .vanishedWithParent ? metadata.parent.map { [$0] } ?? [] : []
      return Finding(stuck, name, title: title, time: metadata.modificationTime, related: related)
    }
  }

  func inspect(_ name: RecordName, _ metadata: MetadataRow) throws -> InspectedRecord {
    let shape = try tables.shape(of: name.table, in: db)
    return InspectedRecord(
      name: name, metadata: metadata, shape: shape, isSynced: try tables.isSynced(name.table, in: db),
      row: try shape?.row(of: name, in: db), ancestor: ArchivedVersion(metadata.allFields, shape: shape),
      queued: surroundings.queued(name.whole), isUnsynced: surroundings.unsynced.contains(name.whole),
      now: surroundings.now, isListed: { try isListed(name) }, hasRow: hasRow)
  }

  /// Whether the record is a conflict. Not all that waits in the inbox is one: it may be applied, or differ in nothing.
  private func isListed(_ name: RecordName) throws -> Bool {
    let rows = try Inbox(db: db, journal: store.log).rows(of: name.whole, surroundings.inbox)
    return try OpenRows.first(of: rows, store.records(in: db)) != nil
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
      let name = RecordName(recordName) ?? RecordName(primaryKey: recordName, table: "")
      let metadata = try MetadataRow.of(name, in: db)
      let (stuck, children) = try unsynced(name, metadata)
      let related = children + (metadata?.parent.map { [$0] } ?? [])
      return Finding(stuck, name, title: name.primaryKey, time: metadata?.modificationTime, related: related)
    }
  }

  func unsynced(_ name: RecordName, _ metadata: MetadataRow?) throws -> (StuckRecord, children: [RecordName])
  {
    if try hasRow(name) { return (.unsyncedThoughHere, []) }
    // What came from the server has metadata; what was deleted here has none any more.
    guard metadata == nil || metadata?.isDeleted == true else { return (.unsynced, []) }
    let children = try children(of: name)
    return children.isEmpty ? (.unsynced, []) : (.deletionRefused(children: children.count), children)
  }

  private func children(of name: RecordName) throws -> [RecordName] {
    var children: [RecordName] = []
    let sql = """
      SELECT recordPrimaryKey, recordType FROM \(Metadatabase.sqlName(Metadatabase.metadata))
      WHERE parentRecordName = ? LIMIT 100
      """
    try db.forEachRow(sql, [.text(name.whole)]) {
      children.append(RecordName(primaryKey: $0.text(0), table: $0.text(1)))
    }
    return children
  }

  /// Saves in the table for which the engine will find no metadata. Of its own queue it knows better itself.
  func queuedForNothing() throws -> [Finding] {
    var seen: Set<String> = []
    return try surroundings.queue.entries.compactMap { entry in
      guard let change = entry.change, change.kind == .save, seen.insert(change.recordName).inserted else {
        return nil
      }
      let name = RecordName(change.recordName) ?? RecordName(primaryKey: change.recordName, table: "")
      if try MetadataRow.of(name, in: db) != nil { return nil }
      return Finding(.queuedForNothing, name, title: name.primaryKey, time: nil)
    }
  }
}
