import GRDB
import Merging

/// After a crash between intent and receipt. A transaction over one file is atomic, so a document has all of its new rows, or
/// none: there is nothing to mend, only to tell.
extension CloudantStore {
  func mendInterruptedWrites() throws {
    for intent in try log.openIntents() {
      let receipts = try readDocuments { reader in
        try intent.records.map { try receipt(of: $0, in: intent.id, reader) }
      }
      try log.append(receipts, of: intent.id)
    }
  }

  /// What the journal no longer tells truly cannot be told by it.
  private func receipt(
    of record: Intent.Record, in intent: Int64, _ reader: DocumentReader
  ) throws -> Receipt {
    do {
      return try reader.receipt(of: try log.changes(of: record, in: intent))
    } catch let refusal as Refusal {
      return Receipt(record.id, .left, detail: refusal.reason)
    }
  }
}

extension DocumentReader {
  fileprivate func receipt(of record: RecordChanges) throws -> Receipt {
    // What is added cannot be mistaken; where only flags were set, these have to tell.
    let added = record.changes.filter { $0.table == "revs" && $0.before == nil }
    let traces = added.isEmpty ? record.changes.filter { !$0.changesNothing } : added
    let found = try traces.compactMap(\.after).filter { try isThere($0, withFlag: added.isEmpty) }.count
    switch found {
    case 0: return Receipt(record.record, .rolledBack, detail: "nothing was written")
    case traces.count: return Receipt(record.record, .completed)
    default: return Receipt(record.record, .left, detail: "somebody else changed it since")
    }
  }

  /// By number, document and id: the number may have been given to another revision since.
  private func isThere(_ row: RowImage, withFlag: Bool) throws -> Bool {
    let flag = withFlag ? " AND current = ?" : ""
    let sql = "SELECT 1 FROM revs WHERE sequence = ? AND doc_id = ? AND revid = ? COLLATE BINARY\(flag)"
    let columns = ["sequence", "doc_id", "revid"] + (withFlag ? ["current"] : [])
    return try db.firstRow(sql, columns.map { row[$0] ?? .null }) { _ in true } ?? false
  }
}
