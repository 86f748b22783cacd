import Digests
import ExactJSON

extension RevisionID {
  /// The id that CDTDatastore gives to a new revision (TD_Database+Insertion.m), so that two desks that decide alike make the
  /// same revision:
  ///
  ///     generation of the parent + 1, "-", MD5 in lower-case hexadecimal of
  ///       one byte: length of the parent's id   the parent's id   one byte: 1 if deleted   the body
  ///
  /// An empty body hashes no bytes, so a tombstone's id follows from its parent alone. Attachments are not hashed.
  ///
  /// nil if the parent's id has no generation, or more bytes than its length fits in.
  package static func cloudant(parent: String?, isDeleted: Bool, body: [UInt8]) -> String? {
    let parentBytes = Array((parent ?? "").utf8)
    guard parentBytes.count <= 255 else { return nil }
    let generation = parent.map { RevisionID($0).generation } ?? 0
    if parent != nil, generation == 0 { return nil }
    let body = body == Array("{}".utf8) ? [] : body
    let input = [UInt8(parentBytes.count)] + parentBytes + [isDeleted ? 1 : 0] + body
    return "\(generation + 1)-" + Hexadecimal.text(md5(input))
  }
}
