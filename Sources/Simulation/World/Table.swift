import Merging

/// A synchronized table, as far as syncing needs to know it.
public struct Table: Sendable, Equatable {
  /// The one foreign key that the engine knows as a record's parent.
  public struct Parent: Sendable, Equatable {
    public enum OnDelete: Sendable, Equatable {
      case cascade, setNull
    }

    public var column: String
    public var table: String
    public var onDelete: OnDelete

    public init(column: String, table: String, onDelete: OnDelete) {
      self.column = column
      self.table = table
      self.onDelete = onDelete
    }
  }

  public var name: String
  public var columns: [Field]
  public var parent: Parent?

  public init(_ name: String, columns: [Field], parent: Parent? = nil) {
    self.name = name
    self.columns = columns
    self.parent = parent
  }

  /// The columns that travel: all but the generated ones. The primary key is one of them.
  var writableColumns: [Field] { columns.filter { !$0.isGenerated } }

  /// The record that a record with these values hangs on; nil if it has none.
  func parent(of value: (_ column: String) -> Value) -> RecordName? {
    guard let parent else { return nil }
    return switch value(parent.column) {
    case .text(let key): RecordName(key, in: parent.table)
    case .integer(let key): RecordName(String(key), in: parent.table)
    case .null, .real, .blob, .opaque: nil
    }
  }
}
