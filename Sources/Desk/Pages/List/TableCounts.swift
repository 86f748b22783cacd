import StoreInterface
import Terminal

/// All tables of the list beside each other, with how many rows of each state each has.
struct TableCounts {
  private let counts: [String: [ListFilter: Int]]

  init(_ list: ListState) {
    var counts: [String: [ListFilter: Int]] = [:]
    for (table, filter) in list.places { counts[table, default: [:]].add(1, filter) }
    self.counts = counts
  }

  /// As the list's own filters count: a row of one state, and all of them.
  func page(_ desk: DeskState) -> TextPage {
    let filters = ListFilter.allCases
    let names = counts.keys.sorted()
    let room = desk.size.columns - 3
    let words = filters.map { filter in filter.title(findings: desk.store.findingWord(2)) }
    // Where their names have no room the filters stand by their signs, which the help tells.
    let widest = (names + ["Table"]).map(DisplayText.width).max() ?? 5
    let isWide = words.reduce(min(widest, 32)) { $0 + max(5, DisplayText.width($1)) + 2 } <= room
    let titles = isWide ? words : filters.map(\.sign)
    let least = (counts.values.flatMap(\.values).max() ?? 0).description.count
    let cellWidths = titles.map { max(least, DisplayText.width($0)) + (isWide ? 2 : 1) }
    let width = max(5, min(widest, room - cellWidths.reduce(0, +)))
    func line(_ name: String, _ cells: [String]) -> String {
      let padded = zip(cells, cellWidths).map { cell, width in
        String(repeating: " ", count: max(1, width - DisplayText.width(cell))) + cell
      }
      return name.padding(to: width) + padded.joined()
    }
    let rows = names.map { name in line(name, filters.map { "\(counts[name]?[$0] ?? 0)" }) }
    let lines = [line("Table", titles)] + rows
    var page = TextPage(
      title: names.count == 1 ? "1 table" : "\(names.count) tables",
      paragraphs: [lines.joined(separator: "\n"), "/table: and a name shows the rows of one."])
    page.countsTables = true
    return page
  }
}

extension DeskState {
  /// The list may be another by now, whatever was its cause: asked after every event.
  mutating func countTablesAgain(after event: DeskEvent) {
    for index in pages.indices {
      guard case .text(var page) = pages[index], page.countsTables, event.mayCountOtherwise else { continue }
      page.goOn(as: TableCounts(list).page(self), self)
      pages[index] = .text(page)
    }
  }
}

extension DeskEvent {
  /// Not with each part of the list that is read, nor with a key: of a hundred thousand rows it takes a moment.
  fileprivate var mayCountOtherwise: Bool {
    switch self {
    case .terminal(.resized(_)): true
    case .terminal, .counted, .found, .foundFindings, .progressed, .waits, .ticked: false
    default: true
    }
  }
}
