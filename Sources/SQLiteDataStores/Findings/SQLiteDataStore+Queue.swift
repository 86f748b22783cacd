import GRDB
import KeyedArchives
import Merging
import StoreInterface

extension SQLiteDataStore {
  package func uploadQueue(limit: Int) throws -> UploadQueue {
    try read { db in
      let (table, engine) = (try PendingQueue(in: db), try EngineQueue(in: db))
      let waiting = Waiting(table, engine).first(limit)
      return UploadQueue(
        parts: [table.part] + engine.parts,
        waiting: try waiting.map { change, part in try UploadQueue.Waiting(change, part, in: db) })
    }
  }
}

/// The changes of all parts, in their order.
private struct Waiting {
  private let parts: [(name: String, changes: [PendingZoneChange])]

  init(_ table: PendingQueue, _ engine: EngineQueue) {
    parts =
      [(PendingQueue.name, table.entries.compactMap(\.change))]
      + engine.scopes.map { ($0.name, $0.state?.pending ?? []) }
  }

  func first(_ limit: Int) -> [(PendingZoneChange, part: String)] {
    var first: [(PendingZoneChange, String)] = []
    for part in parts {
      first += part.changes.prefix(max(0, limit - first.count)).map { ($0, part.name) }
    }
    return first
  }
}

extension UploadQueue.Waiting {
  fileprivate init(_ change: PendingZoneChange, _ part: String, in db: Database) throws {
    let name = RecordName(change.recordName) ?? RecordName(primaryKey: change.recordName, table: "")
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
