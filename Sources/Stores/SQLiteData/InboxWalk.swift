import Merging
import Synchronization

/// Walks the inbox from its newest row to its oldest, by key, so that a page costs the same wherever it lies.
///
/// A record that was seen before in the walk is superseded: its newer row counts.
final class InboxWalk: ConflictWalk {
  private struct Position {
    var before = Int64.max
    var seen: Set<String> = []
    var rows = 0
  }

  private let store: SQLiteDataStore
  private let position = Mutex(Position())

  init(store: SQLiteDataStore) { self.store = store }

  func next(limit: Int) throws -> ConflictPage? {
    try position.withLock { position in
      let before = position.before
      let rows = try store.read { db in
        try InboxRow.exists(in: db) ? InboxRow.page(before: before, limit: max(1, limit), in: db) : []
      }
      guard let last = rows.last else { return nil }
      let fresh = rows.filter { position.seen.insert($0.recordName).inserted }
      let conflicts = try store.conflicts(of: fresh)
      position.before = last.id
      position.rows += rows.count
      return ConflictPage(summaries: try store.log.summaries(of: conflicts), seen: position.rows)
    }
  }
}

extension SQLiteDataStore {
  fileprivate func conflicts(of rows: [InboxRow]) throws -> [RecordConflict] {
    try read { db in
      let records = records(in: db)
      return try rows.map { try records.state(of: $0) }.filter(\.isConflict).map(\.conflict)
    }
  }
}
