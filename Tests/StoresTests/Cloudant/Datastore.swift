import Foundation
import GRDB
import Merging

@testable import Stores

/// A datastore made for one test, and a look into its tables.
final class Datastore: Sendable {
  static let time: Int64 = 1_795_179_600_000_000_000
  let folder: TestFolder
  let path: String

  init(_ documents: [(String, [SampleRevision])], platform: DatastoreSchema.Platform = .ios) throws {
    folder = try TestFolder()
    let builder = try DatastoreBuilder(folder: folder.path, name: "shop", platform: platform)
    for (id, revisions) in documents { try builder.add(id, revisions) }
    try builder.close()
    path = builder.files.database
  }

  /// A datastore with the trees of a case; numbers of rows are as they are there.
  init(trees: [String: [CaseRow]]) throws {
    folder = try TestFolder()
    let builder = try DatastoreBuilder(folder: folder.path, name: "case")
    try builder.write { db in
      for (key, tree) in trees.sorted(by: { $0.key < $1.key }).enumerated() {
        try db.run(
          "INSERT INTO docs (doc_id, docid) VALUES (?, ?)", [.integer(Int64(key + 1)), .text(tree.key)])
        for row in tree.value { try Datastore.insert(row, document: Int64(key + 1), in: db) }
      }
    }
    try builder.close()
    path = builder.files.database
  }

  private static func insert(_ row: CaseRow, document: Int64, in db: Database) throws {
    try db.run(
      "INSERT INTO revs (sequence, doc_id, revid, parent, current, deleted, json) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        .integer(Int64(row.sequence)), .integer(document), .text(row.id),
        row.parent.map { .integer(Int64($0)) } ?? .null, .integer(row.isCurrent ? 1 : 0),
        .integer(row.isDeleted ? 1 : 0), row.body.map { .blob(Blob(bytes: Array($0.utf8))) } ?? .null,
      ])
  }

  func open(_ access: CloudantStore.Access = .writing) throws -> CloudantStore {
    // The clock holds on to the folder, which so stays as long as the store does.
    try CloudantStore.open(
      path: path, access: access, clock: { withExtendedLifetime(self) { Datastore.time } })
  }

  func sql(_ sql: String) throws {
    try database { try $0.execute(sql: sql) }
  }

  func database<Result: Sendable>(_ body: @Sendable (Database) throws -> Result) throws -> Result {
    var configuration = Configuration()
    configuration.prepareDatabase(DatastoreBuilder.addCollations)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let result = try queue.write(body)
    try queue.close()
    return result
  }

  /// A document's rows, as "4: 3-b on 2 current" tells them.
  func rows(_ document: String) throws -> [String] {
    try database { db in
      var rows: [String] = []
      let sql = """
        SELECT sequence, revid, parent, current, deleted, json FROM revs
        WHERE doc_id = (SELECT doc_id FROM docs WHERE docid = ?) ORDER BY sequence
        """
      try db.forEachRow(sql, [.text(document)]) { row in
        let parent = row.isNull(2) ? "" : " on \(row.integer(2))"
        let flags = (row.integer(3) == 1 ? " current" : "") + (row.integer(4) == 1 ? " deleted" : "")
        let body = row.optionalBytes(5).map { " " + String(decoding: $0, as: UTF8.self) } ?? " -"
        rows.append("\(row.integer(0)): \(row.text(1))\(parent)\(flags)\(body == " " ? "" : body)")
      }
      return rows
    }
  }

  /// What SQLite itself finds wrong, with the collation known.
  func integrity() throws -> String {
    try database { try String.fetchOne($0, sql: "PRAGMA integrity_check") ?? "" }
  }
}

/// The rows of a case in the same words.
extension CaseRow {
  var words: String {
    let flags = (isCurrent ? " current" : "") + (isDeleted ? " deleted" : "")
    let body = body.map { $0.isEmpty ? "" : " " + $0 } ?? " -"
    return "\(sequence): \(id)\(parent.map { " on \($0)" } ?? "")\(flags)\(body)"
  }
}

extension CloudantStore {
  /// Writes a document with these choices, and every suggestion where there is none.
  func resolve(_ id: String, _ choices: [Subject: Choice] = [:]) throws -> CheckedWrite.Outcome? {
    guard let planned = try plan(id, in: self, choices) else { return nil }
    return try write([planned], note: nil).first?.outcome
  }
}

extension Datastore {
  /// Changes the title in the body of a revision, in place.
  static func retitle(_ revision: String, of document: String, _ title: String, in path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      let place = "revid = ? COLLATE BINARY AND doc_id = (SELECT doc_id FROM docs WHERE docid = ?)"
      let row = [Value.text(revision), .text(document)]
      let body = try db.firstRow("SELECT json FROM revs WHERE \(place)", row) { $0.bytes(0) } ?? []
      guard case .object(var members) = try JSONValue(parsing: body) else { return }
      members["title"] = .string(title)
      try db.run(
        "UPDATE revs SET json = ? WHERE \(place)",
        [.blob(Blob(bytes: JSONValue.object(members).canonical))] + row)
    }
    try queue.close()
  }

  /// Runs `body` while a change of the document's id lies in the `-wal`, and not in the file.
  func inWAL(_ body: (String) throws -> Void) throws {
    var configuration = Configuration()
    configuration.prepareDatabase(DatastoreBuilder.addCollations)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.inDatabase { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL; UPDATE docs SET docid = 'oat'")
    }
    try body(path)
    try queue.close()
  }
}
