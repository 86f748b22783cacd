import GRDB
import Merging

/// After a crash between intent and receipt. A transaction over one file is atomic, so a document has all of its new rows, or
/// none: there is nothing to mend, only to tell.
extension CloudantStore {
  func mendInterruptedWrites() throws {
    let interrupted = try log.interrupted()
    for intent in interrupted {
      let receipts = try readDocuments { reader in try intent.records.map { try reader.receipt(of: $0) } }
      try log.append(receipts, of: intent)
    }
  }
}

extension DocumentReader {
  fileprivate func receipt(of record: RecordChanges) throws -> Receipt {
    let added = record.changes.filter { $0.table == "revs" && $0.before == nil }.compactMap(\.after)
    let found = try added.filter { try isThere($0) }.count
    switch found {
    case 0: return Receipt(record.record, .rolledBack, detail: "nothing was written")
    case added.count: return Receipt(record.record, .completed)
    default: return Receipt(record.record, .left, detail: "somebody else changed it since")
    }
  }

  /// By number, document and id: the number may have been given to another revision since.
  private func isThere(_ row: RowImage) throws -> Bool {
    let sql = "SELECT 1 FROM revs WHERE sequence = ? AND doc_id = ? AND revid = ? COLLATE BINARY"
    return try db.firstRow(sql, ["sequence", "doc_id", "revid"].map { row[$0] ?? .null }) { _ in true }
      ?? false
  }
}
