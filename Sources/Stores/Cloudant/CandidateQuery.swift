import GRDB

/// Which documents are worth looking at.
enum CandidateQuery {
  /// Documents with more than one leaf, by falling key, without a look at any body: on iOS from an index that covers it all;
  /// deleted leaves are sorted out afterwards. On Android `current` tells of the winner only, so parents are looked up.
  static func page(below key: Int64, limit: Int, in db: Database, _ schema: DatastoreSchema) throws -> [Int64]
  {
    try keys(sql(schema), from: key, limit: limit, in: db) { $0 < $1 }
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
    return try keys(sql, from: key, limit: limit, in: db) { $0 > $1 }
  }

  /// In a damaged tree of pages a search may come back to where it was, so that a walk would never end.
  private static func keys(
    _ sql: String, from start: Int64, limit: Int, in db: Database, _ follows: (Int64, Int64) -> Bool
  ) throws -> [Int64] {
    var keys: [Int64] = []
    try db.forEachRow(sql, [.integer(start), .integer(Int64(limit))]) { row in
      let key = row.integer(0)
      guard follows(key, keys.last ?? start) else {
        throw DatabaseError(
          resultCode: .SQLITE_CORRUPT, message: "its rows are not in the order of their keys")
      }
      keys.append(key)
    }
    return keys
  }
}
