import GRDB
import Merging
import SQLiteFiles

extension SQLiteDataStore {
  /// The entries of the rules that decide nothing, as what they name is not in this store, or cannot be merged so; in the order of
  /// their names.
  ///
  /// - Throws: ``StoreError`` if the tables cannot be read.
  package func idleRules() throws -> [(entry: String, problem: RuleEntryProblem)] {
    let rules = self.rules.rules
    let entries = rules.keys.sorted()
    if entries.isEmpty { return [] }
    return try read { db in
      let columns = try columns(ofTablesIn: entries, db)
      let names: [String: Set<String>?] = columns.mapValues { Set($0.map(\.name)) }
      return entries.compactMap { entry in
        let problem =
          RuleEntryProblem(entry, in: names, areAll: true)
          ?? rules[entry].flatMap { Self.misfit(of: $0, entry, columns) }
        return problem.map { (entry, $0) }
      }
    }
  }

  /// Only of an entry that names one field: one for a table is for those that it fits.
  private static func misfit(
    of rule: MergeRule, _ entry: String, _ columns: [String: [TableShape.Column]]
  ) -> RuleEntryProblem? {
    let meant = columns.flatMap { table, columns in columns.filter { "\(table).\($0.name)" == entry } }
    guard meant.count == 1 else { return nil }
    return RuleEntryProblem(rule, on: meant[0].affinity.kind)
  }

  /// The tables that an entry may mean, whatever the case of its letters.
  private func columns(ofTablesIn entries: [String], _ db: Database) throws -> [String: [TableShape.Column]] {
    let names = try db.rows("SELECT name FROM main.sqlite_master WHERE type = 'table'") { $0.text(0) }
    let meant = names.filter { name in entries.contains { RuleEntryProblem.mayMean($0, table: name) } }
    let shapes = try meant.compactMap { name in try tables.shape(of: name, in: db).map { (name, $0) } }
    return Dictionary(shapes.map { ($0.0, $0.1.columns) }) { first, _ in first }
  }
}
