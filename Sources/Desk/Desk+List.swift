import Merging
import StoreInterface
import Terminal

extension DeskState {
  mutating func runInList(_ command: Command) -> [DeskEffect]? {
    switch command {
    case .move(let movement): return moveInList(by: movement)
    case .open: return openRecord()
    case .filter(let filter):
      list.show(filter, words: list.words)
      return []
    case .search:
      list.isTyping = true
      return []
    case .reload: return reload()
    case .undo: return undo()
    case .redo: return redo()
    case .review: return review()
    case .mend: return mendInList()
    case .history: return startHistory()
    case .accept: return decideInList(command) { $0.acceptWhole($1) }
    case .take(let side): return decideInList(command) { $0.takeWhole($1, side) }
    case .left, .right, .back, .quit, .nextUndecided, .previousUndecided, .nextRecord, .previousRecord,
      .takeCell, .edit, .editOutside, .forget, .alternatives, .confirm, .note, .leaveOut, .more, .showSQL,
      .showJSON, .toggleUnchanged, .toggleTime, .togglePrivate, .unfold, .nextLeaf, .previousLeaf, .play,
      .faster, .slower, .whatIf, .ruleSet, .nextStory, .previousStory, .tryIt, .help, .nextTopic, .redraw,
      .suspend, .keep, .setNull, .clear, .eraseBefore, .eraseAfter:
      return nil
    }
  }

  private mutating func moveInList(by movement: Movement) -> [DeskEffect] {
    list.moveCursor(to: list.cursor + movement.lines(page: listPageSize / 2))
    return []
  }

  private mutating func openRecord() -> [DeskEffect] {
    switch list.selected {
    case nil: return []
    case .finding(let finding)?: pages.append(.finding(FindingPage(finding: finding)))
    case .conflict(let summary)?: pages.append(.record(RecordPage(id: summary.id)))
    }
    return []
  }

  /// A decision about the whole row under the cursor. If the row is still being read, the command waits for it.
  private mutating func decideInList(
    _ command: Command, _ decide: (inout DeskState, DecidedConflict) -> [DeskEffect]
  ) -> [DeskEffect] {
    guard let selected = list.selected else { return tell(.told("Nothing is under the cursor.")) }
    guard case .conflict(let summary) = selected else {
      return tell(.told("A finding has no versions to choose from."))
    }
    guard let record = open[summary.id] else {
      waiting = (summary.id, command)
      return []
    }
    return decide(&self, record)
  }

  /// What would mend the finding under the cursor.
  private mutating func mendInList() -> [DeskEffect] {
    guard case .finding(let finding)? = list.selected else {
      return tell(
        .told(
          "m mends what is no conflict: \(ListFilter.stuck.rawValue) shows that. This record is in conflict: Enter opens it."
        ))
    }
    return reviewMending(finding)
  }

  mutating func takeSearch(_ key: Key) -> [DeskEffect] {
    var line = InputLine(list.words)
    switch line.take(key) {
    case .left:
      list.isTyping = false
      list.show(list.filter, words: "")
    case .kept: list.endTyping()
    case .changed: list.show(list.filter, words: line.text)
    case .ignored: return []
    }
    return []
  }

  mutating func clickInList(_ point: Point, opens: Bool) -> [DeskEffect] {
    let layout = ListLayout(self)
    let position = layout.first + point.row - layout.top
    guard (layout.top..<layout.top + layout.height).contains(point.row), position < list.count else {
      return []
    }
    list.moveCursor(to: position)
    return opens ? openRecord() : []
  }
}
