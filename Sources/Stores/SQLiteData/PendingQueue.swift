import GRDB
import Merging

/// The table of changes that were made while the engine was stopped. The engine takes them over at its next launch.
///
/// One row that does not decode makes that launch fail half way, every time (sqlite-data f6bd67aa,
/// CloudKit/SyncEngine.swift, `start`): so each is decoded again before it is committed.
struct PendingQueue: Sendable {
  struct Entry: Sendable {
    let blob: [UInt8]
    /// nil if it cannot be decoded.
    let change: PendingZoneChange?
  }

  private(set) var entries: [Entry] = []
  private(set) var findings: [Finding] = []
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
      entries.append(Entry(blob: blob, change: change))
    } catch {
      entries.append(Entry(blob: blob, change: nil))
      findings.append(Finding(undecodable: rowid, bytes: blob.count, error))
    }
  }

  func contains(_ recordName: String) -> Bool { byRecord[recordName] != nil }

  func entries(of recordName: String) -> [Entry] { (byRecord[recordName] ?? []).map { entries[$0] } }
}

extension Finding {
  fileprivate init(undecodable rowid: Int64, bytes: Int, _ error: ArchiveError) {
    self.init(
      id: "pending-undecodable:\(rowid)", table: Metadatabase.pending, record: "\(rowid)",
      title: "pending change \(rowid)", what: "undecodable pending change",
      evidence: "Row \(rowid) of the queue has \(bytes) bytes that are no pending change: \(error).",
      cause: "Another program wrote it, or the file was damaged.",
      remedy:
        "Delete this row while the app is closed: it stops the app's sync from starting properly at every launch."
    )
  }
}
