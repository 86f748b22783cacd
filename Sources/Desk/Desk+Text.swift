import Terminal

extension DeskState {
  /// `i` in the review: all of what its foot says in a line.
  mutating func showMore(_ page: ReviewPage) -> [DeskEffect] {
    pages.append(.text(TextPage(title: "How it is done", paragraphs: ReviewFoot(self, page).paragraphs)))
    return []
  }

  mutating func run(_ command: Command, in page: TextPage) -> [DeskEffect] {
    if command == .back { return goBack() }
    var page = page
    page.scroll = scrolled(page.scroll, by: command, last: TextScreen(self, page).lastScroll)
    pages[pages.count - 1] = .text(page)
    return []
  }
}
