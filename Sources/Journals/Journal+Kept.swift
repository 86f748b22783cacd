import GRDB
import Merging
import SQLiteFiles

/// What a store keeps in the journal itself, until it is settled. It comes and goes by intents that were done: the last one
/// about it tells. What came in by an intent is not there before that was done.
extension Journal {
  package struct Kept: Sendable, Equatable {
    package let id: Int64
    package let bytes: [UInt8]
  }

  /// Which things of a kind are meant.
  package enum KeptState: String, Sendable {
    case open
    /// Open or settled, but not taken out by the undo of what brought it in.
    case everIn
  }

  /// The things of a kind before `id`, newest first.
  ///
  /// - Parameter record: the only one that counts; nil: all.
  package func kept(
    _ kind: String, of record: String? = nil, _ state: KeptState = .open, before id: Int64 = .max,
    limit: Int = .max
  ) throws -> [Kept] {
    try read(or: []) { db in
      var kept: [Kept] = []
      let sql = """
        SELECT id, payload FROM kept WHERE kind = ? AND id < ? AND \(state.condition)
          \(record == nil ? "" : "AND record = ?") ORDER BY id DESC LIMIT ?
        """
      let arguments: [Value?] = [
        .text(kind), .integer(id), record.map { .text($0) }, .integer(Int64(limit)),
      ]
      try db.forEachRow(sql, arguments.compactMap(\.self)) {
        kept.append(Kept(id: $0.integer(0), bytes: $0.bytes(1)))
      }
      return kept
    }
  }

  /// The names of the records of which something is kept, and of how many things.
  package func namesOfKept(_ kind: String) throws -> [String: Int] {
    try read(or: [:]) { db in
      var names: [String: Int] = [:]
      let sql =
        "SELECT record, count(*) FROM kept WHERE kind = ? AND \(KeptState.open.condition) GROUP BY record"
      try db.forEachRow(sql, [.text(kind)]) { names[$0.text(0)] = Int($0.integer(1)) }
      return names
    }
  }

  package func isSettled(_ id: Int64) throws -> Bool {
    try read(or: false) { db in
      let sql = "SELECT \(KeptState.open.condition) FROM kept WHERE id = ?"
      return try db.firstRow(sql, [.integer(id)]) { $0.integer(0) == 0 } ?? true
    }
  }
}

extension Journal.KeptState {
  /// SQL over a row of `kept`.
  fileprivate var condition: String {
    let isIn = self == .open ? "isIn" : "isIn OR intents.act <> 'import'"
    return """
      coalesce((
        SELECT \(isIn) FROM marks CROSS JOIN intents ON intents.id = marks.intent
        JOIN receipts ON receipts.intent = marks.intent AND receipts.record = marks.record
        WHERE marks.kept = kept.id AND receipts.outcome IN ('written', 'completed')
        ORDER BY marks.intent DESC LIMIT 1),
        NOT EXISTS (SELECT 1 FROM marks WHERE marks.kept = kept.id AND isIn))
      """
  }
}
