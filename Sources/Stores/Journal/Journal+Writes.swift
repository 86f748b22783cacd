import GRDB
import Merging

extension Journal {
  /// Keeps what a write is about to change. Durable when it returns.
  func append(intent records: [RecordChanges], undoes: Int64?, note: String?) throws -> Intent {
    let time = now()
    return try write { db in
      try db.run(
        "INSERT INTO intents (undoes, startedAt, note) VALUES (?, ?, ?)",
        [undoes.map { .integer($0) } ?? .null, .integer(time), note.map { .text($0) } ?? .null])
      let intent = Intent(id: db.lastInsertedRowID, undoes: undoes, records: records)
      try Journal.append(changesOf: intent, in: db)
      return intent
    }
  }

  /// Keeps what the same write is about to change for one more record, where each record has its own transaction.
  func append(_ record: RecordChanges, to intent: inout Intent) throws {
    let first = intent.records.reduce(0) { $0 + $1.changes.count }
    let more = Intent(id: intent.id, undoes: intent.undoes, records: [record])
    try write { db in try Journal.append(changesOf: more, from: first, in: db) }
    intent.records.append(record)
  }

  private static func append(changesOf intent: Intent, from first: Int = 0, in db: Database) throws {
    let sql = """
      INSERT INTO changes (intent, ordinal, record, title, file, tableName, key, before, after)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    let changes = intent.records.flatMap { record in record.changes.map { (record, $0) } }
    for (ordinal, (record, change)) in changes.enumerated() {
      try db.run(
        sql,
        [
          .integer(intent.id), .integer(Int64(first + ordinal)), .text(record.record), .text(record.title),
          .text(change.file.rawValue), .text(change.table), .text(RowJSON.encode(change.key)),
          change.before.map { .text(RowJSON.encode($0)) } ?? .null,
          change.after.map { .text(RowJSON.encode($0)) } ?? .null,
        ])
    }
  }

  func append(_ receipts: [Receipt], of intent: Intent) throws {
    let time = now()
    try write { db in
      let sql = "INSERT INTO receipts (intent, record, outcome, detail, finishedAt) VALUES (?, ?, ?, ?, ?)"
      for receipt in receipts {
        let detail = receipt.detail.map { Value.text($0) } ?? .null
        try db.run(
          sql,
          [
            .integer(intent.id), .text(receipt.record), .text(receipt.outcome.rawValue), detail,
            .integer(time),
          ])
      }
    }
  }

  /// The intents without a receipt, oldest first: Parley was interrupted while it wrote.
  func interrupted() throws -> [Intent] {
    try read(or: []) { db in
      let sql = """
        SELECT id, undoes FROM intents WHERE id NOT IN (SELECT intent FROM receipts) ORDER BY id
        """
      var found: [(Int64, Int64?)] = []
      try db.forEachRow(sql) { found.append(($0.integer(0), $0.isNull(1) ? nil : $0.integer(1))) }
      return try found.map { try Intent(id: $0.0, undoes: $0.1, records: Journal.records(of: $0.0, in: db)) }
    }
  }

  static func records(of intent: Int64, in db: Database) throws -> [RecordChanges] {
    let sql = """
      SELECT record, title, file, tableName, key, before, after FROM changes WHERE intent = ? ORDER BY ordinal
      """
    var records: [RecordChanges] = []
    try db.forEachRow(sql, [.integer(intent)]) { row in
      if records.last?.record != row.text(0) {
        records.append(RecordChanges(record: row.text(0), title: row.text(1), changes: []))
      }
      records[records.count - 1].changes.append(try StoredChange(row))
    }
    return records
  }
}

extension StoredChange {
  fileprivate init(_ row: SQLRow) throws {
    self.init(
      file: File(rawValue: row.text(2)) ?? .metadata, table: row.text(3),
      key: try RowJSON.decode(row.text(4)) ?? [:], before: try row.optionalText(5).flatMap(RowJSON.decode),
      after: try row.optionalText(6).flatMap(RowJSON.decode))
  }
}
