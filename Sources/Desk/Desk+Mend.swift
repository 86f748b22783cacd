import Merging
import StoreInterface
import Terminal

extension DeskState {
  /// Opens the review of what would mend the finding under the cursor.
  mutating func reviewMending() -> [DeskEffect] {
    guard case .finding(let finding)? = list.selected else {
      return tell(
        .told(
          "m mends what is no conflict: \(ListFilter.stuck.rawValue) shows that. This record is in conflict: Enter opens it."
        ))
    }
    return reviewMending(finding)
  }

  mutating func reviewMending(_ finding: Finding) -> [DeskEffect] {
    guard finding.canBeMended != nil else {
      return tell(.told("Parley cannot mend this one; what does is told with it."))
    }
    pages.append(.review(ReviewPage(.mend(finding), stage: .ready)))
    return []
  }

  /// Mending one finding may make others appear or go, so the store is walked again.
  mutating func mended(_ results: [CheckedWrite], _ page: inout ReviewPage) -> [DeskEffect] {
    page.finish(results, now: time.now)
    let done = results.filter { $0.outcome == .fine }
    guard page.hasChangedTheStore else { return [] }
    let ids = Set(done.map(\.id))
    if page.hasWritten { history.recordWrite(of: ids, titles: done.map(\.title)) }
    // What is mended is nothing to look at any more: Esc goes back to the list, and u is there.
    pages.removeAll { if case .finding(let shown) = $0 { ids.contains(shown.finding.id) } else { false } }
    return readAgain()
  }
}
