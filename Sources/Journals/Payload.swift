import Digests
import GRDB
import Merging
import SQLiteFiles
import StoreInterface

/// Something that a store keeps in the journal, which only the store can read.
package struct Payload: Sendable, Equatable {
  /// As the store names what the bytes are.
  package let kind: String
  package let bytes: [UInt8]
  /// Long parts of it, by their SHA-256, which is all that `bytes` have of them: each lies in the journal once, whoever has it.
  package var parts: [[UInt8]: [UInt8]]

  package init(kind: String, bytes: [UInt8], parts: [[UInt8]: [UInt8]] = [:]) {
    (self.kind, self.bytes, self.parts) = (kind, bytes, parts)
  }

  fileprivate var weight: Int { parts.values.reduce(bytes.count) { $0 + $1.count } }
}

/// What an intent does to one record.
package struct RecordIntent: Sendable, Equatable {
  package let id: String
  package let title: String
  /// nil for one that is about what is kept in the journal alone.
  package var payload: Payload?
  /// What comes into the journal, or goes out of it, once there is a receipt.
  package var marks: [Mark] = []
  /// What is new, and comes in with it.
  package var kept: Payload?
  /// What is told of it beside its outcome: ``CheckedWrite/note``.
  package var note: String?
  /// The same: ``CheckedWrite/upload``.
  package var upload: UploadForecast?
  /// The same: ``CheckedWrite/notBack``.
  package var notBack = NotBack()

  /// One thing that is kept in the journal.
  package struct Mark: Sendable, Equatable {
    package let kept: Int64
    package let isIn: Bool

    package init(kept: Int64, isIn: Bool) { (self.kept, self.isIn) = (kept, isIn) }
  }

  package init(id: String, title: String, payload: Payload?, marks: [Mark] = [], kept: Payload? = nil) {
    (self.id, self.title, self.payload, self.marks, self.kept) = (id, title, payload, marks, kept)
  }

  /// About how many bytes it takes.
  var weight: Int { (payload?.weight ?? 0) + (kept?.weight ?? 0) }

  /// Nobody has to seal what is told anyway: this notices what was changed by accident or by hand. Long parts are in it by their
  /// own SHA-256.
  package func checksum(intent: Int64) -> [UInt8] {
    var sum = SHA256()
    for text in [String(intent), id, title] { sum.add(Array(text.utf8)) }
    sum.add(payload.map { Array($0.kind.utf8) })
    sum.add(payload?.bytes)
    for mark in marks { sum.add(Array("\(mark.kept) \(mark.isIn)".utf8)) }
    return sum.finish()
  }
}

extension RecordIntent {
  /// - Parameter isWhole: whether it is what was written once, as far as anybody knows.
  package func insert(_ ordinal: Int, of intent: Int64, isWhole: Bool = true, in db: Database) throws {
    var record = self
    if let kept { record.marks.append(Mark(kept: try kept.keep(of: id, in: db), isIn: true)) }
    try Payload.keep(parts: payload?.parts ?? [:], in: db)
    let checksum = isWhole ? record.checksum(intent: intent) : []
    try db.run(
      "INSERT INTO records (intent, record, ordinal, title, kind, payload, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        .integer(intent), .text(id), .integer(Int64(ordinal)), .text(title),
        payload.map { .text($0.kind) } ?? .null, payload.map { .blob(Blob(bytes: $0.bytes)) } ?? .null,
        .blob(Blob(bytes: checksum)),
      ])
    for mark in record.marks {
      try db.run(
        "INSERT INTO marks (kept, intent, record, isIn) VALUES (?, ?, ?, ?)",
        [.integer(mark.kept), .integer(intent), .text(id), .integer(mark.isIn ? 1 : 0)])
    }
  }
}

extension Payload {
  package static func keep(parts: [[UInt8]: [UInt8]], in db: Database) throws {
    for (hash, bytes) in parts {
      try db.run(
        "INSERT OR IGNORE INTO blobs (sha256, bytes) VALUES (?, ?)",
        [.blob(Blob(bytes: hash)), .blob(Blob(bytes: bytes))])
    }
  }

