import Merging
import StoreInterface
import Telling
import Terminal

/// A page that has more lines than its screen may have.
protocol ScrolledPage: DeskPage {
  var scroll: Int { get set }
  func lastScroll(_ desk: DeskState) -> Int
}

extension ScrolledPage {
  func isLonger(on desk: DeskState) -> Bool { lastScroll(desk) > 0 }

  mutating func keepScrolledToSomething(on desk: DeskState) { scroll = min(scroll, lastScroll(desk)) }

  mutating func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    read(command, on: &desk)
  }

  /// What the keys do where there is only to read: it scrolls, and Esc leaves it.
  mutating func read(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    switch command {
    case .back: return desk.goBack()
    case .move(let movement):
      scroll = desk.scrolled(scroll, by: movement, last: lastScroll(desk))
      return []
    case .left, .right, .open, .quit, .nextUndecided, .previousUndecided, .record, .take, .edit, .editOutside,
      .accept, .undo, .redo, .review, .mend, .drafts, .filter, .list, .search, .anywhere, .history, .unfold,
      .story,
      .nextTopic, .reload, .line:
      return nil
    }
  }
}

extension DeskState {
  /// The same with all values, for a text that is hidden as a whole.
  var withValues: DeskState {
    var desk = self
    desk.privacy = .open
    return desk
  }

  /// Where a text of which `last` is the furthest scroll stands after a movement.
  func scrolled(_ scroll: Int, by movement: Movement, last: Int) -> Int {
    max(0, min(last, scroll + movement.lines(page: size.rows / 2)))
  }
}

/// A page in whose lines `/` finds words, and `n` and `N` go on.
protocol SearchedPage: DeskPage {
  var search: LineSearch { get set }
  mutating func goToFound(by step: Int, on desk: inout DeskState) -> [DeskEffect]
  /// What is looked for is whole.
  mutating func beginSearch(on desk: inout DeskState) -> [DeskEffect]
}

extension SearchedPage {
  mutating func beginSearch(on desk: inout DeskState) -> [DeskEffect] {
    search.words.isEmpty ? [] : goToFound(by: 1, on: &desk)
  }

  func isTyping(on desk: DeskState) -> Bool { search.typing != nil }

  mutating func type(_ key: Key, on desk: inout DeskState) -> [DeskEffect]? {
    guard search.typing != nil else { return nil }
    return search.take(key, on: &desk) ? beginSearch(on: &desk) : []
  }

  mutating func paste(_ text: String, on desk: inout DeskState) -> [DeskEffect]? {
    guard search.typing != nil else { return nil }
    search.paste(text)
    return []
  }
}

/// Lines to be read under a heading.
protocol ReadPage: ScrolledPage {
  /// What is looked for in its lines.
  var search: LineSearch { get }
  func heading(_ desk: DeskState) -> [Run]
  func lines(_ desk: DeskState) -> [WrappedLine]
  /// The line that keys are about; nil where they are about none.
  var cursorLine: Int? { get }
  /// Whether there are other lines that this could be, so that the keys that scroll move it, also where all is in sight.
  var hasMoreToOpen: Bool { get }
}

extension ReadPage {
  var cursorLine: Int? { nil }
  var hasMoreToOpen: Bool { false }

  func isLonger(on desk: DeskState) -> Bool { hasMoreToOpen || lastScroll(desk) > 0 }

  func lastScroll(_ desk: DeskState) -> Int { max(0, lines(desk).count - height(desk)) }

  func draw(_ desk: DeskState) -> Grid {
    var frame = Frame(desk.size)
    let (rows, height) = (ValueRows(lines(desk)), height(desk))
    let isLonger = rows.count > height
    let place = "lines \(scroll + 1)-\(min(rows.count, scroll + height)) of \(rows.count)"
    frame.header(heading(desk), right: [Run(isLonger ? place : "", .dim)])
    for place in (scroll..<rows.count).prefix(height) {
      let line = rows.cells(place, marking: search.words)
      frame.grid.write(line[0], at: 1, 2 + place - scroll)
      if place == search.found { frame.grid.write("›", at: 0, 2 + place - scroll, .text.bold) }
      if place == cursorLine { frame.grid.write("▸", at: 0, 2 + place - scroll, .text.bold) }
    }
    if let typing = search.typing { return frame.searchFooter(typing, desk) }
    return frame.footer(desk, isLonger: isLonger || hasMoreToOpen)
  }
}

