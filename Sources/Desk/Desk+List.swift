import Merging
import Terminal

extension DeskState {
  mutating func runInList(_ command: Command) -> [DeskEffect] {
    switch command {
    case .up: return moveInList(by: -1)
    case .down: return moveInList(by: 1)
    case .pageUp: return moveInList(by: -listPageSize / 2)
    case .pageDown: return moveInList(by: listPageSize / 2)
    case .first: return moveInList(by: -list.count)
    case .last: return moveInList(by: list.count)
    case .open: return openRecord()
    case .filter(let filter):
      list.show(filter, words: list.words)
      return openSelected()
    case .search:
      list.isTyping = true
      return []
    case .reload: return reload()
    case .undo: return undo()
    case .redo: return redo()
    case .review: return review()
    case .mend: return reviewMending()
    case .history: return startHistory()
    case .accept, .take: return decideInList(command)
    default: return []
    }
  }

  private mutating func moveInList(by step: Int) -> [DeskEffect] {
    list.moveCursor(to: list.cursor + step)
    return openSelected()
  }

  private mutating func openRecord() -> [DeskEffect] {
    switch list.selected {
    case nil: return []
    case .finding(let finding)?: pages.append(.finding(FindingPage(finding: finding)))
    case .conflict(let summary)?: pages.append(.record(RecordPage(id: summary.id)))
    }
    return openSelected()
  }

  /// A decision about the whole row under the cursor. If the row is still being read, the command waits for it.
  private mutating func decideInList(_ command: Command) -> [DeskEffect] {
    guard let selected = list.selected else { return tell(.told("Nothing is under the cursor.")) }
    guard case .conflict(let summary) = selected else {
      return tell(.told("A finding has no versions to choose from."))
    }
    guard let record = open[summary.id] else {
      waiting = (summary.id, command)
      return openSelected()
    }
    return decideWhole(record, command)
  }

  mutating func takeSearch(_ key: Key) -> [DeskEffect] {
    switch Keymap.command(for: key, on: .input) {
    case .back?:
      list.isTyping = false
      list.show(list.filter, words: "")
    case .keep?: list.endTyping()
    default:
      var line = InputLine(list.words)
      guard line.take(key) else { return [] }
      list.show(list.filter, words: line.text)
    }
    return openSelected()
  }

  mutating func click(_ point: Point, opens: Bool) -> [DeskEffect] {
    switch pages.last {
    case nil: return clickInList(point, opens: opens)
    case .record(let page)?: return click(point, in: page)
    case .tree(let page)?: return click(point, in: page, opens: opens)
    case .review(let page)?: return click(point, in: page, opens: opens)
    default: return []
    }
  }

  private mutating func clickInList(_ point: Point, opens: Bool) -> [DeskEffect] {
    let layout = ListLayout(self)
    let position = layout.first + point.row - layout.top
    guard (layout.top..<layout.top + layout.height).contains(point.row), position < list.count else {
      return []
    }
    list.moveCursor(to: position)
    return opens ? openRecord() : openSelected()
  }
}
