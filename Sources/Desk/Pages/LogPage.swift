import StoreInterface
import Telling
import Terminal

/// Everything that was decided and written in the store, newest first. However long that is, no more of it is read than somebody came
/// to, and no more is laid out than is shown.
package struct LogPage: SearchedPage, Equatable {
  /// As many as are read at first.
  static let part = 200

  /// A line of an entry.
  private struct Place: Equatable, Comparable {
    var entry = 0
    var line = 0

    static func < (left: Place, right: Place) -> Bool {
      (left.entry, left.line) < (right.entry, right.line)
    }
  }

  /// As they were read, and of these those that what was typed leaves.
  private var read: [JournalEntry] = []
  private(set) var entries: [JournalEntry] = []
  private var query = LogQuery("", now: 0)
  /// What that was typed as.
  private var narrowing = ""
  /// What the records are called now, or were when they were written.
  private var titles: ByRecord<String> = [:]
  /// As many as were asked for last.
  private(set) var limit = LogPage.part
  private var isAsked = true
  /// Why they could not be read when they were asked for last.
  private var failure: String?
  private var first = Place()
  /// What is looked for in its acts.
  var search = LineSearch()

  var page: Page? { .log(self) }
  var topic: Topic { .text }

  /// All of it that was asked for, once more.
  var reading: [DeskEffect] { isAsked ? [] : [.readLogOfStore(limit: limit)] }

  /// Whether there are no older ones.
  private var isWhole: Bool { !isAsked && failure == nil && read.count < limit }

  func isReading(on desk: DeskState) -> Bool { isAsked && entries.isEmpty }
  func isLonger(on desk: DeskState) -> Bool { last(desk) > Place() || !isWhole }

  /// More of it, from the newest on. What is on top of the screen stays there, whatever was done meanwhile; who is at the beginning sees that.
  mutating func take(
    _ entries: [JournalEntry], titles: ByRecord<String>, on desk: DeskState
  ) -> [DeskEffect] {
    let top = first == Place() ? nil : top
    (read, self.titles, isAsked, failure) = (entries, titles, false, nil)
    self.entries = read.filter(query.holds)
    let place = top.flatMap { self.entries.firstIndex(of: $0) } ?? first.entry
    first.entry = min(place, max(0, self.entries.count - 1))
    // Of the older ones some may be among those that are looked for.
    return query.isOpen ? [] : readMore(desk)
  }

  /// They are asked for once more with the next movement, or when there is more of them.
  mutating func failed(_ words: String) { (isAsked, failure) = (false, words) }

  /// What Enter is about.
  private var top: JournalEntry? { entries.indices.contains(first.entry) ? entries[first.entry] : nil }
}

