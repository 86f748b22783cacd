import Merging
import StoreInterface
import Terminal

extension DeskState {
  /// Opens the review of every record that is decided. An earlier one has nothing to tell any more.
  mutating func review() -> [DeskEffect] {
    let ready = readyRecords
    guard !ready.isEmpty else {
      return tell(.told("Nothing is ready: decide every field of a record first."))
    }
    pages.removeAll { if case .review = $0 { true } else { false } }
    pages.append(.review(ReviewPage(.write, stage: .reading)))
    return [.readDrafts(ready)]
  }

  private var readyRecords: [String] { list.summaries.filter(\.isReady).map(\.id) }

  mutating func reviewUndo(_ write: LastWrite?) -> [DeskEffect] {
    guard let write else {
      return tell(.told("There is nothing to take back: no decision of this session, and no write."))
    }
    switch pages.last {
    case nil, .record?:
      pages.append(.review(ReviewPage(.undo(write), stage: .checking)))
      return [.checkUndo(write.id)]
    // Somebody went on to another screen meanwhile.
    case .value?, .editor?, .review?, .alternatives?, .walkthrough?, .tree?, .help?, .finding?, .text?: break
    }
    return []
  }

  /// The review, whatever lies over it.
  private var reviewPage: ReviewPage? {
    pages.lazy.compactMap { if case .review(let page) = $0 { page } else { nil } }.last
  }

  private mutating func put(_ page: ReviewPage) {
    if let index = pages.lastIndex(where: { if case .review = $0 { true } else { false } }) {
      pages[index] = .review(page)
    }
  }

  mutating func takeReview(_ event: DeskEvent) -> [DeskEffect] {
    guard var page = reviewPage else {
      if case .failed(let words) = event { return tell(.failed(words)) }
      return []
    }
    let effects = take(event, &page)
    put(page)
    return effects
  }

  private mutating func take(_ event: DeskEvent, _ page: inout ReviewPage) -> [DeskEffect] {
    switch event {
    case .drafts(let drafts): return read(drafts, &page)
    case .progressed(let progress): page.progress = progress
    case .checked(let checks, let access): checked(checks, access, &page)
    case .wrote(let results):
      // It may say that it is being stopped.
      status = nil
      return wrote(results, &page)
    case .undid(let results): return undid(results, &page)
    case .mended(let results): return mended(results, &page)
    case .failed(let words):
      if page.stage == .checking { page.checks = [] }
      if page.stage != .done { page.stage = .ready }
      return tell(.failed(told(words, of: page)))
    default: break
    }
    return []
  }

  /// What a store says of one record by its name may quote its values, too.
  private func told(_ words: String, of page: ReviewPage) -> String {
    guard privacy.hides, page.ids.contains(where: { words.contains($0) }) else { return words }
    return "It failed, and the reason names a record. P shows values, and the next try tells the reason."
  }

  private func read(_ drafts: [DecidedConflict], _ page: inout ReviewPage) -> [DeskEffect] {
    page.drafts = drafts.compactMap(ReviewedDraft.init)
    page.isOrdered = false
    return check(&page)
  }

  private func check(_ page: inout ReviewPage) -> [DeskEffect] {
    page.stage = .checking
    page.progress = nil
    return switch page.action {
    case .write: [.check(included(page))]
    case .undo(let write): [.checkUndo(write.id)]
    case .mend: []
    }
  }

  /// An answer about other drafts than those that are included by now is passed over: another is on its way.
  private mutating func checked(_ checks: [CheckedWrite], _ access: StoreAccess, _ page: inout ReviewPage) {
    guard page.stage == .checking, Set(checks.map(\.id)) == tried(page) else { return }
    page.checks = page.drafts.compactMap(\.unwritable) + checks
    page.stage = .ready
    page.time = time.now
    self.access = access
    if page.action == .write {
      for check in page.checks { unwritten[check.id] = check.outcome == .fine ? nil : check.outcome }
    }
    if !page.isOrdered { page.order(by: fates(page)) }
  }

  /// The records that are written, or taken back, as far as nobody left them out.
  private func tried(_ page: ReviewPage) -> Set<String> {
    if case .write = page.action { Set(included(page).map(\.seen.id)) } else { Set(page.ids) }
  }

  private mutating func wrote(_ results: [CheckedWrite], _ page: inout ReviewPage) -> [DeskEffect] {
    page.finish(results, now: time.now)
    page.order(by: fates(page))
    for result in results { unwritten[result.id] = result.outcome == .fine ? nil : result.outcome }
    let written = results.filter { $0.outcome == .fine }
    let ids = Set(written.map(\.id))
    if !ids.isEmpty { history.recordWrite(of: ids, titles: written.map(\.title)) }
    for result in results { open[result.id] = nil }
    tree = .none
    removeFromList(ids)
    // Esc goes back to the list then: there is nothing left to see of the record.
    pages.removeAll { if case .record(let record) = $0 { ids.contains(record.id) } else { false } }
    // What was not written may have moved; what is left to the app still waits in the list.
    return store.can.contains(.leaveToApp)
      ? readAgain() : readAgain(results.map(\.id).filter { !ids.contains($0) })
  }

