import GRDB
import Merging
import Synchronization

/// Walks everything that is stuck: first the queues, then every record by its place in the metadata.
///
/// What a stuck record looks like is told in the facts about sqlite-data f6bd67aa; each kind of it is a ``StuckRecord``.
final class MetadataWalk: FindingWalk {
  private enum Position {
    case start
    case after(rowid: Int64, Surroundings)
    case end
  }

  private let store: SQLiteDataStore
  private let position = Mutex(Position.start)

  init(store: SQLiteDataStore) { self.store = store }

  func next(limit: Int) throws -> [Finding]? {
    try position.withLock { position in
      switch position {
      case .start:
        let (surroundings, findings) = try store.surroundings()
        position = .after(rowid: .min, surroundings)
        return findings
      case .after(let rowid, let surroundings):
        let page = try store.findings(after: rowid, limit: max(1, limit), surroundings)
        position = page.last.map { .after(rowid: $0, surroundings) } ?? .end
        return page.last == nil ? nil : page.findings
      case .end: return nil
      }
    }
  }
}

/// What has to be known beside a record to tell whether it is stuck.
struct Surroundings: Sendable {
  let queue: PendingQueue
  let engineQueue: EngineQueue
  /// Records that wait in the inbox: their edits are not forgotten.
  let inbox: Set<String>

  func isPending(_ recordName: String) -> Bool {
    queue.contains(recordName) || engineQueue.recordNames.contains(recordName)
  }
}

extension SQLiteDataStore {
  fileprivate func surroundings() throws -> (Surroundings, [Finding]) {
    try read { db in
      let queue = try PendingQueue(in: db)
      let engineQueue = try EngineQueue(in: db)
      let inbox = try Inbox(db: db, journal: log).names()
      let surroundings = Surroundings(queue: queue, engineQueue: engineQueue, inbox: inbox)
      let unsynced = try unsyncedFindings(in: db)
      return (surroundings, queue.findings + engineQueue.findings + unsynced)
    }
  }

  /// Records that came before their parent, or whose parent is unknown, and have no row (facts, section 7, 7).
  private func unsyncedFindings(in db: Database) throws -> [Finding] {
    var names: [RecordName] = []
    try db.forEachRow(
      "SELECT recordName FROM \(Metadatabase.sqlName(Metadatabase.unsynced)) ORDER BY recordName"
    ) {
      if let name = RecordName($0.text(0)) { names.append(name) }
    }
    return try names.compactMap { name in
      let row = try tables.shape(of: name.table, in: db)?.row(of: name, in: db)
      return row == nil ? Finding(.unsynced, name, title: name.primaryKey, time: nil) : nil
    }
  }

  fileprivate func findings(
    after rowid: Int64, limit: Int, _ surroundings: Surroundings
  ) throws -> (findings: [Finding], last: Int64?) {
    try read { db in
      let page = try MetadataRow.page(after: rowid, limit: limit, in: db)
      let findings = try page.compactMap { _, name, metadata in
        try finding(name, metadata, surroundings, in: db)
      }
      return (findings, page.last?.rowid)
    }
  }

  private func finding(
    _ name: RecordName, _ metadata: MetadataRow, _ surroundings: Surroundings, in db: Database
  ) throws -> Finding? {
    let shape = try tables.shape(of: name.table, in: db)
    let isSynced = try tables.isSynced(name.table, in: db)
    let row = try shape?.row(of: name, in: db)
    let recordName = "\(name.primaryKey):\(name.table)"
    let ancestor = ArchivedVersion(metadata.allFields, shape: shape)
    let record = InspectedRecord(
      metadata: metadata, isKnownTable: shape != nil && isSynced, row: row, ancestor: ancestor,
      isPending: surroundings.isPending(recordName), isInInbox: surroundings.inbox.contains(recordName))
    guard let stuck = record.stuck else { return nil }
    let title = shape.flatMap { shape in row.flatMap { RecordTitle.title(of: $0, shape: shape) } }
    return Finding(
      stuck, name, title: title ?? ancestor.flatMap { $0.title(shape) } ?? name.primaryKey,
      time: metadata.modificationTime)
  }
}

extension ArchivedVersion {
  fileprivate func title(_ shape: TableShape?) -> String? {
    RecordTitle.title(of: ThreeWay(ancestor: nil, client: version, server: version), shape: shape)
  }
}
