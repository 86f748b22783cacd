import CloudantStores
import Digests
import ExactJSON
import Foundation
import GRDB
import Merging
import RevisionTrees
import SQLiteFiles
import StoreInterface

/// A revision to be put into a made datastore.
package struct SampleRevision {
  /// How other revisions of the document name it. An id by hand if it holds a dash, else the id is computed.
  package let label: String
  package let parent: String?
  /// nil: no body is kept. "" is an empty one.
  package let json: String?
  package let isDeleted: Bool
  package let attachments: [SampleAttachment]

  package init(
    _ label: String, on parent: String? = nil, _ json: String?, isDeleted: Bool = false,
    attachments: [SampleAttachment] = []
  ) {
    (self.label, self.parent, self.json, self.isDeleted, self.attachments) = (
      label, parent, json, isDeleted, attachments
    )
  }

  /// A tombstone as the library itself makes it.
  package static func tombstone(_ label: String, on parent: String) -> SampleRevision {
    SampleRevision(label, on: parent, "", isDeleted: true)
  }
}

extension [SampleRevision] {
  /// The ids of a document's revisions, by their labels.
  var ids: [String: String] {
    var ids: [String: String] = [:]
    for revision in self {
      let computed = RevisionID.cloudant(
        parent: revision.parent.flatMap { ids[$0] }, isDeleted: revision.isDeleted,
        body: [UInt8]((revision.json ?? revision.label).utf8))
      ids[revision.label] = revision.label.contains("-") ? revision.label : computed ?? revision.label
    }
    return ids
  }
}

package struct SampleAttachment {
  package let name: String
  package let type = "text/plain"
  package let bytes: [UInt8]

  package init(_ name: String, _ text: String) {
    (self.name, bytes) = (name, Array(text.utf8))
  }
}

