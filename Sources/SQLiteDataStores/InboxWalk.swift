import Merging
import StoreInterface
import Synchronization

/// Walks the inbox from its newest row to its oldest, by the keys of both its places, so that a page costs the same wherever
/// it lies.
///
/// A record is listed once, with the first of its conflicts: see ``OpenRows``.
final class InboxWalk: ConflictWalk {
  struct Position {
    var place = Inbox.Position()
    var open = OpenRows()
    var rows = 0
  }

  private let store: SQLiteDataStore
  let reached = Mutex(Position())

  init(store: SQLiteDataStore) { self.store = store }

  func next(limit: Int) throws -> ConflictPage? {
    try reached.withLock { position in
      let conflicts = try page(&position, limit) { row, records, isIndexed, open in
        try open.conflict(of: row, records, isIndexed: isIndexed)
      }
      return try conflicts.map { ConflictPage(summaries: try summaries(of: $0), seen: position.rows) }
    }
  }

  /// What else waits of a record a page does not read, as few have more than one conflict. It is asked where something holds no longer, which
  /// may have been decided about that.
  private func summaries(of conflicts: [RecordConflict]) throws -> [ConflictSummary] {
    let summaries = try store.log.summaries(of: conflicts)
    let names = summaries.filter { $0.outdated > 0 }.map(\.id)
    if names.isEmpty { return summaries }
    let again = ByRecord(grouping: try store.log.summaries(of: store.conflicts(names)), by: \.id)
    return summaries.map { again[$0.id]?.first ?? $0 }
  }

  func nextConflicts(limit: Int, of _: any ConflictStore) throws -> [RecordConflict]? {
    try reached.withLock { position in
      try page(&position, limit) { row, records, isIndexed, open in
        try InboxWalk.whole(row, records, isIndexed: isIndexed, &open)
      }
    }
  }

  /// Through the outbox a write is made beside the app, which would wait for what is read inside of it.
  func nextMet(
    limit: Int, of _: any ConflictStore, unread: ([String]) throws -> RecordNames
  ) throws -> [MetRecord]? {
    if store.route == .direct, let met = try reached.withLock({ try self.met(&$0, limit, unread) }) {
      return met
    }
    return try nextConflicts(limit: limit, of: store)?.map { .conflict($0) }
  }

  private static func whole(
    _ row: InboxRow, _ records: RecordReader, isIndexed: Bool, _ open: inout OpenRows
  ) throws -> RecordConflict? {
    let state = try open.whole(of: row, records, isIndexed: isIndexed)
    return try state.map { try ReferenceTitles(db: records.db, tables: records.tables).adding(to: $0) }
  }

  /// What the next rows make, of which their keys are read first; nil behind the last, or where imports are among them.
  private func met(
    _ position: inout Position, _ limit: Int, _ unread: ([String]) throws -> RecordNames
  ) throws -> [MetRecord]? {
    let before = position
    let (met, after) = try store.read { db -> ([MetRecord]?, Position) in
      var after = before
      let inbox = Inbox(db: db, journal: store.log)
      try after.place.begin(in: inbox)
      guard let keys = try inbox.keys(after: after.place, limit: max(1, limit)) else { return (nil, before) }
      let names = keys.map(\.recordName)
      let page = try KeyPage(store.records(in: db, about: names), unread: unread(names))
      let met = try keys.compactMap { key in
        after.place.pass(key)
        return try page.met(key, &after.open)
      }
      after.rows += keys.count
      return (met, after)
    }
    position = after
    return met
  }

  private struct KeyPage {
    private let records: RecordReader
    private let unread: RecordNames
    private let isIndexed: Bool
    private let columns: String

    init(_ records: RecordReader, unread: RecordNames) throws {
      (self.records, self.unread) = (records, unread)
      (isIndexed, columns) = (try InboxRow.hasIndex(in: records.db), try InboxRow.select(in: records.db))
    }

    /// nil where the row makes no conflict, or belongs to one that was met before.
    func met(_ key: InboxKey, _ open: inout OpenRows) throws -> MetRecord? {
      if unread.contains(key.recordName), try open.isLone(key, records, isIndexed: isIndexed) {
        return .unread(id: key.recordName)
      }
      guard let row = try InboxRow.row(id: key.id, columns, in: records.db) else { return nil }
      return try InboxWalk.whole(row, records, isIndexed: isIndexed, &open).map { .conflict($0) }
    }
  }

  /// What `conflict` makes of the next rows, in one state of the files; nil behind the last.
  private func page(
    _ position: inout Position, _ limit: Int,
    _ conflict: (InboxRow, RecordReader, _ isIndexed: Bool, inout OpenRows) throws -> RecordConflict?
  ) throws -> [RecordConflict]? {
    let before = position
    let (conflicts, after) = try store.read { db in
      var after = before
      let inbox = Inbox(db: db, journal: store.log)
      try after.place.begin(in: inbox)
      let rows = try inbox.page(after: after.place, limit: max(1, limit))
      let records = try store.records(in: db, about: rows.map(\.recordName))
      let isIndexed = try rows.contains { $0.place == .app } && InboxRow.hasIndex(in: db)
      let conflicts = try rows.compactMap { row in
        after.place.pass(row.key)
        return try conflict(row, records, isIndexed, &after.open)
      }
      after.rows += rows.count
      return (rows.isEmpty ? nil : conflicts, after)
    }
    position = after
    return conflicts
  }
}
