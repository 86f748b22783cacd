import GRDB
import Merging

@testable import Stores

extension PlayedApp {
  /// The record that the engine would send for a row now: the ancestor, with the columns that differ at the metadata's time.
  func recordToSend(_ name: String, tag: String) throws -> ArchivedRecord? {
    try SQLiteDataStore.open(path: path).read { db in
      guard let recordName = RecordName(name), let shape = try TableShape(recordName.table, in: db),
        let row = try shape.row(of: recordName, in: db), let metadata = try MetadataRow.of(recordName, in: db)
      else { return nil }
      let known = try metadata.allFields.map { try ArchivedRecord(decoding: $0) }
      var record = ArchivedRecord.sample(
        name, tag: tag, serverTime: metadata.modificationTime / 1_000_000, [:])
      record.values = known?.values ?? [:]
      let fields = record.fields(of: shape)
      for column in shape.stored.map(\.name) where fields[column]?.value ?? .null != row[column] ?? .null {
        record.values[column] = row[column].flatMap(ArchivedValue.init)
        record.setTime(metadata.modificationTime, of: column)
      }
      for column in shape.stored.map(\.name) where fields[column]?.time == nil {
        record.setTime(metadata.modificationTime, of: column)
      }
      return record
    }
  }

  /// Sends a row, and is told at once that it was saved.
  func upload(_ name: String, tag: String, at time: Int64) throws {
    if let record = try recordToSend(name, tag: tag) { try acknowledge(record, at: time) }
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
