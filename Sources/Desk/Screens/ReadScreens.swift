import Merging
import StoreInterface
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
    frame.grid.write(lines: lines.dropFirst(scroll).prefix(height), at: 1, 2)
    return frame.footer(state, isLonger: isLonger)
  }
}

/// What a screen says in one line, and there is more of.
struct TextScreen: ReadScreen {
  let state: DeskState
  let page: TextPage

  var scroll: Int { page.scroll }
  var heading: [Run] { [Run(page.title, .text.bold)] }

  var lines: [[Run]] {
    if page.holdsValues && state.privacy.hides { return [[Run("*** P shows the values again", .dim)]] }
    return page.paragraphs.flatMap { [Run($0)].wrapped(state.size.columns - 3) + [[]] }
  }
}

/// The whole of one value on all sides; of long ones what differs.
struct ValueScreen: ReadScreen {
  /// In bytes of each side: many screens full. What is longer is read better in an editor.
  static let longest = 20_000

  let state: DeskState
  let page: ValuePage

  var scroll: Int { page.scroll }

  var heading: [Run] {
    [Run(state.shownTitle(of: page.id), .text.bold), Run("   " + state.privacy.name(page.field))]
  }

  var lines: [[Run]] {
    guard let record = state.open[page.id], let field = record.conflict[page.field] else { return [] }
    let shown = ShownRecord(record, leaf: page.leaf)
    return Side.allCases.flatMap { side -> [[Run]] in
      let version = shown.version(field, side)
      let kind = Value.typeName(version?.value)
      let heading = [
        Run("\(side.letter) \(side.rawValue.capitalizedFirst)", .side(side).bold),
        Run(
          "   \(kind)   \(state.privacy.revision(side, of: shown) ?? state.time.long(version?.time))", .dim),
      ]
      let text = RecordWords.difference(
        field, side, shown, state.privacy, atMost: Self.longest
      ).wrapped(state.size.columns - 5)
      return [heading] + text.map { [Run("   ")] + $0 } + [[]]
    }
  }
}

/// The whole of one finding: what shows it, why it is so, and what mends it.
struct FindingScreen: ReadScreen {
  let state: DeskState
  let page: FindingPage

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