  private mutating func undid(_ results: [CheckedWrite], _ page: inout ReviewPage) -> [DeskEffect] {
    page.finish(results, now: time.now)
    history.forgetLastWrite()
    if page.isUnclear { return readAgain() + tell(.failed("Look again at what is marked ½ or ?.")) }
    guard !results.allSatisfy(\.outcome.isLeftAlone) else {
      return readAgain() + tell(.failed("parley undo --skip goes past a write of which nothing is left."))
    }
    return readAgain() + tell(.told("What was decided about what is there again stays decided."))
  }

  /// Somebody else decided, or the person did, in a record that was opened from here: what is shown is read again, and nothing
  /// of it can be written until it is seen.
  mutating func readReviewAgain(_ ids: [String]) -> [DeskEffect] {
    guard var page = reviewPage, case .write = page.action, page.stage == .ready || page.stage == .checking
    else { return [] }
    page.drafts = []
    page.checks = []
    page.stage = .reading
    put(page)
    return [.readDrafts(ids)]
  }

  /// Somebody else wrote to the store: the review keeps what it shows, and the store says of each draft whether it still fits.
  mutating func checkReviewAgain() -> [DeskEffect] {
    guard case .review(var page)? = pages.last, page.stage == .ready else { return [] }
    if case .mend = page.action { return [] }
    let effects = check(&page)
    put(page)
    return effects
  }

  /// Back from a record that was opened in the review.
  mutating func returnToReview(from page: Page) -> [DeskEffect] {
    guard case .record = page, case .review? = pages.last else { return [] }
    return readReviewAgain(readyRecords)
  }

  var reviewed: [String] { reviewPage?.drafts.map(\.id) ?? [] }

  mutating func run(_ command: Command, in page: ReviewPage) -> [DeskEffect]? {
    switch command {
    case .back: return leave(page)
    case .confirm: return confirm(page)
    case .undo: return undo(page)
    case .open, .edit: return openDraft(page, edits: command == .edit)
    case .leaveOut: return leaveOut(page)
    case .more: return showMore(page)
    case .showSQL: return export(page, .sql)
    case .showJSON: return export(page, .json)
    case .note:
      guard page.isOpen, page.stage == .ready else { return tell(.told("There is nothing to note now.")) }
      return changing(page) { $0.isTypingNote = true }
    case .nextUndecided, .previousUndecided:
      return goToProblem(page, step: command == .nextUndecided ? 1 : -1)
    case .move(let movement): return move(movement, page)
    case .left, .right, .quit, .nextRecord, .previousRecord, .takeCell, .take, .editOutside, .accept, .forget,
      .alternatives, .redo, .review, .mend, .filter, .search, .toggleUnchanged, .toggleTime, .togglePrivate,
      .history, .unfold, .nextLeaf, .previousLeaf, .play, .faster, .slower, .whatIf, .ruleSet, .nextStory,
      .previousStory, .tryIt, .help, .nextTopic, .reload, .redraw, .suspend, .keep, .setNull, .clear,
      .eraseBefore, .eraseAfter:
      return nil
    }
  }

  /// Nobody waits for a check then; a write is over when what is begun is, and tells what was not reached.
  private mutating func leave(_ page: ReviewPage) -> [DeskEffect] {
    switch page.stage {
    case .ready, .done: return goBack()
    case .reading, .checking: return [.stop] + goBack()
    case .writing: return [.stop] + tell(.told("Stopping. What is begun is finished first."))
    }
  }

  private mutating func changing(_ page: ReviewPage, _ change: (inout ReviewPage) -> Void) -> [DeskEffect] {
    var page = page
    change(&page)
    put(page)
    return []
  }

  private mutating func confirm(_ page: ReviewPage) -> [DeskEffect] {
    switch page.stage {
    case .reading, .checking: return tell(.told("It is being checked. One moment."))
    case .writing, .done: return []
    case .ready: break
    }
    switch access {
    case .readOnly(let reason): return tell(.failed(reason))
    case .unknown: return tell(.told("It is being asked whether the store can be written. One moment."))
    case .writable: break
    }
    switch page.action {
    case .write: return write(page)
    case .undo(let write):
      return canConfirm(page)
        ? start(page, .undoWrite(write.id)) : tell(.failed(ReviewWords.nothingToTakeBack))
    case .mend(let finding): return start(page, .mend(finding.id))
    }
  }

  private mutating func write(_ page: ReviewPage) -> [DeskEffect] {
    let writable = writable(page)
    guard !writable.isEmpty else {
      return tell(
        .failed(
          page.drafts.allSatisfy { leftOut.contains($0.id) }
            ? "All are left out: Space takes one in again." : "None of these can be written as it stands."))
    }
    return start(page, .write(writable, note: page.note.isEmpty ? nil : page.note.text))
  }

  private mutating func start(_ page: ReviewPage, _ effect: DeskEffect) -> [DeskEffect] {
    _ = changing(page) { ($0.stage, $0.progress) = (.writing, nil) }
    // It would be done anyway, and not told. That of a finding is told by the finding.
    return page.mendsAnInterruptedWrite ? [effect] : [.finishInterrupted, effect]
  }

