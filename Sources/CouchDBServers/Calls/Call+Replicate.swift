import ExactJSON
import Foundation

/// `_replicate` between two databases of this server.
extension Call {
  func replicate(_ state: inout Core.State) throws -> HTTPAnswer {
    let json = try object()
    let names = try ["source", "target"].map { try Call.databaseName(json[$0]) }
    let databases = try names.map { name in
      guard let database = state.databases[name] else {
        throw Refusal(500, "db_not_found", "could not open \(core.url)/\(name)/")
      }
      return database
    }
    let key =
      "\(databases[0].name)\n\(databases[0].startTime)\n\(databases[1].name)\n\(databases[1].startTime)"
    let replication = Replication.run(from: databases[0], to: databases[1], by: user)
    let before = state.replications[key] ?? []
    let history = [replication.json(since: before.first?["end_last_seq"] ?? JSON(0), at: state.now)] + before
    state.replications[key] = history
    return HTTPAnswer(
      .object([
        ("ok", .bool(true)), ("session_id", history[0]["session_id"] ?? .null),
        ("source_last_seq", history[0]["end_last_seq"] ?? .null), ("replication_id_version", JSON(4)),
        ("history", .array(history)),
      ]))
  }

  /// Whatever host a URL names: it is this server.
  private static func databaseName(_ json: JSON?) throws -> String {
    guard let text = json?.text ?? json?["url"]?.text else { throw Refusal.badRequest("Invalid endpoint") }
    let last = text.split(separator: "/").last.map { String($0) } ?? ""
    return HTTPRequest.decoded(last) ?? ""
  }
}

/// What one run of a replication did: leaves are carried with their histories, but without their ancestors' bodies.
struct Replication {
  private(set) var checked = 0
  private(set) var written = 0
  private(set) var refused = 0
  let end: String

  static func run(from source: Database, to target: Database, by user: User) -> Replication {
    var replication = Replication(end: source.sequences.text(source.changes.count))
    for document in source.changes(after: 0) {
      for leaf in document.leavesAlongTree() {
        replication.checked += 1
        replication.carry(document, leaf, to: target, by: user)
      }
    }
    return replication
  }

  private init(end: String) { self.end = end }

  private mutating func carry(_ document: Document, _ leaf: Int, to target: Database, by user: User) {
    let revision = document.revisions[leaf]
    guard target.document(document.id)?.place(of: revision.id) == nil, let contents = revision.contents else {
      return
    }
    do {
      try target.take(contents, document.path(from: leaf), revision.isDeleted, id: document.id, by: user)
      written += 1
    } catch {
      refused += 1
    }
  }

  func json(since start: JSON, at now: TimeInterval) -> JSON {
    let time = JSON.string(HTTPDate.text(now))
    let counts = [
      ("missing_checked", checked), ("missing_found", written + refused), ("docs_read", written + refused),
      ("docs_written", written), ("doc_write_failures", refused), ("bulk_get_docs", written + refused),
      ("bulk_get_attempts", written + refused),
    ].map { (name: $0.0, value: JSON($0.1)) }
    return .object(
      [
        ("session_id", .string(Call.newID())), ("start_time", time), ("end_time", time),
        ("start_last_seq", start),
        ("end_last_seq", .string(end)), ("recorded_seq", .string(end)),
      ] + counts)
  }
}
