import Merging
import SQLiteFiles

/// An entry of the rules that decides nothing, as what it names is not there.
package enum UnknownPolicy: Sendable, Equatable {
  case table(String)
  case field(String, table: String)
}

extension SQLiteDataStore {
  /// The entries of the rules that name no table or field of this store, in the order of their names.
  ///
  /// - Throws: ``StoreError`` if the tables cannot be read.
  package func policiesWithoutField() throws -> [UnknownPolicy] {
    let names = rules.rules.keys.sorted()
    if names.isEmpty { return [] }
    return try read { db in
      try names.compactMap { try UnknownPolicy($0) { try tables.shape(of: $0, in: db) } }
    }
  }
}

extension UnknownPolicy {
  /// nil if `name` is a table, or a table and its field. A dot may be part of either.
  fileprivate init?(_ name: String, shape: (String) throws -> TableShape?) throws {
    if try shape(name) != nil { return nil }
    var unknown = UnknownPolicy.table(name)
    for dot in name.indices where name[dot] == "." {
      let (table, field) = (String(name[..<dot]), String(name[name.index(after: dot)...]))
      guard let shape = try shape(table) else { continue }
      if shape[field] != nil { return nil }
      unknown = .field(field, table: table)
    }
    self = unknown
  }
}
