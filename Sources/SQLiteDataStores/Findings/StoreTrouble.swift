import ExactJSON
import GRDB
import Merging
import SQLiteFiles
import StoreInterface

/// Lays the tables of the app beside the list of tables that sync.
///
/// The list, `recordTypes`, has each CREATE statement as text, and its columns as JSON:
/// `[{"defaultValue":"''","isNotNull":true,"isPrimaryKey":false,"name":"title","type":"TEXT"}, …]`. If the text differs, the
/// app sets the columns that changed to the ancestors' values at its next start.
enum SchemaCheck {
  private struct Registered {
    let table: String
    let sql: String
    let columns: String
  }

  static func troubles(in db: Database) throws -> [StoreTrouble] {
    let registered = try registered(in: db)
    let troubles = try registered.compactMap { try trouble($0, in: db) }
    return try isEmpty(registered, in: db)
      ? troubles + [.everythingIsGone(tables: registered.count)] : troubles
  }

  private static func registered(in db: Database) throws -> [Registered] {
    let sql =
      "SELECT tableName, schema, tableInfo FROM \(Metadatabase.sqlName(Metadatabase.recordTypes)) ORDER BY tableName"
    return try db.rows(sql) { Registered(table: $0.text(0), sql: $0.text(1), columns: $0.text(2)) }
  }

  private static func trouble(_ registered: Registered, in db: Database) throws -> StoreTrouble? {
    let query =
      "SELECT sql FROM main.sqlite_master WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE"
    guard let sql = try db.firstRow(query, [.text(registered.table)], { $0.text(0) }) else {
      return .tableIsMissing(table: registered.table)
    }
    if sql == registered.sql { return nil }
    return .schemaChanged(table: registered.table, columns: try changedColumns(registered, in: db).sorted())
  }

  /// The columns of a table that the app sets as it starts.
  static func changedColumns(of table: String, in db: Database) throws -> Set<String> {
    let registered = try registered(in: db).first { $0.table == table }
    guard let registered, case .schemaChanged? = try trouble(registered, in: db) else { return [] }
    return try changedColumns(registered, in: db)
  }

  private static func changedColumns(_ registered: Registered, in db: Database) throws -> Set<String> {
    let then = columns(registered.columns)
    let now = try columns(of: registered.table, in: db)
    return Set(then.keys).union(now.keys).filter { then[$0] != now[$0] }
  }

  private struct Column: Equatable {
    let type: String
    let isRequired: Bool
    let isKey: Bool
    let defaultValue: String?
  }

  /// Empty if the JSON is of another form.
  private static func columns(_ json: String) -> [String: Column] {
    var reader = JSONReader(Array(json.utf8))
    var columns: [String: Column] = [:]
    for column in (try? reader.single())?.elements ?? [] {
      guard let name = column["name"]?.text else { continue }
      columns[name] = Column(
        type: column["type"]?.text ?? "", isRequired: column["isNotNull"]?.bool ?? false,
        isKey: column["isPrimaryKey"]?.bool ?? false, defaultValue: column["defaultValue"]?.text)
    }
    return columns
  }

  private static func columns(of table: String, in db: Database) throws -> [String: Column] {
    var columns: [String: Column] = [:]
    let sql = "SELECT name, type, \"notnull\", pk, dflt_value FROM pragma_table_info(?, 'main')"
    try db.forEachRow(sql, [.text(table)]) { row in
      columns[row.text(0)] = Column(
        type: row.text(1), isRequired: row.integer(2) != 0, isKey: row.integer(3) > 0,
        defaultValue: row.optionalText(4))
    }
    return columns
  }

  private static func isEmpty(_ registered: [Registered], in db: Database) throws -> Bool {
    if registered.isEmpty { return false }
    let tables = [Metadatabase.sqlName(Metadatabase.metadata)]
    let present = try registered.filter { try TableShape($0.table, in: db) != nil }
      .map { "main." + quoted($0.table) }
    return try (tables + present).allSatisfy { table in
      try db.firstRow("SELECT 1 FROM \(table) LIMIT 1") { _ in false } ?? true
    }
  }
}

