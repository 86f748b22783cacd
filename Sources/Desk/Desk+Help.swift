import Merging
import Terminal

extension DeskState {
  mutating func takeHelp(_ key: Key, _ page: HelpPage) -> [DeskEffect] {
    if let command = Keymap.command(for: key, on: .help) { return run(command, in: page) }
    return search(page) { $0.take(key) }
  }

  mutating func run(_ command: Command, in page: HelpPage) -> [DeskEffect] {
    var page = page
    switch command {
    case .back: return goBack()
    case .quit: return [.quit]
    case .nextTopic: (page.topic, page.scroll) = (page.topic.next, 0)
    case .move(let movement):
      page.scroll = scrolled(page.scroll, by: movement, last: HelpScreen(self, page).lastScroll)
    case .eraseBefore, .clear: return search(page) { $0.run(command) }
    case .left, .right, .open, .nextUndecided, .previousUndecided, .nextRecord, .previousRecord, .takeCell,
      .take, .edit, .editOutside, .accept, .forget, .undo, .redo, .review, .mend, .confirm, .note,
      .leaveOut, .more, .showSQL, .showJSON, .filter, .search, .toggleUnchanged, .toggleTime,
      .togglePrivate, .history, .unfold, .nextLeaf, .previousLeaf, .play, .faster, .slower, .whatIf,
      .ruleSet, .nextStory, .previousStory, .tryIt, .help, .reload, .redraw, .suspend, .keep, .setNull,
      .eraseAfter, .alternatives:
      return []
    }
    return put(page)
  }

  private mutating func search(_ page: HelpPage, _ change: (inout InputLine) -> InputLine.Answer)
    -> [DeskEffect]
  {
    var page = page
    var line = InputLine(page.words)
    guard change(&line) == .changed else { return [] }
    (page.words, page.scroll) = (line.text, 0)
    return put(page)
  }

  private mutating func put(_ page: HelpPage) -> [DeskEffect] {
    pages[pages.count - 1] = .help(page)
    return []
  }
}

extension Topic {
  var next: Topic {
    let topics = Topic.allCases
    return topics[((topics.firstIndex(of: self) ?? 0) + 1) % topics.count]
  }
}
