import GRDB
import Merging

extension Journal {
  /// What is in the journal, newest first, for `parley log`.
  public func entries(limit: Int) throws -> [JournalEntry] {
    try read(or: []) { db in
      let decisions = try Journal.newestDecisions(limit: limit, in: db).map { JournalEntry($0) }
      let receipts = try Journal.newestReceipts(limit: limit, in: db)
      return Array(Journal.merged(receipts, decisions).prefix(limit))
    }
  }

  /// Both are newest first. At equal times a receipt is the newer: what is decided is written afterwards.
  private static func merged(_ receipts: [JournalEntry], _ decisions: [JournalEntry]) -> [JournalEntry] {
    var (receipts, decisions) = (receipts[...], decisions[...])
    var merged: [JournalEntry] = []
    while let receipt = receipts.first, let decision = decisions.first {
      merged.append(receipt.time >= decision.time ? receipts.removeFirst() : decisions.removeFirst())
    }
    return merged + receipts + decisions
  }

  private static func newestReceipts(limit: Int, in db: Database) throws -> [JournalEntry] {
    let sql = """
      SELECT receipts.record, outcome, detail, finishedAt, undoes, note, title, act
      FROM receipts CROSS JOIN intents ON intents.id = receipts.intent
      LEFT JOIN records ON records.intent = receipts.intent AND records.record = receipts.record
      ORDER BY finishedAt DESC, receipts.intent DESC, receipts.record LIMIT ?
      """
    var entries: [JournalEntry] = []
    try db.forEachRow(sql, [.integer(Int64(limit))]) { row in
      let outcome = Receipt.Outcome(rawValue: row.text(1)) ?? .left
      let isUndo = !row.isNull(4)
      let words = [outcome.words(isUndo: isUndo), row.optionalText(6), row.optionalText(2)].compactMap(\.self)
      entries.append(
        JournalEntry(
          kind: outcome == .written ? (isUndo ? .undo : .write) : .interrupted, time: row.integer(3),
          record: row.text(0), text: words.joined(separator: ": "), note: row.optionalText(5)))
    }
    return entries
  }
}

extension Receipt.Outcome {
  fileprivate func words(isUndo: Bool) -> String {
    let act = isUndo ? "undo" : "write"
    return switch self {
    case .written: isUndo ? "taken back" : "written"
    case .completed: "interrupted \(act), completed"
    case .rolledBack: "interrupted \(act), rolled back"
    case .left: "interrupted \(act), left alone"
    }
  }
}

extension JournalEntry {
  fileprivate init(_ decision: Decision) {
    self.init(
      kind: .decision, time: decision.decidedAt, record: decision.id, text: decision.words,
      note: decision.note)
  }
}

extension Decision {
  /// "title: take server"
  var words: String {
    let subject =
      switch subject {
      case .record: "record"
      case .field(let name): name
      }
    return "\(subject): \(choice?.words ?? "taken back")"
  }
}

extension Choice {
  fileprivate var words: String {
    switch self {
    case .take(let side): "take \(side.rawValue)"
    case .edit(let value): "edited to \(RowJSON.encode(value))"
    case .merged(let value): "merged to \(RowJSON.encode(value))"
    }
  }
}
