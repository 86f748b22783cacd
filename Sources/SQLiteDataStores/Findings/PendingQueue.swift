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
  private var byRecord: [String: [Int]] = [:]

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

  func contains(_ recordName: String) -> Bool { byRecord[recordName] != nil }

  func entries(of recordName: String) -> [Entry] { (byRecord[recordName] ?? []).map { entries[$0] } }

  /// What the engine will do for the record: the last change counts.
  func change(of recordName: String) -> PendingZoneChange? { entries(of: recordName).last?.change }

  var part: UploadQueue.Part {
    let changes = entries.compactMap(\.change)
    let saves = changes.count { $0.kind == .save }
    return UploadQueue.Part(
      name: PendingQueue.name, bytes: entries.reduce(0) { $0 + $1.blob.count }, saves: saves,
      deletions: changes.count - saves, unreadable: entries.count - changes.count)
  }
}

extension PendingQueue {
  var troubles: [StoreTrouble] {
    entries.compactMap { entry in
      entry.error.map { .undecodable(rowid: entry.rowid, bytes: entry.blob.count, error: "\($0)") }
    }
  }
}
