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

  /// What an intent changes of one record.
  ///
  /// - Throws: ``Refusal`` if the journal does not hold what was written there: then nobody may rely on it.
  package func changes(of record: Intent.Record, in intent: Int64) throws -> RecordChanges {
    try read(or: nil) { db in
      do {
        return try Journal.changes(of: record, in: intent, in: db)
      } catch let damage as RowDecoder.Malformed {
        throw Refusal(nil, Journal.words(damage, path))
      }
    } ?? RecordChanges(record: record.id, title: record.title, changes: [])
  }

  /// The same, for showing it: of what cannot be relied on nothing is shown.
  package func readableChanges(of record: Intent.Record, in intent: Int64) throws -> RecordChanges {
    do {
      return try changes(of: record, in: intent)
    } catch is Refusal {
      return RecordChanges(record: record.id, title: record.title, changes: [])
    }
  }

  private static func words(_ damage: RowDecoder.Malformed, _ path: String) -> String {
    """
    what the journal \(path) holds of it is not what was written there (\(damage)), so nothing is done with it. \
    Copy the journal back from a backup
    """
  }

  /// What the last write of a record changed in a table; nil if that was taken back, or the journal cannot tell.
  package func lastChange(of record: String, table: String) throws -> StoredChange? {
    let last = try read(or: nil) { db -> (intent: Int64, isUndo: Bool, title: String)? in
      let sql = """
        SELECT intents.id, intents.undoes, records.title FROM receipts
        CROSS JOIN intents ON intents.id = receipts.intent
        CROSS JOIN records ON records.intent = receipts.intent AND records.record = receipts.record
        WHERE receipts.record = ? AND receipts.outcome IN ('written', 'completed') AND EXISTS (
          SELECT 1 FROM changes WHERE changes.intent = receipts.intent AND changes.record = receipts.record
            AND changes.tableName = ?)
        ORDER BY receipts.intent DESC LIMIT 1
        """
      return try db.firstRow(sql, [.text(record), .text(table)]) {
        ($0.integer(0), !$0.isNull(1), $0.text(2))
      }
    }
    guard let last, !last.isUndo else { return nil }
    let told = Intent.Record(id: record, title: last.title)
    return try readableChanges(of: told, in: last.intent).changes.last { $0.table == table }
  }

  /// Whether an intent changes a table.
  package func hasChanges(of table: String, in intent: Int64) throws -> Bool {
    try read(or: false) { db in
      let sql = "SELECT 1 FROM changes WHERE intent = ? AND tableName = ? LIMIT 1"
      return try db.firstRow(sql, [.integer(intent), .text(table)]) { _ in true } ?? false
    }
  }

  /// Whether all that an intent changes lies in the journal itself.
  package func isOfTheJournalAlone(_ intent: Intent) throws -> Bool {
    try read(or: false) { db in
      let sql = "SELECT 1 FROM changes WHERE intent = ? AND file <> 'journal' LIMIT 1"
      return try db.firstRow(sql, [.integer(intent.id)]) { _ in false } ?? true
    }
  }

  package static func intents(_ condition: String, _ arguments: [Value] = [], in db: Database) throws
    -> [Intent]
  {
    var intents: [Intent] = []
    let sql = "SELECT id, act, undoes, startedAt, note FROM intents WHERE \(condition) ORDER BY id"
    try db.forEachRow(sql, arguments) { intents.append(Intent($0)) }
    return try intents.map { intent in
      var intent = intent
      intent.records = try records(of: intent.id, in: db)
      return intent
    }
  }

  private static func records(of intent: Int64, in db: Database) throws -> [Intent.Record] {
    var records: [Intent.Record] = []
    try db.forEachRow(
      "SELECT record, title FROM records WHERE intent = ? ORDER BY ordinal", [.integer(intent)]
    ) {
      records.append(Intent.Record(id: $0.text(0), title: $0.text(1)))
    }
    return records
  }

  package static let changesOfRecord = """
    SELECT file, tableName, key, before, after FROM changes WHERE intent = ? AND record = ? ORDER BY id
    """
  package static let checksum = "SELECT checksum FROM records WHERE intent = ? AND record = ?"

  package static func changes(
    of record: Intent.Record, in intent: Int64, in db: Database
  ) throws -> RecordChanges {
    var encoded = EncodedRecord(id: record.id, title: record.title, changes: [])
    try db.forEachRow(changesOfRecord, [.integer(intent), .text(record.id)]) { row in
      encoded.changes.append(
        EncodedChange(
          file: row.text(0), table: row.text(1), key: row.bytes(2), before: row.optionalBytes(3),
          after: row.optionalBytes(4)))
    }
    try check(encoded, of: intent, in: db)
    let changes = try encoded.changes.map { try StoredChange($0, in: db) }
    return RecordChanges(record: record.id, title: record.title, changes: changes)
  }

  /// Journals of before version 3 have no checksums.
  private static func check(_ record: EncodedRecord, of intent: Int64, in db: Database) throws {
    guard
      let kept = try db.firstRow(checksum, [.integer(intent), .text(record.id)], { $0.optionalBytes(0) })
    else { throw RowDecoder.Malformed(description: "there is nothing") }
    guard kept == nil || kept == record.checksum(intent: intent) else {
      throw RowDecoder.Malformed(description: "its checksum differs")
    }
  }
}

extension Intent {
  fileprivate init(_ row: SQLRow) {
    self.init(
      id: row.integer(0), act: Act(rawValue: row.text(1)) ?? .write,
      undoes: row.isNull(2) ? nil : row.integer(2), startedAt: row.integer(3), note: row.optionalText(4),
      records: [])
  }
}

extension StoredChange {
  fileprivate init(_ encoded: EncodedChange, in db: Database) throws {
    guard let file = File(rawValue: encoded.file) else {
      throw RowDecoder.Malformed(description: "an unknown file")
    }
    func row(_ bytes: [UInt8]) throws -> RowImage {
      try RowDecoder.row(bytes) { hash in try Journal.long(hash, in: db) }
    }
    self.init(
      file: file, table: encoded.table, key: try row(encoded.key), before: try encoded.before.map(row),
      after: try encoded.after.map(row))
    try checkBytes()
  }

  /// Only what a change leaves as it is may be there by its hash alone, and nothing of a key.
  private func checkBytes() throws {
    if key.isEmpty { throw RowDecoder.Malformed(description: "a row without a key") }
    let lacking = [key, before ?? [:], after ?? [:]].map { row in row.filter { !$0.value.isAtHand } }
    guard lacking[0].isEmpty, lacking[1] == lacking[2] else {
      throw RowDecoder.Malformed(description: "bytes that it needs are not there")
    }
  }
}

extension Journal {
  /// A long value; nil if it is not there, or another one is.
  fileprivate static func long(_ sha256: [UInt8], in db: Database) throws -> [UInt8]? {
    let sql = "SELECT bytes FROM blobs WHERE sha256 = ?"
    let bytes = try db.firstRow(sql, [.blob(Blob(bytes: sha256))]) { $0.bytes(0) }
    return bytes.flatMap { Blob(bytes: $0).sha256 == sha256 ? $0 : nil }
  }
}
