import Merging
import StoreInterface
import Telling
import Terminal

/// The whole of one finding: what shows it, why it is so, and what mends it.
struct FindingScreen: ReadScreen {
  let state: DeskState
  let page: FindingPage

  init(_ state: DeskState, _ page: FindingPage) {
    self.state = state
    self.page = page
  }

  private var finding: Finding { state.privacy.told(page.finding) }

  var scroll: Int { page.scroll }

  var heading: [Run] {
    [Run("\(finding.table) \(finding.title)", .text.bold), Run("   \(finding.what)", .failed)]
  }

  var lines: [[Run]] {
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
}
