import GRDB
import Merging
import SQLiteFiles
import StoreInterface

extension Journal {
  /// The intents without a receipt, oldest first: Parley was interrupted while it wrote, or writes just now.
  package func openIntents() throws -> [Intent] {
    try read(or: []) { db in try Journal.intents(Journal.isOpen, in: db) }
  }

  package func hasOpenIntents() throws -> Bool {
    try read(or: false) { db in
      try db.firstRow("SELECT 1 FROM intents WHERE \(Journal.isOpen) LIMIT 1") { _ in true } ?? false
    }
  }

  /// One without records is about nothing.
  private static let isOpen = """
    NOT EXISTS (SELECT 1 FROM receipts WHERE receipts.intent = intents.id)
    AND EXISTS (SELECT 1 FROM records WHERE records.intent = intents.id)
    """

  /// What an intent does to one record, read by `body`.
  ///
  /// - Throws: ``Refusal`` if the journal does not hold what was written there: then nobody may rely on it.
  package func read<Result: Sendable>(
    _ record: Intent.Record, of intent: Int64, or empty: Result, _ body: (KeptIntent) throws -> Result
  ) throws -> Result {
    try read(or: empty) { db in
      do {
        return try body(KeptIntent(record, of: intent, in: db))
      } catch let damage as Damage {
        throw Refusal(nil, Journal.words(damage, path))
      }
    }
  }

  private static func words(_ damage: Damage, _ path: String) -> String {
    """
    what the journal \(path) holds of it is not what was written there (\(damage)), so nothing is done with it. \
    Copy the journal back from a backup
    """
  }

  /// The intents about a record that were done, newest first, each with this record alone.
  package func intentsDone(of record: String) throws -> [Intent] {
    let condition = """
      EXISTS (SELECT 1 FROM receipts WHERE intent = intents.id AND record = ?1 AND \(Journal.isDone))
      """
    return try read(or: []) { db in
      var intents = try Journal.intents(condition, [.text(record)], of: record, in: db)
      intents.reverse()
      return intents
    }
  }

  /// Whether all that an intent changes lies in the journal itself.
  package func isOfTheJournalAlone(_ intent: Intent) throws -> Bool {
    try read(or: false) { db in
      let sql = "SELECT 1 FROM records WHERE intent = ? AND payload IS NOT NULL LIMIT 1"
      return try db.firstRow(sql, [.integer(intent.id)]) { _ in false } ?? true
    }
  }

  /// - Parameter record: the only one of their records that counts; nil: all.
  static func intents(
    _ condition: String, _ arguments: [Value] = [], of record: String? = nil, in db: Database
  ) throws -> [Intent] {
    var intents: [Intent] = []
    let sql = "SELECT id, act, undoes FROM intents WHERE \(condition) ORDER BY id"
    try db.forEachRow(sql, arguments) { intents.append(Intent($0)) }
    for index in intents.indices {
      let sql = """
        SELECT record, title FROM records WHERE intent = ? \(record == nil ? "" : "AND record = ?") ORDER BY ordinal
        """
      try db.forEachRow(sql, [.integer(intents[index].id)] + (record.map { [.text($0)] } ?? [])) {
        intents[index].records.append(Intent.Record(id: $0.text(0), title: $0.text(1)))
      }
    }
    return intents
  }
}

extension Intent {
  fileprivate init(_ row: SQLRow) {
    self.init(
      id: row.integer(0), act: Act(rawValue: row.text(1)) ?? .write,
      undoes: row.isNull(2) ? nil : row.integer(2), records: [])
  }
}