/// What a screen says in one line, and there is more of.
package struct TextPage: ReadPage, SearchedPage, Equatable {
  package var title: String
  /// What the record is called that it is of; hidden with the values.
  var recordTitle: String?
  package var paragraphs: [String]
  /// Whether it is hidden with all other values. Then it is made with them, so that they can be shown again.
  package var holdsValues = false
  /// What is copied where it is shown otherwise than a program wants it.
  package var copied: Copied?
  /// The record whose log it is.
  var logOf: String?
  /// That what it was made of is another by now, in words; nil if it is not.
  var outdated: String?
  /// The tables whose rows it counts, each in a line below the first; nil where it counts none.
  var tables: [String]?
  /// The place of the one under the cursor.
  private var table = 0
  /// Whether what was gone to last was found: then that stays in sight, and not the table under the cursor.
  private var isAtFound = false
  /// The record of which it tells all that stands beside it on a wide screen; its lines are broken for the screen.
  var beside: RecordPage?
  package var scroll = 0
  var search = LineSearch()

  package init(
    title: String, of recordTitle: String? = nil, paragraphs: [String], holdsValues: Bool = false,
    copied: Copied? = nil
  ) {
    (self.title, self.recordTitle, self.paragraphs) = (title, recordTitle, paragraphs)
    (self.holdsValues, self.copied) = (holdsValues, copied)
  }

  /// Columns that none of its lines has.
  static let margin = 3

  var page: Page? { .text(self) }
  var topic: Topic { .text }

  mutating func keepScrolledToSomething(on desk: DeskState) {
    if let told = beside?.toldBeside(desk), told != paragraphs { (paragraphs, search.found) = (told, nil) }
    scroll = min(scroll, lastScroll(desk))
    guard canOpen else { return }
    guard isAtFound, let found = search.found else { return go(toTable: table, desk) }
    scroll = min(max(min(scroll, found), found - height(desk) + 1), lastScroll(desk))
  }

  func hint(of binding: Binding, width: Int, on desk: DeskState) -> String? {
    switch binding.command {
    case .open: binding.hint.map { _ in "its rows" }
    case .move(.up), .move(.down): canOpen ? "table" : binding.hint
    default: binding.hint
    }
  }

  mutating func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    switch command {
    case .open: return showRows(on: &desk)
    case .move(let movement) where canOpen:
      isAtFound = false
      go(toTable: desk.scrolled(table, by: movement, last: (tables?.count ?? 0) - 1), desk)
    case .search: search.start(on: desk)
    case .list(.nextMatch): return goToFound(by: 1, on: &desk)
    case .list(.previousMatch): return goToFound(by: -1, on: &desk)
    case _: return read(command, on: &desk)
    }
    return []
  }

  /// Others came above what is read: that stays where it is, but where somebody is at the beginning.
  mutating func growAbove(to paragraphs: [String], _ desk: DeskState) {
    let before = lines(desk).count
    self.paragraphs = paragraphs
    search.found = nil
    if scroll > 0 { scroll = max(0, min(lastScroll(desk), scroll + lines(desk).count - before)) }
  }

  /// The same text of what there is now; what is read stays where it is.
  mutating func goOn(as new: TextPage, _ desk: DeskState) {
    guard new.title != title || new.paragraphs != paragraphs else { return }
    let (name, before) = (tableHere, tables)
    (title, paragraphs, tables) = (new.title, new.paragraphs, new.tables)
    let last = max(0, (tables?.count ?? 0) - 1)
    table = name.flatMap { tables?.firstIndex(of: $0) } ?? min(table, last)
    if before != tables || !hasWords(atLine: search.found, desk) { search.found = nil }
    keepScrolledToSomething(on: desk)
  }

  private func hasWords(atLine line: Int?, _ desk: DeskState) -> Bool {
    let rows = ValueRows(lines(desk))
    return line.map { $0 < rows.count && rows.hasWords(search.words, row: $0) } ?? false
  }

  mutating func goToFound(by step: Int, on desk: inout DeskState) -> [DeskEffect] {
    if holdsValues && desk.privacy.hides { return desk.tell(LineSearch.hidden) }
    let rows = ValueRows(lines(desk))
    let lines = (0..<rows.count).filter { rows.hasWords(search.words, row: $0) }
    guard let line = search.next(in: lines, by: step, from: scroll) else {
      let words = search.hindrance(desk, in: "this text")
      return search.words.isEmpty ? desk.tell(words) : desk.tell(failed: words)
    }
    (search.found, isAtFound) = (line, true)
    if tables?.indices.contains(line - 1) == true { table = line - 1 }
    if !(scroll..<scroll + height(desk)).contains(line) { scroll = min(line, lastScroll(desk)) }
    return desk.tell(search.words(at: line, of: lines))
  }

  func heading(_ desk: DeskState) -> [Run] {
    let parts = [title, recordTitle.map(desk.privacy.shown) ?? ""].filter { !$0.isEmpty }
    return [Run(parts.joined(separator: ": "), .text.bold)]
  }

  func lines(_ desk: DeskState) -> [WrappedLine] {
    if holdsValues && desk.privacy.hides {
      return [WrappedLine(runs: [Run("*** P shows the values again", .dim)])]
    }
    let width = desk.size.columns - Self.margin
    return paragraphs.flatMap { paragraph in
      paragraph.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
        hanging($0, width)
      } + [WrappedLine(runs: [])]
    }
  }

  /// A line that is longer than the screen goes on under its first word.
  private func hanging(_ line: Substring, _ width: Int) -> [WrappedLine] {
    let indent = min(line.prefix { $0 == " " }.count, width / 2)
    let lines = [Run(String(line.dropFirst(indent)))].wrappedLines(width - indent)
    let margin = Run(String(repeating: " ", count: indent))
    return indent == 0 ? lines : lines.map { WrappedLine(runs: [margin] + $0.runs, goesOn: $0.goesOn) }
  }
}

