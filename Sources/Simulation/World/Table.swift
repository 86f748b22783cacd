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
      (self.column, self.table, self.onDelete) = (column, table, onDelete)
    }
  }

  package var name: String
  package var columns: [Field]
  package var parent: Parent?

  package init(_ name: String, columns: [Field], parent: Parent? = nil) {
    (self.name, self.columns, self.parent) = (name, columns, parent)
  }

  /// The columns that travel: all but the generated ones. The primary key is one of them.
  var writableColumns: [Field] { columns.filter { !$0.isGenerated } }

  /// The record that a record with these values hangs on; nil if it has none.
  func parent(of value: (_ column: String) -> Value) -> RecordID? {
    guard let parent else { return nil }
    return switch value(parent.column) {
    case .text(let key): RecordID(key, in: parent.table)
    case .integer(let key): RecordID(String(key), in: parent.table)
    case .null, .real, .blob, .opaque: nil
    }
  }
}

/// What a record is called everywhere: SQLiteData's "primaryKey:table".
package struct RecordID: Sendable, Hashable, Comparable {
  package let primaryKey: String
  package let table: String

  package init(_ primaryKey: String, in table: String) {
    (self.primaryKey, self.table) = (primaryKey, table)
  }

  package static func < (left: RecordID, right: RecordID) -> Bool {
    (left.table, left.primaryKey) < (right.table, right.primaryKey)
  }
}

extension RecordID: CustomStringConvertible {
  package var description: String { "\(primaryKey):\(table)" }
}

/// A record as it travels: each field with the time at which it was set, and one time for the whole.
///
/// NULL with a time is a field that was set to NULL. A field that is missing is not known to whoever wrote the record,
/// which is something else: it is left alone where the record arrives.
package struct ServerRecord: Sendable, Equatable {
  package var fields: RecordVersion.Fields
  /// Nanoseconds since 1970; nil in a record that other software wrote.
  package var time: Int64?
  /// nil until the server has saved it.
  package var tag: ChangeTag?

  /// - Parameter time: the newest of the fields' times, unless given.
  package init(_ fields: RecordVersion.Fields, tag: ChangeTag? = nil) {
    self.init(fields, time: fields.values.compactMap(\.time).max(), tag: tag)
  }

  package init(_ fields: RecordVersion.Fields, time: Int64?, tag: ChangeTag? = nil) {
    (self.fields, self.time, self.tag) = (fields, time, tag)
  }

  package func value(_ column: String) -> Value { fields[column]?.value ?? .null }

  func knows(_ column: String) -> Bool { fields[column]?.time != nil }

  mutating func raiseTime(to time: Int64) { self.time = max(self.time ?? time, time) }
}
