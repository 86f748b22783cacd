import Telling
import Terminal

/// Lines to be read under a heading: what is longer than the screen is scrolled.
protocol ReadScreen {
  var state: DeskState { get }
  var scroll: Int { get }
  var heading: [Run] { get }
  var lines: [[Run]] { get }
}

extension ReadScreen {
  var lastScroll: Int { max(0, lines.count - height) }

  private var height: Int { max(1, state.size.rows - 4) }

  func draw() -> Grid {
    var frame = Frame(state.size)
    let lines = lines
    let isLonger = lines.count > height
    let place = "lines \(scroll + 1)-\(min(lines.count, scroll + height)) of \(lines.count)"
    frame.header(heading, right: [Run(isLonger ? place : "", .dim)])
    frame.rule(1)
    for (index, line) in lines.dropFirst(scroll).prefix(height).enumerated() {
      frame.grid.write(line, at: 1, 2 + index)
    }
    frame.footer(state, isLonger: isLonger)
    return frame.grid
  }
}

/// What a screen says in one line, and there is more of.
struct TextScreen: ReadScreen {
  let state: DeskState
  let page: TextPage

  init(_ state: DeskState, _ page: TextPage) {
    self.state = state
    self.page = page
  }

  var scroll: Int { page.scroll }
  var heading: [Run] { [Run(page.title, .text.bold)] }

  var lines: [[Run]] {
    if page.holdsValues && state.privacy.hides { return [[Run("*** P shows the values again", .dim)]] }
    return page.paragraphs.flatMap { [Run($0)].wrapped(state.size.columns - 3) + [[]] }
  }
}
