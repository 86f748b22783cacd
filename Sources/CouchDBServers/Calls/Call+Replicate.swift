import ExactJSON
import Foundation

/// `_replicate` between two databases of this server.
extension Call {
  func replicate(_ state: inout Core.State) throws -> SentAnswer {
    let json = try object()
    let names = try ["source", "target"].map { try Call.databaseName(json[$0]) }
    let databases = try names.map { name in
      guard let database = state.databases[name] else {
        throw ServerRefusal(500, "db_not_found", "could not open \(core.url)/\(name)/")
      }
      return database
    }
    let key =
      "\(databases[0].name)\n\(databases[0].startTime)\n\(databases[1].name)\n\(databases[1].startTime)"
    let before = state.replications[key]
    let replication = Replication.run(from: databases[0], to: databases[1], by: user, after: before?.last)
    let history = [replication.json(at: state.now)] + (before?.history ?? [])
    state.replications[key] = (replication, history)
    return SentAnswer(
      .object([
        ("ok", .bool(true)), ("session_id", history[0]["session_id"] ?? .null),
        ("source_last_seq", history[0]["end_last_seq"] ?? .null), ("replication_id_version", JSON(4)),
        ("history", .array(history)),
      ]))
  }

  /// Whatever host a URL names: it is this server.
  private static func databaseName(_ json: JSON?) throws -> String {
    guard let text = json?.text ?? json?["url"]?.text else {
      throw ServerRefusal.badRequest("Invalid endpoint")
    }
    let last = text.split(separator: "/").last.map { String($0) } ?? ""
    return ReceivedRequest.decoded(last) ?? ""
  }
}

/// What a replication did, with the runs before it: leaves are carried with their histories, but without their ancestors'
/// bodies.
struct Replication {
  private(set) var checked = 0
  private(set) var written = 0
  private(set) var refused = 0
  private var start: JSON = JSON(0)
  private var end: JSON
  private var count: Int

  static func run(
    from source: Database, to target: Database, by user: User, after before: Replication? = nil
  ) -> Replication {
    var replication = before ?? Replication(end: JSON(0), count: 0)
    let changed = source.changes(after: replication.count)
    replication.start = replication.end
    replication.count = source.changes.count
    replication.end = .string(source.sequences.text(replication.count))
    for document in changed {
      for leaf in document.leavesAlongTree() {
        replication.checked += 1
        replication.carry(document, leaf, to: target, by: user)
      }
    }
    return replication
  }

  private init(end: JSON, count: Int) { (self.end, self.count) = (end, count) }

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

  func json(at now: TimeInterval) -> JSON {
    let time = JSON.string(HTTPDate.text(now))
    let counts = [
      ("missing_checked", checked), ("missing_found", written + refused), ("docs_read", written + refused),
      ("docs_written", written), ("doc_write_failures", refused), ("bulk_get_docs", written + refused),
      ("bulk_get_attempts", written + refused),
    ].map { (name: $0.0, value: JSON($0.1)) }
    return .object(
      [
        ("session_id", .string(DocumentID.made())), ("start_time", time), ("end_time", time),
        ("start_last_seq", start),
        ("end_last_seq", end), ("recorded_seq", end),
      ] + counts)
  }
}