extension LogPage {
  mutating func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    switch command {
    case .back: return query.isOpen ? desk.goBack() : widen()
    case .move(let movement):
      move(movement, desk)
      return readMore(desk)
    case .open: return open(on: &desk)
    case .list(.nextMatch): return goToFound(by: 1, on: &desk)
    case .list(.previousMatch): return goToFound(by: -1, on: &desk)
    case .search:
      search.start(on: desk)
      return []
    case .left, .right, .quit, .nextUndecided, .previousUndecided, .record, .take, .edit, .editOutside,
      .accept, .undo, .redo, .review, .mend, .drafts, .filter, .list, .anywhere, .history, .unfold, .story,
      .nextTopic, .reload, .line:
      return nil
    }
  }

  /// What narrows the log does so at once; the words are gone to.
  mutating func beginSearch(on desk: inout DeskState) -> [DeskEffect] {
    let typed = LogQuery(search.typed, now: desk.time.now)
    if let problem = typed.problem { return desk.tell(failed: "There is \(problem).") }
    (query, narrowing, search.words, first) = (typed, search.typed, typed.texts, Place())
    entries = read.filter(query.holds)
    let effects = readMore(desk)
    return effects + (search.words.isEmpty ? [] : goToFound(by: 1, on: &desk))
  }

  /// As in the list: what narrows it goes before the page does.
  private mutating func widen() -> [DeskEffect] {
    let top = top
    (query, narrowing, entries) = (LogQuery("", now: 0), "", read)
    first = Place(entry: top.flatMap { entries.firstIndex(of: $0) } ?? 0)
    return []
  }

  func hint(of binding: Binding, width: Int, on desk: DeskState) -> String? {
    binding.command == .back && !query.isOpen ? binding.hint.map { _ in "clear" } : binding.hint
  }

  /// To the next act that has the words, or the one before, of those that were read.
  mutating func goToFound(by step: Int, on desk: inout DeskState) -> [DeskEffect] {
    if desk.privacy.hides { return desk.tell(LineSearch.hidden) }
    guard !search.words.isEmpty else { return desk.tell(search.hindrance(desk, in: "the log")) }
    let next = order(by: step).first { entry in
      parts(entry, desk).contains { part in
        let text = SearchText.folded(part)
        return search.words.contains { SearchText.isFound($0, in: text) }
      }
    }
    guard let next else {
      let words = "None of \(entries.count) acts has \(search.words.joined(separator: " "))."
      return desk.tell(failed: words + (isWhole ? "" : " G reads older ones."))
    }
    first = Place(entry: next)
    search.found = next
    return readMore(desk)
  }

  /// All acts, from the one after that on top on, and from the last on to the first. That on top comes first where it was not found so.
  private func order(by step: Int) -> some Sequence<Int> {
    let start = search.found == first.entry ? first.entry + step : first.entry
    return Round(entries.count).places(from: start, by: step)
  }

  func canOpen(on desk: DeskState) -> Bool {
    top.map { isInConflict($0, desk) || isFolded(first.entry, desk) } ?? false
  }

  private func isInConflict(_ entry: JournalEntry, _ desk: DeskState) -> Bool {
    desk.list.summary(entry.record) != nil || desk.open[entry.record] != nil
  }

  /// Two open the record of the act that they fall on.
  mutating func click(_ point: Point, opens: Bool, on desk: inout DeskState) -> [DeskEffect] {
    guard opens, !desk.privacy.hides, (2..<2 + height(desk)).contains(point.row) else { return [] }
    let place = place(point.row - 2, desk)
    guard entries.indices.contains(place.entry) else { return [] }
    first = Place(entry: place.entry)
    return open(on: &desk)
  }

  private func open(on desk: inout DeskState) -> [DeskEffect] {
    guard let entry = top else { return desk.tell("There is nothing here that could be opened.") }
    let title = entry.title ?? titles[entry.record] ?? entry.record
    if isFolded(first.entry, desk) {
      let whole = parts(first.entry, desk).joined(separator: "\n")
      desk.pages.append(.text(TextPage(title: "Log", of: title, paragraphs: [whole], holdsValues: true)))
      return []
    }
    guard isInConflict(entry, desk) else {
      return desk.tell(
        "\(desk.privacy.shown(title)) is no longer in conflict. What was done to it stands here.")
    }
    return desk.open(desk.recordPage(entry.record))
  }

  private mutating func move(_ movement: Movement, _ desk: DeskState) {
    switch movement {
    case .first: first = Place()
    case .last: first = last(desk)
    case .up, .down, .pageUp, .pageDown:
      first = min(last(desk), place(movement.lines(page: desk.size.rows / 2), desk))
    }
  }

  /// So many lines below the first of the screen, or above it.
  private func place(_ lines: Int, _ desk: DeskState) -> Place {
    var (place, left) = (first, lines)
    while left > 0, place.entry < entries.count {
      let count = self.lines(place.entry, desk).count
      if place.line + left < count { return Place(entry: place.entry, line: place.line + left) }
      left -= count - place.line
      place = Place(entry: place.entry + 1)
    }
    while left < 0, place > Place() {
      if place.line + left >= 0 { return Place(entry: place.entry, line: place.line + left) }
      left += place.line
      if place.entry == 0 { return Place() }
      place = Place(entry: place.entry - 1, line: self.lines(place.entry - 1, desk).count)
    }
    return place
  }

  /// Where the last act is on top, as that is what Enter is about; or its last lines, where it is longer than the screen.
  private func last(_ desk: DeskState) -> Place {
    guard !entries.isEmpty else { return Place() }
    let rest = lines(entries.count - 1, desk).count - height(desk)
    return Place(entry: entries.count - 1, line: max(0, rest))
  }

  /// Where the last line that was read is the last of the screen.
  private func lastOfRead(_ desk: DeskState) -> Place {
    var left = height(desk)
    for entry in entries.indices.reversed() {
      let count = lines(entry, desk).count
      if count >= left { return Place(entry: entry, line: count - left) }
      left -= count
    }
    return Place()
  }

  /// Twice as many, so that who goes through all of them reads none more than twice.
  private mutating func readMore(_ desk: DeskState) -> [DeskEffect] {
    guard !isWhole, !isAsked, first >= lastOfRead(desk) else { return [] }
    (limit, isAsked) = (limit * 2, true)
    return [.readLogOfStore(limit: limit)]
  }

  mutating func keepScrolledToSomething(on desk: DeskState) {
    guard entries.indices.contains(first.entry) else { return }
    first.line = min(first.line, lines(first.entry, desk).count - 1)
    first = min(first, last(desk))
  }
}