/// What is wrong with a store as a whole, or with one of its tables and queues.
enum StoreTrouble: Sendable, Equatable {
  case undecodable(rowid: Int64, bytes: Int, error: String)
  case queueIsHuge(part: String, bytes: Int)
  case queueIsUnreadable(part: String, reason: String)
  /// - Parameter columns: those that were added, removed or changed; empty if only the text of the statement did.
  case schemaChanged(table: String, columns: [String])
  case tableIsMissing(table: String)
  case everythingIsGone(tables: Int)

  /// The id of a row of the queue begins with this.
  static let undecodableKey = "pending-undecodable"
}

extension Finding {
  init(_ trouble: StoreTrouble) {
    switch trouble {
    case .undecodable(let rowid, let bytes, let error):
      // The number of a row in the queue is no record's name, and hashed it would tell what the hash of each small number is.
      self.init(
        id: "\(StoreTrouble.undecodableKey):\(rowid)", table: Metadatabase.pending, record: "",
        title: "pending change \(rowid)", what: "undecodable pending change",
        evidence:
          "Row \(told: "\(rowid)") of the queue has \(bytes) bytes that are no pending change: \(told: error).",
        cause: "Another program wrote it, or the file was damaged.",
        remedy:
          "Delete this row while the app is closed: it stops the app's sync from starting properly at every launch.",
        canBeMended: "The row is deleted from the queue.")
    case .queueIsHuge(let part, let bytes):
      self.init(
        id: "queue-huge:\(part)", table: Metadatabase.state, record: "", title: part, what: "queue is huge",
        evidence: "The engine's state has \(bytes) bytes.",
        cause: "So many changes wait that the engine writes all of them again at each change.",
        remedy:
          "Keep the app in front until the queue is empty; clearing stateSerialization makes it fetch everything anew."
      )
    case .queueIsUnreadable(let part, let reason):
      self.init(
        id: "queue-unreadable:\(part)", table: Metadatabase.state, record: "", title: part,
        what: "queue unreadable", evidence: "The engine's state is there, but \(told: reason).",
        cause: "A newer system wrote it in another form, or the file was damaged.",
        remedy:
          "Nothing has to be done for the app; but what is told here as not queued may be queued in there after all."
      )
    case .schemaChanged(let table, let columns):
      self.init(
        id: "schema-changed:\(table)", table: table, record: "", title: "table \(table)",
        what: "schema changed",
        evidence:
          "The CREATE statement is not the one in recordTypes; \(told: columns.isEmpty ? "the columns are" : columns.listed + " changed").",
        cause: "The app was updated and has not started since, or the table was changed outside of it.",
        remedy:
          "Back up both files: at its next start the app sets the columns that changed to the ancestors' values. "
          + "What came in about a column that is gone is in no list, and stays where it waits until the table has that again. "
          + "Never edit recordTypes.")
    case .tableIsMissing(let table):
      self.init(
        id: "table-missing:\(table)", table: table, record: "", title: "table \(table)",
        what: "table is missing", evidence: "recordTypes has the table; the app database does not.",
        cause:
          "The table was dropped or renamed, this is another app's database, or it was copied without its -wal.",
        remedy:
          "Open the database that belongs to this metadatabase, copied with its -wal. Never edit recordTypes."
      )
    case .everythingIsGone(let tables):
      self.init(
        id: "everything-gone", table: Metadatabase.metadata, record: "", title: "the whole store",
        what: "everything is gone",
        evidence:
          "\(tables) \(told: tables == 1 ? "table syncs" : "tables sync"); not one of them has a row, and the metadata has none.",
        cause:
          "The last record was deleted, the person signed out of iCloud or changed the account, the zone was deleted on the server, or the app is new.",
        remedy:
          "If there should be records, sign in to the same account and wait for the fetch, or restore a backup of both files."
      )
    }
  }
}
