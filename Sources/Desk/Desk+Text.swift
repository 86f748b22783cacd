import Terminal

extension DeskState {
  /// `i` in the review: all of what its foot says in a line.
  mutating func showMore(_ page: ReviewPage) -> [DeskEffect] {
    pages.append(.text(TextPage(title: "How it is done", paragraphs: ReviewFoot(self, page).paragraphs)))
    return []
  }

  /// `d` and `o` in the review. Of thousands of drafts the first are shown: nobody reads more on a screen.
  mutating func export(_ page: ReviewPage, _ format: ExportFormat) -> [DeskEffect] {
    guard page.isOpen, page.stage == .ready else { return tell(.told("There are no drafts to show now.")) }
    let planned = Array(writable(page).prefix(100))
    guard !planned.isEmpty else { return tell(.failed("None of these can be written as it stands.")) }
    return [.export(planned, format)]
  }

  /// Unless somebody went on to another screen meanwhile.
  mutating func show(_ page: TextPage) -> [DeskEffect] {
    if case .review? = pages.last { pages.append(.text(page)) }
    return []
  }

  mutating func run(_ command: Command, in page: TextPage) -> [DeskEffect] {
    read(command, from: page.scroll, last: TextScreen(self, page).lastScroll) { scroll in
      var page = page
      page.scroll = scroll
      return .text(page)
    }
  }
}
