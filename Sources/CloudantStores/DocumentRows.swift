import ExactJSON
import GRDB
import Merging
import RevisionTrees
import SQLiteFiles

/// A document's revisions as rows, without their bodies.
struct DocumentRows: Sendable {
  let key: Int64
  let id: String
  let tree: RevisionTree
  /// The rows of each revision, the oldest first. More than one is damage that older versions of sync-android made.
  let sequences: [String: [Int64]]
  /// What all of this is made of.
  private let rows: [Row]

  /// The document of this key; nil if it has no revision.
  init?(key: Int64, in db: Database, _ schema: DatastoreSchema) throws {
    guard let id = try db.firstRow("SELECT docid FROM docs WHERE doc_id = ?", [.integer(key)], { $0.text(0) })
    else { return nil }
    try self.init(key: key, id: id, in: db, schema)
  }

  /// The document of this id; nil if there is none.
  init?(id: String, in db: Database, _ schema: DatastoreSchema) throws {
    guard let key = try db.firstRow("SELECT doc_id FROM docs WHERE docid = ?", [.text(id)], { $0.integer(0) })
    else { return nil }
    try self.init(key: key, id: id, in: db, schema)
  }

  private init?(key: Int64, id: String, in db: Database, _ schema: DatastoreSchema) throws {
    // Android writes {} for a body that is not here, and says so in a column of its own.
    let hasBody =
      schema.platform == .ios ? "typeof(json) <> 'null'" : "available <> 0 AND typeof(json) <> 'null'"
    let sql = """
      SELECT sequence, revid, parent, current, deleted, \(hasBody) FROM revs WHERE doc_id = ? ORDER BY sequence
      """
    let rows = try db.rows(sql, [.integer(key)]) { Row($0) }
    if rows.isEmpty { return nil }
    self.init(key: key, id: id, rows: rows)
  }

  /// A document that has no revision yet.
  init(beginning key: Int64, id: String) { self.init(key: key, id: id, rows: []) }

  fileprivate struct Row {
    let sequence: Int64
    let id: String
    let parent: Int64?
    let isCurrent: Bool
    let isDeleted: Bool
    let hasBody: Bool

    init(_ row: SQLRow) {
      sequence = row.integer(0)
      id = row.text(1)
      parent = row.isNull(2) ? nil : row.integer(2)
      isCurrent = row.integer(3) != 0
      isDeleted = row.integer(4) != 0
      hasBody = row.integer(5) != 0
    }
  }

  private init(key: Int64, id: String, rows: [Row]) {
    (self.key, self.id, self.rows) = (key, id, rows)
    let grouped = Dictionary(grouping: rows, by: \.id)
    var places: [String: Int] = [:]
    for row in rows where places[row.id] == nil { places[row.id] = places.count }
    let ids = places.sorted { $0.value < $1.value }.map(\.key)
    let names = Dictionary(rows.map { ($0.sequence, $0.id) }) { first, _ in first }
    tree = RevisionTree(
      ids.compactMap { grouped[$0].flatMap { RevisionTree.Revision($0) } },
      parents: ids.map { id in
        grouped[id]?.lazy.compactMap { $0.parent.flatMap { names[$0] } }.first.flatMap { places[$0] }
      },
      order: .cloudant, repeated: ids.filter { grouped[$0]?.count != 1 })
    sequences = grouped.mapValues { $0.map(\.sequence) }
  }

  func sequence(of revision: Int) -> Int64 { tree.revisions[revision].row }
}

/// Of the same rows, byte for byte.
extension DocumentRows: Equatable {
  static func == (left: Self, right: Self) -> Bool {
    left.key == right.key && left.id.hasSameBytes(as: right.id) && left.rows == right.rows
  }
}

extension DocumentRows.Row: Equatable {
  static func == (left: Self, right: Self) -> Bool {
    left.sequence == right.sequence && left.id.hasSameBytes(as: right.id) && left.parent == right.parent
      && left.isCurrent == right.isCurrent && left.isDeleted == right.isDeleted
      && left.hasBody == right.hasBody
  }
}

extension RevisionTree.Revision {
  /// One revision of all its rows.
  fileprivate init?(_ rows: [DocumentRows.Row]) {
    guard let first = rows.first(where: \.hasBody) ?? rows.first else { return nil }
    self.init(
      id: first.id, isDeleted: rows.allSatisfy(\.isDeleted), hasBody: first.hasBody,
      isCurrent: rows.contains(where: \.isCurrent), row: first.sequence)
  }
}

/// Which documents are worth looking at.
enum CandidateQuery {
  /// Documents with more than one leaf, by falling key, without a look at any body: on iOS from an index that covers it all;
  /// deleted leaves are sorted out afterwards. On Android `current` tells of the winner only, so parents are looked up.
  static func page(below key: Int64, limit: Int, in db: Database, _ schema: DatastoreSchema) throws -> [Int64]
  {
    try keys(sql(schema), from: key, limit: limit, in: db, .falling(from: key))
  }

  static func sql(_ schema: DatastoreSchema) -> String {
    let index = schema.hasCurrentIndex ? "INDEXED BY revs_current " : ""
    let leaves =
      schema.platform == .ios
      ? "\(index)WHERE current = 1 AND doc_id < ?"
      : "AS leaf WHERE doc_id < ? AND deleted = 0 AND NOT EXISTS (SELECT 1 FROM revs WHERE parent = leaf.sequence)"
    return
      "SELECT doc_id FROM revs \(leaves) GROUP BY doc_id HAVING count(*) > 1 ORDER BY doc_id DESC LIMIT ?"
  }

  /// The next documents by rising key, whatever they look like.
  static func documents(above key: Int64, limit: Int, in db: Database) throws -> [Int64] {
    let sql = "SELECT doc_id FROM docs WHERE doc_id > ? ORDER BY doc_id LIMIT ?"
    return try keys(sql, from: key, limit: limit, in: db, .rising(from: key))
  }

  private static func keys(
    _ sql: String, from start: Int64, limit: Int, in db: Database, _ order: KeyOrder
  ) throws -> [Int64] {
    var order = order
    return try db.rows(sql, [.integer(start), .integer(Int64(limit))]) { row in
      try order.pass(row.integer(0))
      return row.integer(0)
    }
  }
}
