import Merging

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
      for document in settled + findings + conflicts(seconds).reversed() {
        _ = try builder.add(document.id, document.revisions, in: db)
      }
      if !isAndroid { try db.execute(sql: unmark) }
    }
    try builder.close()
    return builder.files.database
  }

  struct Document {
    let id: String
    let revisions: [SampleRevision]

    init(_ id: String, _ revisions: [SampleRevision]) { (self.id, self.revisions) = (id, revisions) }
  }

  /// As after a purge: the parent of a leaf that is gone was not marked as current again.
  private static let unmark = """
    UPDATE revs SET current = 0 WHERE doc_id = (SELECT doc_id FROM docs WHERE docid = 'book-purged')
    """

  private static let settled = (1...40).map { number in
    Document(
      "book-settled-\(number)", [SampleRevision("a", #"{"stock":\#(number),"title":"Settled \#(number)"}"#)])
  }

  private static let findings = [
    Document(
      "book-deleted-elsewhere",
      [
        SampleRevision("a", #"{"stock":1,"title":"Out of print"}"#),
        SampleRevision("b", on: "a", #"{"stock":2,"title":"Out of print"}"#), .tombstone("c", on: "a"),
      ]),
    Document(
      "book-resolved",
      [
        SampleRevision("a", #"{"stock":1,"title":"Resolved"}"#),
        SampleRevision("b", on: "a", #"{"stock":2,"title":"Resolved"}"#),
        SampleRevision("c", on: "a", #"{"stock":3,"title":"Resolved"}"#),
        SampleRevision("d", on: "b", #"{"stock":4,"title":"Resolved"}"#), .tombstone("e", on: "c"),
      ]),
    Document("book-purged", [SampleRevision("a", #"{"stock":1,"title":"Purged"}"#)]),
  ]
}
