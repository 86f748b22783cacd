import GRDB
import SQLiteFiles
import StoreInterface

extension SQLiteDataStore {
  package func capture(isPrintable: (String) -> Bool = { _ in true }) throws -> Capture {
    try read { db in
      let names = try Metadatabase.syncedTables(in: db).sorted()
      let shapes = try names.map { ($0, try tables.shape(of: $0, in: db)) }
      return Capture(shapes, upgrade: try ParleyTables.upgrades(in: db).map(\.sql), isPrintable: isPrintable)
    }
  }
}

extension Capture {
  init(
    _ shapes: [(name: String, shape: TableShape?)], upgrade: [String],
    isPrintable: (String) -> Bool = { _ in true }
  ) {
    let printable = shapes.compactMap(\.shape).filter { $0.names.allSatisfy(isPrintable) }
    let tables = printable.compactMap(CapturedTable.init)
    let skipped = shapes.filter { name, _ in !tables.contains { $0.name == name } }.map { name, shape in
      Skipped(table: name, reason: shape?.reasonNotToCapture ?? "the database has no such table")
    }
    let statements =
      [
        ParleyTables.inbox, ParleyTables.outbox, ParleyTables.indexes, ParleyTables.unsent,
        ParleyTables.since, ParleyTables.sending,
      ]
      + [CaptureTriggers.mergingTable] + CaptureTriggers.common
      + tables.flatMap { CaptureTriggers(table: $0).all } + tables.flatMap { UnsentTriggers(table: $0).all }
      + tables.flatMap { SendingTriggers(table: $0).all }
    self.init(tables: tables.map(\.name), skipped: skipped, upgrade: upgrade, statements: statements)
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

/// A table whose rows are captured, as the triggers name it.
struct CapturedTable {
  let name: String
  let key: String
  /// The stored columns without the key.
  let columns: [String]

  /// nil for a table without a single key. A generated column is computed of others, and is left out.
  init?(_ shape: TableShape) {
    guard let key = shape.singleKey?.name else { return nil }
    (name, self.key, columns) = (shape.name, key, shape.stored.map(\.name).filter { $0 != key })
  }

  var target: String { "main." + quoted(name) }

  func trigger(_ event: String) -> String { quoted("parley_\(event)_\(name)") }

  func recordName(_ row: String) -> String { "\(row).\(quoted(key)) || \(literal(":" + name))" }

  func json(_ row: String) -> String { RowExpression(columns: [key] + columns, row: row).json }
}

extension TableShape {
  fileprivate var names: [String] { [name] + columns.map(\.name) }

  fileprivate var reasonNotToCapture: String {
    singleKey == nil
      ? "its primary key is not a single column"
      : "its name, or that of a column, has characters that cannot be printed"
  }
}