extension LogPage {
  func draw(_ desk: DeskState) -> Grid {
    var frame = Frame(desk.size)
    frame.header(
      [Run("Log of the store, newest first", .text.bold)], right: [Run(count(desk), .dim)])
    frame.grid.write(lines: shown(desk), at: 1, 2, width: desk.size.columns - 2)
    if top != nil, !desk.privacy.hides { frame.grid.write("▸", at: 0, 2, .text.bold) }
    if let typing = search.typing { return frame.searchFooter(typing, desk) }
    return frame.footer(desk, isLonger: isLonger(on: desk))
  }

  private func count(_ desk: DeskState) -> String {
    let more = isAsked ? ", older ones are being read" : isWhole ? "" : " or more"
    let place = entries.isEmpty ? "" : "\(first.entry + 1) of \(entries.count)\(more)"
    return query.isOpen ? place : "/ \(desk.privacy.shown(narrowing))   \(place)"
  }

  private func shown(_ desk: DeskState) -> [[Run]] {
    if isReading(on: desk) { return [[Run("Reading the log...", .dim)]] }
    if read.isEmpty, let failure { return [Run(failure, .needs)].wrapped(desk.size.columns - 2) }
    if entries.isEmpty, !query.isOpen {
      return [Run("None of \(read.count) acts is of that. / changes what is looked for.")]
        .wrapped(desk.size.columns - 2)
    }
    if entries.isEmpty {
      return [Run("Nothing was decided so far, and nothing written.")].wrapped(desk.size.columns - 2)
    }
    if desk.privacy.hides { return [[Run("*** P shows the values again", .dim)]] }
    var shown: [[Run]] = []
    for entry in first.entry..<entries.count where shown.count < height(desk) {
      shown += lines(entry, desk).dropFirst(entry == first.entry ? first.line : 0)
    }
    return Array(shown.prefix(height(desk)))
  }

  /// An act, and below it what it changed.
  private func parts(_ place: Int, _ desk: DeskState) -> [String] {
    let entry = entries[place]
    let called = entry.title == nil ? titles[entry.record] ?? entry.record : nil
    let lines = desk.paragraph(entry, called: called).split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map(String.init)
  }

  /// All of the act on top, however much of it is shown; nil where there is none.
  func copied(_ desk: DeskState) -> String? {
    entries.indices.contains(first.entry) ? parts(first.entry, desk).joined(separator: "\n") : nil
  }

  /// Where it has no room it goes on under its first words; one long text would leave no room for the other acts.
  private func lines(_ place: Int, _ desk: DeskState) -> [[Run]] {
    let (lines, most) = (firstLines(place, desk), most(desk))
    guard lines.count > most else { return lines }
    let way = "    … Enter shows the whole of it" + (place == first.entry ? "" : " when it is on top")
    return lines.prefix(most - 1) + [[Run(way, .dim)]]
  }

  private func isFolded(_ place: Int, _ desk: DeskState) -> Bool {
    firstLines(place, desk).count > most(desk)
  }

  /// How many lines of an act are shown at most.
  private func most(_ desk: DeskState) -> Int { max(3, min(12, height(desk) / 2)) }

  /// One more than are shown tells that there are more.
  private func firstLines(_ place: Int, _ desk: DeskState) -> [[Run]] {
    let most = most(desk) + 1
    let lines = parts(place, desk).prefix(most).enumerated().flatMap { index, part in
      let words = [Run(part, index == 0 ? .text : .dim)].wrapped(desk.size.columns - 7, most: most)
      return words.enumerated().map { $0 == 0 ? $1 : [Run("    ")] + $1 }
    }
    return Array(lines.prefix(most))
  }
}

extension DeskState {
  mutating func readLogOfStore() -> [DeskEffect] {
    let page = LogPage()
    pages.append(.log(page))
    return [.readLogOfStore(limit: page.limit)]
  }

  /// Decisions do not say what their record is called; the list does, or a write of it.
  mutating func takeLogOfStore(_ entries: [JournalEntry]) -> [DeskEffect] {
    let told = entries.reduce(into: ByRecord<String>()) { titles, entry in
      if titles[entry.record] == nil { titles[entry.record] = title(of: entry.record) ?? entry.title }
    }
    return on(LogPage.self) { page, desk in page.take(entries, titles: told, on: desk) } ?? []
  }

  mutating func logOfStoreFailed(_ words: String) -> [DeskEffect] {
    on(LogPage.self) { page, _ in page.failed(words) }
    return tell(failed: words)
  }

  private func title(of record: String) -> String? {
    list.summary(record)?.title ?? open[record]?.conflict.title
  }
}
