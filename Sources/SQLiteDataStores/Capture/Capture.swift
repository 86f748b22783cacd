import GRDB
import Merging
import SQLiteFiles

/// The SQL by which an app keeps conflicts for Parley: our tables, and triggers on the tables of one database.
///
/// The app runs it on its writer connection at every launch, once its sync engine is there (the triggers call the
/// engine's functions). Every statement can be run again; ``upgrade`` alone is for once.
package struct Capture: Sendable, Equatable {
  package struct Skipped: Sendable, Equatable {
    package let table: String
    package let reason: String
  }

  /// The tables whose merges are kept.
  package let tables: [String]
  /// The tables that sync and cannot be captured.
  package let skipped: [Skipped]
  /// What has to be run once, before the rest, on the database as it is; mostly nothing.
  package let upgrade: [String]
  package let statements: [String]
}

extension SQLiteDataStore {
  /// The SQL for the tables that sync in this database, as they are now.
  ///
  /// - Parameter isPrintable: whether a name can be printed exactly. SQL has no escapes for names: a table of which a name
  ///   cannot be printed is not captured.
  package func capture(isPrintable: (String) -> Bool = { _ in true }) throws -> Capture {
    try read { db in
      let names = try Metadatabase.syncedTables(in: db).sorted()
      let shapes = try names.map { ($0, try tables.shape(of: $0, in: db)) }
      return Capture(
        shapes, upgrade: try ParleyTables.upgrades(in: db).map(\.sql), isPrintable: isPrintable)
    }
  }
}

extension Capture {
  init(
    _ shapes: [(name: String, shape: TableShape?)], upgrade: [String],
    isPrintable: (String) -> Bool = { _ in true }
  ) {
    let printable = shapes.compactMap(\.shape).filter { $0.names.allSatisfy(isPrintable) }
    let triggers = printable.compactMap(CaptureTriggers.init)
    let unsent = triggers.map { UnsentTriggers(table: $0.table, key: $0.key, columns: $0.columns) }
    let sending = triggers.map { SendingTriggers(table: $0.table, key: $0.key, columns: $0.columns) }
    tables = triggers.map(\.table)
    skipped = shapes.filter { name, _ in !triggers.contains { $0.table == name } }.map { name, shape in
      Skipped(table: name, reason: shape?.reasonNotToCapture ?? "the database has no such table")
    }
    self.upgrade = upgrade
    statements =
      [
        ParleyTables.inbox, ParleyTables.outbox, ParleyTables.indexes, ParleyTables.unsent,
        ParleyTables.since, ParleyTables.sending,
      ]
      + [CaptureTriggers.mergingTable] + CaptureTriggers.common + triggers.flatMap(\.all)
      + unsent.flatMap(\.all) + sending.flatMap(\.all)
  }
}

extension ParleyTables {
  /// What the tables that are here lack; a table that is not here is made whole.
  static func upgrades(in db: Database) throws -> [Upgrade] {
    try upgrades.filter { upgrade in
      guard let shape = try TableShape(upgrade.table, in: db) else { return false }
      return shape[upgrade.column] == nil
    }
  }
}

extension CaptureTriggers {
  /// nil for a table without a single key. A generated column is computed of others, and is left out.
  fileprivate init?(_ shape: TableShape) {
    guard let key = shape.singleKey else { return nil }
    self.init(
      table: shape.name, key: key.name, columns: shape.stored.map(\.name).filter { $0 != key.name })
  }
}

extension TableShape {
  fileprivate var names: [String] { [name] + columns.map(\.name) }

  fileprivate var reasonNotToCapture: String {
    singleKey == nil
      ? "its primary key is not a single column"
      : "its name, or that of a column, has characters that cannot be printed"
  }
}
