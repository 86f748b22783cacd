/// A datastore to look at: a bookshop's stock, with one conflict of every sort that revision trees can have.
package enum CloudantDemoStore {
  /// - Parameters:
  ///   - now: nanoseconds since 1970; documents carry no time of their own, so it only dates their texts.
  ///   - isAndroid: as sync-android would leave it.
  /// - Returns: the path of the database.
  /// - Throws: ``StoreError/writeFailed(path:detail:)`` if a datastore is there already.
  package static func make(in folder: String, now: Int64, isAndroid: Bool = false) throws -> String {
    let builder = try DatastoreBuilder(
      folder: folder, name: "bookshop", platform: isAndroid ? .android : .ios)
    let seconds = now / 1_000_000_000
    try builder.write { db in
      for document in Bookshop.documents(seconds) {
        _ = try builder.add(document.id, document.revisions, in: db)
      }
      if !isAndroid { try db.execute(sql: unmark) }
    }
    try builder.close()
    return builder.files.database
  }

  /// As after a purge: the parent of a leaf that is gone was not marked as current again.
  private static let unmark = """
    UPDATE revs SET current = 0 WHERE doc_id = (SELECT doc_id FROM docs WHERE docid = 'book-purged')
    """
}
