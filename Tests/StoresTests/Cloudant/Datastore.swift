import ExactJSON
import Foundation
import GRDB
import Merging

@testable import CloudantStores
@testable import SQLiteFiles
@testable import Samples
@testable import StoreInterface

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

  /// A copy of everything but the journal.
  init(copyOf other: Datastore) throws {
    folder = try TestFolder()
    for name in try FileManager.default.contentsOfDirectory(atPath: other.folder.path)
    where !name.contains(".parley.sqlite") {
      try FileManager.default.copyItem(atPath: other.folder.path(name), toPath: folder.path(name))
    }
    path = folder.path + other.path.dropFirst(other.folder.path.utf8.count)
  }

  /// A datastore with the trees of a case; numbers of rows are as they are there.
  ///
  /// - Parameter blobs: the folder of the files that attachments name by their digests.
  init(trees: [String: [CaseRow]], blobs: String? = nil) throws {
    folder = try TestFolder()
    let builder = try DatastoreBuilder(folder: folder.path, name: "case")
    try builder.write { db in
      for (key, tree) in trees.sorted(by: { $0.key < $1.key }).enumerated() {
        try db.run(
          "INSERT INTO docs (doc_id, docid) VALUES (?, ?)", [.integer(Int64(key + 1)), .text(tree.key)])
        for row in tree.value { try row.insert(document: Int64(key + 1), in: db) }
      }
    }
    try builder.close()
    path = builder.files.database
    let digests = Set(trees.values.joined().flatMap(\.attachments).map(\.sha1))
    if let blobs, !digests.isEmpty { try add(digests, from: blobs, to: builder.files.attachments) }
  }

  /// Files by any names: which is which, their digests tell.
  private func add(_ digests: Set<String>, from blobs: String, to attachments: String) throws {
    try FileManager.default.createDirectory(atPath: attachments, withIntermediateDirectories: true)
    for name in try FileManager.default.contentsOfDirectory(atPath: blobs) {
      guard let stored = try? AttachmentFile(path: blobs + "/" + name).storedBytes() else { continue }
      let digest = Hexadecimal.text(stored.sha1)
      guard digests.contains(digest) else { continue }
      try FileManager.default.copyItem(atPath: blobs + "/" + name, toPath: attachments + "/" + name)
      try sql("INSERT INTO attachments_key_filename (key, filename) VALUES ('\(digest)', '\(name)')")
    }
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
        let attached = try Datastore.attached(to: row.integer(0), in: db)
        rows.append("\(row.integer(0)): \(row.text(1))\(parent)\(flags)\(body == " " ? "" : body)\(attached)")
      }
      return rows
    }
  }

  private static func attached(to sequence: Int64, in db: Database) throws -> String {
    var words = ""
    let sql = """
      SELECT filename, key, length, revpos, encoding, encoded_length FROM attachments WHERE sequence = ? ORDER BY filename
      """
    try db.forEachRow(sql, [.integer(sequence)]) { row in
      let key = Hexadecimal.text(row.bytes(1)).prefix(6)
      words += " +\(row.text(0)) \(key)" + (2...5).map { " \(row.integer(Int32($0)))" }.joined()
    }
    return words
  }

  /// What SQLite itself finds wrong, with the collation known.
  func integrity() throws -> String {
    try database { try String.fetchOne($0, sql: "PRAGMA integrity_check") ?? "" }
  }
}

/// The rows of a case in the same words.
extension CaseRow {
  fileprivate func insert(document: Int64, in db: Database) throws {
    try db.run(
      "INSERT INTO revs (sequence, doc_id, revid, parent, current, deleted, json) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        .integer(Int64(sequence)), .integer(document), .text(id),
        parent.map { .integer(Int64($0)) } ?? .null, .integer(isCurrent ? 1 : 0),
        .integer(isDeleted ? 1 : 0), body.map { .blob(Blob(bytes: Array($0.utf8))) } ?? .null,
      ])
    for attachment in attachments {
      try db.run(
        """
        INSERT INTO attachments (sequence, filename, key, type, length, revpos, encoding, encoded_length)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          .integer(Int64(sequence)), .text(attachment.name),
          .blob(Blob(bytes: Hexadecimal.bytes(attachment.sha1) ?? [])), .text(attachment.type),
          .integer(attachment.length), .integer(attachment.revpos), .integer(attachment.encoding),
          .integer(attachment.encodedLength),
        ])
    }
  }

  var words: String {
    let flags = (isCurrent ? " current" : "") + (isDeleted ? " deleted" : "")
    let body = body.map { $0.isEmpty ? "" : " " + $0 } ?? " -"
    let attached = attachments.map(\.words).joined()
    return "\(sequence): \(id)\(parent.map { " on \($0)" } ?? "")\(flags)\(body)\(attached)"
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

  /// Every revision once more, as versions of sync-android before its schema 200 could store it.
  func repeatRows() throws {
    try sql(
      """
      PRAGMA writable_schema = 1;
      UPDATE sqlite_master SET sql = replace(sql, ',\n  UNIQUE (doc_id, revid)', '') WHERE name = 'revs';
      DELETE FROM sqlite_master WHERE name = 'sqlite_autoindex_revs_1';
      PRAGMA writable_schema = RESET;
      """)
    try sql(
      "INSERT INTO revs (doc_id, revid, parent, current, deleted, json) SELECT doc_id, revid, parent, 0, 0, json FROM revs"
    )
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