/// Makes a datastore as the library itself would leave it, for the demo, the benchmark and tests.
package final class DatastoreBuilder {
  package let files: DatastoreFiles
  private let platform: DatastoreSchema.Platform
  private let queue: DatabaseQueue

  /// - Throws: ``StoreError/writeFailed(path:detail:)`` if a datastore is there already.
  package init(folder: String, name: String, platform: DatastoreSchema.Platform = .ios) throws {
    self.platform = platform
    let path = platform == .ios ? "\(folder)/\(name).touchdb" : "\(folder)/\(name)/db.sync"
    if FileStatus(path: path) != nil {
      throw StoreError.writeFailed(path: path, detail: "there is a file of this name already")
    }
    try FileManager.default.createDirectory(
      atPath: folderAndName(path).folder, withIntermediateDirectories: true)
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try DatastoreBuilder.addCollations(to: db)
      // What is made anew is made again if the machine fails.
      try db.execute(sql: "PRAGMA synchronous = OFF")
    }
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.write { try $0.execute(sql: platform == .ios ? DatastoreSQL.ios : DatastoreSQL.android) }
    files = try DatastoreFiles(path: path)
  }

  /// Also the collation of `maps`, which is never read or written: its index cannot be made or checked without it.
  @Sendable package static func addCollations(to db: Database) throws {
    try DatastoreSchema.addCollation(to: db)
    db.add(
      collation: DatabaseCollation("JSON") { left, right in
        left == right ? .orderedSame : left < right ? .orderedAscending : .orderedDescending
      })
  }

  package func close() throws { try queue.close() }

  package func write(_ body: (Database) throws -> Void) throws { try queue.write(body) }

  /// Adds a document. Revisions come after their parents.
  ///
  /// - Returns: the ids by their labels.
  @discardableResult package func add(_ id: String, _ revisions: [SampleRevision]) throws -> [String: String]
  {
    try queue.write { try add(id, revisions, in: $0) }
  }

  package func add(_ id: String, _ revisions: [SampleRevision], in db: Database) throws -> [String: String] {
    try db.run("INSERT INTO docs (docid) VALUES (?)", [.text(id)])
    let document = db.lastInsertedRowID
    let ids = revisions.ids
    let current = currentLabels(revisions, ids)
    var sequences: [String: Int64] = [:]
    for revision in revisions {
      let parent = revision.parent.flatMap { sequences[$0] }
      try insert(
        revision, id: ids[revision.label] ?? revision.label, document, parent,
        isCurrent: current.contains(revision.label), in: db)
      let sequence = db.lastInsertedRowID
      sequences[revision.label] = sequence
      for attachment in revision.attachments {
        try insert(attachment, sequence, generation: RevisionID(ids[revision.label] ?? "").generation, in: db)
      }
    }
    return ids
  }

  private func currentLabels(_ revisions: [SampleRevision], _ ids: [String: String]) -> Set<String> {
    let labels = revisions.map(\.label)
    let tree = RevisionTree(
      revisions.map {
        RevisionTree.Revision(id: ids[$0.label] ?? $0.label, isDeleted: $0.isDeleted, hasBody: $0.json != nil)
      },
      parents: revisions.map { $0.parent.flatMap { labels.firstIndex(of: $0) } }, order: .cloudant)
    return Set((platform == .ios ? tree.leaves : Array(tree.leaves.prefix(1))).map { labels[$0] })
  }

  private func insert(
    _ revision: SampleRevision, id: String, _ document: Int64, _ parent: Int64?, isCurrent: Bool,
    in db: Database
  ) throws {
    let parent = parent.map { Value.integer($0) } ?? .null
    let flags: [Value] = [.integer(isCurrent ? 1 : 0), .integer(revision.isDeleted ? 1 : 0)]
    let body = revision.json.map { Value.blob(Blob(bytes: Array($0.utf8))) } ?? .null
    switch platform {
    case .ios:
      try db.run(
        "INSERT INTO revs (doc_id, revid, parent, current, deleted, json) VALUES (?, ?, ?, ?, ?, ?)",
        [.integer(document), .text(id), parent] + flags + [body])
    case .android:
      let isAvailable = revision.json != nil && !revision.isDeleted
      try db.run(
        "INSERT INTO revs (doc_id, revid, parent, current, deleted, json, available) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [.integer(document), .text(id), parent] + flags
          + [isAvailable ? body : .blob(Blob(bytes: Array("{}".utf8))), .integer(isAvailable ? 1 : 0)])
    }
  }

  private func insert(_ attachment: SampleAttachment, _ sequence: Int64, generation: Int, in db: Database)
    throws
  {
    var hash = SHA1()
    hash.update(attachment.bytes)
    let key = hash.finish()
    let length = Value.integer(Int64(attachment.bytes.count))
    let columns: [Value] = [
      .integer(sequence), .text(attachment.name), .blob(Blob(bytes: key)), .text(attachment.type), length,
      .integer(Int64(generation)), .integer(0), length,
    ]
    try db.run(
      """
      INSERT INTO attachments (sequence, filename, key, type, length, revpos, encoding, encoded_length)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, columns)
    let hexadecimal = Hexadecimal.text(key)
    let name = platform == .ios ? hexadecimal + ".blob" : hexadecimal
    try db.run(
      "INSERT OR IGNORE INTO attachments_key_filename (key, filename) VALUES (?, ?)",
      [.text(hexadecimal), .text(name)])
    try FileManager.default.createDirectory(atPath: files.attachments, withIntermediateDirectories: true)
    try Data(attachment.bytes).write(to: URL(filePath: files.attachments + "/" + name))
  }
}

/// The tables of a new datastore, of schema 200 on either platform, as TD_Database.m at bc5f32c and sync-android's migrations at
/// a72b3fc make them (Sources/CloudantStores/FORMAT.md, "Schema").
enum DatastoreSQL {
  static let ios = """
    CREATE TABLE docs (doc_id INTEGER PRIMARY KEY, docid TEXT UNIQUE NOT NULL);
    CREATE INDEX docs_docid ON docs(docid);
    CREATE TABLE revs (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      doc_id INTEGER NOT NULL REFERENCES docs(doc_id) ON DELETE CASCADE,
      revid TEXT NOT NULL COLLATE REVID,
      parent INTEGER REFERENCES revs(sequence) ON DELETE SET NULL,
      current BOOLEAN,
      deleted BOOLEAN DEFAULT 0,
      json BLOB,
      UNIQUE (doc_id, revid));
    CREATE INDEX revs_current ON revs(doc_id, current);
    CREATE INDEX revs_parent ON revs(parent);
    CREATE TABLE localdocs (docid TEXT UNIQUE NOT NULL, revid TEXT NOT NULL COLLATE REVID, json BLOB);
    CREATE INDEX localdocs_by_docid ON localdocs(docid);
    CREATE TABLE views (
      view_id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, version TEXT, lastsequence INTEGER DEFAULT 0);
    CREATE INDEX views_by_name ON views(name);
    CREATE TABLE maps (
      view_id INTEGER NOT NULL REFERENCES views(view_id) ON DELETE CASCADE,
      sequence INTEGER NOT NULL REFERENCES revs(sequence) ON DELETE CASCADE,
      key TEXT NOT NULL COLLATE JSON,
      value TEXT);
    CREATE INDEX maps_keys ON maps(view_id, key COLLATE JSON);
    \(attachments)
    CREATE TABLE replicators (remote TEXT NOT NULL, push BOOLEAN, last_sequence TEXT, UNIQUE (remote, push));
    CREATE TABLE info (key TEXT PRIMARY KEY, value TEXT);
    PRAGMA user_version = 200;
    """

  static let android = """
    CREATE TABLE docs (doc_id INTEGER PRIMARY KEY, docid TEXT UNIQUE NOT NULL);
    CREATE INDEX docs_docid ON docs(docid);
    CREATE TABLE revs (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      doc_id INTEGER NOT NULL REFERENCES docs(doc_id) ON DELETE CASCADE,
      revid TEXT NOT NULL,
      parent INTEGER REFERENCES revs(sequence) ON DELETE SET NULL,
      current BOOLEAN,
      deleted BOOLEAN DEFAULT 0,
      available BOOLEAN DEFAULT 1,
      json BLOB,
      UNIQUE (doc_id, revid));
    CREATE INDEX revs_current ON revs(doc_id, current);
    CREATE INDEX revs_parent ON revs(parent);
    CREATE TABLE localdocs (docid TEXT UNIQUE NOT NULL, json BLOB);
    \(attachments)
    CREATE UNIQUE INDEX attachments_unique ON attachments(sequence, filename);
    CREATE TABLE replicators (
      remote TEXT NOT NULL, startPush BOOLEAN, last_sequence TEXT, UNIQUE (remote, startPush));
    PRAGMA user_version = 200;
    """

  private static let attachments = """
    CREATE TABLE attachments (
      sequence INTEGER NOT NULL REFERENCES revs(sequence) ON DELETE CASCADE,
      filename TEXT NOT NULL,
      key BLOB NOT NULL,
      type TEXT,
      length INTEGER NOT NULL,
      revpos INTEGER DEFAULT 0,
      encoding INTEGER DEFAULT 0,
      encoded_length INTEGER);
    CREATE INDEX attachments_by_sequence ON attachments(sequence, filename);
    CREATE TABLE attachments_key_filename (key TEXT UNIQUE NOT NULL, filename TEXT UNIQUE NOT NULL);
    """
}
