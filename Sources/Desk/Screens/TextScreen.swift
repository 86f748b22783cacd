import Telling
import Terminal

/// A text to be read: what a screen says in one line, and there is more of.
struct TextScreen {
  let state: DeskState
  let page: TextPage

  init(_ state: DeskState, _ page: TextPage) {
    self.state = state
    self.page = page
  }

  var lastScroll: Int { max(0, lines.count - height) }

  private var height: Int { max(1, state.size.rows - 4) }

  private var lines: [[Run]] {
    if page.holdsValues && state.privacy.hides { return [[Run("*** P shows the values again", .dim)]] }
    return page.paragraphs.flatMap { [Run($0)].wrapped(state.size.columns - 3) + [[]] }
  }

  func draw() -> Grid {
    var frame = Frame(state.size)
    let lines = lines
    let last = min(lines.count, page.scroll + height)
    frame.header(
      [Run(page.title, .text.bold)], right: [Run("lines \(page.scroll + 1)-\(last) of \(lines.count)", .dim)])
    frame.rule(1)
    for (index, line) in lines.dropFirst(page.scroll).prefix(height).enumerated() {
      frame.grid.write(line, at: 1, 2 + index)
    }
    frame.footer(state, isLonger: lines.count > height)
    return frame.grid
  }
}
