import Merging
import StoreInterface
import Telling
import Terminal

/// What was decided against a side, newest first: each edit that was given up, under the record and the act that gave it up.
package struct GivenUpPage: SearchedPage, Equatable {
  /// One edit; nil where the journal does not have it.
  struct Loss: Equatable {
    let entry: JournalEntry
    let what: GivenUp?
    let title: String
    /// Whether it is the first of its entry.
    let leads: Bool
  }

  let losses: [Loss]
  private(set) var cursor = 0
  /// What is looked for in them.
  var search = LineSearch()

  /// - Parameter title: what a record is called now, by its id; nil where nobody knows.
  init(_ entries: [JournalEntry], title: (String) -> String?) {
    // A write says what its record was called; the decisions before it do not.
    let told = ByRecord(entries.compactMap { entry in entry.title.map { (entry.record, $0) } }) {
      first, _ in
      first
    }
    losses = entries.withoutWritten.flatMap { entry -> [Loss] in
      let title = title(entry.record) ?? entry.title ?? told[entry.record] ?? entry.record
      let all: [GivenUp?] = entry.givenUp.map { $0.map(Optional.some) } ?? [nil]
      return all.enumerated().map { Loss(entry: entry, what: $1, title: title, leads: $0 == 0) }
    }
  }

  /// Its newest loss is under the cursor.
  mutating func go(to record: String?) { cursor = losses.firstIndex { record.isName($0.entry.record) } ?? 0 }

  func title(of record: String) -> String? {
    losses.first { record.hasSameBytes(as: $0.entry.record) }?.title
  }

  /// The same page of what there is now.
  mutating func goOn(from old: GivenUpPage) {
    search = old.search
    search.found = nil
    let same = old.selected.flatMap { selected in
      losses.firstIndex { $0.entry == selected.entry && $0.what == selected.what }
    }
    cursor = same ?? min(old.cursor, max(0, losses.count - 1))
  }

  var page: Page? { .givenUp(self) }
  var topic: Topic { .givenUp }

  var selected: Loss? { losses.indices.contains(cursor) ? losses[cursor] : nil }
}

extension GivenUpPage {
  mutating func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    switch command {
    case .back: return desk.goBack()
    case .move(let movement): cursor = desk.scrolled(cursor, by: movement, last: max(0, losses.count - 1))
    case .open: return open(on: &desk)
    case .undo: return takeBack(on: &desk)
    case .search: search.start(on: desk)
    case .list(.nextMatch): return goToFound(by: 1, on: &desk)
    case .list(.previousMatch): return goToFound(by: -1, on: &desk)
    case .left, .right, .quit, .nextUndecided, .previousUndecided, .record, .take, .edit, .editOutside,
      .accept, .redo, .review, .mend, .drafts, .filter, .list, .anywhere, .history, .unfold,
      .story, .nextTopic, .reload, .line:
      return nil
    }
    return []
  }

  /// To the next edit that has the words, or the one before, going around; its record's title counts.
  mutating func goToFound(by step: Int, on desk: inout DeskState) -> [DeskEffect] {
    if desk.privacy.hides { return desk.tell(LineSearch.hidden) }
    guard !search.words.isEmpty else { return desk.tell(search.hindrance(desk, in: "what was given up")) }
    let start = search.found == cursor ? cursor + step : cursor
    let found = Round(losses.count).places(from: start, by: step).first {
      has(search.words, losses[$0], desk)
    }
    guard let found else { return desk.tell(failed: search.hindrance(desk, in: "what was given up")) }
    (cursor, search.found) = (found, found)
    return []
  }

  private func has(_ words: [String], _ loss: Loss, _ desk: DeskState) -> Bool {
    let texts = [loss.title, loss.entry.act(desk.privacy), loss.what?.words(desk.privacy) ?? ""]
    let folded = SearchText.folded(texts.joined(separator: "\n"))
    return words.allSatisfy { SearchText.isFound($0, in: folded) }
  }

  /// `u`: of a draft, a decision is taken back where it was taken.
  private func takeBack(on desk: inout DeskState) -> [DeskEffect] {
    guard let loss = selected else { return desk.tell("Nothing was given up that could be taken back.") }
    // Of what is gone the store is asked, as it may have been written since.
    guard isWritten(loss, desk) || isGone(loss, desk) else {
      return desk.tell("It is not written: Enter opens it, and another decision takes its place.")
    }
    return desk.readLastWrite(of: NamedRecord(id: loss.entry.record, title: loss.title))
  }

  func canTakeBack(on desk: DeskState) -> Bool { selected.map { canTakeBack($0, desk) } ?? false }

  private func canTakeBack(_ loss: Loss, _ desk: DeskState) -> Bool {
    desk.store.notUndone == nil && isWritten(loss, desk)
  }

  /// As far as is known: a record that is in no list may be settled by somebody else. Also where the app has still to apply it: then the
  /// record is in the list.
  private func isWritten(_ loss: Loss, _ desk: DeskState) -> Bool {
    loss.entry.isWritten && isGone(loss, desk)
      || desk.list.summary(loss.entry.record)?.waitingSince != nil
  }

  private func isGone(_ loss: Loss, _ desk: DeskState) -> Bool {
    desk.list.summary(loss.entry.record) == nil && desk.open[loss.entry.record] == nil
  }

  private func open(on desk: inout DeskState) -> [DeskEffect] {
    guard let loss = selected else { return desk.tell("Nothing is given up here that could be opened.") }
    if isGone(loss, desk) {
      let effects = read(loss, on: &desk)
      guard desk.top(TextPage.self) != nil else { return effects }
      let way = canTakeBack(loss, desk) ? "; Esc, and u takes its write back." : "."
      return desk.tell(
        "\(desk.privacy.shown(loss.title)) is no longer in conflict. y copies what was given up\(way)")
    }
    if isFolded(loss, desk) { return read(loss, on: &desk) }
    // Who came from there goes back to it.
    if (desk.page(RecordPage.self)?.id).isName(loss.entry.record) {
      let effects = desk.goBack()
      desk.on(RecordPage.self) { page, _ in page.field = loss.what?.field ?? page.field }
      return effects
    }
    return desk.open(RecordPage(id: loss.entry.record, field: loss.what?.field))
  }

  /// The whole of what was given up: of a record that cannot be opened any more, or of which not all is shown here.
  private func read(_ loss: Loss, on desk: inout DeskState) -> [DeskEffect] {
    guard let paragraph = loss.what?.paragraph else {
      let title = desk.privacy.shown(loss.title)
      return desk.tell("\(title) is no longer in conflict, and what was given up of it was not kept.")
    }
    desk.pages.append(
      .text(TextPage(title: "Given up", of: loss.title, paragraphs: paragraph, holdsValues: true)))
    return []
  }

  mutating func click(_ point: Point, opens: Bool, on desk: inout DeskState) -> [DeskEffect] {
    let (rows, place) = (shown(desk), point.row - 2)
    guard rows.indices.contains(place) else { return [] }
    cursor = rows[place].loss
    return opens ? open(on: &desk) : []
  }

  /// The value that was given up, to be copied; nil where nobody has it.
  func copied() -> (value: Value, name: String)? {
    switch selected?.what?.what {
    case .edit(let field, let value?): (value, "what was given up of \(field.wholeName)")
    case .change(let field, let part):
      part.text.map { (.text($0), "what was given up of \(field.wholeName)") }
    case .edit, .more, .deletion, .record, .unknown, .other, nil: nil
    }
  }
}

