import Merging
import StoreInterface
import Synchronization

/// A walk over the conflicts as they were when it began.
final class MemoryWalk: ConflictWalk {
  private let store: MemoryStore
  private let all: [RecordConflict]
  private let seen = Mutex(0)

  init(store: MemoryStore, all: [RecordConflict]) {
    self.store = store
    self.all = all
  }

  func next(limit: Int) throws -> ConflictPage? {
    try seen.withLock { seen in
      let page = all[seen...].prefix(max(1, limit))
      if page.isEmpty { return nil }
      let decisions = Dictionary(grouping: try store.journal.decisions(for: page.map(\.id)), by: \.id)
      seen += page.count
      let summaries = page.map { ConflictSummary($0, decisions: decisions[$0.id] ?? []) }
      return ConflictPage(summaries: summaries, seen: seen)
    }
  }
}

final class MemoryFindingWalk: FindingWalk {
  private let left: Mutex<ArraySlice<Finding>>

  init(_ findings: [Finding]) { left = Mutex(findings[...]) }

  func next(limit: Int) throws -> [Finding]? {
    left.withLock { left in
      if left.isEmpty { return nil }
      let page = left.prefix(max(1, limit))
      left = left.dropFirst(page.count)
      return Array(page)
    }
  }
}
