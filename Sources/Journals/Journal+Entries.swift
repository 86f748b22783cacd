import GRDB
import Merging
import SQLiteFiles
import StoreInterface

extension Journal {
  /// What is in the journal, newest first, for `parley log`.
  package func entries(limit: Int) throws -> [JournalEntry] {
    try read(or: []) { db in
      let decisions = try newestDecisions(limit: limit, in: db).map { row, decision in
        var entry = JournalEntry(decision)
        entry.place = row
        return entry
      }
      let receipts = try newestReceipts(limit: limit, in: db)
      let refusals = try Journal.refusals(limit: limit, in: db)
      return Array(
        Journal.merged(refusals.without(receipts), Journal.merged(receipts, decisions)).prefix(limit))
    }
  }

  package func history(of record: String) throws -> [JournalEntry] {
    try read(or: []) { db in
      let decisions = try allDecisions(about: record, in: db).map { JournalEntry($0) }
      let receipts = try receipts(Journal.receiptsOfRecord, [.text(record)], in: db).map { receipt, entry in
        var entry = entry
        entry.changes = try changes(receipt, in: db)
        return entry
      }
      let refusals = try Journal.refusals(of: record, limit: .max, in: db)
      return Journal.merged(refusals.without(receipts), Journal.merged(receipts, decisions)).tellingGivenUp
    }
  }

  package func givenUp() throws -> [JournalEntry] {
    try read(or: []) { db in
      let decisions = try newestDecisions(limit: .max, in: db).map { JournalEntry($0.decision) }
      let receipts = try receipts(Journal.receiptsOfAll, [], in: db).map { receipt, entry in
        var entry = entry
        if entry.tookServer { entry.changes = try changes(receipt, in: db) }
        return entry
      }
      return Journal.merged(receipts, decisions).givingUp
    }
  }

  /// What took a write back did the reverse of it. A history that is a tree only grows, so what was appended for that tells less: the
  /// leaves of before under new ids. Of rows it tells more: what triggers kept from coming back.
  private func changes(_ receipt: ReceiptRow, in db: Database) throws -> WrittenChanges {
    let none = WrittenChanges()
    func done() throws -> WrittenChanges { try changes(of: receipt, by: receipt.intent, in: db) }
    func undone() throws -> WrittenChanges? {
      try receipt.undoes.map { try changes(of: receipt, by: $0, in: db).reversed }
    }
    if reading.tellsUndos {
      let done = try done()
      return try done == none ? undone() ?? none : done
    }
    return try undone().flatMap { $0 == none ? nil : $0 } ?? done()
  }

  private func changes(of receipt: ReceiptRow, by intent: Int64, in db: Database) throws -> WrittenChanges {
    let record = Intent.Record(id: receipt.record, title: receipt.title ?? "")
    var changes = try writtenChanges(of: record, in: intent, db)
    // That nothing was changed is known, whatever was meant.
    if receipt.outcome == .rolledBack || receipt.outcome == .notDone { changes.damage = nil }
    return changes
  }

  /// Both are newest first. At equal times the first have the newer: what is decided is written, or refused, afterwards.
  private static func merged(_ later: [JournalEntry], _ earlier: [JournalEntry]) -> [JournalEntry] {
    var (later, earlier) = (later[...], earlier[...])
    var merged: [JournalEntry] = []
    while let late = later.first, let early = earlier.first {
      merged.append(late.time >= early.time ? later.removeFirst() : earlier.removeFirst())
    }
    return merged + later + earlier
  }

  /// Each receipt by its index, and what belongs to it by a key: what is not told is not read.
  package static let newestReceipts =
    "\(receiptRows) ORDER BY finishedAt DESC, receipts.intent DESC, receipts.record LIMIT ?"

  private static let receiptsOfAll =
    "\(receiptRows) ORDER BY finishedAt DESC, receipts.intent DESC"

  private static let isUndone = "receipts.\(isDone) AND undoes IS NULL AND NOT (\(stands))"

