/// The SQL by which an app keeps conflicts for Parley: our tables, and triggers on the tables of one database.
///
/// The app runs it on its writer connection at every launch, once its sync engine is there (the triggers call the
/// engine's functions). Every statement can be run again; ``upgrade`` alone is for once.
package struct Capture: Sendable, Equatable {
  package struct Skipped: Sendable, Equatable {
    package let table: String
    package let reason: String

    package init(table: String, reason: String) { (self.table, self.reason) = (table, reason) }
  }

  /// The tables whose merges are kept.
  package let tables: [String]
  /// The tables that sync and cannot be captured.
  package let skipped: [Skipped]
  /// What has to be run once, before the rest, on the database as it is; mostly nothing.
  package let upgrade: [String]
  package let statements: [String]

  package init(tables: [String], skipped: [Skipped], upgrade: [String], statements: [String]) {
    (self.tables, self.skipped, self.upgrade, self.statements) = (tables, skipped, upgrade, statements)
  }
}
