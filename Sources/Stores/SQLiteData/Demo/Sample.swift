import Merging

/// A record for a store that is made: its row as it was agreed on, and what each side did to it since.
struct Sample {
  /// One side's edit of one field, and when it was made, in nanoseconds since 1970.
  typealias Edit = (value: Value, time: Int64)

  enum Archive {
    /// Of the values.
    case whole
    /// Nothing was kept.
    case none
    /// The server's acknowledgement of a save, which carried no fields.
    case systemFields
    /// Bytes that are no archive.
    case damaged
  }

  enum Incoming {
    case edits([String: Edit])
    case deletion
    /// It came in damaged.
    case damaged
  }

  let table: String
  let key: String
  /// The row that both sides agreed on, with its key.
  var row: RowImage
  /// When that row was made.
  var time: Int64
  var ancestor = Archive.whole
  /// The client's edits; nil if it deleted the row.
  var client: RowImage? = [:]
  var clientTime: Int64? = nil
  /// nil if nothing came in.
  var server: Incoming? = nil
  var receivedAt: Int64 = 0
  var path = "fetch"
  /// The app's own list of changes to send.
  var pending: PendingZoneChange.Kind? = nil
  var isWithoutRow = false

  var recordName: String { "\(key):\(table)" }
  var clientRow: RowImage? { client.map { row.merging($0) { _, edited in edited } } }
}

/// The columns of a table, as far as archives of its records need them.
struct SampleTable {
  let name: String
  let columns: [String]
  /// TEXT columns that are dates in the app, and in the cloud.
  var dates: Set<String> = []
  /// The column of the only foreign key, and the table it points to.
  var parent: (column: String, table: String)?
}

extension SampleTable {
  /// The archive of a row whose fields were set at `times`, or else at `time`.
  func archive(
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
      let date = dates.contains(column) ? DateText.secondsSince2001(text) : nil
      values[column] = date.map { .date(secondsSince2001: $0) } ?? .string(text)
    case .blob(let blob):
      let size = blob.count.map { Int64($0) }
      values[column] = .asset(
        ArchivedAsset(size: size, uuid: RowJSON.hexadecimal(Array(blob.sha256.prefix(16)))))
      values[ArchivedRecord.assetHashKey(of: column)] = .data(blob.sha256)
    case .opaque(_, let bytes): values[column] = .data(bytes)
    }
  }

  func parentRecordName(_ row: RowImage) -> String? {
    guard let parent, case .text(let key)? = row[parent.column] else { return nil }
    return "\(key):\(parent.table)"
  }
}
