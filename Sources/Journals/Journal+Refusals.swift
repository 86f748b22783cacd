import ExactJSON
import GRDB
import Merging
import SQLiteFiles
import StoreInterface

/// What the store said to drafts, kept with the newest decision about each: a later one makes another draft.
extension Journal {
  package func note(_ checked: [CheckedWrite]) throws {
    let time = now()
    let news = try read(or: []) { db in try Journal.news(checked, at: time, in: db) }
    if news.isEmpty { return }
    try write { db in for (decision, answer) in news { try answer.insert(about: decision, in: db) } }
  }

  package func refusedRecords(limit: Int) throws -> [String] {
    let sql = """
      SELECT record FROM refusals JOIN decisions ON decisions.id = decision
      WHERE reason IS NOT NULL
      AND refusals.id = (SELECT max(newer.id) FROM refusals newer WHERE newer.decision = refusals.decision)
      AND decision = (SELECT max(newer.id) FROM decisions newer WHERE newer.record = decisions.record)
      ORDER BY refusals.id DESC LIMIT ?
      """
    return try read(or: []) { db in try db.rows(sql, [.integer(Int64(limit))]) { $0.text(0) } }
  }

  /// Mostly nothing was ever refused: then nobody has to look what is known of each record that was written.
  private static func news(
    _ checked: [CheckedWrite], at time: Int64, in db: Database
  ) throws -> [(decision: Int64, answer: StoreAnswer)] {
    let isAnyKnown = try isAnyRefused(in: db)
    var news: [(Int64, StoreAnswer)] = []
    for one in checked where one.outcome.isAnswer && (isAnyKnown || one.outcome.refusal != nil) {
      guard let decision = try decisionToAnswer(one, in: db) else { continue }
      news.append((decision, StoreAnswer(refusal: one.outcome.refusal, time: time)))
    }
    return news
  }

  /// nil where nothing was decided, or the journal says the same already: of most drafts nothing was ever refused.
  private static func decisionToAnswer(_ checked: CheckedWrite, in db: Database) throws -> Int64? {
    let sql = """
      SELECT id, \(refusalOfDecision) FROM decisions WHERE record = ? ORDER BY id DESC LIMIT 1
      """
    let known = try db.firstRow(sql, [.text(checked.id)]) { row in
      (decision: row.integer(0), refusal: DraftRefusal(row, from: 1))
    }
    return known.flatMap { $0.refusal == checked.outcome.refusal ? nil : $0.decision }
  }

  /// Two columns of `decisions`: the field and the reason, both NULL where the draft was not refused, or no longer is.
  static let refusalOfDecision = ["field", "reason"].map {
    "(SELECT \($0) FROM refusals WHERE decision = decisions.id ORDER BY refusals.id DESC LIMIT 1)"
  }.joined(separator: ", ")
}

/// What was refused stays so where somebody decides the same once more.
extension Journal {
  /// By the record: the last answer of its store, if `decisions` leave its draft as it is.
  static func refusalsStanding(
    after decisions: [Decision], in db: Database
  ) throws -> ByRecord<StoreAnswer> {
    guard try isAnyRefused(in: db) else { return [:] }
    var standing: ByRecord<StoreAnswer> = [:]
    for (record, decisions) in ByRecord(grouping: decisions, by: \.id) {
      let known = try lastDecisions(for: [JSONText(record)], in: db)
      if decisions.isDecided(by: known) { standing[record] = try newestAnswer(about: record, in: db) }
    }
    return standing
  }

  static func isAnyRefused(in db: Database) throws -> Bool {
    try db.hasRow("SELECT 1 FROM refusals LIMIT 1")
  }

  /// nil where the newest decision about it was not refused, or is taken again.
  private static func newestAnswer(about record: String, in db: Database) throws -> StoreAnswer? {
    let sql = """
      SELECT field, reason, refusedAt FROM refusals
      WHERE decision = (SELECT max(id) FROM decisions WHERE record = ?) ORDER BY id DESC LIMIT 1
      """
    return try db.firstRow(sql, [.text(record)]) { row in
      DraftRefusal(row, from: 0).map { StoreAnswer(refusal: $0, time: row.integer(2)) }
    } ?? nil
  }

  /// Each refusal once, newest first, with when it was told; of one record or of all.
  static func refusals(of record: String? = nil, limit: Int, in db: Database) throws -> [JournalEntry] {
    let sql = """
      SELECT record, refusals.field, reason, refusedAt FROM refusals JOIN decisions ON decisions.id = decision
      WHERE reason IS NOT NULL AND record = coalesce(?, record)
      GROUP BY record, refusals.field, reason, refusedAt ORDER BY refusedAt DESC LIMIT ?
      """
    var entries: [JournalEntry] = []
    try db.forEachRow(sql, [record.map { .text($0) } ?? .null, .integer(Int64(limit))]) { row in
      guard let refusal = DraftRefusal(row, from: 1) else { return }
      entries.append(JournalEntry(time: row.integer(3), record: row.text(0), event: .refused(refusal)))
    }
    return entries
  }
}

extension DraftRefusal {
  init?(_ row: SQLRow, from column: Int32) {
    guard let reason = row.optionalText(column + 1) else { return nil }
    self.init(field: row.optionalText(column), reason: reason)
  }
}

/// What a store said to a draft, and when. Nanoseconds since 1970.
struct StoreAnswer {
  /// nil: the store takes it again.
  let refusal: DraftRefusal?
  let time: Int64

  /// - Parameter decision: the row of the newest decision about its record.
  func insert(about decision: Int64, in db: Database) throws {
    try db.run(
      "INSERT INTO refusals (decision, field, reason, refusedAt) VALUES (?, ?, ?, ?)",
      [
        .integer(decision), refusal?.field.map { .text($0) } ?? .null,
        refusal.map { .text($0.reason) } ?? .null, .integer(time),
      ])
  }
}