/// Where it counts the rows of tables, each number is a way to them.
extension TextPage {
  private var tableHere: String? { tables.flatMap { $0.indices.contains(table) ? $0[table] : nil } }

  var canOpen: Bool { tableHere != nil }
  var cursorLine: Int? { canOpen ? table + 1 : nil }
  var hasMoreToOpen: Bool { (tables?.count ?? 0) > 1 }

  /// The headings are seen with the first, and what stands below with the last.
  private mutating func go(toTable place: Int, _ desk: DeskState) {
    let (line, last) = (place + 1, lastScroll(desk))
    table = place
    scroll = max(min(scroll, place == 0 ? 0 : line), line == tables?.count ? last : line - height(desk) + 1)
  }

  private func showRows(on desk: inout DeskState) -> [DeskEffect] {
    guard let name = tableHere else { return desk.tell("There is nothing here that could be opened.") }
    let words = ListQuery.words(ofTable: name)
    desk.typedLines.keep(words)
    let left = desk.goBack()
    desk.list.show(.all, ListQuery(words, now: desk.time.now))
    return left
  }

  mutating func click(_ point: Point, opens: Bool, on desk: inout DeskState) -> [DeskEffect] {
    let (place, isOfLines) = (scroll + point.row - 3, (2..<2 + height(desk)).contains(point.row))
    guard isOfLines, tables?.indices.contains(place) == true else { return [] }
    (table, isAtFound) = (place, false)
    return opens ? showRows(on: &desk) : []
  }
}

