import Merging
import StoreInterface
import Telling
import Terminal

/// The whole of one finding: what shows it, why it is so, and what mends it.
struct FindingScreen {
  let state: DeskState
  let page: FindingPage

  init(_ state: DeskState, _ page: FindingPage) {
    self.state = state
    self.page = page
  }

  var lastScroll: Int { max(0, lines.count - height) }

  private var height: Int { max(1, state.size.rows - 4) }

  private var finding: Finding { state.privacy.told(page.finding) }

  private var lines: [[Run]] {
    let finding = finding
    return [
      ("Shown by", finding.evidence), ("Because", finding.cause), ("Mended by", finding.remedy),
      ("m mends it", finding.canBeMended ?? "Parley cannot; what is told above does."),
      ("Record", finding.record), ("About", finding.related.joined(separator: ", ")),
      ("Since", finding.time.map { state.time.long($0) } ?? ""),
    ].filter { !$0.1.isEmpty }.flatMap { name, text in paragraph(name, text) }
  }

  private func paragraph(_ name: String, _ text: String) -> [[Run]] {
    let indent = 13
    let lines = [Run(text)].wrapped(state.size.columns - indent - 2)
    return lines.enumerated().map { index, line in
      [Run((index == 0 ? name : "").padding(to: indent), .dim)] + line
    } + [[]]
  }

  func draw() -> Grid {
    var frame = Frame(state.size)
    let title = "\(finding.table) \(finding.title)"
    frame.header([Run(title, .text.bold), Run("   \(finding.what)", .failed)], right: [])
    frame.rule(1)
    let lines = lines
    for (index, line) in lines.dropFirst(page.scroll).prefix(height).enumerated() {
      frame.grid.write(line, at: 1, 2 + index)
    }
    frame.footer(state, isLonger: lines.count > height)
    return frame.grid
  }
}
