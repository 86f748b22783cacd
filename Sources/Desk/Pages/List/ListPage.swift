import Merging
import StoreInterface
import Telling
import Terminal

/// All conflicts and findings: under all other pages. What it shows is in ``ListState``, as others go through it too.
struct ListPage: DeskPage {
  var page: Page? { nil }
  var topic: Topic { .list }

  func isTyping(on desk: DeskState) -> Bool { desk.list.isTyping }

  func hint(of binding: Binding, width: Int, on desk: DeskState) -> String? {
    if binding.command == .history {
      // Elsewhere an example is told where there is no row.
      let hasNone = desk.list.selected == nil && desk.store.can.contains(.tellTrees)
      return hasNone ? nil : desk.hintOfHistory(isRoomy: width >= 116)
    }
    let isOfMarks = binding.command == .accept && !desk.list.marks.isEmpty
    return isOfMarks ? "accept marked" : binding.hint
  }

  func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    switch command {
    case .move(let movement):
      desk.list.moveCursor(to: desk.list.cursor + movement.lines(page: ListLayout(desk).height / 2))
    case .open: return open(on: &desk)
    case .filter(let filter): show(filter, desk.list.words, on: &desk)
    case .list(.sort): return sort(by: desk.list.nextOrder, on: &desk)
    case .back: return widen(on: &desk)
    case .nextUndecided: return goToUndecided(step: 1, on: &desk)
    case .previousUndecided: return goToUndecided(step: -1, on: &desk)
    case .list(.nextMatch): return goToMatch(step: 1, on: &desk)
    case .list(.previousMatch): return goToMatch(step: -1, on: &desk)
    case .search: startTyping(on: &desk)
    case .list(.mark): return mark(on: &desk) { $0.mark($1) }
    case .list(.markRange): return mark(on: &desk, goesOn: false) { $0.markRange(from: $1) }
    case .list(.markShown): return markShown(on: &desk)
    case .list(.bulk): return desk.startBulk()
    case .list(.tables): desk.pages.append(.text(TableCounts(desk.list).page(desk)))
    case .reload: return desk.reload()
    case .undo: return desk.undo()
    case .redo: return desk.redo()
    case .review: return desk.review()
    case .mend: return mend(on: &desk)
    case .history: return desk.startHistory()
    // As for one row: all that is suggested, be it by the clock.
    case .accept where !desk.list.marks.isEmpty:
      return desk.startBulk(BulkRules([.onlyChanged, .agree, .policy, .newer]))
    case .take(let side) where !desk.list.marks.isEmpty: return takeMarked(side, on: &desk)
    case .accept: return decide(command, on: &desk) { $0.acceptWhole($1) }
    case .take(let side): return decide(command, on: &desk) { $0.takeWhole($1, side) }
    case .left, .right, .quit, .record, .edit, .editOutside,
      .list(.forSession), .drafts, .anywhere, .unfold, .story, .nextTopic, .line:
      return nil
    }
    return []
  }

  private func startTyping(on desk: inout DeskState) {
    desk.list.typing = InputLine(replacing: desk.list.words, after: desk.typedBefore)
  }

  private func sort(by order: ListOrder, on desk: inout DeskState) -> [DeskEffect] {
    desk.list.show(in: order)
    return desk.tell("Order: \(order.words). o changes it.")
  }

  private func open(on desk: inout DeskState) -> [DeskEffect] {
    switch desk.list.selected {
    case nil: return desk.tell(wordsOfNoRow(desk.list))
    case .finding(let finding)?: desk.pages.append(.finding(FindingPage(finding: finding)))
    case .conflict(let summary)?: desk.pages.append(.record(desk.recordPage(summary.id)))
    }
    return []
  }

  /// Who types at once may have to type it again.
  private func wordsOfNoRow(_ list: ListState) -> String {
    list.isBeingRead
      ? PassingWords.rowsAreRead.rawValue : "Nothing is under the cursor."
  }

  /// Esc: first the marks go, then the words, then the filter.
  private func widen(on desk: inout DeskState) -> [DeskEffect] {
    guard desk.list.marks.isEmpty else {
      desk.list.clearMarks()
      return []
    }
    guard desk.list.isNarrowed else { return desk.tell("Nothing to clear. q quits.") }
    show(desk.list.words.isEmpty ? .all : desk.list.filter, "", on: &desk)
    return []
  }

  /// - Parameter goesOn: whether the cursor goes to the next row then.
  private func mark(
    on desk: inout DeskState, goesOn: Bool = true, _ mark: (inout ListState, String) -> Void
  ) -> [DeskEffect] {
    guard case .conflict(let summary)? = desk.list.selected else {
      return desk.tell(
        desk.list.selected == nil
          ? "Only conflicts can be marked." : "Only conflicts can be marked; this is a finding.")
    }
    let endsRange = desk.list.marks.start != nil
    mark(&desk.list, summary.id)
    if goesOn, !endsRange { desk.list.moveCursor(to: desk.list.cursor + 1) }
    return []
  }

  /// Who has marked rows means them, and not the one under the cursor.
  private func takeMarked(_ side: Side, on desk: inout DeskState) -> [DeskEffect] {
    switch side {
    case .client: desk.startBulk(BulkRules([.restToClient]))
    case .server: desk.startBulk(BulkRules([.restToServer]))
    case .ancestor:
      desk.tell(
        "No rule takes the ancestor. \(desk.key(.back)) clears the marks; then \(desk.key(.take(.ancestor))) "
          + "takes it for one row.")
    }
  }

  private func markShown(on desk: inout DeskState) -> [DeskEffect] {
    guard !desk.list.shown.isEmpty else { return desk.tell("No conflict is shown that could be marked.") }
    desk.list.markShown()
    return []
  }

  private func show(_ filter: ListFilter, _ words: String, on desk: inout DeskState) {
    desk.list.show(filter, ListQuery(words, now: desk.time.now))
  }

  private func goToUndecided(step: Int, on desk: inout DeskState) -> [DeskEffect] {
    guard let place = desk.list.nextToDecide(from: desk.list.cursor, step: step) else {
      return desk.tell("No other row that is shown has anything to decide.")
    }
    let words = ListPage.wordsOfWrap(from: desk.list.cursor, to: place, step: step)
    desk.list.moveCursor(to: place)
    return words.map { desk.tell($0) } ?? []
  }

  /// nil where nothing was passed.
  static func wordsOfWrap(from here: Int, to place: Int, step: Int) -> String? {
    guard step < 0 ? place > here : place < here else { return nil }
    return step < 0 ? "Wrapped to the last row." : "Wrapped to the first row."
  }

  private func goToMatch(step: Int, on desk: inout DeskState) -> [DeskEffect] {
    if desk.list.lookedFor.isEmpty { return desk.tell("Nothing is looked for yet: / looks for words.") }
    guard let place = desk.list.nextMatch(step: step) else {
      return desk.tell("No other row has what was looked for. / looks for words.")
    }
    desk.list.moveCursor(to: place)
    return []
  }

  /// A decision about the whole row under the cursor, which goes on from there. If the row is still being read, the command waits for it.
  private func decide(
    _ command: Command, on desk: inout DeskState,
    _ decide: (inout DeskState, DecidedConflict) -> [DeskEffect]
  ) -> [DeskEffect] {
    guard let selected = desk.list.selected else { return desk.tell(wordsOfNoRow(desk.list)) }
    guard case .conflict(let summary) = selected else {
      return desk.tell("A finding has no versions to choose from.")
    }
    guard let record = desk.open[summary.id] else {
      return desk.wait(for: summary.id, command)
    }
    let effects = decide(&desk, record)
    // Where something is left to decide the next key is about the same record, and must fall on no other row.
    guard desk.advances, desk.status?.isFailure != true, desk.open[summary.id]?.isDecided != false
    else { return effects }
    desk.list.goOn()
    guard let next = desk.list.selectedConflict, next != summary.id, let status = desk.status else {
      return effects
    }
    return effects + desk.tell("\(status.text) Next: \(desk.shownTitle(of: next)).")
  }

  /// What would mend the finding under the cursor.
  private func mend(on desk: inout DeskState) -> [DeskEffect] {
    guard case .finding(let finding)? = desk.list.selected else {
      return desk.tell(wordsOfNoFinding(desk.list))
    }
    return desk.reviewMending(finding)
  }

  private func wordsOfNoFinding(_ list: ListState) -> String {
    let way = "m mends what is no conflict: \(ListFilter.stuck.rawValue) shows that."
    if list.selected != nil { return "\(way) This record is in conflict: Enter opens it." }
    let isThere = list.filter == .stuck || list.filter == .all
    return "Nothing is under the cursor\(isThere ? " that m could mend." : ". \(way)")"
  }

  func type(_ key: Key, on desk: inout DeskState) -> [DeskEffect]? {
    guard var line = desk.list.typing else { return nil }
    switch line.take(key) {
    case .left:
      desk.list.typing = nil
      show(desk.list.filter, "", on: &desk)
      desk.comeBackFromFilter()
    case .kept:
      desk.list.endTyping()
      desk.typedLines.keep(line.text)
      desk.leftForFilter = nil
    case .changed: type(line, on: &desk)
    case .ignored: break
    }
    return []
  }

  func paste(_ text: String, on desk: inout DeskState) -> [DeskEffect]? {
    guard var line = desk.list.typing else { return nil }
    line.paste(text)
    type(line, on: &desk)
    return []
  }

  private func type(_ line: InputLine, on desk: inout DeskState) {
    desk.list.typing = line
    show(desk.list.filter, line.text, on: &desk)
  }

  func click(_ point: Point, opens: Bool, on desk: inout DeskState) -> [DeskEffect] {
    let layout = ListLayout(desk)
    // What is under the cursor stands there.
    if let start = WideLayout.previewStart(desk), point.column >= start {
      return opens ? open(on: &desk) : []
    }
    if let effects = clickHeader(point, on: &desk) { return effects }
    let position = layout.first + point.row - layout.top
    guard (layout.top..<layout.top + layout.height).contains(point.row), position < desk.list.count else {
      // The values below are those of the record under the cursor.
      let isPreview = layout.previewHeight > 0 && point.row > layout.top + layout.height
      return opens && isPreview ? open(on: &desk) : []
    }
    desk.list.moveCursor(to: position)
    return opens ? open(on: &desk) : []
  }

  /// nil of what is no header, or has nothing to click there.
  private func clickHeader(_ point: Point, on desk: inout DeskState) -> [DeskEffect]? {
    if point.row == 0, let filter = ListScreen(desk).filter(inHeaderAt: point.column) {
      return run(.filter(filter), on: &desk) ?? []
    }
    if point.row == 1, let filter = ListScreen(desk).filter(at: point.column - 1) {
      return run(.filter(filter), on: &desk) ?? []
    }
    if point.row == 1, ListScreen(desk).isSearch(at: point.column - 1) {
      return run(.search, on: &desk) ?? []
    }
    guard point.row == 3 else { return nil }
    return ListScreen(desk).order(at: point.column).map { sort(by: $0, on: &desk) } ?? []
  }

  func firstLine(_ desk: DeskState) -> Int? { ListLayout(desk).first }

  func draw(_ desk: DeskState) -> Grid { ListBesidePreview(desk)?.draw() ?? ListScreen(desk).draw() }
}

