import GRDB
import KeyedArchives
import Merging
import SQLiteFiles
import StoreInterface

/// A server record that came in and waits for a decision: one row of `parley_inbox`, whose format FOR-APPS.md tells, or
/// one that Parley keeps in its journal. A class, as what is made of a record has it in several places.
package final class InboxRow: Sendable {
  package static let table = "parley_inbox"

  enum Place: Sendable {
    case app, journal
  }

  let place: Place
  /// Unique in its place; 0 for a row that is not kept yet.
  let id: Int64
  let recordName: String
  let zoneName: String
  let ownerName: String
  /// Nanoseconds since 1970.
  let receivedAt: Int64
  let path: String
  /// The server says: deleted.
  let isDeleted: Bool
  let serverRecord: [UInt8]?
  let ancestorRecord: [UInt8]?
  /// JSON: the row before the engine touched it. Text of it that is not UTF-8 is in there as it is.
  let clientRow: [UInt8]?
  /// When that row was last edited, in nanoseconds since 1970: the engine sets the time to now as it merges.
  let clientTime: Int64?
  /// Whether the engine is known to have kept nothing of that row against the record: what was edited gave way then, and was never sent.
  let isReplaced: Bool
  /// The record as CloudKit's JSON has it, where it came without an archive; in the journal only. It never becomes an
  /// ancestor: the app could not read it.
  let serverJSON: String?
  /// The table; of no use beside the name, but a column of the inbox.
  let recordType: String

  private static let columns = """
    id, recordName, zoneName, ownerName, receivedAt, path, isDeleted, serverRecord, ancestorRecord, clientRow
    """

  /// Inboxes of before have none of the later columns.
  static func select(in db: Database) throws -> String {
    let there = try db.rows("SELECT name FROM pragma_table_info('parley_inbox', 'main')") { $0.text(0) }
    let later = ["clientTime", "isReplaced"].map { there.contains($0) ? $0 : "NULL" }
    return "SELECT \(columns), \(later.joined(separator: ", ")) FROM main.parley_inbox"
  }

  init(_ row: SQLRow) {
    (place, serverJSON, recordType) = (.app, nil, "")
    id = row.integer(0)
    recordName = row.text(1)
    zoneName = row.text(2)
    ownerName = row.text(3)
    receivedAt = row.integer(4)
    path = row.text(5)
    isDeleted = row.integer(6) != 0
    serverRecord = row.optionalBytes(7)
    ancestorRecord = row.optionalBytes(8)
    clientRow = row.optionalBytes(9)
    clientTime = row.isNull(10) ? nil : row.integer(10)
    isReplaced = row.integer(11) != 0
  }

  init(
    place: Place = .app, id: Int64, recordName: String, zoneName: String, ownerName: String,
    receivedAt: Int64, path: String, isDeleted: Bool, serverRecord: [UInt8]?, serverJSON: String?,
    recordType: String
  ) {
    self.place = place
    self.id = id
    self.recordName = recordName
    self.zoneName = zoneName
    self.ownerName = ownerName
    self.receivedAt = receivedAt
    self.path = path
    self.isDeleted = isDeleted
    self.serverRecord = serverRecord
    self.serverJSON = serverJSON
    self.recordType = recordType
    ancestorRecord = nil
    clientRow = nil
    clientTime = nil
    isReplaced = false
  }

  var key: InboxKey { InboxKey(place: place, id: id, recordName: recordName) }

  /// Whether triggers of the app kept the versions as they were before the engine merged. Then a missing ancestor was
  /// missing, and a missing row was deleted.
  var isCaptured: Bool {
    ["send", "fetch"].contains(path) && (ancestorRecord != nil || clientRow != nil)
  }

  /// Whether the server has the record again that it had deleted: a deletion is kept when the app's save has undone it, and the
  /// engine forgets what it fetches a deletion of, so that it knows the record only from later on.
  func isUndoneDeletion(by metadata: MetadataRow?) -> Bool {
    guard isDeleted, isCaptured, let bytes = metadata?.allFields,
      let known = try? ArchivedRecord(decoding: bytes)
    else { return false }
    return known.isConfirmed && (ancestorTag == nil || known.changeTag != ancestorTag)
  }

  /// Whether it was captured in a zone that somebody else shares.
  var isOfOthers: Bool { isCaptured && ownerName != Metadatabase.defaultOwner }

  static let ofOthers = """
    it lay in a zone that somebody else shares: whether it was deleted there, is shared no longer or was never permitted there, nobody can \
    know here. Kept, it is sent there again, and may be refused
    """

  /// The columns of an import. None has a row that was captured.
  var stored: RowImage {
    [
      "recordName": .text(recordName), "zoneName": .text(zoneName), "ownerName": .text(ownerName),
      "recordType": .text(recordType), "receivedAt": .integer(receivedAt), "path": .text(path),
      "isDeleted": .integer(isDeleted ? 1 : 0),
      "serverRecord": serverRecord.map { .blob(Blob(bytes: $0)) } ?? .null,
      "serverJSON": serverJSON.map { .text($0) } ?? .null,
    ]
  }

  static func exists(in db: Database) throws -> Bool { try db.hasTable(table) }

  /// How many rows there are at most, told by the ends of the key, as counting reads all of a table with large rows.
  static func count(in db: Database) throws -> Int {
    try db.firstRow("SELECT max(id) - min(id) + 1 FROM main.parley_inbox") { Int($0.integer(0)) } ?? 0
  }

  /// The rows before `id`, newest first, at most `limit`.
  static func page(before id: Int64, limit: Int, in db: Database) throws -> [InboxRow] {
    let sql = try select(in: db) + " WHERE id < ? ORDER BY id DESC LIMIT ?"
    let rows = try db.rows(sql, [.integer(id), .integer(Int64(limit))]) { InboxRow($0) }
    var order = KeyOrder.falling(from: id)
    for row in rows { try order.pass(row.id) }
    return rows
  }

  /// The rows of this record, newest first.
  static func rows(of recordName: String, in db: Database) throws -> [InboxRow] {
    let sql = try select(in: db) + " WHERE recordName = ? ORDER BY id DESC"
    return try db.rows(sql, [.text(recordName)]) { InboxRow($0) }
  }

  /// Where the rows before `id` lie, newest first, at most `limit`: what they hold is not read.
  static func keys(before id: Int64, limit: Int, in db: Database) throws -> [InboxKey] {
    let sql = "SELECT id, recordName FROM main.parley_inbox WHERE id < ? ORDER BY id DESC LIMIT ?"
    let keys = try db.rows(sql, [.integer(id), .integer(Int64(limit))]) {
      InboxKey(place: .app, id: $0.integer(0), recordName: $0.text(1))
    }
    var order = KeyOrder.falling(from: id)
    for key in keys { try order.pass(key.id) }
    return keys
  }

  /// - Parameter selection: ``select(in:)``, which who asks for many rows asks for once.
  static func row(id: Int64, _ selection: String, in db: Database) throws -> InboxRow? {
    try db.firstRow(selection + " WHERE id = ?", [.integer(id)]) { InboxRow($0) }
  }

  static func hasIndex(in db: Database) throws -> Bool {
    let sql = """
      SELECT 1 FROM pragma_index_list('parley_inbox', 'main') AS list, pragma_index_info(list.name, 'main') AS info
      WHERE info.seqno = 0 AND info.name = 'recordName'
      """
    return try db.hasRow(sql)
  }

  /// The rows of these records by name, oldest first; of all records, if none are named. One scan for all of them: the inbox
  /// may have no index on names.
  static func ids(of names: RecordNames? = nil, in db: Database) throws -> ByRecord<[Int64]> {
    var ids: ByRecord<[Int64]> = [:]
    try db.forEachRow("SELECT id, recordName FROM main.parley_inbox ORDER BY id") { row in
      let name = row.text(1)
      if names?.contains(name) ?? true { ids[name, default: []].append(row.integer(0)) }
    }
    return ids
  }

  /// The newest row of each record.
  static func newestIDs(in db: Database) throws -> ByRecord<Int64> {
    var ids: ByRecord<Int64> = [:]
    try db.forEachRow("SELECT id, recordName FROM main.parley_inbox ORDER BY id") {
      ids[$0.text(1)] = $0.integer(0)
    }
    return ids
  }

  /// Puts this row into the app's inbox, as its newest.
  ///
  /// - Returns: its number.
  func insert(in db: Database) throws -> Int64 {
    let columns = stored.filter { $0.key != "serverJSON" }.sorted { $0.key < $1.key }
    let names = columns.map(\.key).joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    try db.run("INSERT INTO main.parley_inbox (\(names)) VALUES (\(marks))", columns.map(\.value))
    return db.lastInsertedRowID
  }
}

/// Where a row of the inbox lies, and which record it is about.
struct InboxKey {
  let place: InboxRow.Place
  let id: Int64
  let recordName: String
}