/// The whole of one finding: what shows it, why it is so, and what mends it.
package struct FindingPage: ReadPage, Equatable {
  package var finding: Finding
  package var scroll = 0
  /// Its `/` filters the list.
  let search = LineSearch()

  var page: Page? { .finding(self) }
  var topic: Topic { .finding }

  mutating func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    if [.mend, .take(.server)].contains(command), desk.list.isGone(finding) {
      return desk.tell(ReviewWords.nothingToMend)
    }
    if command == .mend { return desk.reviewMending(finding) }
    if command == .take(.server) {
      return finding.takingServer.map { desk.reviewMending($0) }
        ?? desk.tell("There is no server's side to take here: \(desk.key(.mend)) does what can be done.")
    }
    if command == .search { return desk.goToFilter() }
    if command == .open { return openRecord(on: &desk) }
    if command == .history {
      return desk.store.can.contains(.tellTrees)
        ? desk.startTree(of: finding.record, title: finding.title)
        : desk.tell("A finding has no lifecycle.")
    }
    if command == .record(.nextRecord) { return goToFinding(by: 1, on: &desk) }
    if command == .record(.previousRecord) { return goToFinding(by: -1, on: &desk) }
    return read(command, on: &desk)
  }

  /// Where it is decided.
  private func openRecord(on desk: inout DeskState) -> [DeskEffect] {
    guard let summary = desk.list.summary(finding.subject) else {
      return desk.tell("Its record is in no conflict that could be opened.")
    }
    return desk.open(desk.recordPage(summary.id))
  }

  /// To the next finding of the list, or the one before, past the conflicts between them.
  private mutating func goToFinding(by step: Int, on desk: inout DeskState) -> [DeskEffect] {
    var position = (desk.list.position(of: finding) ?? desk.list.cursor) + step
    while case .conflict? = desk.list[position] { position += step }
    guard case .finding(let next)? = desk.list[position] else {
      return desk.tell(step > 0 ? "This is the last finding." : "This is the first finding.")
    }
    desk.list.moveCursor(to: position)
    self = FindingPage(finding: next)
    return []
  }

  func heading(_ desk: DeskState) -> [Run] {
    let finding = desk.privacy.told(finding, in: desk.store)
    let what = Run("   \(finding.what)", finding.ink)
    let whole = [Run("\(finding.table) \(finding.title)", .text.bold), what]
    // Its table is told below as well.
    return whole.width + 20 <= desk.size.columns ? whole : [Run(finding.title, .text.bold), what]
  }

  func lines(_ desk: DeskState) -> [WrappedLine] {
    let isGone = desk.list.isGone(finding)
    let finding = desk.privacy.told(finding, in: desk.store)
    let now = [
      ("Now", isGone ? "it is not found any more: what is told here was so before the store changed" : "")
    ]
    let more = [
      finding.canBeMended.map { ("m mends it", $0) } ?? ("Parley", wordsOfNoMending),
      ("s instead", finding.takesServer ?? ""), ("In conflict", wordsOfConflict(desk)),
      ("\(desk.store.words.table.capitalizedFirst)", finding.table), ("Record", finding.record),
      // By it `parley doctor` mends this one alone.
      ("Id", finding.id),
      ("About", finding.related.joined(separator: ", ")),
      ("Changed", finding.time.map { desk.time.long($0) } ?? ""),
    ]
    let parts = finding.parts(desk, width: desk.size.columns - Self.indent - 2)
    return (now + parts + more).filter { !$0.1.isEmpty }.flatMap {
      paragraph($0, $1, width: desk.size.columns)
    }
  }

  private func wordsOfConflict(_ desk: DeskState) -> String {
    desk.list.summary(self.finding.subject) == nil
      ? "" : "Its record is in the list as well, and is decided there."
  }

  private var wordsOfNoMending: String {
    finding.mendsInCopy
      ? "mends it in a copy alone, as told above." : "cannot mend it: “Mended by” tells what does."
  }

  private static let indent = 13

  private func paragraph(_ name: String, _ text: String, width: Int) -> [WrappedLine] {
    let lines = [Run(text)].wrappedLines(width - Self.indent - 2).enumerated().map { index, line in
      let heading = Run((index == 0 ? name : "").padding(to: Self.indent), .dim)
      return WrappedLine(runs: [heading] + line.runs, goesOn: line.goesOn)
    }
    return lines + [WrappedLine(runs: [])]
  }
}
