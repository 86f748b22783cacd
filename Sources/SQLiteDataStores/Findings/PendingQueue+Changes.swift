import GRDB
import KeyedArchives
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

/// The rows of the queue that a write adds and removes. They have no key of their own and may be there twice, so each is named
/// by its rowid, and an undo puts back every one of them in its place.
extension PendingQueue.Entry {
  var removal: StoredChange {
    StoredChange(
      file: .metadata, table: Metadatabase.pending, key: key(rowid), before: image(blob), after: nil)
  }
}

extension WriteSession {
  /// `wanted` is queued, and no other change of its record: what the engine makes of two is not told anywhere. A deletion from another
  /// zone is half of a move, and stays: else the record would stay there, too.
  func queueing(_ wanted: PendingZoneChange) throws -> [StoredChange] {
    let entries = queue.entries(of: wanted.recordName).filter {
      $0.change?.isDeletion(outside: wanted.zone) != true
    }
    let queued = entries.last { $0.change == wanted }
    let others = entries.filter { $0.rowid != queued?.rowid }.map(\.removal)
    return try others + (queued == nil ? [addition(wanted)] : [])
  }

  /// Nothing of the record is queued but `entry`, and its deletion from another zone.
  func unqueueing(
    _ recordName: String, in zone: PendingZoneChange.Zone, but entry: PendingQueue.Entry? = nil
  ) -> [StoredChange] {
    queue.entries(of: recordName).filter {
      $0.rowid != entry?.rowid && $0.change?.isDeletion(outside: zone) != true
    }.map(\.removal)
  }

  private func addition(_ change: PendingZoneChange) throws -> StoredChange {
    StoredChange(
      file: .metadata, table: Metadatabase.pending, key: key(try freshRowid()), before: nil,
      after: image(try encoded(change)))
  }

  /// One that no row had, also none that is removed: what an undo puts back must find its place free.
  private func freshRowid() throws -> Int64 {
    let sql = "SELECT max(rowid) FROM \(Metadatabase.sqlName(Metadatabase.pending))"
    let last = try db.firstRow(sql) { $0.isNull(0) ? 0 : $0.integer(0) } ?? 0
    let newest = max(now, last, queue.entries.last?.rowid ?? 0)
    if newest == .max { throw Refusal(nil, "the queue table has no place left") }
    return newest + 1
  }

  /// One row that does not decode stops the app's sync at every launch, so what was made is read again.
  private func encoded(_ change: PendingZoneChange) throws -> [UInt8] {
    let bytes = change.encoded()
    guard (try? PendingZoneChange(decoding: bytes)) == change else {
      throw Refusal(nil, "its pending change does not decode again")
    }
    return bytes
  }
}

private func key(_ rowid: Int64) -> RowImage { [StoredChange.rowid: .integer(rowid)] }

private func image(_ blob: [UInt8]) -> RowImage { [Metadatabase.pendingColumn: .blob(Blob(bytes: blob))] }

extension PendingZoneChange {
  typealias Zone = (name: String, owner: String)

  var zone: Zone { (zoneName, ownerName) }

  fileprivate func isDeletion(outside zone: Zone) -> Bool { kind == .delete && self.zone != zone }

  /// Whether it says what becomes of a record that lies there: its deletion from another zone is half of a move.
  func counts(in zone: Zone?) -> Bool {
    guard let zone else { return true }
    return !isDeletion(outside: zone)
  }
}

extension MetadataRow {
  var zone: PendingZoneChange.Zone { (zoneName, ownerName) }
}
