import Merging

/// A device: its rows, its sync engine's knowledge, and how far it has listened to the server.
package struct Device: Sendable, Equatable {
  package let name: String
  package internal(set) var tables: [String: Table]
  package var records: [RecordID: DeviceRecord] = [:]
  /// Records that could not be written because their parent is not here. They are fetched again with every fetch.
  package internal(set) var parked: Set<RecordID> = []
  /// The last change of the server that was fetched.
  var seen: ChangeTag?
  var seenResets = 0
  /// Answers of the server that are under way.
  var answers: [RecordID: Answer] = [:]

  package init(_ name: String, tables: [Table]) {
    self.name = name
    self.tables = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) })
  }

  package subscript(name: RecordID) -> DeviceRecord { records[name] ?? DeviceRecord() }

  func site(_ name: RecordID, at time: Int64) -> Site? {
    tables[name.table].map { Site(name: name, table: $0, now: time) }
  }

  func happening(_ name: RecordID, _ event: Event) -> Happening {
    Happening(device: self.name, record: name, event: event)
  }
}

/// What one device has of a record: the row, what its sync engine knows, and what waits to be sent.
package struct DeviceRecord: Sendable, Equatable {
  package enum Pending: Sendable, Equatable {
    case save, deletion
  }

  /// What the engine keeps beside the row.
  package struct Metadata: Sendable, Equatable {
    /// The last-known server record. Under the model it is the ancestor: what the server confirmed, and nothing else.
    package var lastKnown: ServerRecord?
    /// Nanoseconds since 1970. One time for the whole row, which is all that SQLiteData keeps of a client's edits.
    package var userModificationTime: Int64
    /// When each field was edited here, of those that the server has not confirmed. Only the model keeps these.
    package var editTimes: [String: Int64] = [:]
    /// The server's version that waits for a decision. Only under the model; SQLiteData merges at once.
    package var incoming: Incoming?
    /// Whether what is pending came out of a merge.
    package var isMerged = false

    package init(lastKnown: ServerRecord? = nil, userModificationTime: Int64) {
      (self.lastKnown, self.userModificationTime) = (lastKnown, userModificationTime)
    }
  }

  /// nil where there is no row.
  package var row: [String: Value]?
  /// nil where the engine knows nothing of the record.
  package var metadata: Metadata?
  package var pending: Pending?
  /// What was sent and is not answered yet.
  package var inFlight: Upload?
  /// The row as it was when it was deleted here, for an undelete.
  package var deletedRow: [String: Value]?

  package init(row: [String: Value]? = nil, metadata: Metadata? = nil, pending: Pending? = nil) {
    (self.row, self.metadata, self.pending) = (row, metadata, pending)
  }
}

extension DeviceRecord {
  package var lastKnown: ServerRecord? { metadata?.lastKnown }

  func value(_ column: String) -> Value { row?[column] ?? .null }

  /// The columns in which the row is not what the record holds. A column that the record does not know is no difference
  /// unless the row has a value there.
  func columnsDiffering(from record: ServerRecord?, in table: Table) -> [String] {
    table.writableColumns.map(\.name).filter { value($0) != record?.value($0) ?? .null }
  }

  /// Takes over what the record knows; what it does not know stays as it is.
  mutating func takeRow(from record: ServerRecord, in table: Table) {
    var taken = row ?? [:]
    for column in table.writableColumns where record.fields[column.name] != nil || row == nil {
      taken[column.name] = record.value(column.name)
    }
    row = taken
  }
}