  /// - Returns: its number.
  package func keep(_ number: Int64? = nil, of record: String, in db: Database) throws -> Int64 {
    try db.run(
      "INSERT INTO kept (id, kind, record, payload) VALUES (?, ?, ?, ?)",
      [number.map { .integer($0) } ?? .null, .text(kind), .text(record), .blob(Blob(bytes: bytes))])
    return db.lastInsertedRowID
  }
}

/// What the journal holds of one record of an intent, while it is open.
package struct KeptIntent {
  /// The record's name.
  package let id: String
  package let payload: Payload?
  package let marks: [RecordIntent.Mark]
  private let db: Database

  /// - Throws: ``Damage`` if it is not what was written there.
  package init(_ record: Intent.Record, of intent: Int64, in db: Database) throws {
    let found = try db.firstRow(KeptIntent.record, [.integer(intent), .text(record.id)]) { row in
      let payload = row.optionalText(0).map { Payload(kind: $0, bytes: row.bytes(1)) }
      return (payload, row.bytes(2))
    }
    guard let (payload, checksum) = found else { throw Damage("there is nothing") }
    let marks = try db.rows(KeptIntent.marks, [.integer(intent), .text(record.id)]) {
      RecordIntent.Mark(kept: $0.integer(0), isIn: $0.integer(1) != 0)
    }
    let kept = RecordIntent(id: record.id, title: record.title, payload: payload, marks: marks)
    guard checksum == kept.checksum(intent: intent) else { throw Damage("its checksum differs") }
    (id, self.payload, self.marks, self.db) = (record.id, payload, marks, db)
  }

  package static let record = "SELECT kind, payload, checksum FROM records WHERE intent = ? AND record = ?"
  package static let marks = "SELECT kept, isIn FROM marks WHERE intent = ? AND record = ? ORDER BY kept"

  /// A long part of the payload; nil if it is not there, or another one is.
  package func part(_ sha256: [UInt8]) throws -> [UInt8]? {
    let sql = "SELECT bytes FROM blobs WHERE sha256 = ?"
    let bytes = try db.firstRow(sql, [.blob(Blob(bytes: sha256))]) { $0.bytes(0) }
    return bytes.flatMap { Blob(bytes: $0).sha256 == sha256 ? $0 : nil }
  }
}

/// What the journal holds is not what was written there.
package struct Damage: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

extension SHA256 {
  /// With its length, so that no two lists of parts are the same bytes.
  package mutating func add(_ bytes: [UInt8]?) {
    update(withUnsafeBytes(of: Int64(bytes?.count ?? -1).bigEndian, Array.init))
    if let bytes { update(bytes) }
  }
}

/// What a store keeps in the journal itself, until it is settled, or for good. What is settled comes and goes by intents that were done: the
/// last one about it tells. What came in by an intent is not there before that was done; what came in by none is there at once.
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
      let sql = """
        SELECT id, payload FROM kept WHERE kind = ? AND id < ? AND \(state.condition)
          \(record == nil ? "" : "AND record = ?") ORDER BY id DESC LIMIT ?
        """
      let arguments: [Value?] = [
        .text(kind), .integer(id), record.map { .text($0) }, .integer(Int64(limit)),
      ]
      return try db.rows(sql, arguments.compactMap(\.self)) { Kept(id: $0.integer(0), bytes: $0.bytes(1)) }
    }
  }

  /// The newest intent that brings or settles something, and how many of its records have a receipt: only by that it is done.
  package func tracesOfKept() -> [Int64] {
    let sql = """
      SELECT intent, (SELECT count(*) FROM receipts WHERE receipts.intent = newest.intent)
      FROM (SELECT max(intent) AS intent FROM marks) AS newest
      """
    // None of a journal that is just made, as of none: with the first decision nothing of the store is another.
    let traces = try? read(or: nil) { db in
      try db.firstRow(sql) { $0.isNull(0) ? [] : [$0.integer(0), $0.integer(1)] }
    }
    return traces.flatMap(\.self) ?? []
  }

  /// The names of the records of which something is kept, and of how many things.
  package func namesOfKept(_ kind: String) throws -> ByRecord<Int> {
    try read(or: [:]) { db in
      var names: ByRecord<Int> = [:]
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
