/// "primaryKey:table", as CloudKit knows a record. A key may hold colons, a table's name may not: the last one divides.
struct RecordName: Sendable, Hashable {
  let primaryKey: String
  let table: String

  /// As it is stored; a name without a table has no colon.
  var whole: String { table.isEmpty ? primaryKey : "\(primaryKey):\(table)" }

  init(primaryKey: String, table: String) {
    self.primaryKey = primaryKey
    self.table = table
  }

  /// nil if there is no colon: a record that another program wrote.
  init?(_ name: String) {
    guard let colon = name.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
    primaryKey = String(name[..<colon])
    table = String(name[name.utf8.index(after: colon)...])
  }
}
