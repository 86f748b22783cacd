import ExactJSON
import GRDB
import KeyedArchives
import Merging
import SQLiteFiles
import StoreInterface

/// One row of `parley_outbox`: a draft that the app is to apply. Its format is told in FOR-APPS.md.
struct OutboxRow: Sendable, Equatable {
  static let table = "parley_outbox"

  /// Nanoseconds since 1970.
  let decidedAt: Int64
  let serverRecord: [UInt8]?
  /// When the app applied it, in nanoseconds since 1970; nil while it waits.
  let appliedAt: Int64?
  /// System fields of the ancestor when it was decided.
  let seenAncestor: [UInt8]?
  /// What it is made of; nil for a draft of before, of which only the times tell.
  let settled: Settled?

  var isWaiting: Bool { appliedAt == nil }

  /// An outbox of before has not all columns.
  private static func select(in db: Database) throws -> String {
    let later = try ["settles", "seenAncestor"].map { name in
      let sql = "SELECT 1 FROM pragma_table_info('parley_outbox', 'main') WHERE name = ?"
      return try db.firstRow(sql, [.text(name)]) { _ in name } ?? "NULL"
    }
    let columns = ["decidedAt", "serverRecord", "appliedAt"] + later
    return "SELECT \(columns.joined(separator: ", ")) FROM main.parley_outbox"
  }

  init(_ row: SQLRow) {
    decidedAt = row.integer(0)
    serverRecord = row.optionalBytes(1)
    appliedAt = row.isNull(2) ? nil : row.integer(2)
    settled = row.optionalText(3).map { Settled(json: $0) }
    seenAncestor = row.optionalBytes(4)
  }

  static func exists(in db: Database) throws -> Bool { try db.hasTable(table) }

  /// The drafts of this record, oldest first.
  static func all(of recordName: String, in db: Database) throws -> [OutboxRow] {
    try db.rows(select(in: db) + " WHERE recordName = ? ORDER BY id", [.text(recordName)]) { OutboxRow($0) }
  }

  /// The ids of the drafts of this record that still wait.
  static func waiting(of recordName: String, in db: Database) throws -> [Int64] {
    let sql = "SELECT id FROM main.parley_outbox WHERE recordName = ? AND appliedAt IS NULL ORDER BY id"
    return try db.rows(sql, [.text(recordName)]) { $0.integer(0) }
  }

  /// The records of which a draft still waits.
  static func waitingRecords(in db: Database) throws -> RecordNames {
    guard try exists(in: db) else { return RecordNames() }
    let sql = "SELECT DISTINCT recordName FROM main.parley_outbox WHERE appliedAt IS NULL"
    return RecordNames(try db.rows(sql) { $0.text(0) })
  }

  /// An id that no row had before, also none that is gone: the table counts on.
  static func nextID(in db: Database) throws -> Int64 {
    let counted = "SELECT seq FROM main.sqlite_sequence WHERE name = 'parley_outbox'"
    let sql =
      "SELECT max(coalesce((\(counted)), 0), coalesce((SELECT max(id) FROM main.parley_outbox), 0)) + 1"
    return try db.firstRow(sql) { $0.integer(0) } ?? 1
  }

  /// Whether this draft was made of that row, or of the same record of the server. What came in after it is not settled by it.
  func settles(_ inbox: InboxRow) -> Bool {
    (settled?.contains(inbox) ?? (decidedAt >= inbox.receivedAt)) || isMade(of: inbox)
  }

  private func isMade(of inbox: InboxRow) -> Bool {
    guard let serverRecord, let other = inbox.serverRecord else { return false }
    if serverRecord == other { return true }
    // An archive that was imported is written otherwise than the app's own of the same version.
    guard let record = try? ArchivedRecord(decoding: serverRecord) else { return false }
    return (try? ArchivedRecord(decoding: other))?.isSameVersion(as: record) ?? false
  }
}

/// The rows of the inbox that a draft is made of, as `parley_outbox` tells them.
///
///     {"inbox":[4,7],"imports":[1795179600000000000]}
///
/// Those of the app's inbox by their ids, which no other row ever has; those of the journal by when they came in, as a journal
/// that is made anew counts from one again. No time is compared with another: the clocks that they are from may have been wrong.
struct Settled: Sendable, Equatable {
  let inbox: Set<Int64>
  let imports: Set<Int64>

  func contains(_ row: InboxRow) -> Bool {
    switch row.place {
    case .app: inbox.contains(row.id)
    case .journal: imports.contains(row.receivedAt)
    }
  }
}

extension Settled {
  /// What cannot be read settles nothing: then it is asked for once more.
  init(json: String) {
    var reader = JSONReader(Array(json.utf8))
    let members = (try? reader.single())?.members ?? [:]
    func numbers(_ name: JSONText) -> Set<Int64> {
      Set((members[name]?.elements ?? []).compactMap { $0.number.flatMap { Int64($0) } })
    }
    self.init(inbox: numbers("inbox"), imports: numbers("imports"))
  }

  var json: String {
    func list(_ numbers: Set<Int64>) -> String { numbers.sorted().map(String.init).joined(separator: ",") }
    return #"{"inbox":[\#(list(inbox))],"imports":[\#(list(imports))]}"#
  }
}