extension GivenUpPage {
  private struct Row {
    let loss: Int
    /// Of those of its loss.
    let line: Int
    let runs: [Run]

    /// More than the lines of one loss.
    static let most = 100

    /// As nobody knows how many rows are before it.
    var number: Int { loss * Self.most + line }
  }

  func firstLine(_ desk: DeskState) -> Int? { shown(desk).first?.number }

  /// Those that were shown when one was clicked stay until a key is pressed; else they are around the cursor.
  private func shown(_ desk: DeskState) -> [Row] {
    if let held = held(desk) { return held }
    let rows = rows(desk)
    return Array(rows.dropFirst(first(rows, desk)).prefix(height(desk)))
  }

  /// nil where the cursor is not among them, or there is room for more.
  private func held(_ desk: DeskState) -> [Row]? {
    guard let first = desk.heldFirst, losses.indices.contains(first / Row.most) else { return nil }
    let (loss, line) = (first / Row.most, first % Row.most)
    let rows = screen(of: loss..<losses.count, height(desk) + line, desk).flatMap(\.self)
    let shown = Array(rows.dropFirst(line).prefix(height(desk)))
    let isFull = first == 0 || shown.count == height(desk)
    return isFull && shown.contains { $0.loss == cursor } ? shown : nil
  }

  /// Those around the cursor, a screen of them to each side: of a hundred thousand edits no others are laid out.
  private func rows(_ desk: DeskState) -> [Row] {
    guard selected != nil else { return [] }
    let (before, after) = ((0..<cursor).reversed(), (cursor + 1)..<losses.count)
    return screen(of: before, height(desk), desk).reversed().flatMap(\.self) + rows(of: cursor, desk)
      + screen(of: after, height(desk), desk).flatMap(\.self)
  }

  /// The rows of each loss, until there are enough of them.
  private func screen(of places: some Sequence<Int>, _ enough: Int, _ desk: DeskState) -> [[Row]] {
    var (found, count) = ([[Row]](), 0)
    for place in places where count < enough {
      found.append(rows(of: place, desk))
      count += found.last?.count ?? 0
    }
    return found
  }

