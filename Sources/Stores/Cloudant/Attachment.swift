import Crypto
import Foundation
import GRDB
import Merging

/// One attachment of one revision.
struct Attachment: Sendable, Equatable {
  /// All columns of its row, since they are copied as they are when it is carried over.
  let row: RowImage
  /// The revision it belongs to, by the number of its row.
  let sequence: Int64
  let name: String
  /// SHA-1 of the bytes as they are stored: 20 bytes.
  let key: [UInt8]
  let type: String?
  /// Of the content, in bytes.
  let length: Int64
  /// The stored bytes are gzip; only what came by multipart replication is. Then the same content may have two keys.
  let isCompressed: Bool

  /// nil for a row that is not complete.
  init?(_ row: RowImage) {
    guard case .integer(let sequence)? = row["sequence"], case .text(let name)? = row["filename"],
      case .blob(let key)? = row["key"], let bytes = key.bytes, case .integer(let length)? = row["length"]
    else { return nil }
    self.row = row
    self.sequence = sequence
    self.name = name
    self.key = bytes
    self.length = length
    if case .text(let type)? = row["type"] { self.type = type } else { type = nil }
    if case .integer(let encoding)? = row["encoding"] {
      isCompressed = encoding != 0
    } else {
      isCompressed = false
    }
  }

  /// How fields that hold attachments are called. No key of a document may begin like this.
  static let prefix = "_attachments/"

  var field: String { Attachment.prefix + name }

  /// What two revisions are compared by: all that a replica would see, and not in which generation it was added.
  var value: Value {
    var members: [JSONText: JSONValue] = [
      "digest": .string("sha1-" + RowJSON.hexadecimal(key)), "length": .literal("\(length)"),
      "content_type": type.map { .string($0) } ?? .null,
    ]
    if isCompressed { members["encoding"] = .string("gzip") }
    return .opaque(kind: Value.attachmentKind, bytes: JSONValue.object(members).canonical)
  }
}

/// Reads attachments, and looks whether their files are what the rows say.
struct AttachmentReader {
  let db: Database
  let schema: DatastoreSchema
  let files: DatastoreFiles

  func attachments(of sequence: Int64) throws -> [Attachment] {
    guard let columns = schema.attachments?.stored else { return [] }
    let list = columns.map { quoted($0.name) }.joined(separator: ", ")
    var attachments: [Attachment] = []
    let sql = "SELECT \(list) FROM attachments WHERE sequence = ? ORDER BY filename"
    try db.forEachRow(sql, [.integer(sequence)]) { row in
      let values = zip(Int32(0)..., columns).map { index, column in (column.name, row.value(index)) }
      if let attachment = Attachment(RowImage(uniqueKeysWithValues: values)) {
        attachments.append(attachment)
      }
    }
    return attachments
  }

  /// Why the attachment cannot be carried into a new revision; nil if its file is there and holds what its digest says.
  func problem(of attachment: Attachment) throws -> String? {
    guard let path = try paths(of: attachment).first(where: { FileStatus(path: $0)?.isRegular == true }),
      let bytes = FileManager.default.contents(atPath: path)
    else { return "its file is not in \(folderAndName(files.attachments).name)" }
    guard Array(Insecure.SHA1.hash(data: bytes)) == attachment.key else {
      return "its file \(folderAndName(path).name) is damaged: its bytes have another digest"
    }
    return nil
  }

  /// Since the table of names a file may be called anything. Before, it was the digest in upper case; those were recorded
  /// in lower case, and not renamed.
  private func paths(of attachment: Attachment) throws -> [String] {
    let hexadecimal = RowJSON.hexadecimal(attachment.key)
    var names = [
      hexadecimal.uppercased() + ".blob", hexadecimal + ".blob", hexadecimal.uppercased(), hexadecimal,
    ]
    if schema.hasFileNames {
      let sql = "SELECT filename FROM attachments_key_filename WHERE key = ?"
      if let name = try db.firstRow(sql, [.text(hexadecimal)], { $0.text(0) }), !name.contains("/") {
        names.insert(name, at: 0)
      }
    }
    return names.map { files.attachments + "/" + $0 }
  }
}
