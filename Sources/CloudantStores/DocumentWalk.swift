import Journals
import Merging
import StoreInterface
import Synchronization

/// Walks the documents in conflict from the highest key down, which is no order of conflicts. Bodies are read of those on a page only.
final class DocumentWalk: ConflictWalk {
  private struct Position: Codable {
    var below = Int64.max
    var seen = 0
  }

  private let store: CloudantStore
  private let reached: Mutex<Position>

  init(store: CloudantStore, from position: WalkPosition?) {
    self.store = store
    reached = Mutex(position?.position(as: Position.self, in: store.info) ?? Position())
  }

  var position: WalkPosition { WalkPosition(of: reached.withLock(\.self), in: store.info) }

  func next(limit: Int) throws -> ConflictPage? {
    try reached.withLock { position in
      let below = position.below
      let page = try store.readDocuments { reader in
        let keys = try CandidateQuery.page(below: below, limit: max(1, limit), in: reader.db, reader.schema)
        let conflicts = try keys.compactMap { key in
          try DocumentRows(key: key, in: reader.db, reader.schema).flatMap {
            try reader.state(of: $0)?.conflict
          }
        }
        return (keys: keys, conflicts: conflicts)
      }
      guard let last = page.keys.last else { return nil }
      position.below = last
      position.seen += page.keys.count
      return ConflictPage(summaries: try store.log.summaries(of: page.conflicts), seen: position.seen)
    }
  }
}

/// Walks all documents by their keys for what is wrong with them. No body is read.
final class DocumentFindings: FindingWalk {
  private let store: CloudantStore
  private let position = Mutex<Int64?>(.min)

  init(store: CloudantStore) { self.store = store }

  func next(limit: Int) throws -> [Finding]? {
    try position.withLock { position in
      guard let above = position else { return nil }
      let page = try store.readDocuments { reader in
        let keys = try CandidateQuery.documents(above: above, limit: max(1, limit), in: reader.db)
        let findings = try keys.flatMap { key in
          try DocumentRows(key: key, in: reader.db, reader.schema)?.findings(reader.schema.platform) ?? []
        }
        return (last: keys.last, findings: findings)
      }
      position = page.last
      return page.last == nil ? nil : page.findings
    }
  }
}
