import GRDB
import SQLiteFiles

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
    var (keys, order) = ([Int64](), order)
    try db.forEachRow(sql, [.integer(start), .integer(Int64(limit))]) { row in
      keys.append(row.integer(0))
      try order.pass(row.integer(0))
    }
    return keys
  }
}
