import GRDB
import Journals
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

/// After a crash between intent and receipt. A transaction over one file is atomic, so a document has all of its new rows, or
/// none: there is nothing to mend, only to tell.
extension CloudantStore {
  @discardableResult
  package func finishInterruptedWrites() throws -> [FinishedWrite] {
    let intents = try log.openIntents()
    guard !intents.isEmpty, access() == .writable else { return [] }
    return try intents.map { intent in
      let receipts = try intent.records.map { try receipt(of: $0, in: intent.id) }
      try log.append(receipts, of: intent.id)
      return FinishedWrite(intent, receipts)
    }
  }

  /// What the journal no longer tells truly cannot be told by it.
  private func receipt(of record: Intent.Record, in intent: Int64) throws -> Receipt {
    do {
      let changes = try log.changes(of: record, in: intent)
      return try found([changes]).first?.receipt ?? Receipt(record.id, .left)
    } catch let refusal as Refusal {
      return Receipt(record.id, .left, detail: refusal.reason)
    }
  }

  package func hasInterruptedWrites() throws -> Bool {
    try log.hasOpenIntents() && holder()?.isParley != true
  }

  package func interruptedWrites() throws -> [InterruptedWrite] {
    guard try hasInterruptedWrites() else { return [] }
    return try log.openIntents().map { intent in
      InterruptedWrite(
        isUndo: intent.undoes != nil, records: try intent.records.map { try shown($0, of: intent.id) },
        hindrance: accessToFinish().reason)
    }
  }

  private func shown(_ record: Intent.Record, of intent: Int64) throws -> InterruptedWrite.Record {
    let unknown = InterruptedWrite.Record(id: record.id, title: record.title, state: .notKnown)
    do {
      return try found([log.changes(of: record, in: intent)]).first ?? unknown
    } catch is Refusal {
      return unknown
    }
  }

  /// What the datastore shows of each document.
  func found(_ records: [RecordChanges]) throws -> [InterruptedWrite.Record] {
    if records.isEmpty { return [] }
    return try readDocuments { reader in
      try records.map { .init(id: $0.record, title: $0.title, state: try reader.state(of: $0)) }
    }
  }
}

extension InterruptedWrite.Record {
  var receipt: Receipt {
    switch state {
    case .complete: Receipt(id, .completed)
    case .untouched: Receipt(id, .rolledBack, detail: "nothing was written")
    case .half, .changedSince: Receipt(id, .left, detail: "somebody else changed it since")
    case .notKnown: Receipt(id, .left, detail: "it cannot be known what was written")
    }
  }
}

extension DocumentReader {
  fileprivate func state(of record: RecordChanges) throws -> InterruptedWrite.State {
    // What is added cannot be mistaken; where only flags were set, these have to tell.
    let added = record.changes.filter { $0.table == "revs" && $0.before == nil }
    let traces = added.isEmpty ? record.changes.filter { !$0.changesNothing } : added
    let found = try traces.compactMap(\.after).filter { try isThere($0, withFlag: added.isEmpty) }.count
    switch found {
    case 0: return .untouched
    case traces.count: return .complete
    default: return .changedSince
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
