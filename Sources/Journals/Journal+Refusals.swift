import GRDB
import Merging
import SQLiteFiles
import StoreInterface

/// What the store said to drafts, kept with the newest decision about each: a later one makes another draft.
extension Journal {
  package func note(_ checked: [CheckedWrite]) throws {
    let news = try read(or: []) { db in try Journal.news(checked, in: db) }
    if news.isEmpty { return }
    let time = now()
    try write { db in for answer in news { try answer.insert(at: time, in: db) } }
  }

  /// Mostly nothing was ever refused: then nobody has to look what is known of each record that was written.
  private static func news(_ checked: [CheckedWrite], in db: Database) throws -> [Answer] {
    let isAnyKnown = try db.firstRow("SELECT 1 FROM refusals LIMIT 1") { _ in true } ?? false
    var news: [Answer] = []
    for one in checked where one.outcome.isAnswer && (isAnyKnown || one.outcome.refusal != nil) {
      if let answer = try self.news(one, in: db) { news.append(answer) }
    }
    return news
  }

  /// nil where nothing was decided, or the journal says the same already: of most drafts nothing was ever refused.
  private static func news(_ checked: CheckedWrite, in db: Database) throws -> Answer? {
    let sql = """
      SELECT id, \(refusalOfDecision) FROM decisions WHERE record = ? ORDER BY id DESC LIMIT 1
      """
    let known = try db.firstRow(sql, [.text(checked.id)]) { row in
      (decision: row.integer(0), refusal: DraftRefusal(row, from: 1))
    }
    guard let known, known.refusal != checked.outcome.refusal else { return nil }
    return Answer(decision: known.decision, refusal: checked.outcome.refusal)
  }

  /// Two columns of `decisions`: the field and the reason, both NULL where the draft was not refused, or no longer is.
  static let refusalOfDecision = ["field", "reason"].map {
    "(SELECT \($0) FROM refusals WHERE decision = decisions.id ORDER BY refusals.id DESC LIMIT 1)"
  }.joined(separator: ", ")
}

extension DraftRefusal {
  init?(_ row: SQLRow, from column: Int32) {
    guard let reason = row.optionalText(column + 1) else { return nil }
    self.init(field: row.optionalText(column), reason: reason)
  }
}

private struct Answer {
  let decision: Int64
  /// nil: the store takes it again.
  let refusal: DraftRefusal?

  func insert(at time: Int64, in db: Database) throws {
    try db.run(
      "INSERT INTO refusals (decision, field, reason, refusedAt) VALUES (?, ?, ?, ?)",
      [
        .integer(decision), refusal?.field.map { .text($0) } ?? .null,
        refusal.map { .text($0.reason) } ?? .null, .integer(time),
      ])
  }
}
