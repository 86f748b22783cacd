import ExactJSON
import Merging
import StoreInterface

/// One attachment of one revision.
struct Attachment: Sendable, Equatable {
  /// All columns of its row, since they are copied when it is carried over.
  let row: RowImage
  let name: String
  /// SHA-1 of the bytes as they are stored: 20 bytes.
  let key: [UInt8]
  let type: String?
  /// Of the content, in bytes.
  let length: Int64
  /// The stored bytes are gzip; only what came by multipart replication is. Then the same content may have two keys.
  let isCompressed: Bool
  /// SHA-1 of the content, where ``AttachmentReader/comparable(_:)`` had to decode it.
  var contentKey: [UInt8]?

  /// In bytes. A longer one is never decoded: a few megabytes of gzip can hold gigabytes.
  static let longestDecoded: Int64 = 64_000_000

  var isTooLongToDecode: Bool { isCompressed && length > Attachment.longestDecoded }

  /// nil for a row that is not complete, or says what no file is.
  init?(_ row: RowImage) {
    guard case .integer? = row["sequence"], case .text(let name)? = row["filename"],
      case .blob(let key)? = row["key"], let bytes = key.bytes, case .integer(let length)? = row["length"],
      length >= 0
    else { return nil }
    (self.row, self.name, self.key, self.length) = (row, name, bytes, length)
    type = if case .text(let type)? = row["type"] { type } else { nil }
    isCompressed = if case .integer(let encoding)? = row["encoding"] { encoding != 0 } else { false }
  }

  /// In words that hold nothing of it.
  static let reasonOfNone =
    "the row of one of its attachments has no name, key or length that a file could have"

  static let prefix = Field.attachmentPrefix

  var field: String { Attachment.prefix + name }

  /// What two revisions are compared by: all that a replica would see, and not in which generation it was added.
  var value: Value {
    var members: [JSONText: JSONValue] = [
      "digest": .string("sha1-" + Hexadecimal.text(contentKey ?? key)), "length": .literal("\(length)"),
      "content_type": type.map { .string($0) } ?? .null,
    ]
    if isCompressed && contentKey == nil { members["encoding"] = .string("gzip") }
    return .opaque(kind: Value.attachmentKind, bytes: JSONValue.object(members).canonical)
  }
}
