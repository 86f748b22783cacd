import Merging

/// A walk over the conflicts of a store, a page at a time.
package protocol ConflictWalk: AnyObject, Sendable {
  /// The next conflicts, at most `limit` records looked at; empty when the walk is over. A page may hold fewer than
  /// `limit`, as settled records are passed over.
  func next(limit: Int) throws -> ConflictPage?

  /// The conflicts of the next page as ``ConflictStore/conflict(_:)`` tells them, without those that have gone meanwhile, for who
  /// needs all of them; nil when the walk is over.
  func nextConflicts(limit: Int, of store: any ConflictStore) throws -> [RecordConflict]?

  /// The same for who reads records once more inside of a write, and finds out there which of them are in conflict.
  ///
  /// - Parameter unread: those of the names of a page that need not be read for it. They are read all the same where more than one of
  ///   what the store keeps may be about them, or somebody would wait until they are read inside of the write.
  func nextMet(limit: Int, of store: any ConflictStore, unread: ([String]) throws -> RecordNames) throws
    -> [MetRecord]?
}

extension ConflictWalk {
  package func nextConflicts(limit: Int, of store: any ConflictStore) throws -> [RecordConflict]? {
    guard let page = try next(limit: limit) else { return nil }
    return try page.conflicts ?? store.conflicts(page.summaries.map(\.id))
  }

  package func nextMet(
    limit: Int, of store: any ConflictStore, unread: ([String]) throws -> RecordNames
  ) throws -> [MetRecord]? {
    try nextConflicts(limit: limit, of: store)?.map { .conflict($0) }
  }
}

/// What a walk comes to.
package enum MetRecord: Sendable {
  case conflict(RecordConflict)
  /// May be one: it was not read. A walk comes to it once.
  case unread(id: String)

  package var conflict: RecordConflict? { if case .conflict(let conflict) = self { conflict } else { nil } }
}

package struct ConflictPage: Sendable {
  package var summaries: [ConflictSummary]
  /// How many records the walk has looked at so far; for a progress.
  package var seen: Int
  /// The conflicts themselves, of a store for which reading them once more would cost; nil of all others.
  package var conflicts: [RecordConflict]?

  package init(summaries: [ConflictSummary], seen: Int, conflicts: [RecordConflict]? = nil) {
    (self.summaries, self.seen, self.conflicts) = (summaries, seen, conflicts)
  }
}
