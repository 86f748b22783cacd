// For apps that sync with SQLiteData: copy this file into the app. It needs GRDB, which SQLiteData brings along, and nothing
// else. Parley itself does not use it; its tests run it.

import Foundation
import GRDB

/// Applies the drafts that Parley left in `parley_outbox`. A draft whose row has changed since is dropped, and so is one that a
/// migration has taken the table or a column from: Parley then shows the record again.
///
/// Call it after the `SyncEngine` was made, at launch and when the app comes to the foreground.
func drainParleyOutbox(_ database: any DatabaseWriter) throws {
  let ids = try database.read { db in
    try Int64.fetchAll(db, sql: "SELECT id FROM parley_outbox WHERE appliedAt IS NULL ORDER BY id")
  }
  var refused = applyParleyDrafts(ids, to: database)
  // A child that came before its parent fits now; whatever else is refused waits on.
  while true {
    let rest = applyParleyDrafts(refused.map(\.id), to: database)
    if rest.count == refused.count { break }
    refused = rest
  }
  for (id, error) in refused { print("Parley's draft \(id) waits on: \(error)") }
}

/// One transaction each, so that one draft that a constraint refuses does not hold back the others.
///
/// - Returns: those that were refused.
private func applyParleyDrafts(
  _ ids: [Int64], to database: any DatabaseWriter
) -> [(id: Int64, error: any Error)] {
  ids.compactMap { id in
    do {
      try database.write { db in try applyParleyDraft(id, in: db) }
      return nil
    } catch {
      return (id, error)
    }
  }
}

private func applyParleyDraft(_ id: Int64, in db: Database) throws {
  let sql = "SELECT * FROM parley_outbox WHERE id = ? AND appliedAt IS NULL"
  // None if it was taken back a moment ago.
  guard let row = try Row.fetchOne(db, sql: sql, arguments: [id]) else { return }
  if let draft = try ParleyDraft(row, in: db), try draft.apply(in: db) { return }
  try db.execute(sql: "DELETE FROM parley_outbox WHERE id = ?", arguments: [id])
}

private struct ParleyDraft {
  let row: Row
  let table: String
  let key: String
  let keyColumn: String
  let draft: [String: DatabaseValue]

  /// nil if the table, or a column that it sets, is gone: without that column it would not be what was decided.
  init?(_ row: Row, in db: Database) throws {
    let table: String = row["recordType"]
    // Bound, as GRDB's `primaryKey` cannot read a table that has a quotation mark in its name. Generated columns are not among
    // these, and cannot be set.
    let columns = "SELECT name FROM pragma_table_info(?)"
    let known = try Set(String.fetchAll(db, sql: columns, arguments: [table]).map(nameToSQLite))
    let keys = try String.fetchAll(db, sql: columns + " WHERE pk > 0", arguments: [table])
    let draft = try (row["draft"] as String?).map(values) ?? [:]
    // A table without a primary key that is one column never gets a draft.
    guard keys.count == 1, known.isSuperset(of: draft.keys.map(nameToSQLite)) else { return nil }
    (self.row, self.table, self.draft, keyColumn) = (row, table, draft, keys[0])
    key = row["primaryKey"]
  }

  /// - Returns: false, and nothing is done, if it is not about the row that is there.
  func apply(in db: Database) throws -> Bool {
    let current = try Row.fetchOne(db, sql: "SELECT * FROM \(name) WHERE \(condition)", arguments: [key])
    guard try isAbout(current) else { return false }
    // First of all: while the mark stands, the engine takes a deletion for an edit, and never sends it.
    try updateMetadata("_isDeleted = 0", where: "_isDeleted", in: db)
    if row["action"] == "delete" { try delete(in: db) } else { try save(over: current, in: db) }
    try settle(in: db)
    return true
  }

  /// The person decided about the row they saw, and about no other.
  private func isAbout(_ current: Row?) throws -> Bool {
    guard let seen = try (row["seenRow"] as String?).map(values) else { return current == nil }
    guard let current else { return false }
    return seen.allSatisfy { column, value in (current[column] ?? DatabaseValue.null) == value }
  }

  private func save(over current: Row?, in db: Database) throws {
    if current == nil { try insert(in: db) } else { try update(in: db) }
    try markUnsent(in: db)
    // After the row: its trigger sets the time to now, and the time of another device may be later than that. A value is sent
    // only if its time is not earlier than the one it replaces.
    if let time = row["modificationTime"] as Int64? {
      try updateMetadata("userModificationTime = max(userModificationTime, ?)", [time], in: db)
    }
    try advanceAncestor(in: db)
  }

  private func insert(in db: Database) throws {
    let columns = draft.keys.sorted()
    let names = ([keyColumn] + columns).map(quoted).joined(separator: ", ")
    let marks = Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")
    let values = [key.databaseValue] + columns.map { draft[$0] ?? .null }
    try db.execute(
      sql: "INSERT INTO \(name) (\(names)) VALUES (\(marks))", arguments: StatementArguments(values))
  }

