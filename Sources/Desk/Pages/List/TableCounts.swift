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
    let titles = filters.map { filter in filter.title(findings: desk.store.findingWord(2)) }
    let names = counts.keys.sorted()
    let width = (names + ["Table"]).map(DisplayText.width).max().map { min($0, 32) } ?? 5
    func line(_ name: String, _ cells: [String]) -> String {
      let padded = zip(cells, titles).map { cell, title in
        String(repeating: " ", count: max(2, DisplayText.width(title) + 2 - cell.count)) + cell
      }
      return name.padding(to: width) + padded.joined()
    }
    let rows = names.map { name in line(name, filters.map { "\(counts[name]?[$0] ?? 0)" }) }
    let lines = [line("Table", titles)] + rows
    return TextPage(
      title: names.count == 1 ? "1 table" : "\(names.count) tables",
      paragraphs: [lines.joined(separator: "\n"), "/table: and a name shows the rows of one."])
  }
}
