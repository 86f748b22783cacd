import CouchDBServers
import ExactJSON
import Foundation
import RevisionTrees

/// A server with the bookshop's stock, as devices would have replicated it there.
package enum CouchDBDemo {
  package static let database = "bookshop"

  /// - Parameter now: nanoseconds since 1970.
  /// - Returns: the server, which lives as long as somebody holds it and does not stop it.
  package static func start(
    admin: (name: String, password: String)? = nil, now: Int64
  ) throws -> LoopbackCouchDB {
    let server = try LoopbackCouchDB(admin: admin)
    try fill(try server.makeDatabase(database), now: now)
    return server
  }

  /// Revisions one after the other, so that those which others descend from keep their bodies.
  package static func fill(_ database: LoopbackDatabase, now: Int64) throws {
    try fill(now: now) { try database.graft($0) }
  }

  /// - Parameter graft: takes the revisions of one document, as `new_edits=false` does.
  package static func fill(now: Int64, _ graft: ([String]) throws -> Void) throws {
    for document in Bookshop.documents(now / 1_000_000_000) {
      try graft(document.revisions.compactMap { document.json($0) })
    }
  }
}

extension Bookshop.Document {
  /// As it is sent with `new_edits=false`; nil for a revision whose body nobody has.
  fileprivate func json(_ revision: SampleRevision) -> String? {
    guard let text = revision.json, let body = try? JSONValue(parsing: text.isEmpty ? "{}" : text),
      case .object(var members) = body
    else { return nil }
    let line = line(of: revision)
    members["_id"] = .string(id)
    members["_rev"] = .string(line[0])
    members["_revisions"] = .object([
      "start": .literal("\(RevisionID(line[0]).generation)"),
      "ids": .array(line.map { .string(String(RevisionID($0).suffix)) }),
    ])
    if revision.isDeleted { members["_deleted"] = .literal("true") }
    if !revision.attachments.isEmpty {
      members["_attachments"] = .object(
        Dictionary(uniqueKeysWithValues: revision.attachments.map { (JSONText($0.name), $0.inline) }))
    }
    return JSONValue.object(members).text
  }

  /// Its id, that of its parent, and so on.
  private func line(of revision: SampleRevision) -> [String] {
    let (ids, parents) = (
      revisions.ids, Dictionary(uniqueKeysWithValues: revisions.map { ($0.label, $0.parent) })
    )
    var line: [String] = []
    var next: String? = revision.label
    while let label = next {
      line.append(ids[label] ?? label)
      next = parents[label] ?? nil
    }
    return line
  }
}

extension SampleAttachment {
  fileprivate var inline: JSONValue {
    .object(["content_type": .string(type), "data": .string(Data(bytes).base64EncodedString())])
  }
}
