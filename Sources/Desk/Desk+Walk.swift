import Merging

/// What the background finds while a person works.
extension DeskState {
  mutating func takeWalk(_ event: DeskEvent) -> [DeskEffect] {
    switch event {
    case .counted(let total): list.progress?.total = total
    case .found(let page):
      list.progress?.seen = page.seen
      list.append(page.summaries.map { open[$0.id]?.summary ?? $0 })
    case .walkEnded: list.endWalk(withFindings: false)
    case .foundFindings(let findings): list.append(findings)
    case .findingsEnded: list.endWalk(withFindings: true)
    case .walkFailed(let words):
      list.endWalk(withFindings: true)
      return tell(.failed(words))
    default: break
    }
    return openSelected()
  }

  /// Has the selected record read, if a screen wants to show it and it is not at hand.
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
    makeRoom(for: conflict.id)
    let record = OpenConflict(conflict, conflict.resolution(from: decisions))
    open[conflict.id] = record
    list.replace(record.summary)
    let tree = forgetTree(unlikeThatOf: conflict)
    guard let waiting, waiting.id == conflict.id else { return tree + openSelected() }
    self.waiting = nil
    return tree + run(waiting.command) + openSelected()
  }

  mutating func openFailed(_ id: String, _ words: String) -> [DeskEffect] {
    if list.reading == id { list.reading = nil }
    if waiting?.id == id { waiting = nil }
    open[id] = nil
    history.forget(id)
    unwritten[id] = nil
    list.remove([id])
    pages.removeAll { $0.record == id }
    return tell(.failed(words)) + openSelected()
  }

  /// Records that were only looked at are forgotten again, so that a long walk through the list stays small.
  private mutating func makeRoom(for id: String) {
    guard open.count >= 200 else { return }
    let needed = history.ids.union(pages.compactMap(\.record))
    open = open.filter { needed.contains($0.key) || $0.value.isRehearsal }
  }
}

extension Page {
  /// The record it shows, as far as that has to be in conflict.
  fileprivate var record: String? {
    switch self {
    case .record(let page): page.id
    case .tree(let page): page.id
    case .value, .editor, .review, .walkthrough, .help, .finding, .text: nil
    }
  }
}
