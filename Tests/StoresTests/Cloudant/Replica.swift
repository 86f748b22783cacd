import Foundation
import GRDB
import Merging
import StoreInterface

@testable import CloudantStores
@testable import RevisionTrees

/// A device with the app on it: edits documents and replicates them by the library's own rules (Sources/CloudantStores/FORMAT.md,
/// "Revision ids" and "Replication and compaction"), written down here once more so that the store is not tested by itself.
final class Replica: Sendable {
  let datastore: Datastore
  let platform: DatastoreSchema.Platform

  init(platform: DatastoreSchema.Platform = .ios) throws {
    datastore = try Datastore([], platform: platform)
    self.platform = platform
  }

  /// The same datastore as it is now, on another device.
  init(copyOf other: Datastore, platform: DatastoreSchema.Platform = .ios) throws {
    datastore = try Datastore(copyOf: other)
    self.platform = platform
  }

  struct Revision: Sendable, Equatable {
    var sequence: Int64 = 0
    let id: String
    var parent: Int64?
    var isDeleted = false
    /// nil: not here.
    var body: String?
  }

  struct NoSuchRevision: Error { let id: String }

  // Edits.

  @discardableResult func create(_ document: String, _ body: String) throws -> String {
    try edit(document, on: nil, body)
  }

  /// A new revision with the id that the platform gives it.
  @discardableResult func edit(
    _ document: String, on parent: String?, _ body: String, isDeleted: Bool = false
  ) throws -> String {
    let random = UUID().uuidString.replacing("-", with: "").lowercased()
    let generation = parent.map { Int($0.prefix { $0 != "-" }) ?? 0 } ?? 0
    let computed = RevisionID.cloudant(parent: parent, isDeleted: isDeleted, body: Array(body.utf8))
    let id = platform == .ios ? computed ?? "" : "\(generation + 1)-\(random)"
    try insert(document, [parent, id].compactMap(\.self), body, isDeleted: isDeleted)
    return id
  }

  /// forceInsert: a revision with its history, the oldest first. What is known stays as it is; what is not known and not the
  /// revision itself becomes a stub.
  func insert(_ document: String, _ history: [String], _ body: String, isDeleted: Bool = false) throws {
    try datastore.database { [self] db in
      try db.run("INSERT OR IGNORE INTO docs (docid) VALUES (?)", [.text(document)])
      var parent: Int64?
      for (index, id) in history.enumerated() {
        let isLast = index == history.count - 1
        parent = try add(
          Revision(
            id: id, parent: parent, isDeleted: isLast && isDeleted, body: isLast ? body : nil),
          to: document, in: db)
      }
      try mark(document, in: db)
    }
  }

  /// Takes over every leaf of the other device that is not known here.
  func pull(from other: Replica) throws {
    for document in try other.documents() {
      let theirs = try other.revisions(document)
      for leaf in RevisionTree(theirs).leaves.sorted() {
        let known = try Set(revisions(document).map(\.id))
        if known.contains(theirs[leaf].id) { continue }
        let line = RevisionTree(theirs).line(from: leaf).reversed().map { theirs[$0].id }
        let body = theirs[leaf].body ?? ""
        try insert(document, line, body.isEmpty ? "{}" : body, isDeleted: theirs[leaf].isDeleted)
      }
    }
  }

  static func replicate(_ left: Replica, _ right: Replica) throws {
    try left.pull(from: right)
    try right.pull(from: left)
  }
}

extension Replica {
  func documents() throws -> [String] {
    try datastore.database { db in
      var ids: [String] = []
      try db.forEachRow("SELECT docid FROM docs ORDER BY doc_id") { ids.append($0.text(0)) }
      return ids
    }
  }

  /// In the order of their rows.
  func revisions(_ document: String) throws -> [Revision] {
    try datastore.database { [self] db in try revisions(document, in: db) }
  }

  func tree(_ document: String) throws -> RevisionTree { RevisionTree(try revisions(document)) }

  /// Every revision by its id, with its parent's id, and what leaves say: the same for replicas that agree, whatever the
  /// numbers of their rows. Others may be stubs, which have no body and are not marked as deleted.
  func content(_ document: String) throws -> Set<String> {
    let revisions = try revisions(document)
    let leaves = Set(RevisionTree(revisions).leaves)
    let names = Dictionary(uniqueKeysWithValues: revisions.map { ($0.sequence, $0.id) })
    return Set(
      revisions.enumerated().map { place, revision in
        let line = "\(revision.id) on \(revision.parent.flatMap { names[$0] } ?? "-")"
        if !leaves.contains(place) { return line }
        return line + (revision.isDeleted ? " deleted" : " \(revision.body ?? "-")")
      })
  }

  private func revisions(_ document: String, in db: Database) throws -> [Revision] {
    var revisions: [Revision] = []
    let sql = """
      SELECT sequence, revid, parent, deleted, json FROM revs
      WHERE doc_id = (SELECT doc_id FROM docs WHERE docid = ?) ORDER BY sequence
      """
    try db.forEachRow(sql, [.text(document)]) { row in
      revisions.append(
        Revision(
          sequence: row.integer(0), id: row.text(1), parent: row.isNull(2) ? nil : row.integer(2),
          isDeleted: row.integer(3) == 1,
          body: row.optionalBytes(4).map { String(decoding: $0, as: UTF8.self) }))
    }
    return revisions
  }

  private func add(_ revision: Revision, to document: String, in db: Database) throws -> Int64 {
    if let known = try revisions(document, in: db).first(where: { $0.id == revision.id }) {
      return known.sequence
    }
    let isStub = revision.body == nil
    var columns = ["revid", "parent", "deleted", "json"]
    var values: [Value] = [
      .text(revision.id), revision.parent.map { .integer($0) } ?? .null, .integer(revision.isDeleted ? 1 : 0),
      .bytes(platform == .android && (isStub || revision.isDeleted) ? "{}" : revision.body),
    ]
    if platform == .android {
      columns.append("available")
      values.append(.integer(isStub || revision.isDeleted ? 0 : 1))
    }
    try db.run(
      """
      INSERT INTO revs (doc_id, \(columns.joined(separator: ", ")))
      VALUES ((SELECT doc_id FROM docs WHERE docid = ?)\(String(repeating: ", ?", count: columns.count)))
      """, [.text(document)] + values)
    return db.lastInsertedRowID
  }

  /// `current` is every leaf's on iOS, and the winner's on Android.
  private func mark(_ document: String, in db: Database) throws {
    let revisions = try revisions(document, in: db)
    let leaves = RevisionTree(revisions).leaves
    let current = Set(platform == .ios ? leaves : Array(leaves.prefix(1)))
    for (place, revision) in revisions.enumerated() {
      try db.run(
        "UPDATE revs SET current = ? WHERE sequence = ?",
        [.integer(current.contains(place) ? 1 : 0), .integer(revision.sequence)])
    }
  }
}

extension Value {
  fileprivate static func bytes(_ text: String?) -> Value {
    text.map { .blob(Blob(bytes: Array($0.utf8))) } ?? .null
  }
}

extension RevisionTree {
  init(_ revisions: [Replica.Revision]) {
    let places = Dictionary(uniqueKeysWithValues: revisions.enumerated().map { ($1.sequence, $0) })
    self.init(
      revisions.map {
        Revision(id: $0.id, isDeleted: $0.isDeleted, hasBody: $0.body != nil, row: $0.sequence)
      }, parents: revisions.map { $0.parent.flatMap { places[$0] } }, order: .cloudant)
  }
}
