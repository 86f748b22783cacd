import Merging
import StoreInterface
import Synchronization

/// Walks the conflicts of a store from the highest key of its table down, a page in one state of the store after the other.
package final class KeyWalk: ConflictWalk {
  /// The keys that were looked at, and what of them is in conflict.
  package typealias Page = (keys: [Int64], conflicts: [RecordConflict])

  private struct Position {
    var below = Int64.max
    var seen = 0
  }

  private let log: Journal
  private let read: @Sendable (_ below: Int64, _ limit: Int) throws -> Page
  private let reached = Mutex(Position())

  /// - Parameter read: the next at most `limit` keys below one.
  package init(_ log: Journal, read: @escaping @Sendable (_ below: Int64, _ limit: Int) throws -> Page) {
    (self.log, self.read) = (log, read)
  }

  package func next(limit: Int) throws -> ConflictPage? {
    try reached.withLock { position in
      guard let conflicts = try page(&position, limit) else { return nil }
      return ConflictPage(summaries: try log.summaries(of: conflicts), seen: position.seen)
    }
  }

  package func nextConflicts(limit: Int, of _: any ConflictStore) throws -> [RecordConflict]? {
    try reached.withLock { try page(&$0, limit) }
  }

  private func page(_ position: inout Position, _ limit: Int) throws -> [RecordConflict]? {
    let page = try read(position.below, max(1, limit))
    guard let last = page.keys.last else { return nil }
    position = Position(below: last, seen: position.seen + page.keys.count)
    return page.conflicts
  }
}
