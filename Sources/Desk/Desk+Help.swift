import Merging
import Terminal

extension DeskState {
  mutating func takeHelp(_ key: Key, _ page: HelpPage) -> [DeskEffect] {
    var page = page
    switch Keymap.command(for: key, on: .help) {
    case .back?: return goBack()
    case .quit?: return [.quit]
    case .nextTopic?: (page.topic, page.scroll) = (page.topic.next, 0)
    case .up?: page.scroll = max(0, page.scroll - 1)
    case .down?: page.scroll = min(HelpScreen(self, page).lastScroll, page.scroll + 1)
    default:
      var line = InputLine(page.words)
      _ = line.take(key)
      page.words = line.text
      page.scroll = 0
    }
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
