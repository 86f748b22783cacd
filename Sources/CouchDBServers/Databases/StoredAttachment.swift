import Digests
import ExactJSON
import Foundation
import RevisionTrees

/// The bytes of an attachment, as they are stored: text types packed by gzip.
struct StoredAttachment: Sendable {
  let name: String
  let type: String
  let stored: [UInt8]
  let isGzip: Bool
  /// Of what is not packed, where the server knows it: of what came packed it tells the length of that.
  let length: Int
  var revisionPosition: Int
  let digest: [UInt8]

  /// - Parameter packedLength: if the bytes came packed already, the length of what they stand for.
  init(name: String, type: String, bytes: [UInt8], packedLength: Int? = nil, revisionPosition: Int) {
    (self.name, self.type, self.revisionPosition) = (name, type, revisionPosition)
    isGzip = packedLength != nil || StoredAttachment.isPacked(type)
    stored = packedLength == nil && isGzip ? Gzip.packed(bytes) : bytes
    length = packedLength ?? bytes.count
    digest = md5(stored)
  }

  private static func isPacked(_ type: String) -> Bool {
    type.hasPrefix("text/")
      || ["application/javascript", "application/json", "application/xml"].contains(type)
  }

  var bytes: [UInt8] { isGzip ? Gzip.unpackedWhole(stored) ?? [] : stored }

  var hashed: CouchDBRevisionID.AttachmentName { .init(name: name, type: type, digest: digest) }

  var digestText: String { Data(digest).base64EncodedString() }
}

extension StoredAttachment {
  func json(withBytes: Bool, encodingInfo: Bool) -> JSON {
    var members: [(name: String, value: JSON)] = [
      ("content_type", .string(type)), ("revpos", JSON(revisionPosition)),
      ("digest", .string("md5-" + digestText)),
    ]
    if withBytes {
      members.append(("data", .string(Data(bytes).base64EncodedString())))
    } else {
      members += [("length", JSON(length)), ("stub", .bool(true))]
    }
    if encodingInfo, isGzip {
      members += [("encoding", .string("gzip")), ("encoded_length", JSON(stored.count))]
    }
    return .object(members)
  }
}
