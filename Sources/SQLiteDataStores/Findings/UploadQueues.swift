import GRDB
import KeyedArchives
import Merging
import StoreInterface

/// The table of changes that were made while the engine was stopped. The engine takes them over at its next launch.
///
/// One row that does not decode makes that launch fail half way, every time (sqlite-data f6bd67aa,
/// CloudKit/SyncEngine.swift, `start`): so each is decoded again before it is committed.
struct PendingQueue: Sendable {
  struct Entry: Sendable {
    let rowid: Int64
    let blob: [UInt8]
    /// nil if it cannot be decoded.
    let change: PendingZoneChange?
    /// Why it cannot.
    let error: ArchiveError?
  }

  static let name = "queue table"

  private(set) var entries: [Entry] = []
  private var byRecord: ByRecord<[Int]> = [:]

  init(in db: Database) throws {
    let sql =
      "SELECT rowid, \(Metadatabase.pendingColumn) FROM \(Metadatabase.sqlName(Metadatabase.pending)) ORDER BY rowid"
    try db.forEachRow(sql) { row in append(rowid: row.integer(0), row.bytes(1)) }
  }

  private mutating func append(rowid: Int64, _ blob: [UInt8]) {
    do throws(ArchiveError) {
      let change = try PendingZoneChange(decoding: blob)
      byRecord[change.recordName, default: []].append(entries.count)
      entries.append(Entry(rowid: rowid, blob: blob, change: change, error: nil))
    } catch {
      entries.append(Entry(rowid: rowid, blob: blob, change: nil, error: error))
    }
  }

  func entries(of recordName: String) -> [Entry] { (byRecord[recordName] ?? []).map { entries[$0] } }

  /// What the engine will do for the record where it lies: the last change counts.
  ///
  /// - Parameter zone: nil where the app knows the record no more.
  func changes(of recordName: String, in zone: PendingZoneChange.Zone?) -> [PendingZoneChange] {
    entries(of: recordName).compactMap(\.change).filter { $0.counts(in: zone) }
  }

  var part: UploadQueue.Part {
    let changes = entries.compactMap(\.change)
    let saves = changes.count { $0.kind == .save }
    return UploadQueue.Part(
      name: PendingQueue.name, bytes: entries.reduce(0) { $0 + $1.blob.count }, saves: saves,
      deletions: changes.count - saves, unreadable: entries.count - changes.count)
  }

  var troubles: [StoreTrouble] {
    entries.compactMap { entry in
      entry.error.map { .undecodable(rowid: entry.rowid, bytes: entry.blob.count, error: "\($0)") }
    }
  }
}

/// The queues inside of the sync engines' own states: one for the private database, one for shared ones.
struct EngineQueue: Sendable {
  /// The state of one engine.
  struct Scope: Sendable {
    let name: String
    let bytes: Int
    /// nil if it cannot be read; then there is a problem.
    let state: EngineState?
    let problem: String?
  }

  private(set) var scopes: [Scope] = []
  private var byRecord: ByRecord<[InspectedRecord.Queued]> = [:]

  /// Beyond this the engine writes so much at each change that apps were seen to hang (FORMAT.md, "Ways of being stuck", 20).
  static let sizeLimit = 10_000_000

  init(in db: Database) throws {
    guard try Metadatabase.has(Metadatabase.state, in: db) else { return }
    let sql = "SELECT scope, data FROM \(Metadatabase.sqlName(Metadatabase.state)) ORDER BY scope"
    try db.forEachRow(sql) { row in
      let name = EngineQueue.name(row.text(0), number: scopes.count + 1)
      append(row.withBytes(1) { EngineQueue.scope(name, $0) })
    }
  }

  private mutating func append(_ scope: Scope) {
    scopes.append(scope)
    guard let state = scope.state else { return }
    for change in state.pending + state.inFlight {
      let queued = InspectedRecord.Queued(change: change, part: scope.name, isInEngine: true)
      byRecord[change.recordName, default: []].append(queued)
    }
  }

  var isEmpty: Bool { byRecord.isEmpty }

  /// The same as ``PendingQueue/changes(of:in:)``. A move from one database to the other is half in each of them.
  func changes(of recordName: String, in zone: PendingZoneChange.Zone?) -> [InspectedRecord.Queued] {
    (byRecord[recordName] ?? []).filter { $0.change.counts(in: zone) }
  }

  private static func scope(_ name: String, _ json: UnsafeRawBufferPointer) -> Scope {
    guard let archive = EngineState.archive(inJSON: json) else {
      return Scope(
        name: name, bytes: json.count, state: nil, problem: "it is not the JSON that the engine writes")
    }
    do throws(ArchiveError) {
      return Scope(name: name, bytes: json.count, state: try EngineState(decoding: archive), problem: nil)
    } catch {
      return Scope(name: name, bytes: json.count, state: nil, problem: "\(error)")
    }
  }

  /// CKDatabase.Scope. Anything else is text that nobody knows, which a report for strangers must not show.
  private static func name(_ scope: String, number: Int) -> String {
    switch scope {
    case "1": "engine, public database"
    case "2": "engine, private database"
    case "3": "engine, shared database"
    default: "engine, unknown database \(number)"
    }
  }

  var parts: [UploadQueue.Part] {
    scopes.map { scope in
      let pending = scope.state?.pending ?? []
      let saves = pending.count { $0.kind == .save }
      return UploadQueue.Part(
        name: scope.name, bytes: scope.bytes, saves: saves, deletions: pending.count - saves,
        inFlight: scope.state?.inFlight.count ?? 0, unreadable: scope.state?.unreadable ?? 0,
        zoneChanges: scope.state?.zoneChanges ?? 0, mustFetch: scope.state?.mustFetch, problem: scope.problem)
    }
  }

  var troubles: [StoreTrouble] {
    scopes.flatMap { scope in
      var troubles: [StoreTrouble] = []
      if let reason = scope.problem { troubles.append(.queueIsUnreadable(part: scope.name, reason: reason)) }
      if scope.bytes > EngineQueue.sizeLimit {
        troubles.append(.queueIsHuge(part: scope.name, bytes: scope.bytes))
      }
      return troubles
    }
  }
}

extension SQLiteDataStore {
  package func uploadQueue(limit: Int) throws -> UploadQueue {
    try read { db in
      let (table, engine) = (try PendingQueue(in: db), try EngineQueue(in: db))
      let parts =
        [(PendingQueue.name, table.entries.compactMap(\.change))]
        + engine.scopes.map { ($0.name, $0.state?.pending ?? []) }
      let waiting = parts.lazy.flatMap { part, changes in changes.lazy.map { ($0, part) } }
      return UploadQueue(
        parts: [table.part] + engine.parts,
        waiting: try waiting.prefix(max(0, limit)).map { try UploadQueue.Waiting($0, $1, in: db) })
    }
  }
}

extension UploadQueue.Waiting {
  fileprivate init(_ change: PendingZoneChange, _ part: String, in db: Database) throws {
    let name = RecordName(whole: change.recordName)
    let sql = """
      SELECT userModificationTime FROM \(Metadatabase.sqlName(Metadatabase.metadata))
      WHERE recordPrimaryKey = ? AND recordType = ?
      """
    let since = try db.firstRow(sql, [.text(name.primaryKey), .text(name.table)]) { $0.integer(0) }
    self.init(
      table: name.table, record: name.primaryKey, isDeletion: change.kind == .delete, part: part, since: since
    )
  }
}
