import GRDB
import Merging

/// What a write is about to change, on its way into the journal: record by record, so that no more of it is in memory than a
/// few of them.
///
/// A crash before ``flush()`` may leave some of the records there. Nothing of the store was changed then, so each of them is
/// found as it was before.
package struct IntentWriter {
  /// How many bytes wait in memory for the disk at most, and one record.
  package static let limit = 4 << 20

  private let journal: Journal
  private let act: Intent.Act
  private let undoes: Int64?
  private let note: String?
  private var waiting: [RecordIntent] = []
  private var weight = 0
  private var kept = 0
  /// The intent's number; nil while nothing of it is in the journal.
  package private(set) var id: Int64?

  fileprivate init(journal: Journal, act: Intent.Act, undoes: Int64?, note: String?) {
    (self.journal, self.act, self.undoes, self.note) = (journal, act, undoes, note)
  }

  package mutating func append(_ record: RecordIntent) throws {
    waiting.append(record)
    weight += record.weight
    if weight > IntentWriter.limit { _ = try flush() }
  }

  /// All that was appended is durable when this returns.
  ///
  /// - Returns: the intent's number; nil if there is nothing to be done.
  @discardableResult package mutating func flush() throws -> Int64? {
    if waiting.isEmpty { return id }
    let intent = try journal.write { db in
      let intent = try id ?? Journal.begin(act, undoes: undoes, note: note, at: journal.now(), in: db)
      for (ordinal, record) in zip(kept..., waiting) { try record.insert(ordinal, of: intent, in: db) }
      return intent
    }
    kept += waiting.count
    (waiting, weight, id) = ([], 0, intent)
    return intent
  }
}

extension Journal {
  /// Begins to keep what a write is about to change.
  package func intent(_ act: Intent.Act = .write, undoes: Int64?, note: String?) -> IntentWriter {
    IntentWriter(journal: self, act: act, undoes: undoes, note: note)
  }

  fileprivate static func begin(
    _ act: Intent.Act, undoes: Int64?, note: String?, at time: Int64, in db: Database
  ) throws -> Int64 {
    try db.run(
      "INSERT INTO intents (act, undoes, startedAt, note) VALUES (?, ?, ?, ?)",
      [
        .text(act.rawValue), undoes.map { .integer($0) } ?? .null, .integer(time),
        note.map { .text($0) } ?? .null,
      ])
    return db.lastInsertedRowID
  }

  /// What became of an intent, record by record. Where another Parley has told it a moment before, it is told.
  package func append(_ receipts: [Receipt], of intent: Int64) throws {
    let time = now()
    try write { db in
      let sql = """
        INSERT INTO receipts (intent, record, outcome, detail, finishedAt) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (intent, record) DO NOTHING
        """
      for receipt in receipts {
        let detail = receipt.detail.map { Value.text($0) } ?? .null
        try db.run(
          sql,
          [
            .integer(intent), .text(receipt.record), .text(receipt.outcome.rawValue), detail, .integer(time),
          ])
      }
    }
  }

  /// All records of an intent were written.
  package func finish(_ intent: Int64) throws {
    let time = now()
    let sql = """
      INSERT INTO receipts (intent, record, outcome, finishedAt)
      SELECT intent, record, 'written', ? FROM records WHERE intent = ?
      ON CONFLICT (intent, record) DO NOTHING
      """
    try write { try $0.run(sql, [.integer(time), .integer(intent)]) }
  }
}
