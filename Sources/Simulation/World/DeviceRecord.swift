import Merging

/// What one device has of a record: the row, what its sync engine knows, and what waits to be sent.
public struct DeviceRecord: Sendable, Equatable {
  public enum Pending: Sendable, Equatable {
    case save, deletion
  }

  /// What the engine keeps beside the row.
  public struct Metadata: Sendable, Equatable {
    /// The last-known server record. Under the model it is the ancestor: what the server confirmed, and nothing else.
    public var lastKnown: ServerRecord?
    /// Nanoseconds since 1970. One time for the whole row, which is all that SQLiteData keeps of a client's edits.
    public var userModificationTime: Int64
    /// When each field was edited here, of those that the server has not confirmed. Only the model keeps these.
    public var editTimes: [String: Int64] = [:]
    /// The server's version that waits for a decision. Only under the model; SQLiteData merges at once.
    public var incoming: Incoming?
    /// Whether what is pending came out of a merge.
    public var isMerged = false

    public init(lastKnown: ServerRecord? = nil, userModificationTime: Int64) {
      self.lastKnown = lastKnown
      self.userModificationTime = userModificationTime
    }
  }

  /// nil where there is no row.
  public var row: [String: Value]?
  /// nil where the engine knows nothing of the record.
  public var metadata: Metadata?
  public var pending: Pending?
  /// What was sent and is not answered yet.
  public var inFlight: Upload?
  /// The row as it was when it was deleted here, for an undelete.
  public var deletedRow: [String: Value]?

  public init(row: [String: Value]? = nil, metadata: Metadata? = nil, pending: Pending? = nil) {
    self.row = row
    self.metadata = metadata
    self.pending = pending
  }
}

extension DeviceRecord {
  public var lastKnown: ServerRecord? { metadata?.lastKnown }

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
