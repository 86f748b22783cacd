import ExactJSON
import KeyedArchives
import Merging
import SQLiteDataStores
import StoreInterface

/// A record for a store that is made: its row as it was agreed on, and what each side did to it since.
package struct Sample {
  /// One side's edit of one field, and when it was made, in nanoseconds since 1970.
  package typealias Edit = (value: Value, time: Int64)

  package enum Archive {
    /// Of the values.
    case whole
    /// Nothing was kept.
    case none
    /// The server's acknowledgement of a save, which carried no fields.
    case systemFields
    /// Bytes that are no archive.
    case damaged
  }

  package enum Incoming {
    case edits([String: Edit])
    case deletion
    /// It came in damaged.
    case damaged
  }

  package let table: String
  package let key: String
  /// The row that both sides agreed on, with its key.
  package var row: RowImage
  /// When that row was made.
  package var time: Int64
  package var ancestor = Archive.whole
  /// The client's edits; nil if it deleted the row.
  package var client: RowImage? = [:]
  package var clientTime: Int64? = nil
  /// nil if nothing came in.
  package var server: Incoming? = nil
  package var receivedAt: Int64 = 0
  package var path = "fetch"
  /// The app's own list of changes to send.
  package var pending: PendingZoneChange.Kind? = nil
  package var isWithoutRow = false

  package var recordName: String { "\(key):\(table)" }
  package var clientRow: RowImage? { client.map { row.merging($0) { _, edited in edited } } }
}

/// The columns of a table, as far as archives of its records need them.
package struct SampleTable {
  package let name: String
  package let columns: [String]
  /// TEXT columns that are dates in the app, and in the cloud.
  package var dates: Set<String> = []
  /// The column of the only foreign key, and the table it points to.
  package var parent: (column: String, table: String)?

  package init(
    name: String, columns: [String], dates: Set<String> = [], parent: (column: String, table: String)? = nil
  ) {
    self.name = name
    self.columns = columns
    self.dates = dates
    self.parent = parent
  }
}

extension SampleTable {
  /// The archive of a row whose fields were set at `times`, or else at `time`.
  package func archive(
    of row: RowImage, key: String, time: Int64, times: [String: Int64] = [:], tag: String, device: String
  ) -> ArchivedRecord {
    var values: [String: ArchivedValue] = [:]
    let newest = max(time, times.values.max() ?? time)
    values[ArchivedRecord.modificationTimeKey] = .integer(newest)
    for column in columns {
      values[ArchivedRecord.modificationTimeKey(of: column)] = .integer(times[column] ?? time)
      add(row[column] ?? .null, column, to: &values)
    }
    return ArchivedRecord(
      recordType: name, recordName: "\(key):\(name)", zoneName: Metadatabase.defaultZone,
      ownerName: Metadatabase.defaultOwner, changeTag: tag, createdAt: time, modifiedAt: newest,
      modifiedByDevice: device, parentRecordName: parentRecordName(row), values: values)
  }

  private func add(_ value: Value, _ column: String, to values: inout [String: ArchivedValue]) {
    switch value {
    case .null: break
    case .integer(let integer): values[column] = .integer(integer)
    case .real(let real): values[column] = .real(real)
    case .text(let text):
      let date = dates.contains(column) ? StoredDate.secondsSince2001(text) : nil
      values[column] = date.map { .date(secondsSince2001: $0) } ?? .string(text)
    case .blob(let blob):
      let size = blob.count.map { Int64($0) }
      values[column] = .asset(
        ArchivedAsset(size: size, uuid: Hexadecimal.text(blob.sha256.prefix(16))))
      values[ArchivedRecord.assetHashKey(of: column)] = .data(blob.sha256)
    case .opaque(_, let bytes): values[column] = .data(bytes)
    }
  }

  package func parentRecordName(_ row: RowImage) -> String? {
    guard let parent, case .text(let key)? = row[parent.column] else { return nil }
    return "\(key):\(parent.table)"
  }
}
