import CZlib
import Digests
import ExactJSON
import Foundation

/// The bytes of an attachment, as they are stored: text types packed by gzip.
struct StoredAttachment: Sendable {
  let name: String
  let type: String
  let stored: [UInt8]
  let isGzip: Bool
  /// Of what is not packed.
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

  var bytes: [UInt8] { isGzip ? Gzip.unpacked(stored, length) : stored }

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

/// zlib at level 8, as CouchDB packs: the digest of what is stored depends on it.
enum Gzip {
  static func packed(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    guard z_deflate_gzip(&stream, 8) == Z_OK else { return [] }
    defer { deflateEnd(&stream) }
    return run(bytes, room: Int(deflateBound(&stream, UInt(bytes.count))), &stream) { deflate(&$0, Z_FINISH) }
  }

  static func unpacked(_ bytes: [UInt8], _ length: Int) -> [UInt8] {
    var stream = z_stream()
    guard z_inflate_gzip(&stream) == Z_OK else { return [] }
    defer { inflateEnd(&stream) }
    return run(bytes, room: max(1, length), &stream) { inflate(&$0, Z_FINISH) }
  }

  private static func run(
    _ bytes: [UInt8], room: Int, _ stream: inout z_stream, _ step: (inout z_stream) -> Int32
  ) -> [UInt8] {
    var bytes = bytes
    return bytes.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      return [UInt8](unsafeUninitializedCapacity: room) { output, count in
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(room)
        _ = step(&stream)
        count = room - Int(stream.avail_out)
      }
    }
  }
}
