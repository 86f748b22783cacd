import ExactJSON
import Foundation

/// A document as a client sends it, taken apart. What is wrong in one makes the whole request fail.
struct DocumentDraft {
  enum AttachmentBytes {
    case sent([UInt8], packedLength: Int?)
    /// The parent's attachment of this name, whatever the stub tells of it.
    case stub
    /// They come in a part of their own.
    case follows
  }

  struct AttachmentDraft {
    let name: String
    let type: String
    var bytes: AttachmentBytes
    let revisionPosition: Int?
    /// Of what is not packed, and of what is.
    let length: Int?
    let encodedLength: Int?

    var isStub: Bool { if case .sent = bytes { false } else { true } }
  }

  /// nil if the server has to make one.
  var id: String?
  var revision: String?
  var isDeleted: Bool
  /// `_revisions`, the newest first.
  var path: [String]?
  let members: [(name: String, value: JSON)]
  var attachments: [AttachmentDraft]

  init(_ json: JSON) throws {
    guard let all = json.members else { throw ServerRefusal.badRequest("Document must be a JSON object") }
    id = try json["_id"].map { try DocumentDraft.id($0) }
    revision = try json["_rev"].map { try RevisionKey.checked($0) }
    isDeleted = json["_deleted"]?.isTrue ?? false
    path = try json["_revisions"].map { try RevisionKey.path($0) }
    members = try all.filter { try !DocumentDraft.isSpecial($0.name) }
    attachments = try (json["_attachments"]?.members ?? []).map { try AttachmentDraft($0.name, $0.value) }
  }

  private static func id(_ json: JSON) throws -> String {
    guard let id = json.text else { throw ServerRefusal.illegalID("Document id must be a string") }
    return id
  }

  private static let special: Set<String> = [
    "_id", "_rev", "_deleted", "_attachments", "_revisions", "_revs_info", "_conflicts", "_deleted_conflicts",
    "_local_seq",
  ]

  private static let kept: Set<String> = [
    "_access", "_replication_id", "_replication_state", "_replication_state_time",
    "_replication_state_reason",
    "_replication_stats",
  ]

  private static func isSpecial(_ name: String) throws -> Bool {
    guard name.hasPrefix("_"), !kept.contains(name) else { return false }
    guard special.contains(name) else {
      throw ServerRefusal(400, "doc_validation", "Bad special document member: \(name)")
    }
    return true
  }
}

extension DocumentDraft.AttachmentDraft {
  init(_ name: String, _ json: JSON) throws {
    guard !name.hasPrefix("_") else {
      throw ServerRefusal.badRequest("Attachment name '\(name)' starts with prohibited character '_'")
    }
    self.name = name
    type = json["content_type"]?.text ?? "application/octet-stream"
    revisionPosition = json["revpos"]?.integer
    length = json["length"]?.integer
    encodedLength = json["encoding"]?.text == "gzip" ? json["encoded_length"]?.integer : nil
    bytes = json["stub"]?.isTrue == true ? .stub : .follows
    guard let data = json["data"]?.text else { return }
    guard let decoded = Data(base64Encoded: data) else {
      throw ServerRefusal.badRequest("Invalid attachment data for \(name)")
    }
    bytes = .sent(Array(decoded), packedLength: nil)
  }

  /// The whole of an attachment that was sent alone.
  init(name: String, type: String, bytes: [UInt8], isPacked: Bool) {
    (self.name, self.type) = (name, type)
    self.bytes = .sent(bytes, packedLength: isPacked ? bytes.count : nil)
    (revisionPosition, length, encodedLength) = (nil, nil, nil)
  }
}
