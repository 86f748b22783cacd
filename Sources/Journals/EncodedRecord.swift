import Crypto
import GRDB
import Merging

/// What an intent changes of one record, as the journal holds it.
package struct EncodedRecord: Sendable {
  package let id: String
  package let title: String
  package var changes: [EncodedChange]
  /// A server record that comes into the journal with it.
  package var imported: [Value]?

  /// About how many bytes it takes.
  package var weight: Int { changes.reduce(0) { $0 + $1.weight } }

  /// Nobody has to seal what is told anyway: this notices what was changed by accident or by hand. The bytes of long values
  /// are in it by their own SHA-256.
  package func checksum(intent: Int64) -> [UInt8] {
    var sum = SHA256()
    sum.add(String(intent))
    sum.add(id)
    sum.add(title)
    for change in changes {
      sum.add(change.file)
      sum.add(change.table)
      for row in [change.key, change.before, change.after] { sum.add(row) }
    }
    return Array(sum.finalize())
  }
}

/// One change of a row.
package struct EncodedChange: Sendable {
  package let file: String
  package let table: String
  package let key: [UInt8]
  package let before: [UInt8]?
  package let after: [UInt8]?
  /// Which import it is about.
  package var importID: Int64?
  /// The long values of its rows, by their SHA-256.
  package var long: [[UInt8]: [UInt8]] = [:]
  /// Whether its rows could be read when it was brought up from an older journal.
  package var isReadable = false
}

extension EncodedChange {
  /// - Parameter hashed: whether of long blobs that it leaves as they are the hash is enough.
  package init(_ change: StoredChange, hashing: Bool = false) throws {
    let hashed = hashing ? change.unchangedColumns : []
    let key = try EncodedRow(change.key)
    let before = try change.before.map { try EncodedRow($0, hashed: hashed) }
    let after = try change.after.map { try EncodedRow($0, hashed: hashed) }
    let rows = [key, before, after].compactMap(\.self)
    self.init(
      file: change.file.rawValue, table: change.table, key: key.bytes, before: before?.bytes,
      after: after?.bytes, importID: change.importID,
      long: rows.reduce(into: [:]) { $0.merge($1.long) { first, _ in first } }, isReadable: true)
  }

  fileprivate var weight: Int {
    long.values.reduce(key.count + (before?.count ?? 0) + (after?.count ?? 0)) { $0 + $1.count }
  }
}

extension StoredChange {
  /// Those of a row that is there before and after, and differs.
  fileprivate var unchangedColumns: Set<String> {
    guard let before, let after, before != after else { return [] }
    return Set(before.keys.filter { before[$0] == after[$0] })
  }

  fileprivate var importID: Int64? {
    if file == .journal, case .integer(let id)? = key["id"] { id } else { nil }
  }
}

extension EncodedRecord {
  package func insert(_ ordinal: Int, of intent: Int64, in db: Database) throws {
    if let imported {
      let id = try Journal.insert(imported, in: db)
      let bringing = try EncodedChange(.bringingIn(import: id))
      return try EncodedRecord(id: self.id, title: title, changes: [bringing]).insert(
        ordinal, of: intent, in: db)
    }
    let isReadable = changes.allSatisfy(\.isReadable)
    let checksum = isReadable ? checksum(intent: intent) : []
    try db.run(
      "INSERT OR IGNORE INTO records (intent, record, ordinal, title, checksum) VALUES (?, ?, ?, ?, ?)",
      [
        .integer(intent), .text(id), .integer(Int64(ordinal)), .text(title), .blob(Blob(bytes: checksum)),
      ])
    for change in changes { try change.insert(of: id, intent, in: db) }
  }
}

extension Journal {
  /// - Returns: its number.
  fileprivate static func insert(_ row: [Value], in db: Database) throws -> Int64 {
    let sql = """
      INSERT INTO imports (recordName, zoneName, ownerName, recordType, receivedAt, path, isDeleted,
        serverRecord, ancestorRecord, clientRow, serverJSON)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    try db.run(sql, row)
    return db.lastInsertedRowID
  }
}

extension EncodedChange {
  fileprivate func insert(of record: String, _ intent: Int64, in db: Database) throws {
    for (hash, bytes) in long {
      try db.run(
        "INSERT OR IGNORE INTO blobs (sha256, bytes) VALUES (?, ?)",
        [.blob(Blob(bytes: hash)), .blob(Blob(bytes: bytes))])
    }
    let rows = [key, before, after].map { $0.map { Value.blob(Blob(bytes: $0)) } ?? .null }
    let sql = """
      INSERT INTO changes (intent, record, file, tableName, key, before, after, import)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """
    try db.run(
      sql,
      [.integer(intent), .text(record), .text(file), .text(table)] + rows
        + [importID.map { .integer($0) } ?? .null])
  }
}

extension SHA256 {
  fileprivate mutating func add(_ text: String) { add(Array(text.utf8)) }

  /// With its length, so that no two lists of parts are the same bytes.
  fileprivate mutating func add(_ bytes: [UInt8]?) {
    withUnsafeBytes(of: Int64(bytes?.count ?? -1).bigEndian) { update(bufferPointer: $0) }
    if let bytes { update(data: bytes) }
  }
}
