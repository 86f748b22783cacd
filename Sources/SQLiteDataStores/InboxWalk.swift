import Merging
import StoreInterface
import Synchronization

/// Walks the inbox from its newest row to its oldest, by the keys of both its places, so that a page costs the same wherever
/// it lies.
///
/// A record that was seen before in the walk is superseded: its newer row counts.
final class InboxWalk: ConflictWalk {
  private struct Position {
    var place = Inbox.Position()
    var seen: Set<String> = []
    var rows = 0
  }

  private let store: SQLiteDataStore
  private let position = Mutex(Position())

  init(store: SQLiteDataStore) { self.store = store }

  func next(limit: Int) throws -> ConflictPage? {
    try position.withLock { position in
      let place = position.place
      let rows = try store.read { db in
        try Inbox(db: db, journal: store.log).page(after: place, limit: max(1, limit))
      }
      if rows.isEmpty { return nil }
      let fresh = rows.filter { position.seen.insert($0.recordName).inserted }
      let conflicts = try store.conflicts(of: fresh)
      for row in rows { position.place.pass(row) }
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
