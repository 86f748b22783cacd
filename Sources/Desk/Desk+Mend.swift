import Merging
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
    guard finding.canBeMended != nil else {
      return tell(.told("Parley cannot mend this one; what does is told below."))
    }
    pages.append(.review(ReviewPage(.mend(finding), stage: .ready)))
    return []
  }

  /// Mending one finding may make others appear or go, so the store is walked again.
  mutating func mended(_ checks: [CheckedWrite], _ page: inout ReviewPage) -> [DeskEffect] {
    page.checks = checks
    page.stage = .done
    let done = checks.filter { $0.outcome == .fine }
    guard !done.isEmpty else { return tell(.failed("Nothing was mended: see why above.")) }
    history.recordWrite(of: Set(done.map(\.id)), titles: done.map(\.title))
    return readAgain() + tell(.told("Mended. u takes it back."))
  }
}
