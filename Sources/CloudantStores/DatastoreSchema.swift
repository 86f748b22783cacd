import GRDB
import GRDBSQLite
import Merging
import RevisionTrees
import SQLiteFiles
import StoreInterface

/// The tables of a datastore, as far as a desk needs them.
///
///     docs(doc_id, docid)                                              one row a document
///     revs(sequence, doc_id, revid, parent, current, deleted, json)    one row a revision; parent is a sequence
///     attachments(sequence, filename, key, type, length, revpos, encoding, encoded_length)
///     attachments_key_filename(key, filename)                          since schema 200, on Android since 100
///
/// `PRAGMA user_version` means other things on each platform, so they are told apart by the columns of `revs`: `available` is
/// Android's. There `current` is 1 on the winner alone; on iOS it is 1 on every leaf. Learnt from TD_Database.m at bc5f32c
/// (FORMAT.md, "Schema").
package struct DatastoreSchema: Sendable, Equatable {
  package enum Platform: Sendable, Equatable {
    case ios, android
  }

  package let platform: Platform
  /// `PRAGMA user_version`.
  package let version: Int
  package let docs: TableShape
  package let revs: TableShape
  /// nil in a datastore without the table.
  package let attachments: TableShape?
  /// The names of the files of attachments; nil in a datastore without the table.
  package let fileNames: TableShape?
  /// The covering index over doc_id and current.
  package let hasCurrentIndex: Bool

  /// The newest that was seen. Up to the first that CDTDatastore itself refuses, a newer one is read and not written.
  package static let newestKnown = 200
  package static let firstRefused = 300

  static let fileNamesTable = "attachments_key_filename"

  /// - Throws: ``StoreError/notAStore(path:detail:)``, ``StoreError/storeTooNew(path:version:)``
  package init(_ path: String, in db: Database) throws {
    guard let revs = try TableShape("revs", in: db), let docs = try TableShape("docs", in: db),
      docs["docid"] != nil
    else {
      throw StoreError.notAStore(path: path, detail: "it has no tables docs and revs")
    }
    for column in ["sequence", "doc_id", "revid", "parent", "current", "deleted", "json"]
    where revs[column] == nil {
      throw StoreError.notAStore(path: path, detail: "its table revs has no column \(column)")
    }
    version = try db.firstRow("PRAGMA user_version") { Int($0.integer(0)) } ?? 0
    if version >= DatastoreSchema.firstRefused { throw StoreError.storeTooNew(path: path, version: version) }
    (self.docs, self.revs) = (docs, revs)
    platform = revs["available"] == nil ? .ios : .android
    attachments = try TableShape("attachments", in: db)
    fileNames = try TableShape(DatastoreSchema.fileNamesTable, in: db)
    hasCurrentIndex = try db.hasRow(
      "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = 'revs_current'")
  }

  /// Whether the database is one, by the columns of `revs`.
  package static func isDatastore(in db: Database) throws -> Bool {
    guard let revs = try TableShape("revs", in: db) else { return false }
    return ["sequence", "doc_id", "revid", "parent", "json"].allSatisfy { revs[$0] != nil }
  }

  /// Gives a connection the collation that `revs` is declared with. Its order is also the order of a UNIQUE index: written
  /// with any other one, the index is damaged for the app.
  ///
  /// Not through GRDB, whose collations take Strings: what is not UTF-8 would be mended before it is compared.
  @Sendable package static func addCollation(to db: Database) throws {
    let code = sqlite3_create_collation_v2(
      db.sqliteConnection, "REVID", SQLITE_UTF8, nil,
      { _, leftCount, left, rightCount, right in
        Int32(
          RevisionOrder.collate(
            UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
            UnsafeRawBufferPointer(start: right, count: Int(rightCount))
          ).signum())
      }, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}
