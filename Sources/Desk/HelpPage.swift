import Merging
import StoreInterface
import Terminal

package struct HelpPage: Sendable, Equatable {
  package var topic: Topic
  /// Typing searches.
  package var words = ""
  package var scroll = 0
}

extension DeskState {
  mutating func takeHelp(_ key: Key, _ page: HelpPage) -> [DeskEffect] {
    if let command = Keymap.command(for: key, on: .help) { return run(command, in: page) ?? [] }
    return search(page) { $0.take(key) }
  }

  mutating func run(_ command: Command, in page: HelpPage) -> [DeskEffect]? {
    var page = page
    switch command {
    case .back: return goBack()
    case .quit: return [.quit]
    case .nextTopic: (page.topic, page.scroll) = (page.topic.next, 0)
    case .move(let movement):
      page.scroll = scrolled(page.scroll, by: movement, last: HelpScreen(self, page).lastScroll)
    case .eraseBefore, .clear: return search(page) { $0.run(command) }
    case .left, .right, .open, .nextUndecided, .previousUndecided, .nextRecord, .previousRecord, .takeCell,
      .take, .edit, .editOutside, .accept, .forget, .alternatives, .undo, .redo, .review, .mend, .confirm,
      .note, .leaveOut, .more, .showSQL, .showJSON, .filter, .search, .toggleUnchanged, .toggleTime,
      .togglePrivate, .history, .unfold, .nextLeaf, .previousLeaf, .play, .faster, .slower, .whatIf, .ruleSet,
      .nextStory, .previousStory, .tryIt, .help, .reload, .redraw, .suspend, .keep, .setNull, .eraseAfter:
      return nil
    }
    return put(.help(page))
  }

  private mutating func search(_ page: HelpPage, _ change: (inout InputLine) -> InputLine.Answer)
    -> [DeskEffect]
  {
    var page = page
    var line = InputLine(page.words)
    guard change(&line) == .changed else { return [] }
    (page.words, page.scroll) = (line.text, 0)
    return put(.help(page))
  }
}

extension Topic {
  var next: Topic {
    let topics = Topic.allCases
    return topics[((topics.firstIndex(of: self) ?? 0) + 1) % topics.count]
  }
}

/// The keys of one screen, from the keymap, in two columns. Typing searches.
struct HelpScreen {
  let state: DeskState
  let page: HelpPage
  private let entries: [[Run]]

  init(_ state: DeskState, _ page: HelpPage) {
    (self.state, self.page) = (state, page)
    entries = page.entries
  }

  private var columns: Int { state.size.columns >= 80 ? 2 : 1 }
  private var height: Int { max(1, state.size.rows - 5) }
  /// The lines of each column.
  private var columnHeight: Int {
    columns == 1 ? entries.count : max((entries.count + 1) / 2, min(entries.count, height))
  }

  var lastScroll: Int { max(0, columnHeight - height) }

  func draw() -> Grid {
    var frame = Frame(state.size)
    let search = page.words.isEmpty ? "type to search" : "/ \(page.words)"
    frame.header([Run("Help   ", .text.bold), Run(page.topic.rawValue)], right: [Run(search, .dim)])
    let width = state.size.columns / columns
    for (index, line) in entries.enumerated() {
      let row = index % columnHeight - page.scroll
      guard (0..<height).contains(row) else { continue }
      frame.grid.write(line, at: 2 + index / columnHeight * width, 2 + row, width: width - 3)
    }
    frame.grid.write(
      "! yours  ^ by clock  ~ sure  ✓ decided  ✗ stuck  ∅ NULL  › cut  ▸ to be written", at: 1,
      frame.bottom - 1, .dim)
    return frame.footer(state, isLonger: columnHeight > height)
  }
}

extension HelpPage {
  /// Bindings that say the same stand in one line: up and down, next and previous.
  fileprivate var entries: [[Run]] {
    let bindings = Keymap.bindings(on: topic).filter(matches)
    var lines: [[Run]] = []
    for group in bindings.map(\.group).unique {
      if !lines.isEmpty { lines.append([]) }
      lines.append([Run(group, .text.bold)])
      let members = bindings.filter { $0.group == group }
      for label in members.map(\.label).unique {
        lines.append(line(label, members.filter { $0.label == label }))
      }
    }
    return lines
  }

  private func matches(_ binding: Binding) -> Bool {
    words.isEmpty || (binding.label + binding.group + keys(binding)).lowercased().contains(words.lowercased())
  }

  private func keys(_ binding: Binding) -> String { binding.keys.map(\.name).joined(separator: "  ") }

  private func line(_ label: String, _ bindings: [Binding]) -> [Run] {
    let keys =
      bindings.count == 1 ? bindings.map(keys) : bindings.flatMap { $0.keys.map(\.name) }.sortedByLength
    return [Run(keys.joined(separator: " ").padding(to: 15) + " "), Run(label, .dim)]
  }
}

extension [String] {
  /// As many short names as fit beside a label: letters before words.
  fileprivate var sortedByLength: [String] {
    enumerated().sorted { ($0.element.count, $0.offset) < ($1.element.count, $1.offset) }.map(\.element)
  }
}