  private static let undoesMend = """
    EXISTS (
      SELECT 1 FROM receipts AS mend WHERE mend.intent = intents.undoes AND mend.record = receipts.record
        AND instr(mend.detail, '\(JournalEntry.OwnDetail.mended.rawValue)') > 0)
    """

  private static let receiptsOfRecord = """
    \(receiptRows)
    WHERE receipts.record = ? ORDER BY finishedAt DESC, receipts.intent DESC
    """

  private static let receiptRows = """
    SELECT receipts.record, outcome, detail, finishedAt, undoes, note, title, act, receipts.intent, \(isUndone),
      \(undoesMend)
    FROM receipts CROSS JOIN intents ON intents.id = receipts.intent
    LEFT JOIN records ON records.intent = receipts.intent AND records.record = receipts.record
    """

  private func newestReceipts(limit: Int, in db: Database) throws -> [JournalEntry] {
    try receipts(Journal.newestReceipts, [.integer(Int64(limit))], in: db).map(\.entry)
  }

  private func receipts(
    _ sql: String, _ arguments: [Value], in db: Database
  ) throws -> [(receipt: ReceiptRow, entry: JournalEntry)] {
    var found: [(receipt: ReceiptRow, entry: JournalEntry)] = []
    try db.forEachRow(sql, arguments) { row in
      let receipt = ReceiptRow(row)
      found.append((receipt, JournalEntry(receipt, time: row.integer(3), note: row.optionalText(5))))
    }
    return try found.map { receipt, entry in
      var entry = entry
      if receipt.outcome == .left { try tellLeft(receipt, of: &entry, in: db) }
      return (receipt, entry)
    }
  }

  private func tellLeft(_ receipt: ReceiptRow, of entry: inout JournalEntry, in db: Database) throws {
    let changes = try changes(receipt, in: db)
    entry.changes.damage = changes.damage
    entry.left = JournalEntry.Left(
      fields: changes.fields,
      isTakenUp: try !Journal.isLeft(receipt.record, of: receipt.undoes ?? receipt.intent, in: db))
  }
}

extension [JournalEntry] {
  /// Of what a server refused there is a receipt already.
  fileprivate func without(_ receipts: [JournalEntry]) -> [JournalEntry] {
    let told = Set(receipts.lazy.compactMap(\.saidNo))
    return told.isEmpty ? self : filter { $0.saidNo.map { !told.contains($0) } ?? true }
  }
}

extension JournalEntry {
  /// The record and the reason, where its store said no.
  fileprivate var saidNo: [String?]? {
    switch event {
    case .refused(let refusal): [record, refusal.reason]
    case .notDone(.write, let detail): [record, detail]
    case .notDone, .decided, .ended: nil
    }
  }
}

private struct ReceiptRow {
  let record: String
  let outcome: Receipt.Outcome
  let detail: String?
  let undoes: Int64?
  let title: String?
  let act: Intent.Act
  let intent: Int64
  let isUndone: Bool
  let undoesMend: Bool

  init(_ row: SQLRow) {
    record = row.text(0)
    outcome = Receipt.Outcome(rawValue: row.text(1)) ?? .left
    detail = row.optionalText(2)
    undoes = row.isNull(4) ? nil : row.integer(4)
    title = row.optionalText(6)
    act = Intent.Act(rawValue: row.text(7)) ?? .write
    intent = row.integer(8)
    isUndone = row.integer(9) != 0
    undoesMend = row.integer(10) != 0
  }

  var event: JournalEntry.Event {
    let act = JournalEntry.Act(act, isUndo: undoes != nil)
    if outcome == .notDone { return .notDone(act, detail: detail) }
    return .ended(act, interrupted: outcome.finished, detail: detail)
  }
}

extension JournalEntry {
  fileprivate init(_ receipt: ReceiptRow, time: Int64, note: String?) {
    self.init(time: time, record: receipt.record, title: receipt.title, event: receipt.event, note: note)
    isUndone = receipt.isUndone
    undoesMend = receipt.undoesMend
  }
}
