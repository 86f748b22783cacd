import GRDB
import Merging
import SQLiteFiles
import StoreInterface

/// The framework's model, as Core Data keeps it: a table for each entity that has no parent, with the columns of all entities below.
///
///     Z_PRIMARYKEY(Z_ENT, Z_NAME, Z_SUPER, Z_MAX)       which number an entity has in this store
///     ZSMLOCALFILE(Z_PK, Z_ENT, Z_OPT, ZUUID, …)        one row a file
///     Z_FOK_QUEUE                                       the order within a relationship
///
/// Numbers of entities follow from the order of all names in a model, so they are looked up by name, and columns by name as well
/// (FORMAT.md, "Tables").
package struct SyncModel: Sendable, Equatable {
  enum Entity: String, CaseIterable, Sendable {
    case downloadBlock = "SMDownloadBlock"
    case downloadOperation = "SMDownloadOperation"
    case downloadFileOperation = "SMDownloadFileOperation"
    case downloadDeletion = "SMDownloadDeletion"
    case downloadFile = "SMDownloadFile"
    case downloadStartup = "SMDownloadStartup"
    case localFile = "SMLocalFile"
    case queues = "SMQueues"
    case uploadBlock = "SMUploadBlock"
    case uploadOperation = "SMUploadOperation"
    case uploadFileOperation = "SMUploadFileOperation"
    case uploadDeletion = "SMUploadDeletion"
    case uploadFile = "SMUploadFile"
    case uploadWrapup = "SMUploadWrapup"
    case uploadQueue = "SMUploadQueue"
  }

  /// The number of each entity in this store.
  let numbers: [Entity: Int64]
  /// The table of each entity without a parent.
  let tables: [Entity: TableShape]

  subscript(entity: Entity) -> Int64 { numbers[entity] ?? -1 }

  func table(_ root: Entity) -> TableShape? { tables[root] }

  /// - Throws: ``StoreError/notAStore(path:detail:)`` with what differs from the model that is known here.
  init(_ path: String, in db: Database) throws {
    guard try db.hasTable("Z_PRIMARYKEY") else {
      throw StoreError.notAStore(
        path: path, detail: "it has no table Z_PRIMARYKEY, so Core Data did not make it")
    }
    let found = try SyncModel.entities(in: db)
    let tables = try SyncModel.tables(in: db)
    let differences =
      try SyncModel.programs(in: db) + SyncModel.differences(found) + SyncModel.differences(tables)
    if let first = differences.first {
      let more = differences.count > 4 ? ", and \(differences.count - 4) more" : ""
      let words = differences.count == 1 ? first : differences.prefix(4).joined(separator: ", ") + more
      throw StoreError.notAStore(
        path: path, detail: "its model is another version than the one known here: \(words)")
    }
    self.tables = tables
    numbers = Dictionary(
      found.compactMap { one in Entity(rawValue: one.name).map { ($0, one.number) } }
    ) { first, _ in first }
  }

  /// Triggers, views and whatever else is neither a table nor an index, in words. Core Data makes none, and what one does with a row
  /// that is written, nobody here would see.
  ///
  /// By the text as well: SQLite does not ask what the row says that it is.
  static func programs(in db: Database) throws -> [String] {
    let sql = """
      SELECT type, name FROM sqlite_master
      WHERE type NOT IN ('table', 'index')
      OR sql NOT LIKE 'CREATE TABLE%' AND sql NOT LIKE 'CREATE INDEX%' AND sql NOT LIKE 'CREATE UNIQUE INDEX%'
      ORDER BY type, name LIMIT 100
      """
    return try db.rows(sql) { row in
      let (type, name) = (row.text(0), row.text(1))
      return ["table", "index"].contains(type) ? "\(name) is no \(type)" : "it has a \(type) \(name)"
    }
  }

  /// Whether the database is such a store, of whatever version.
  static func isOne(in db: Database) throws -> Bool {
    guard try db.hasTable("Z_PRIMARYKEY"), try db.hasTable("ZSMLOCALFILE") else { return false }
    return true
  }
}

extension SyncModel.Entity {
  var parent: Self? {
    switch self {
    case .downloadFileOperation, .downloadStartup: .downloadOperation
    case .downloadDeletion, .downloadFile: .downloadFileOperation
    case .uploadFileOperation, .uploadWrapup: .uploadOperation
    case .uploadDeletion, .uploadFile: .uploadFileOperation
    case .downloadBlock, .downloadOperation, .localFile, .queues, .uploadBlock, .uploadOperation,
      .uploadQueue:
      nil
    }
  }

  /// The name of its table, of an entity without a parent.
  var table: String { "Z" + rawValue.uppercased() }

