import StoreInterface
import Terminal

/// All tables of the list beside each other, with how many rows of each state each has.
struct TableCounts {
  private let counts: [String: [ListFilter: Int]]

  init(_ list: ListState) {
    var counts: [String: [ListFilter: Int]] = [:]
    for (table, filter) in list.places { counts[table, default: [:]].add(1, filter) }
    self.init(counts)
  }

  /// - Parameter counts: of each state, by the table.
  init(_ counts: [String: [ListFilter: Int]]) { self.counts = counts }

  /// As the list's own filters count: a row of one state, and all of them.
  func page(_ desk: DeskState) -> TextPage {
    let names = counts.keys.sorted()
    let columns = TableColumns(names, desk, most: counts.values.flatMap(\.values).max() ?? 0)
    let rows = names.map { name in
      columns.line(name, ListFilter.allCases.map { "\(counts[name]?[$0] ?? 0)" })
    }
    let words = desk.store.words
    let lines = [columns.line(words.table.capitalizedFirst, columns.titles)] + rows
    let way = "Enter shows one \(words.table)'s \(words.record)s, as the filter /table:=NAME does."
    var page = TextPage(
      title: names.count == 1 ? "1 \(words.table)" : "\(names.count) \(words.table)s",
      paragraphs: [lines.joined(separator: "\n"), way])
    page.tables = names
    return page
  }
}

/// One for the names, and one for each filter.
private struct TableColumns {
  /// Where they have no room the filters stand by their signs, which the help tells.
  let titles: [String]
  let widths: [Int]
  let nameWidth: Int
  private let room: Int

  init(_ names: [String], _ desk: DeskState, most: Int) {
    room = desk.size.columns - TextPage.margin
    let filters = ListFilter.allCases
    let words = filters.map { filter in filter.title(findings: desk.store.findingWord(2)) }
    let widest = (names + [desk.store.words.table]).map(DisplayText.width).max() ?? 5
    let isWide = words.reduce(min(widest, 32)) { $0 + max(5, DisplayText.width($1)) + 2 } <= room
    titles = isWide ? words : filters.map(\.sign)
    widths = titles.map { max(most.description.count, DisplayText.width($0)) + (isWide ? 2 : 1) }
    nameWidth = max(5, min(widest, room - widths.reduce(0, +)))
  }

  /// Cut where it has no room: each table has one line, by which the cursor finds it.
  func line(_ name: String, _ cells: [String]) -> String {
    let padded = zip(cells, widths).map { cell, width in
      String(repeating: " ", count: max(1, width - DisplayText.width(cell))) + cell
    }
    return DisplayText.cut(name.padding(to: nameWidth) + padded.joined(), to: room)
  }
}

extension DeskState {
  /// The list may be another by now, whatever was its cause: asked after every event.
  mutating func countTablesAgain(after event: DeskEvent) {
    for index in pages.indices {
      guard case .text(var page) = pages[index], page.tables != nil, event.mayCountOtherwise else { continue }
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
