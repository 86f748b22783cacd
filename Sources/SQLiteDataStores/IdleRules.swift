import GRDB
import Merging
import SQLiteFiles

extension SQLiteDataStore {
  /// The entries of the rules that decide nothing, as what they name is not in this store, in the order of their names.
  ///
  /// - Throws: ``StoreError`` if the tables cannot be read.
  package func idleRules() throws -> [(entry: String, problem: RuleEntryProblem)] {
    let entries = rules.rules.keys.sorted()
    if entries.isEmpty { return [] }
    return try read { db in
      let tables = try fields(ofTablesIn: entries, db)
      return entries.compactMap { entry in
        RuleEntryProblem(entry, in: tables, areAll: true).map { (entry, $0) }
      }
    }
  }

  /// The tables that an entry may mean, whatever the case of its letters.
  private func fields(ofTablesIn entries: [String], _ db: Database) throws -> [String: Set<String>?] {
    var names: [String] = []
    try db.forEachRow("SELECT name FROM main.sqlite_master WHERE type = 'table'") { names.append($0.text(0)) }
    let meant = names.filter { name in entries.contains { RuleEntryProblem.mayMean($0, table: name) } }
    let shapes = try meant.compactMap { name in try tables.shape(of: name, in: db).map { (name, $0) } }
    return Dictionary(shapes.map { ($0.0, Set($0.1.columns.map(\.name))) }) { first, _ in first }
  }
}
