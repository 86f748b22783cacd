import GRDB
import Merging
import SQLiteFiles
import StoreInterface

/// A write, an undo or an import as the journal keeps it. What it changes is read record by record, as all of it together
/// may be more than fits into memory.
package struct Intent: Sendable, Equatable {
  package enum Act: String, Sendable {
    case write
    /// Server records came into the inbox.
    case `import`
  }

  package struct Record: Sendable, Equatable {
    package let label: RecordLabel
    /// Whether it was interrupted, and had to be left as it was found.
    package var isLeft = false

    package init(id: String, title: String, isLeft: Bool = false) {
      (label, self.isLeft) = (RecordLabel(id: id, title: title), isLeft)
    }

    package var id: String { label.id }
    package var title: String { label.title }
  }

  package let id: Int64
  package let act: Act
  /// The intent that this one takes back; nil for all others.
  package let undoes: Int64?
  /// When the newest part of it was begun, in nanoseconds since 1970.
  package let startedAt: Int64
  /// In the order in which they were written.
  package var records: [Record]
}

extension Intent {
  /// What a person calls it.
  var told: JournalEntry.Act { JournalEntry.Act(act, isUndo: undoes != nil) }

  /// The same, with its newest question at this time, in nanoseconds since 1970.
  func asked(at time: Int64) -> Intent {
    Intent(id: id, act: act, undoes: undoes, startedAt: time, records: records)
  }
}

extension JournalEntry.Act {
  /// What takes a write or an import back is an undo, of either.
  init(_ act: Intent.Act, isUndo: Bool) {
    self = isUndo ? .undo : act == .import ? .import : .write
  }
}

/// What became of one record of an intent.
package struct Receipt: Sendable, Equatable {
  package enum Outcome: String, Sendable {
    case written
    /// Found half done after a crash, and completed.
    case completed
    /// Found not done or half done after a crash, and taken back.
    case rolledBack
    /// Somebody else changed the record meanwhile; it was left alone.
    case left
    /// The store said no when it was asked to write it, or its turn never came: nothing of it is there.
    case notDone

    /// How an interrupted one was finished; nil for what went as it was meant.
    package var finished: FinishedWrite.Outcome? {
      switch self {
      case .written, .notDone: nil
      case .completed: .completed
      case .rolledBack: .rolledBack
      case .left: .left
      }
    }
  }

  package let record: String
  package let outcome: Outcome
  package let detail: String?

  package init(_ record: String, _ outcome: Outcome, detail: String? = nil) {
    (self.record, self.outcome, self.detail) = (record, outcome, detail)
  }

  init(_ record: String, _ outcome: Outcome, _ detail: JournalEntry.OwnDetail) {
    self.init(record, outcome, detail: detail.rawValue)
  }
}

extension FinishedWrite {
  package init(_ intent: Intent, _ receipts: [Receipt]) {
    let titles = ByRecord(intent.records.map { ($0.id, $0.title) }) { first, _ in first }
    self.init(
      act: intent.told,
      records: receipts.map {
        Record(
          id: $0.record, title: titles[$0.record] ?? $0.record, outcome: $0.outcome.finished ?? .completed,
          detail: $0.detail)
      },
      undoes: intent.undoes, id: intent.id)
  }
}

extension Journal {
  /// The intents without a receipt, oldest first: Parley was interrupted while it wrote, or writes just now.
  package func openIntents() throws -> [Intent] {
    try read(or: []) { db in try Journal.intents(Journal.isOpen, in: db) }
  }

  /// Of all of its records that have come to an end.
  func receipts(of intent: Int64) throws -> [Receipt] {
    try read(or: []) { db in
      try db.rows("SELECT record, outcome, detail FROM receipts WHERE intent = ?", [.integer(intent)]) {
        row in
        Receipt(
          row.text(0), Receipt.Outcome(rawValue: row.text(1)) ?? .left, detail: row.optionalText(2))
      }
    }
  }

  func isOpen(_ intent: Int64) throws -> Bool {
    try read(or: false) { db in
      try db.hasRow("SELECT 1 FROM intents WHERE id = ? AND \(Journal.isOpen)", [.integer(intent)])
    }
  }

  package func hasOpenIntents() throws -> Bool { try read(or: false, hasOpenIntents) }

  /// One that has come to its end stays so, and is not looked at again: this is asked with every page of decisions.
  func hasOpenIntents(in db: Database) throws -> Bool {
    try lastEnded.withLock { last in
      // First, as one that comes in between is not among those that were looked at.
      let newest = try db.firstRow("SELECT ifnull(max(id), 0) FROM intents") { $0.integer(0) } ?? 0
      let sql = "SELECT 1 FROM intents WHERE id > ? AND \(Journal.isOpen) LIMIT 1"
      if try db.hasRow(sql, [.integer(last)]) { return true }
      last = newest
      return false
    }
  }

