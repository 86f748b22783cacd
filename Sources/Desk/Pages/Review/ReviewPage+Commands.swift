import ExactJSON
import Merging
import StoreInterface
import Terminal

extension ReviewPage {
  mutating func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    switch command {
    case .back: return leave(on: &desk)
    case .drafts(.confirm): return confirm(on: &desk)
    case .undo: return undo(on: &desk)
    case .open, .edit: return openDraft(edits: command == .edit, on: &desk)
    case .drafts(.leaveOut): return leaveOut(on: &desk)
    case .drafts(.more):
      let paragraphs = ReviewFoot(desk: desk, page: self).paragraphs
      exported = []
      desk.pages.append(.text(TextPage(title: "How it is done", paragraphs: paragraphs)))
    case .drafts(.showSQL): return export(.sql, on: &desk)
    case .drafts(.showJSON): return export(.json, on: &desk)
    case .drafts(.note): return startNote(on: &desk)
    case .nextUndecided: return goToProblem(step: 1, on: &desk)
    case .previousUndecided: return goToProblem(step: -1, on: &desk)
    case .move(let movement): move(movement, on: desk)
    case .search: return startSearch(on: desk)
    case .reload: return look(on: &desk)
    case .left, .right, .quit, .record, .take, .editOutside, .accept, .redo, .review, .mend, .filter, .list,
      .anywhere, .history, .unfold, .story, .nextTopic, .line:
      return nil
    }
    return []
  }

  private mutating func startNote(on desk: inout DeskState) -> [DeskEffect] {
    if let notYet { return desk.tell(notYet) }
    guard isOpen, stage == .ready else { return desk.tell("There is nothing to note now.") }
    // What is hidden is not edited, but another one can take its place.
    noting = InputLine(desk.privacy.hides ? "" : desk.note.text, after: desk.typedBefore)
    return []
  }

  /// `r`: finishes what was interrupted; what is not written yet is checked again, and what is to be mended looked for.
  private mutating func look(on desk: inout DeskState) -> [DeskEffect] {
    switch stage {
    case .ready where action.mends: return desk.reload()
    case .ready: return desk.finishing + check(on: desk) + desk.tell(desk.statusOfUnknown)
    case .done: return desk.reload()
    case .reading, .checking: return desk.tell(.isChecked)
    case .writing: return desk.tell("It is being written: Esc stops it.")
    }
  }

  /// Nobody waits for a check then; a write is over when what is begun is, and tells what was not reached.
  private func leave(on desk: inout DeskState) -> [DeskEffect] {
    switch stage {
    case .ready, .done: return desk.goBack()
    case .reading, .checking: return [.stop] + desk.goBack()
    case .writing: return [.stop] + desk.tell("Stopping: the outcome comes next.")
    }
  }

  private mutating func confirm(on desk: inout DeskState) -> [DeskEffect] {
    switch stage {
    case .reading, .checking: return desk.tell(.isChecked)
    case .writing: return []
    case .done:
      return desk.tell("It has ended: \(desk.key(.drafts(.confirm))) does nothing more here. Esc goes back.")
    case .ready: break
    }
    switch desk.access {
    case .readOnly(let reason), .inUse(let reason), .tooNew(let reason):
      return desk.tell(failed: "Nothing can be written: \(reason)")
    case .unknown: return desk.tell(.accessIsAsked)
    case .writable: break
    }
    switch action {
    case .write: return write(on: &desk)
    case .undo(let write):
      guard canConfirm(on: desk) else { return desk.tell(failed: wordsOfNothingToTakeBack(on: desk)) }
      return start(.undoWrite(write, of: kept.isEmpty ? nil : takenBack))
    case .mend(let finding):
      return isGone(on: desk) ? desk.tell(failed: ReviewWords.nothingToMend) : start(.mend(finding))
    }
  }

  private mutating func write(on desk: inout DeskState) -> [DeskEffect] {
    let writable = writable(on: desk)
    guard !writable.isEmpty else {
      if drafts.isEmpty { return desk.tell(failed: "Nothing is ready any more.") }
      return desk.tell(
        failed: drafts.allSatisfy { desk.leftOut.contains($0.id) }
          ? "All are left out: Space takes one in again." : "None of these can be written as it stands.")
    }
    return start(.write(writable, note: desk.note.text(for: writable.lazy.map(\.seen.id))))
  }

  private mutating func start(_ effect: DeskEffect) -> [DeskEffect] {
    (stage, progress, finishedFirst) = (.writing, nil, FinishedFirst())
    // It would be done anyway, and not told. That of a finding is told by the finding.
    return mendsAnInterruptedWrite ? [effect] : [.finishInterrupted, effect]
  }

  /// What this page is for is done by no second `u`.
  private func wordsOfTakingBack(on desk: DeskState) -> String {
    canConfirm(on: desk)
      ? "\(desk.key(.drafts(.confirm))) takes these back. Esc leaves them as they are."
      : wordsOfNothingToTakeBack(on: desk)
  }

  private func wordsOfNothingToTakeBack(on desk: DeskState) -> String {
    if takenBack.isEmpty, !ids.isEmpty { return "All are left out: Space takes one in again." }
    return checks.isEmpty
      ? "They were not checked, so nothing is taken back. Esc, and \(desk.key(.undo)) shows what is now."
      : desk.filling(ReviewWords.nothingToTakeBack)
  }

  private func undo(on desk: inout DeskState) -> [DeskEffect] {
    if case .undo = action, stage != .done { return desk.tell(wordsOfTakingBack(on: desk)) }
    guard takesBack(on: desk) else {
      let words = mayBeTakenBack ? desk.store.wordsOfNoUndo : nil
      return words.map { desk.tell(failed: $0) } ?? desk.tell(desk.wordsOfUndoElsewhere)
    }
    if isHeld(on: desk) { return desk.tell(desk.statusOfHeldUndo) }
    // What is said here may not be so any more: the store is asked before the page is left.
    return isDecidedSince(on: desk) ? desk.goBack() + desk.undo() : desk.readLastWrite()
  }

  /// Whether the record under the cursor is still in conflict.
  func canOpen(on desk: DeskState) -> Bool {
    guard case .write = action, firstShown != nil else { return false }
    guard stage == .done, let place = ReviewRows(desk, self).cursor else { return true }
    let fate = fates(on: desk)[place.record]
    return fate != .written && !isAway(place.record, fate, desk)
  }

  /// Whether it was taken back, and is in no list: somebody has written it since, or the list has not got it yet.
  private func isAway(_ id: String, _ fate: Fate, _ desk: DeskState) -> Bool {
    fate == .takenBack && desk.list.summary(id) == nil
  }

  /// The record under the cursor, at its field; or that field in the editor at once.
  private func openDraft(edits: Bool, on desk: inout DeskState) -> [DeskEffect] {
    guard let place = ReviewRows(desk, self).cursor, case .write = action else { return [] }
    let fate = fates(on: desk)[place.record]
    if fate == .written {
      let isLeft = desk.store.can.contains(.leaveToApp)
      return desk.tell(
        (isLeft ? "It waits \(desk.store.words.waits)." : "It is written and no longer in conflict.")
          + (isTakenBackNext(on: desk) ? " \(desk.key(.undo)) takes the write back." : ""))
    }
    if isAway(place.record, fate, desk) { return desk.tell("It was taken back, and is not in the list.") }
    if stage == .ready, let draft = drafts.first(where: { $0.id.hasSameBytes(as: place.record) }) {
      desk.put(draft.record)
    }
    let record = RecordPage(id: place.record, field: place.field ?? fate.refusedField)
    // What has changed in it is told there.
    let effects = desk.open(record) + (fate.rank == .moved ? desk.openAgain(place.record) : [])
    guard edits, let shown = desk.open[place.record], record.field != nil else { return effects }
    return effects + desk.startEditor(shown, record)
  }

  /// Of thousands of drafts the first are shown: nobody reads more on a screen.
  func exportable(on desk: DeskState) -> [Planned] { Array(writable(on: desk).prefix(100)) }

  /// `d` and `o`.
  private mutating func export(_ format: ExportFormat, on desk: inout DeskState) -> [DeskEffect] {
    if let notYet { return desk.tell(notYet) }
    guard isOpen, stage == .ready else { return desk.tell("There are no drafts to show now.") }
    let planned = exportable(on: desk)
    guard !planned.isEmpty else { return desk.tell(failed: "None of these can be written as it stands.") }
    exported = planned
    return [.export(planned, format)]
  }

  /// What has to be waited for before anything is said of the drafts.
  private var notYet: PassingWords? {
    switch stage {
    case .reading: .draftsAreRead
    case .checking: .isChecked
    case .ready, .writing, .done: nil
    }
  }

  private mutating func goToProblem(step: Int, on desk: inout DeskState) -> [DeskEffect] {
    if let notYet { return desk.tell(notYet) }
    let (fates, ids) = (fates(on: desk), recordsShown)
    let current = ids.place(ofName: ReviewRows(desk, self).cursor?.record ?? "") ?? 0
    let order = Round(ids.count).places(from: current + step, by: step).lazy.map { ids[$0] }
    guard let next = order.first(where: { fates[$0].isToBeSeen }) else {
      return desk.tell("There is no problem here.")
    }
    guard !(cursor?.record).isName(next) else { return desk.tell("There is no other problem here.") }
    cursor = Place(record: next)
    return []
  }

  private mutating func move(_ movement: Movement, on desk: DeskState) {
    let height = ReviewLayout(desk, self).height
    let rows = ReviewRows(desk, self)
    if rows.hasPlaces {
      cursor = rows.cursor(after: movement, page: height)
    } else {
      scroll = desk.scrolled(scroll, by: movement, last: max(0, rows.all.count - height))
    }
  }

  /// The sign of a record leaves it out, or takes it in, as the box of a rule does in a bulk act. Nothing that is clicked writes.
  func firstLine(_ desk: DeskState) -> Int? { ReviewLayout(desk, self).first(ReviewRows(desk, self), desk) }

  mutating func click(_ point: Point, opens: Bool, on desk: inout DeskState) -> [DeskEffect] {
    let (layout, rows) = (ReviewLayout(desk, self), ReviewRows(desk, self))
    if !opens, ReviewFoot(desk: desk, page: self).isNote(row: point.row) {
      return run(.drafts(.note), on: &desk) ?? []
    }
    let row = layout.first(rows, desk) + point.row - layout.top
    guard (layout.top..<layout.top + layout.height).contains(point.row), rows.all.indices.contains(row) else {
      return []
    }
    cursor = rows.all[...row].lazy.compactMap(\.place).last
    if case .record = rows.all[row].content, point.column <= ReviewLayout.signColumn {
      return opens ? [] : leaveOut(on: &desk)
    }
    return opens ? openDraft(edits: false, on: &desk) : []
  }

  mutating func type(_ key: Key, on desk: inout DeskState) -> [DeskEffect]? {
    guard var line = noting else { return typeSearch(key, on: &desk) }
    switch line.take(key) {
    case .left: noting = nil
    case .kept:
      noting = nil
      // While they are read again there are none yet.
      desk.note = LogNote(line.text, of: drafts.isEmpty ? asked : drafts.map(\.id))
      desk.typedLines.keep(line.text, isNote: true)
    case .changed, .ignored: noting = line
    }
    return []
  }

  mutating func paste(_ text: String, on desk: inout DeskState) -> [DeskEffect]? {
    guard noting != nil else { return pasteSearch(text, on: &desk) }
    noting?.paste(text)
    return []
  }
}