  private func rows(of place: Int, _ desk: DeskState) -> [Row] {
    let (loss, isHere) = (losses[place], place == cursor)
    let lines = lines(of: loss, isHere ? .text.bold : .text, desk).enumerated().map { index, line in
      [Run(isHere && index == 0 ? "  ▸ " : "    ", .text.bold)] + line
    }
    let all = (loss.leads ? heading(of: loss, place, desk) : []) + lines
    return all.enumerated().map { Row(loss: place, line: $0, runs: $1) }
  }

  /// Which record, field and side it is of comes first; of what is long some lines from where it differs, and how to see the rest.
  private func lines(of loss: Loss, _ ink: Ink, _ desk: DeskState) -> [[Run]] {
    let width = desk.size.columns - 6
    let words = loss.what?.words(desk.privacy, lineEnd: "\n") ?? loss.entry.unknownLoss
    let whole = [Run(words, ink)].wrapped(width, most: most(desk) + 1)
    guard whole.count > most(desk) else { return whole }
    let cut = [Run(loss.differing(desk, width: width) ?? words, ink)].wrapped(width, most: most(desk) - 1)
    return cut + [[Run("… Enter shows the whole of it", .dim)]]
  }

  /// How many lines of one edit are shown at most: beside its heading others have room.
  private func most(_ desk: DeskState) -> Int { max(2, min(6, height(desk) - 2)) }

  private func isFolded(_ loss: Loss, _ desk: DeskState) -> Bool {
    guard let words = loss.what?.words(desk.privacy, lineEnd: "\n") else { return false }
    return [Run(words)].wrapped(desk.size.columns - 6, most: most(desk) + 1).count > most(desk)
  }

  private func heading(of loss: Loss, _ place: Int, _ desk: DeskState) -> [[Run]] {
    let title = [
      Run(desk.privacy.shown(loss.title), .text.bold),
      Run("   \(desk.time.long(loss.entry.time))   \(loss.entry.act(desk.privacy))", .dim),
    ]
    return place == 0 ? [title] : [[], title]
  }

  /// The cursor is kept in sight, with its heading, and moves before the rows do.
  private func first(_ rows: [Row], _ desk: DeskState) -> Int {
    let place = rows.lastIndex { $0.loss == cursor } ?? 0
    let begin = rows.firstIndex { $0.loss == cursor } ?? 0
    return max(0, min(place - height(desk) / 2, begin, rows.count - height(desk)))
  }

  func draw(_ desk: DeskState) -> Grid {
    var frame = Frame(desk.size)
    let count = losses.isEmpty ? "" : "\(cursor + 1) of \(losses.count)"
    frame.header([Run("Given up", .text.bold), Run("   newest first")], right: [Run(count, .dim)])
    frame.grid.write(lines: lines(desk), at: 1, 2, width: desk.size.columns - 2)
    if let typing = search.typing { return frame.searchFooter(typing, desk) }
    return frame.footer(desk)
  }

  private func lines(_ desk: DeskState) -> [[Run]] {
    if losses.isEmpty {
      return [Run(GivenUp.none())].wrapped(desk.size.columns - 2)
    }
    if desk.privacy.hides { return [[Run("*** P shows the values again", .dim)]] }
    return shown(desk).map(\.runs)
  }
}

extension GivenUpPage.Loss {
  /// A long text from shortly before the place where it differs from what was there before; nil where nobody knows that, or it is its
  /// beginning.
  fileprivate func differing(_ desk: DeskState, width: Int) -> String? {
    guard let what, case .edit(let field, let value?) = what.what, what.title == nil,
      let conflict = desk.open[entry.record]?.conflict,
      let before = conflict[field]?.ancestor
        ?? conflict[field]?.version(what.side == .client ? .server : .client),
      let texts = desk.privacy.texts(before.value, value)
    else { return nil }
    var cut = what
    cut.what = .edit(field: field, .text(ChangedPart(texts.old, texts.new, width: width).new))
    return cut.words(desk.privacy)
  }
}

extension GivenUp {
  /// To be read as a whole, with its line breaks.
  fileprivate var paragraph: [String] {
    guard case .edit(let field, .text(let text)?) = what, title == nil else {
      return [words(.open, lineEnd: "\n")]
    }
    return ["\(field.shownName):", text]
  }
}

extension LostPart {
  /// What the side had, or had removed.
  fileprivate var text: String? { new.flatMap { $0.isEmpty ? old : $0 } ?? old }
}

extension JournalEntry {
  /// Whether a write that stands gave it up. Of writes none is told of here that was taken back.
  fileprivate var isWritten: Bool {
    if case .decided(let decision) = event { decision.isWritten } else { true }
  }

  /// What was done, as a person says it: "title: server taken".
  fileprivate func act(_ privacy: Privacy) -> String {
    guard case .decided(let decision) = event else {
      var entry = self
      // It stands in the heading.
      entry.title = nil
      return entry.text(privacy)
    }
    guard case .take(let side)? = decision.choice, answer == nil else { return text(privacy) }
    return "\(privacy.words(decision.subject)): \(side.rawValue) taken"
  }
}
