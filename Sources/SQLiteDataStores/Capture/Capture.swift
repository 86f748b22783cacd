import GRDB
import Merging
import SQLiteFiles
import StoreInterface

extension SQLiteDataStore {
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
    let skipped = shapes.filter { name, _ in !triggers.contains { $0.table == name } }.map { name, shape in
      Skipped(table: name, reason: shape?.reasonNotToCapture ?? "the database has no such table")
    }
    let statements =
      [
        ParleyTables.inbox, ParleyTables.outbox, ParleyTables.indexes, ParleyTables.unsent,
        ParleyTables.since, ParleyTables.sending,
      ]
      + [CaptureTriggers.mergingTable] + CaptureTriggers.common + triggers.flatMap(\.all)
      + unsent.flatMap(\.all) + sending.flatMap(\.all)
    self.init(
      tables: triggers.map(\.table), skipped: skipped, upgrade: upgrade, statements: statements)
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
