import Merging

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

extension DoctorBench {
  /// The record `number` as a device has sent it: the agreed row with other values, each set at its time.
  static func sent(
    _ number: Int, _ values: RowImage, times: [String: Int64], tag: String, savedAt: Int64? = nil
  ) -> ArchivedRecord {
    var record = reminders.archive(
      of: row(number).merging(values) { _, sent in sent }, key: "r\(number)", time: agreed, times: times,
      tag: tag,
      device: "Blob's iPad")
    record.modifiedAt = savedAt ?? record.modifiedAt
    return record
  }

  /// The app merged a server record into the row as it is: it is the ancestor now, and the inbox has what was before.
  func receive(_ server: ArchivedRecord, clientTime: Int64 = agreed + minute) throws {
    try run(
      """
      INSERT INTO parley_inbox (recordName, zoneName, ownerName, recordType, receivedAt, path, serverRecord,
        ancestorRecord, clientRow, clientTime)
      SELECT recordName, zoneName, ownerName, recordType, ?, 'fetch', ?, _lastKnownServerRecordAllFields, ?, ?
      FROM \(DoctorBench.metadata) WHERE recordName = ?
      """,
      [
        .integer(DoctorBench.now - DoctorBench.minute), .blob(Blob(bytes: server.encoded())),
        try clientRow(server.recordName), .integer(clientTime), .text(server.recordName),
      ])
    try setAncestor(server)
  }

  /// The record came in while its deletion here waited: the engine put its row back, and left the deletion where it was.
  func receiveOverADeletion(_ server: ArchivedRecord) throws {
    try receive(server)
    try run("UPDATE parley_inbox SET clientRow = NULL")
    try run(
      "UPDATE \(DoctorBench.metadata) SET _isDeleted = 1 WHERE recordName = ?", [.text(server.recordName)])
    try addPending(.delete, server.recordName)
  }

  func setAncestor(_ record: ArchivedRecord) throws {
    let archive = Value.blob(Blob(bytes: record.encoded()))
    try run(
      """
      UPDATE \(DoctorBench.metadata) SET lastKnownServerRecord = ?, _lastKnownServerRecordAllFields = ?
      WHERE recordName = ?
      """, [archive, archive, .text(record.recordName)])
  }

  private func clientRow(_ recordName: String) throws -> Value {
    let store = try open()
    let name = RecordName(primaryKey: String(recordName.prefix { $0 != ":" }), table: "reminders")
    let row = try store.read { db in try store.tables.shape(of: name.table, in: db)?.row(of: name, in: db) }
    return row.map { .text(RowJSON.encode($0)) } ?? .null
  }

  /// Writes a decision, and returns what became of it.
  func write(_ id: String, _ choices: [Subject: Choice]) throws -> CheckedWrite.Outcome? {
    let store = try open(.writing)
    return try plan(id, in: store, choices).flatMap { try store.write([$0], note: nil).first?.outcome }
  }
}
