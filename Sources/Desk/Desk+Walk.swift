import Merging
import StoreInterface

/// What the background finds while a person works.
extension DeskState {
  mutating func takeWalk(_ event: DeskEvent) -> [DeskEffect] {
    switch event {
    case .counted(let total): find { $0.progress?.total = total }
    case .found(let page):
      let summaries = page.summaries.map { open[$0.id]?.summary ?? $0 }
      find {
        $0.progress?.seen = page.seen
        $0.append(summaries)
      }
    case .walkEnded: find { $0.progress = nil }
    case .foundFindings(let findings): find { $0.append(findings) }
    case .findingsEnded:
      find { $0.findingsAreComplete = true }
      return walkIsOver()
    case .walkFailed(let words): return walkFailed(words)
    default: break
    }
    return []
  }

  /// Has the selected record read, if the page on top wants to show it and it is not at hand: asked after every event.
  mutating func openSelected() -> [DeskEffect] {
    let wanted: String? =
      switch pages.last {
      case nil: if case .conflict(let summary)? = list.selected { summary.id } else { nil }
      case .record(let page)? where page.id != WalkthroughPage.rehearsal: page.id
      case .tree(let page)? where list.summary(page.id) != nil: page.id
      default: nil
      }
    let tree = readTreeBeside()
    guard let wanted, open[wanted] == nil, list.reading != wanted else { return tree }
    list.reading = wanted
    return [.open(id: wanted)] + tree
  }

  mutating func opened(_ conflict: RecordConflict, _ decisions: [Decision]) -> [DeskEffect] {
    if list.reading == conflict.id { list.reading = nil }
    let known = open[conflict.id]
    // A decision fell while it was read, so what was read may not know of it.
    if openingAgain.remove(conflict.id) == nil, known != nil { return openAgain(conflict.id) }
    makeRoom(for: conflict.id)
    let record = DecidedConflict(conflict, decisions: decisions)
    if let known {
      tellChange(from: known, to: record)
      keepCursor(from: known, in: conflict)
    }
    put(record)
    let tree = forgetTree(unlikeThatOf: conflict)
    guard let waiting, waiting.id == conflict.id else { return tree }
    self.waiting = nil
    return tree + run(waiting.command)
  }

  private mutating func keepCursor(from known: DecidedConflict, in conflict: RecordConflict) {
    for index in pages.indices {
      guard case .record(var page) = pages[index], page.id == conflict.id else { continue }
      page.keepCursor(from: known, in: conflict, on: self)
      pages[index] = .record(page)
    }
  }

  /// Records that were only looked at are forgotten again, so that a long walk through the list stays small.
  private mutating func makeRoom(for id: String) {
    guard open.count >= 200 else { return }
    let needed = history.ids.union(pages.compactMap(\.record))
    open = open.filter { needed.contains($0.key) || $0.value.isRehearsal }
  }
}