/// What lay over the list, with what lies in the desk for it.
struct LeftPages: Sendable {
  var pages: [Page]
  var bulk: Bulk?
  var family: Family?
}

extension DeskState {
  /// What `L` shows in such a store; nil where it is a story that is told to everybody.
  ///
  /// - Parameter isRoomy: whether it takes the place of no other key.
  func hintOfHistory(isRoomy: Bool) -> String? {
    if store.can.contains(.tellTrees) { return "tree" }
    return store.can.isDisjoint(with: [.foretell, .tellRounds]) || !isRoomy ? nil : "lifecycle"
  }

  /// `/` on a page over the list: as `Esc` as often as it takes, and then `/`. What is typed for a filter must never run as keys.
  mutating func goToFilter() -> [DeskEffect] {
    if page(WalkthroughPage.self) != nil { return tell("A story has no list to filter. Esc goes back.") }
    let left = LeftPages(pages: pages, bulk: bulk, family: family)
    var effects: [DeskEffect] = []
    while !pages.isEmpty {
      let before = pages
      effects += runOnPage(.back) ?? []
      if pages == before { return effects }
    }
    leftForFilter = left
    return effects + (runOnPage(.search) ?? [])
  }

  /// Who types no filter after all is where `/` was pressed.
  fileprivate mutating func comeBackFromFilter() {
    guard let left = leftForFilter else { return }
    (pages, bulk, family, leftForFilter) = (left.pages, left.bulk, left.family, nil)
    if let position = top.record.flatMap(list.position) { list.moveCursor(to: position) }
  }
}

/// Where the rows of the list stand; drawing and the mouse agree on it.
struct ListLayout {
  let top = 4
  let height: Int
  /// The position of the first row shown.
  let first: Int
  let previewHeight: Int

  init(_ desk: DeskState) {
    let isBelow = WideLayout.previewStart(desk) == nil && desk.size.rows >= 20
    previewHeight = isBelow ? min(9, desk.size.rows / 4) : 0
    let rule = previewHeight > 0 ? 1 : 0
    height = max(1, desk.size.rows - top - 2 - previewHeight - rule)
    first = desk.first(showing: desk.list.cursor, height: height, of: desk.list.count)
  }
}
