/// What a record is called everywhere: SQLiteData's "primaryKey:table".
public struct RecordName: Sendable, Hashable, Comparable {
  public let primaryKey: String
  public let table: String

  public init(_ primaryKey: String, in table: String) {
    self.primaryKey = primaryKey
    self.table = table
  }

  public static func < (left: RecordName, right: RecordName) -> Bool {
    (left.table, left.primaryKey) < (right.table, right.primaryKey)
  }
}

extension RecordName: CustomStringConvertible {
  public var description: String { "\(primaryKey):\(table)" }
}