  /// With an empty draft the key is set to itself: that still tells SQLiteData to upload what the row has.
  private func update(in db: Database) throws {
    let columns = draft.keys.sorted()
    let changes =
      columns.isEmpty ? ["\(quoted(keyColumn)) = \(quoted(keyColumn))"] : columns.map { "\(quoted($0)) = ?" }
    let values = columns.map { draft[$0] ?? .null } + [key.databaseValue]
    try db.execute(
      sql: "UPDATE \(name) SET \(changes.joined(separator: ", ")) WHERE \(condition)",
      arguments: StatementArguments(values))
  }

  /// An empty draft leaves the row as it is, and is still an edit that the server does not know: a deletion that comes in before
  /// it was sent must not take it away unseen.
  private func markUnsent(in db: Database) throws {
    guard try db.tableExists("parley_unsent") else { return }
    try db.execute(
      sql: "INSERT OR REPLACE INTO parley_unsent (recordName, row) VALUES (?, NULL)",
      arguments: [row["recordName"]])
  }

  private func delete(in db: Database) throws {
    try db.execute(sql: "DELETE FROM \(name) WHERE \(condition)", arguments: [key])
    // Where the row was gone before, no trigger has set the mark again, which queues the deletion.
    try updateMetadata("_isDeleted = 1", where: "NOT _isDeleted", in: db)
  }

  /// What is uploaded is what differs from the ancestor, and it carries the ancestor's tag. One that the engine has replaced
  /// since stays: an ancestor is never moved back. An empty archive stands for no ancestor, as the server has no record.
  private func advanceAncestor(in db: Database) throws {
    guard let record = row["serverRecord"] as Data? else { return }
    let (archive, seen) = (record.isEmpty ? nil : record, row["seenAncestor"] as Data?)
    try updateMetadata(
      "lastKnownServerRecord = ?, _lastKnownServerRecordAllFields = ?", [archive, archive],
      where: "lastKnownServerRecord IS ?", [seen], in: db)
  }

  /// Only what was decided leaves the inbox: another conflict of the record may wait there, or have come in since. A draft of
  /// before does not tell its rows; then its time has to do.
  private func settle(in db: Database) throws {
    let now = Int64(Date().timeIntervalSince1970 * 1_000_000_000)
    try db.execute(sql: "UPDATE parley_outbox SET appliedAt = ? WHERE id = ?", arguments: [now, row["id"]])
    let settled = row["settles"] as String?
    let which = settled == nil ? "receivedAt <= ?" : "id IN (SELECT value FROM json_each(?, '$.inbox'))"
    try db.execute(
      sql: "DELETE FROM parley_inbox WHERE recordName = ? AND \(which)",
      arguments: [row["recordName"], settled?.databaseValue ?? row["decidedAt"]])
  }

  private func updateMetadata(
    _ changes: String, _ values: [(any DatabaseValueConvertible)?] = [], where which: String = "1",
    _ others: [(any DatabaseValueConvertible)?] = [], in db: Database
  ) throws {
    try db.execute(
      sql: """
        UPDATE sqlitedata_icloud_metadata SET \(changes)
        WHERE recordPrimaryKey = ? AND recordType = ? AND \(which)
        """,
      arguments: StatementArguments(values + [key, table] + others))
  }

  private var name: String { quoted(table) }

  private var condition: String { "\(quoted(keyColumn)) = ?" }
}

private struct NotAValueOfParley: Error {
  let json: String
}

/// A row of Parley's JSON, whose form FOR-APPS.md of Parley tells.
private func values(_ json: String) throws -> [String: DatabaseValue] {
  let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
  guard let row = object as? [String: Any] else { throw NotAValueOfParley(json: json) }
  return try row.mapValues(value)
}

private func value(_ json: Any) throws -> DatabaseValue {
  switch json {
  case is NSNull: return .null
  case let text as String: return text.databaseValue
  // One with many digits comes as a decimal, whose `doubleValue` is not always the nearest one.
  case let number as NSDecimalNumber: return (Double(number.stringValue) ?? number.doubleValue).databaseValue
  case let number as NSNumber:
    let isReal = String(cString: number.objCType) == "d"
    return isReal ? number.doubleValue.databaseValue : number.int64Value.databaseValue
  case let member as [String: String]: return try value(of: member)
  default: throw NotAValueOfParley(json: "\(json)")
  }
}

private func value(of member: [String: String]) throws -> DatabaseValue {
  if let integer = member["integer"].flatMap({ Int64($0) }) { return integer.databaseValue }
  if let real = member["real"].flatMap({ Double($0) }) { return real.databaseValue }
  guard let digits = member["blob"].map(Array.init) else { throw NotAValueOfParley(json: "\(member)") }
  let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
    UInt8(String(digits[$0...$0 + 1]), radix: 16)
  }
  return Data(bytes).databaseValue
}

/// What names one table or column have in common: to SQLite the case of ASCII letters does not count, and everything else does.
private func nameToSQLite(_ name: String) -> [UInt8] {
  name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
}

private func quoted(_ name: String) -> String {
  // By bytes: to Swift a quotation mark with a combining accent is another character than one without, and to SQLite it is none.
  let doubled = name.utf8.flatMap { $0 == UInt8(ascii: "\"") ? [$0, $0] : [$0] }
  return "\"" + String(decoding: doubled, as: UTF8.self) + "\""
}
