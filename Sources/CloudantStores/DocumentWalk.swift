import Journals
import Merging
import StoreInterface
import Synchronization

extension CloudantStore {
  /// From the highest key down, which is no order of conflicts. Bodies are read of those on a page only.
  package func conflicts() -> any ConflictWalk {
    KeyWalk(log) { below, limit in
      try self.readDocuments { reader in
        let keys = try CandidateQuery.page(below: below, limit: limit, in: reader.db, reader.schema)
        let conflicts = try keys.compactMap { key in
          try DocumentRows(key: key, in: reader.db, reader.schema).flatMap {
            try reader.state(of: $0)?.conflict
          }
        }
        return (keys, conflicts)
      }
    }
  }
}

/// Walks all documents by their keys for what is wrong with them. Bodies are read of what mending would end alone.
final class DocumentFindings: FindingWalk {
  private let store: CloudantStore
  private let position = Mutex<Int64?>(.min)
  private let count = Mutex(0)

  init(store: CloudantStore) { self.store = store }

  var looked: Int { count.withLock(\.self) }

  func next(limit: Int) throws -> [Finding]? {
    try position.withLock { position in
      guard let above = position else { return nil }
      let page = try store.readDocuments { reader in
        let keys = try CandidateQuery.documents(above: above, limit: max(1, limit), in: reader.db)
        let findings = try keys.flatMap { key in
          try DocumentRows(key: key, in: reader.db, reader.schema).map(reader.findings) ?? []
        }
        return (last: keys.last, looked: keys.count, findings: findings)
      }
      count.withLock { $0 += page.looked }
      position = page.last
      return page.last == nil ? nil : page.findings
    }
  }
}
