import Merging
import StoreInterface
import Synchronization

/// Walks the inbox from its newest row to its oldest, by the keys of both its places, so that a page costs the same wherever
/// it lies.
///
/// A record is listed once, with the first of its conflicts: see ``OpenRows``.
final class InboxWalk: ConflictWalk {
  /// What was listed goes along, so that nothing is listed twice in another session.
  private struct Position: Codable {
    var place = Inbox.Position()
    var open = OpenRows()
    var rows = 0
  }

  private let store: SQLiteDataStore
  private let reached: Mutex<Position>

  init(store: SQLiteDataStore, from position: WalkPosition?) {
    self.store = store
    reached = Mutex(position?.position(as: Position.self, in: store.info) ?? Position())
  }

  var position: WalkPosition { WalkPosition(of: reached.withLock(\.self), in: store.info) }

  func next(limit: Int) throws -> ConflictPage? {
    try reached.withLock { position in
      let place = position.place
      let rows = try store.read { db in
        try Inbox(db: db, journal: store.log).page(after: place, limit: max(1, limit))
      }
      if rows.isEmpty { return nil }
      let (conflicts, open) = try store.conflicts(of: rows, position.open)
      position.open = open
      for row in rows { position.place.pass(row) }
      position.rows += rows.count
      return ConflictPage(summaries: try store.log.summaries(of: conflicts), seen: position.rows)
    }
  }
}

extension SQLiteDataStore {
  fileprivate func conflicts(
    of rows: [InboxRow], _ before: OpenRows
  ) throws -> ([RecordConflict], OpenRows) {
    try read { db in
      let records = records(in: db)
      var open = before
      return (try rows.compactMap { try open.conflict(of: $0, records) }, open)
    }
  }
}
