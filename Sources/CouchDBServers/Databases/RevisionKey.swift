import ExactJSON
import RevisionTrees

/// What CouchDB takes for the name of a revision.
enum RevisionKey {
  /// Thirty-two letters behind the dash are sixteen bytes in hexadecimal, or refused; anything else is a name as it stands.
  static func checked(_ text: String) throws -> String {
    let id = RevisionID(text)
    guard id.generation > 0 || text.hasPrefix("0-"), !id.suffix.isEmpty else {
      throw ServerRefusal.noRevision
    }
    guard id.suffix.utf8.count == 32 else { return text }
    guard Hexadecimal.bytes(String(id.suffix)) != nil else { throw ServerRefusal.noRevision }
    return text.lowercased()
  }

  static func checked(_ json: JSON) throws -> String {
    guard let text = json.text else { throw ServerRefusal.noRevision }
    return try checked(text)
  }

  static func generation(_ name: String) -> Int { RevisionID(name).generation }

  static func suffix(_ name: String) -> String { String(RevisionID(name).suffix) }

  static func bytes(_ name: String) -> [UInt8] {
    let suffix = suffix(name)
    return suffix.utf8.count == 32 ? Hexadecimal.bytes(suffix) ?? Array(suffix.utf8) : Array(suffix.utf8)
  }

  /// The path of `_revisions`, the newest first.
  static func path(_ revisions: JSON) throws -> [String] {
    guard let start = revisions["start"]?.integer, let ids = revisions["ids"]?.elements, !ids.isEmpty else {
      throw ServerRefusal(400, "doc_validation", "_revisions.start isn't an integer.")
    }
    return try ids.enumerated().map { try checked("\(start - $0)-\($1.text ?? "")") }
  }

  static func json(of path: [String]) -> JSON {
    let ids = path.map { JSON.string(suffix($0)) }
    return .object([("start", JSON(path.first.map { generation($0) } ?? 0)), ("ids", .array(ids))])
  }
}
