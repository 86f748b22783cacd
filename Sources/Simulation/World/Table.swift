import Merging

/// A synchronized table, as far as syncing needs to know it.
package struct Table: Sendable, Equatable {
  /// The one foreign key that the engine knows as a record's parent.
  package struct Parent: Sendable, Equatable {
    package enum OnDelete: Sendable, Equatable {
      case cascade, setNull
    }

    package var column: String
    package var table: String
    package var onDelete: OnDelete

    package init(column: String, table: String, onDelete: OnDelete) {
      self.column = column
      self.table = table
      self.onDelete = onDelete
    }
  }

  package var name: String
  package var columns: [Field]
  package var parent: Parent?

  package init(_ name: String, columns: [Field], parent: Parent? = nil) {
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