  /// What its table has beside `Z_PK`, `Z_ENT` and `Z_OPT`.
  fileprivate var columns: [String] {
    switch self {
    case .downloadBlock: ["ZNUMBERBYTES", "ZSTARTBYTEOFFSET", "ZDOWNLOAD", "Z_FOK_DOWNLOAD"]
    case .downloadOperation:
      [
        "ZQUEUE", "ZLOCALFILE", "ZSERVERVERSION", "Z_FOK_QUEUE", "Z_FOK_LOCALFILE", "ZINTERNALCONFLICTTYPE",
        "ZINTERNALCONFLICTTYPE1", "ZINTERNALOPERATIONSTAGE", "ZINTERNALSTARTUPSTAGE",
        "ZINTERNALRELATIVELOCALURL",
      ]
    case .localFile:
      [
        "ZINTERNALDELETEDONSERVER", "ZLOCALVERSION", "ZINTERNALSYNCSTATE", "ZMIMETYPE", "ZREMOTEFILENAME",
        "ZUUID", "ZINTERNALAPPMETADATA",
      ]
    case .queues: ["ZBEINGUPLOADED", "ZUPLOADSBEINGPREPARED"]
    case .uploadBlock: ["ZNUMBERBYTES", "ZSTARTBYTEOFFSET", "ZUPLOAD", "Z_FOK_UPLOAD"]
    case .uploadOperation:
      [
        "ZQUEUE", "ZLOCALFILE", "ZDELETELOCALFILEAFTERUPLOAD", "ZINTERNALUNDELETESERVERFILE", "Z_FOK_QUEUE",
        "Z_FOK_LOCALFILE", "ZINTERNALOPERATIONSTAGE", "ZINTERNALWRAPUPSTAGE", "ZINTERNALRELATIVELOCALURL",
      ]
    case .uploadQueue:
      ["ZBEINGUPLOADED", "ZCOMMITTEDUPLOADS", "ZUNCOMMITTEDUPLOADS", "Z_FOK_COMMITTEDUPLOADS"]
    case .downloadFileOperation, .downloadDeletion, .downloadFile, .downloadStartup, .uploadFileOperation,
      .uploadDeletion, .uploadFile, .uploadWrapup:
      []
    }
  }

  static var roots: [Self] { allCases.filter { $0.parent == nil } }
}

extension SyncModel {
  private struct FoundEntity {
    let number: Int64
    let name: String
    let parent: Int64
  }

  private static func entities(in db: Database) throws -> [FoundEntity] {
    for column in ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"]
    where try TableShape("Z_PRIMARYKEY", in: db)?[column] == nil { return [] }
    return try db.rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT LIMIT 1000") {
      FoundEntity(number: $0.integer(0), name: $0.text(1), parent: $0.integer(2))
    }
  }

  private static func tables(in db: Database) throws -> [Entity: TableShape] {
    var tables: [Entity: TableShape] = [:]
    for root in Entity.roots { tables[root] = try TableShape(root.table, in: db) }
    return tables
  }

  private static func differences(_ found: [FoundEntity]) -> [String] {
    let names = Dictionary(found.map { ($0.number, $0.name) }) { first, _ in first }
    let unknown = found.filter { Entity(rawValue: $0.name) == nil }.map { "it has an entity \($0.name)" }
    let others = Entity.allCases.compactMap { entity -> String? in
      let rows = found.filter { $0.name == entity.rawValue }
      guard let row = rows.first else { return "it has no entity \(entity.rawValue)" }
      if rows.count > 1 { return "it has the entity \(entity.rawValue) twice" }
      let parent = row.parent == 0 ? nil : names[row.parent]
      return parent == entity.parent?.rawValue ? nil : "\(entity.rawValue) has another parent"
    }
    return unknown + others
  }

  private static func differences(_ tables: [Entity: TableShape]) -> [String] {
    Entity.roots.flatMap { root -> [String] in
      guard let table = tables[root] else { return ["it has no table \(root.table)"] }
      let known = ["Z_PK", "Z_ENT", "Z_OPT"] + root.columns
      let missing = known.filter { table[$0] == nil }.map { "\(root.table) has no column \($0)" }
      let more = table.columns.map(\.name).filter { !known.contains($0) && !isCompanion($0) }
      return missing + more.map { "\(root.table) has a column \($0)" }
    }
  }

  /// `Z5_QUEUE` beside `ZQUEUE` tells of which entity the row is that a relationship leads to. No relationship here was seen to need
  /// one, and it says nothing that is not known.
  private static func isCompanion(_ column: String) -> Bool { column.wholeMatch(of: /Z[0-9]+_[A-Z]+/) != nil }
}
