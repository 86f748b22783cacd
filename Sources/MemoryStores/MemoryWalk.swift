import Merging
import StoreInterface
import Synchronization

/// A walk over the conflicts as they were when it began.
final class MemoryWalk: ConflictWalk {
  private let store: MemoryStore
  private let all: [RecordConflict]
  /// How many an earlier walk had told.
  private let earlier: Int
  /// The names of those that were told: places would move with every write.
  private let told: Mutex<[String]>

  init(store: MemoryStore, all: [RecordConflict], from position: WalkPosition?) {
    self.store = store
    let told = position?.position(as: [String].self, in: store.info) ?? []
    let known = Set(told)
    self.all = all.filter { !known.contains($0.id) }
    earlier = told.count
    self.told = Mutex(told)
  }

  var position: WalkPosition { WalkPosition(of: told.withLock(\.self), in: store.info) }

  func next(limit: Int) throws -> ConflictPage? {
    try StoreCall.current.check(store.info.path)
    return try told.withLock { told in
      let page = all[(told.count - earlier)...].prefix(max(1, limit))
      if page.isEmpty { return nil }
      let decisions = Dictionary(grouping: try store.journal.decisions(for: page.map(\.id)), by: \.id)
      told += page.map(\.id)
      let summaries = page.map { ConflictSummary($0, decisions: decisions[$0.id] ?? []) }
      return ConflictPage(summaries: summaries, seen: told.count)
    }
  }
}

final class MemoryFindingWalk: FindingWalk {
  private let path: String
  private let left: Mutex<ArraySlice<Finding>>

  init(_ findings: [Finding], path: String) {
    self.path = path
    left = Mutex(findings[...])
  }

  func next(limit: Int) throws -> [Finding]? {
    try StoreCall.current.check(path)
    return left.withLock { left in
      if left.isEmpty { return nil }
      let page = left.prefix(max(1, limit))
      left = left.dropFirst(page.count)
      return Array(page)
    }
  }
}