  /// One without records is about nothing.
  static let isOpen = """
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
    let sql = "SELECT id, act, undoes, startedAt FROM intents WHERE \(condition) ORDER BY id"
    var intents = try db.rows(sql, arguments) { Intent($0) }
    for index in intents.indices {
      let sql = """
        SELECT record, title FROM records WHERE intent = ? \(record == nil ? "" : "AND record = ?") ORDER BY ordinal
        """
      let arguments: [Value] = [.integer(intents[index].id)] + (record.map { [.text($0)] } ?? [])
      intents[index].records = try db.rows(sql, arguments) {
        Intent.Record(id: $0.text(0), title: $0.text(1))
      }
    }
    return intents
  }
}

extension Intent {
  fileprivate init(_ row: SQLRow) {
    self.init(
      id: row.integer(0), act: Act(rawValue: row.text(1)) ?? .write,
      undoes: row.isNull(2) ? nil : row.integer(2), startedAt: row.integer(3), records: [])
  }
}

/// Somebody decided about a record again, or took that back, after it was read what is decided.
struct DecidedMeanwhile: Error {
  let record: String
}

/// What a write is about to change, on its way into the journal: record by record, so that no more of it is in memory than a
/// few of them.
///
/// A crash before ``flush()`` may leave some of the records there. Nothing of the store was changed then, so each of them is
/// found as it was before.
package struct IntentWriter {
  /// How many bytes wait in memory for the disk at most, and one record.
  package static let limit = 2 << 20

  private let journal: Journal
  private let act: Intent.Act
  private let undoes: Int64?
  private let note: String?
  /// See ``Journal/lastDecision()``.
  private let lastDecision: Int64?
  private var waiting: [RecordIntent] = []
  private var weight = 0
  private var kept = 0
  /// How many of them belong to earlier transactions of the store: they are written by now, or never.
  private var settled = 0
  /// The intent's number; nil while nothing of it is in the journal.
  package private(set) var id: Int64?

  fileprivate init(
    journal: Journal, act: Intent.Act, undoes: Int64?, note: String?, lastDecision: Int64?
  ) {
    (self.journal, self.act, self.undoes, self.note) = (journal, act, undoes, note)
    self.lastDecision = lastDecision
  }

  package mutating func append(_ record: RecordIntent) throws {
    waiting.append(record)
    weight += record.weight
    if weight > IntentWriter.limit { try keep() }
  }

  /// All that was appended is durable when this returns, and about to be written in one transaction of the store.
  ///
  /// - Returns: the intent's number; nil if there is nothing to be done.
  /// - Throws: also ``DecidedMeanwhile``.
  @discardableResult package mutating func flush() throws -> Int64? {
    if !waiting.isEmpty {
      try keep()
    } else if let id, lastDecision != nil, kept > settled {
      try journal.read(or: ()) { try checkDecisions(of: id, in: $0) }
    }
    settled = kept
    return id
  }

  private mutating func keep() throws {
    let intent = try journal.write { db in
      let intent = try begin(in: db)
      for (ordinal, record) in zip(kept..., waiting) { try record.insert(ordinal, of: intent, in: db) }
      try checkDecisions(of: intent, in: db)
      return intent
    }
    kept += waiting.count
    (waiting, weight, id) = ([], 0, intent)
  }

  /// A draft hangs on decisions that somebody may have taken back since they were read. Who is told so before this is right, also about a
  /// record that was kept a while ago, in the same transaction of the store.
  private func checkDecisions(of intent: Int64, in db: Database) throws {
    guard let lastDecision, try Journal.lastDecision(in: db) > lastDecision else { return }
    let sql = """
      SELECT records.record FROM decisions JOIN records ON records.intent = ? AND records.record = decisions.record
      WHERE decisions.id > ? AND records.ordinal >= ? LIMIT 1
      """
    let values: [Value] = [.integer(intent), .integer(lastDecision), .integer(Int64(settled))]
    if let record = try db.firstRow(sql, values, { $0.text(0) }) { throw DecidedMeanwhile(record: record) }
  }

  private func begin(in db: Database) throws -> Int64 {
    let time = journal.now()
    if let id {
      try db.run("UPDATE intents SET startedAt = ? WHERE id = ?", [.integer(time), .integer(id)])
      return id
    }
    try db.run(
      "INSERT INTO intents (act, undoes, startedAt, note, lastDecision) VALUES (?, ?, ?, ?, ?)",
      [
        .text(act.rawValue), undoes.map { .integer($0) } ?? .null, .integer(time),
        note.map { .text($0) } ?? .null, .integer(lastDecision ?? 0),
      ])
    return db.lastInsertedRowID
  }
}

extension Journal {
  /// Begins to keep what a write is about to change.
  ///
  /// - Parameter lastDecision: before the decisions were read by which it is written; nil where it hangs on none.
  package func intent(
    _ act: Intent.Act = .write, undoes: Int64?, note: String?, lastDecision: Int64? = nil
  ) -> IntentWriter {
    IntentWriter(journal: self, act: act, undoes: undoes, note: note, lastDecision: lastDecision)
  }

  /// The newest decision about any record: a later one has a higher number, and so has what takes one back.
  func lastDecision() throws -> Int64 { try read(or: 0) { try Journal.lastDecision(in: $0) } }

  fileprivate static func lastDecision(in db: Database) throws -> Int64 {
    try db.firstRow("SELECT max(id) FROM decisions") { $0.isNull(0) ? 0 : $0.integer(0) } ?? 0
  }

  /// What became of an intent, record by record. Where another Parley has told it a moment before, it is told.
  package func append(
    _ receipts: some Sequence<Receipt>, of intent: Int64, _ others: [Receipt] = []
  ) throws {
    let time = now()
    try write { db in
      for receipt in receipts { try receipt.insert(of: intent, at: time, in: db) }
      for receipt in others { try receipt.insert(of: intent, at: time, in: db) }
    }
  }

  /// Of these records of an intent nobody has heard yet. Where something is known of others they become an intent of their own, which stays
  /// open: the others can be taken back meanwhile.
  ///
  /// - Parameters:
  ///   - isAll: whether nothing is known of any.
  ///   - askedAt: when they were asked for last, in nanoseconds since 1970.
  func leaveOpen(_ records: [Intent.Record], of intent: Int64, isAll: Bool, askedAt: Int64) throws {
    try write { db in
      let open = isAll ? intent : try Journal.split(records, off: intent, in: db)
      try db.run("UPDATE intents SET startedAt = ? WHERE id = ?", [.integer(askedAt), .integer(open)])
    }
  }

  /// - Returns: the new intent.
  private static func split(_ records: [Intent.Record], off intent: Int64, in db: Database) throws -> Int64 {
    let sql = """
      INSERT INTO intents (act, undoes, startedAt, note, lastDecision)
      SELECT act, undoes, startedAt, note, lastDecision FROM intents WHERE id = ?
      """
    try db.run(sql, [.integer(intent)])
    let new = db.lastInsertedRowID
    try note(new, begunWith: intent, in: db)
    for (ordinal, record) in records.enumerated() {
      let kept = try KeptIntent(record, of: intent, in: db)
      for table in ["records", "marks"] {
        let sql = "DELETE FROM \(table) WHERE intent = ? AND record = ?"
        try db.run(sql, [.integer(intent), .text(record.id)])
      }
      try RecordIntent(id: record.id, title: record.title, payload: kept.payload, marks: kept.marks)
        .insert(ordinal, of: new, in: db)
    }
    return new
  }

  private static func note(_ part: Int64, begunWith intent: Int64, in db: Database) throws {
    let first = try begun(intent, in: db)
    try db.execute(sql: JournalSchema.splits)
    try db.run("INSERT INTO splits VALUES (?, ?)", [.integer(part), .integer(first)])
  }

  /// The number of the intent with which this one was begun: its own, unless it was split off. That it has a higher one than what was written
  /// in between tells nothing.
  func begun(_ intent: Int64) throws -> Int64 { try read(or: intent) { try Journal.begun(intent, in: $0) } }

  private static func begun(_ intent: Int64, in db: Database) throws -> Int64 {
    guard try db.hasTable("splits") else { return intent }
    let sql = "SELECT begunWith FROM splits WHERE intent = ?"
    return try db.firstRow(sql, [.integer(intent)]) { $0.integer(0) } ?? intent
  }

  /// All records of an intent were written.
  package func finish(_ intent: Int64) throws {
    let time = now()
    let sql = """
      INSERT INTO receipts (intent, record, outcome, finishedAt)
      SELECT intent, record, 'written', \(Receipt.time("?1", of: "records.record")) FROM records WHERE intent = ?2
      ON CONFLICT (intent, record) DO NOTHING
      """
    try write { try $0.run(sql, [.integer(time), .integer(intent)]) }
  }
}

extension Receipt {
  /// SQL: not before what was decided about the record, also where the clock was set back since.
  fileprivate static func time(_ now: String, of record: String) -> String {
    "max(\(now), ifnull((SELECT max(decidedAt) FROM decisions WHERE decisions.record = \(record)), \(now)))"
  }

  fileprivate func insert(of intent: Int64, at time: Int64, in db: Database) throws {
    try db.run(
      """
      INSERT INTO receipts (intent, record, outcome, detail, finishedAt)
      VALUES (?1, ?2, ?3, ?4, \(Receipt.time("?5", of: "?2")))
      ON CONFLICT (intent, record) DO NOTHING
      """,
      [
        .integer(intent), .text(record), .text(outcome.rawValue), detail.map { .text($0) } ?? .null,
        .integer(time),
      ])
  }
}