  private mutating func undo(_ page: ReviewPage) -> [DeskEffect] {
    guard page.stage == .done, page.hasWritten else {
      return tell(.told("Esc goes back to the record; undo is there."))
    }
    return goBack() + undo()
  }

  /// The record under the cursor, at its field; or that field in the editor at once.
  private mutating func openDraft(_ page: ReviewPage, edits: Bool) -> [DeskEffect] {
    guard let place = ReviewRows(self, page).cursor, case .write = page.action else { return [] }
    let fate = fates(page)[place.record]
    if fate == .written {
      return tell(.told("It is written, and in conflict no longer. u takes the write back."))
    }
    if page.stage == .ready, let draft = page.drafts.first(where: { $0.id == place.record }) {
      put(draft.record)
    }
    if let position = list.position(of: place.record) { list.moveCursor(to: position) }
    var record = RecordPage(id: place.record)
    record.field = place.field ?? fate.refusedField
    pages.append(.record(record))
    guard edits, let shown = open[place.record], record.field != nil else { return [] }
    return startEditor(shown, record)
  }

  /// Space: this one is not written. What is left can depend on it, so it is checked again.
  private mutating func leaveOut(_ page: ReviewPage) -> [DeskEffect] {
    guard page.isOpen, page.stage == .ready || page.stage == .checking,
      let id = ReviewRows(self, page).cursor?.record
    else { return [] }
    if leftOut.remove(id) == nil { leftOut.insert(id) }
    var page = page
    let effects = check(&page)
    put(page)
    return effects
  }

  private mutating func goToProblem(_ page: ReviewPage, step: Int) -> [DeskEffect] {
    let fates = fates(page)
    let ids = page.ids
    let current = ids.firstIndex { $0 == ReviewRows(self, page).cursor?.record } ?? 0
    let order = (1...max(1, ids.count)).map { (current + step * $0 + ids.count * 2) % max(1, ids.count) }
    guard let next = order.first(where: { ids.indices.contains($0) && fates[ids[$0]].isProblem }) else {
      return tell(.told("There is no problem here."))
    }
    guard ids[next] != page.cursor?.record else { return tell(.told("There is no other problem here.")) }
    return changing(page) { $0.cursor = .init(record: ids[next]) }
  }

  private mutating func move(_ movement: Movement, _ page: ReviewPage) -> [DeskEffect] {
    let height = ReviewLayout(self, page).height
    let rows = ReviewRows(self, page)
    let scroll = scrolled(page.scroll, by: movement, last: max(0, rows.all.count - height))
    return changing(page) {
      if rows.hasPlaces { $0.cursor = rows.cursor(after: movement, page: height) } else { $0.scroll = scroll }
    }
  }

  mutating func click(_ point: Point, in page: ReviewPage, opens: Bool) -> [DeskEffect] {
    let layout = ReviewLayout(self, page)
    let rows = ReviewRows(self, page)
    let row = layout.first(rows) + point.row - layout.top
    guard (layout.top..<layout.top + layout.height).contains(point.row), rows.all.indices.contains(row) else {
      return []
    }
    let cursor = rows.all[...row].lazy.compactMap(\.place).last
    let effects = changing(page) { $0.cursor = cursor }
    guard opens, let page = reviewPage else { return effects }
    return openDraft(page, edits: false)
  }

  mutating func takeNote(_ key: Key, _ page: ReviewPage) -> [DeskEffect] {
    changing(page) { page in
      switch page.note.take(key) {
      case .left, .kept: page.isTypingNote = false
      case .changed, .ignored: break
      }
    }
  }
}

extension ReviewPage {
  /// Whether drafts are shown that can still be left out, edited or written.
  var isOpen: Bool { action == .write && stage != .done && stage != .writing }

  mutating func finish(_ results: [CheckedWrite], now: Int64) {
    self.results = results
    stage = .done
    time = now
    cursor = nil
    scroll = 0
  }
}

extension DeskState {
  /// `i` in the review: all of what its foot says in a line.
  mutating func showMore(_ page: ReviewPage) -> [DeskEffect] {
    pages.append(
      .text(TextPage(title: "How it is done", paragraphs: ReviewFoot(state: self, page: page).paragraphs)))
    return []
  }

  /// `d` and `o` in the review. Of thousands of drafts the first are shown: nobody reads more on a screen.
  mutating func export(_ page: ReviewPage, _ format: ExportFormat) -> [DeskEffect] {
    guard page.isOpen, page.stage == .ready else { return tell(.told("There are no drafts to show now.")) }
    let planned = Array(writable(page).prefix(100))
    guard !planned.isEmpty else { return tell(.failed("None of these can be written as it stands.")) }
    return [.export(planned, format)]
  }

  /// Unless somebody went on to another screen meanwhile.
  mutating func show(_ page: TextPage) -> [DeskEffect] {
    if case .review? = pages.last { pages.append(.text(page)) }
    return []
  }
}
