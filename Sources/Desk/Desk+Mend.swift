import Merging
import StoreInterface
import Terminal

extension DeskState {
  mutating func run(_ command: Command, in page: FindingPage) -> [DeskEffect]? {
    var page = page
    switch command {
    case .back: return goBack()
    case .mend: return reviewMending(page.finding)
    case .history:
      guard store.can.contains(.tellTrees) else {
        return tell(.told("L in the list tells of a record's life."))
      }
      return startTree(of: page.finding.record, title: page.finding.title)
    case .move(let movement):
      page.scroll = scrolled(
        page.scroll, by: movement, last: FindingScreen(state: self, page: page).lastScroll)
    case .left, .right, .open, .quit, .nextUndecided, .previousUndecided, .nextRecord, .previousRecord,
      .takeCell, .take, .edit, .editOutside, .accept, .forget, .alternatives, .undo, .redo, .review, .confirm,
      .note, .leaveOut, .more, .showSQL, .showJSON, .filter, .search, .toggleUnchanged, .toggleTime,
      .togglePrivate, .unfold, .nextLeaf, .previousLeaf, .play, .faster, .slower, .whatIf, .ruleSet,
      .nextStory, .previousStory, .tryIt, .help, .nextTopic, .reload, .redraw, .suspend, .keep, .setNull,
      .clear, .eraseBefore, .eraseAfter:
      return nil
    }
    return put(.finding(page))
  }

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

  private mutating func reviewMending(_ finding: Finding) -> [DeskEffect] {
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
