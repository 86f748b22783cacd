import ExactJSON
import Foundation
import Merging
import StoreInterface

@testable import CloudantStores
@testable import SQLiteFiles

extension Replica {
  /// Attaches a file to a revision.
  ///
  /// - Parameters:
  ///   - stored: the bytes of the file.
  ///   - length: of the content, if the file is gzip.
  func attach(
    _ name: String, _ stored: [UInt8], length: Int? = nil, to revision: String, of document: String
  ) throws {
    let folder = try DatastoreFiles(path: datastore.path).attachments
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let file = AttachmentFile(path: folder + "/" + UUID().uuidString + ".blob")
    try Data(stored).write(to: URL(filePath: file.path))
    let digest = try file.storedBytes().sha1
    try datastore.database { db in
      try db.run(
        """
        INSERT INTO attachments (sequence, filename, key, type, length, revpos, encoding, encoded_length)
        SELECT sequence, ?, ?, 'text/plain', ?, 1, ?, ? FROM revs
        WHERE revid = ? AND doc_id = (SELECT doc_id FROM docs WHERE docid = ?)
        """,
        [
          .text(name), .blob(Blob(bytes: digest)), .integer(Int64(length ?? stored.count)),
          .integer(length == nil ? 0 : 1), .integer(Int64(stored.count)), .text(revision), .text(document),
        ])
      try db.run(
        "INSERT OR REPLACE INTO attachments_key_filename (key, filename) VALUES (?, ?)",
        [.text(Hexadecimal.text(digest)), .text(folderAndName(file.path).name)])
    }
  }
}
