/// What a record is called everywhere: SQLiteData's "primaryKey:table".
package struct RecordName: Sendable, Hashable, Comparable {
  package let primaryKey: String
  package let table: String

  package init(_ primaryKey: String, in table: String) {
    self.primaryKey = primaryKey
    self.table = table
  }

  package static func < (left: RecordName, right: RecordName) -> Bool {
    (left.table, left.primaryKey) < (right.table, right.primaryKey)
  }
}

extension RecordName: CustomStringConvertible {
  package var description: String { "\(primaryKey):\(table)" }
}
