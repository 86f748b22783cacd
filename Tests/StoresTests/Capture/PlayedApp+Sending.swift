import GRDB
import Merging

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import SQLiteFiles

extension PlayedApp {
  /// The record that the engine would send for a row now: the ancestor, with the columns that differ at the metadata's time.
  func recordToSend(_ name: String, tag: String) throws -> ArchivedRecord? {
    try SQLiteDataStore.open(path: path).read { db in
      guard let recordName = RecordName(name), let shape = try TableShape(recordName.table, in: db),
        let row = try shape.row(of: recordName, in: db), let metadata = try MetadataRow.of(recordName, in: db)
      else { return nil }
      let known = try metadata.allFields.map { try ArchivedRecord(decoding: $0) }
      var record = ArchivedRecord.sample(
        name, tag: tag, serverTime: max(1, metadata.modificationTime / 1_000_000), [:])
      record.values = known?.values ?? [:]
      let fields = record.fields(of: shape)
      for column in shape.stored.map(\.name) where fields[column]?.value ?? .null != row[column] ?? .null {
        // A value is sent only over one that is not newer.
        guard fields[column]?.time ?? -1 <= metadata.modificationTime else { continue }
        record.values[column] = row[column].flatMap(ArchivedValue.init)
        record.setTime(metadata.modificationTime, of: column)
      }
      for column in shape.stored.map(\.name) where fields[column]?.time == nil {
        record.setTime(metadata.modificationTime, of: column)
      }
      return record
    }
  }

  /// Sends what is queued for a record, and keeps what is in flight as the engine does: as the last-known record, where the
  /// server has confirmed none.
  ///
  /// - Returns: the record as the server would save it; nil for a deletion, or where nothing is left to send.
  func send(_ name: String, tag: String, at time: Int64) throws -> ArchivedRecord? {
    let change = queued[name]
    dequeue(name)
    if change == .delete { try forget(name, at: time) }
    guard change == .save, let record = try recordToSend(name, tag: tag) else { return nil }
    var sent = record
    (sent.changeTag, sent.createdAt, sent.modifiedAt) = (nil, nil, nil)
    if try lastKnown(name)?.isConfirmed != true {
      try synchronizing(at: time) { try PlayedApp.setLastKnown(sent, in: $0) }
    }
    return record
  }

  /// A deletion is sent without a look at the row, and its metadata goes.
  private func forget(_ name: String, at time: Int64) throws {
    try synchronizing(at: time) {
      try $0.run("DELETE FROM sqlitedata_icloud_metadata WHERE recordName = ?", [.text(name)])
    }
  }

  /// A save was refused as the server has another record.
  func clash(_ record: ArchivedRecord, at time: Int64) throws {
    try receive(record, at: time)
    enqueue(record.recordName)
  }

  enum GivenUp: CaseIterable, Sendable { case unknownItem, serverRejectedRequest }

  /// A save was refused as the server knows no such record, or for good.
  func refuse(_ name: String, _ reason: GivenUp, at time: Int64) throws {
    try synchronizing(at: time) {
      try $0.run(
        """
        UPDATE sqlitedata_icloud_metadata SET lastKnownServerRecord = NULL, _lastKnownServerRecordAllFields = NULL
        WHERE recordName = ?
        """, [.text(name)])
    }
    if reason == .unknownItem { enqueue(name) }
  }

  func lastKnown(_ name: String) throws -> ArchivedRecord? {
    try SQLiteDataStore.open(path: path).read { db in
      guard let recordName = RecordName(name) else { return nil }
      return try MetadataRow.of(recordName, in: db)?.allFields.map { try ArchivedRecord(decoding: $0) }
    }
  }

  /// Sends a row, and is told at once that it was saved.
  func upload(_ name: String, tag: String, at time: Int64) throws {
    enqueue(name)
    if let record = try send(name, tag: tag, at: time) { try acknowledge(record, at: time) }
  }
}

extension ArchivedRecord {
  fileprivate mutating func setTime(_ time: Int64, of column: String) {
    values[Self.modificationTimeKey(of: column)] = .integer(time)
    values[Self.modificationTimeKey] = .integer(max(time, modificationTime ?? 0))
  }
}

extension ArchivedValue {
  fileprivate init?(_ value: Value) {
    switch value {
    case .text(let text): self = .string(text)
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    case .null, .blob, .opaque: return nil
    }
  }
}
