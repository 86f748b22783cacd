import GRDB
import Journals
import Merging
import SQLiteFiles

/// Server records that were brought in and are kept here: the app has no inbox, or is running, or the record came without
/// an archive.
extension Journal {
  /// The imports before `id` that are not settled, newest first, at most `limit`.
  func imports(before id: Int64, limit: Int) throws -> [InboxRow] {
    let condition = "WHERE id < ? AND NOT (\(Journal.isSettled)) ORDER BY id DESC LIMIT ?"
    let rows = try imports(condition, [.integer(id), .integer(Int64(limit))])
    var order = KeyOrder.falling(from: id)
    for row in rows { try order.pass(row.id) }
    return rows
  }

  /// The newest import of a record that is not settled.
  func newestImport(of recordName: String) throws -> InboxRow? {
    let condition = "WHERE recordName = ? AND NOT (\(Journal.isSettled)) ORDER BY id DESC LIMIT 1"
    return try imports(condition, [.text(recordName)]).first
  }

  /// The newest import of a record, settled or not, but not one that was taken out again: that may be brought in anew.
  func lastImport(of recordName: String) throws -> InboxRow? {
    let condition = "WHERE recordName = ? AND NOT (\(Journal.isTakenOut)) ORDER BY id DESC LIMIT 1"
    return try imports(condition, [.text(recordName)]).first
  }

  /// The imports of a record that are not settled, oldest first.
  func openImports(of recordName: String) throws -> [InboxRow] {
    try imports("WHERE recordName = ? AND NOT (\(Journal.isSettled)) ORDER BY id", [.text(recordName)])
  }

  /// The names of the records of which an import waits.
  func namesOfImports() throws -> Set<String> {
    try read(or: []) { db in
      var names: Set<String> = []
      try db.forEachRow("SELECT recordName FROM imports WHERE NOT (\(Journal.isSettled))") {
        names.insert($0.text(0))
      }
      return names
    }
  }

  /// How many imports wait.
  func importCount() throws -> Int {
    try read(or: 0) { db in
      let sql = "SELECT count(*) FROM imports WHERE NOT (\(Journal.isSettled))"
      return try db.firstRow(sql) { Int($0.integer(0)) } ?? 0
    }
  }

  func isSettled(import id: Int64) throws -> Bool {
    try read(or: false) { db in
      let sql = "SELECT \(Journal.isSettled) FROM imports WHERE id = ?"
      return try db.firstRow(sql, [.integer(id)]) { $0.integer(0) != 0 } ?? true
    }
  }

  /// The last intent about it that was done tells. One that came in by an intent is not there before that was done.
  private static let isSettled = last("changes.after IS NULL")

  private static let isTakenOut = last("changes.after IS NULL AND intents.act = 'import'")

  private static func last(_ condition: String) -> String {
    """
    coalesce((
      SELECT \(condition) FROM changes CROSS JOIN intents ON intents.id = changes.intent
      JOIN receipts ON receipts.intent = changes.intent AND receipts.record = changes.record
      WHERE changes.import = imports.id AND receipts.outcome IN ('written', 'completed')
      ORDER BY changes.intent DESC LIMIT 1),
      EXISTS (SELECT 1 FROM changes WHERE changes.import = imports.id AND changes.before IS NULL))
    """
  }

  private func imports(_ condition: String, _ arguments: [Value]) throws -> [InboxRow] {
    try read(or: []) { db in
      var rows: [InboxRow] = []
      try db.forEachRow("SELECT \(InboxRow.importColumns) FROM imports \(condition)", arguments) {
        rows.append(InboxRow($0, place: .journal))
      }
      return rows
    }
  }
}
