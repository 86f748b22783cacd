import StoreInterface
import Telling

/// How the desk comes to a review, and back to one.
extension DeskState {
  /// Opens the review of every record that is decided. An earlier one has nothing to tell any more.
  mutating func review() -> [DeskEffect] {
    let ready = list.ready
    guard !ready.isEmpty else { return tell(nothingReady) }
    pages.removeAll { $0.content is ReviewPage }
    var page = ReviewPage(.write, stage: .reading)
    page.ask(for: ready, on: self)
    pages.append(.review(page))
    let unseen = "The list is still being read: what is ready further on is not in this review."
    return [.readDrafts(ready)] + (list.isBeingRead ? tell(unseen) : [])
  }

  /// What of the last write nobody knows is finished first, as only then it is known what there is to take back.
  ///
  /// - Parameter record: of which alone it is to be taken back; what was written with it stays. nil for all of it.
  func readLastWrite(of record: NamedRecord? = nil) -> [DeskEffect] {
    (history.doubted.isEmpty ? [] : finishing) + [.readLastWrite(of: record)]
  }

  /// The last write of this desk, of which nothing is in the store: none of it came there, or somebody else has taken it back. What was
  /// decided before it is taken back then.
  ///
  /// - Parameter write: the last one that the store knows; nil where there is none.
  private mutating func passOverLastWrite(to write: LastWrite?) -> [DeskEffect] {
    if interrupted.hide(lastWrite: write?.id) { return tell(statusOfHeldUndo) }
    if history.doubted.isEmpty {
      // What others decided since is in the journal alone.
      history.readAgain()
      return storeChanged() + undo()
    }
    forgetMarks(of: Array(history.doubted))
    history.forgetLastWrite(of: history.doubted)
    return undo()
  }

  /// What `u` says where it has nothing to take back.
  var wordsOfUndoElsewhere: String {
    "\(key(.undo)) takes nothing back here. Esc goes back, and \(key(.undo)) there takes back what was done last."
  }

  /// - Parameter alone: the record of which alone it is to be taken back; nil for all of it.
  mutating func reviewUndo(_ write: LastWrite?, alone: NamedRecord?) -> [DeskEffect] {
    if let held = statusInPlaceOfUndo(of: write, alone: alone) { return tell(held) }
    guard top(ReviewPage.self)?.mayBeTakenBack == true else { return offerUndo(of: write, alone) }
    guard isAsTold(write) else {
      return tell(top(ReviewPage.self)?.isOvertaken == true ? wordsOfUndoElsewhere : Self.wordsOfPart)
    }
    return goBack() + offerUndo(of: write, alone)
  }

  private static let wordsOfPart = "Part of it was taken back since: here stands what is taken back now."

  private mutating func offerUndo(of write: LastWrite?, _ alone: NamedRecord?) -> [DeskEffect] {
    let written = write?.records.map(\.id) ?? []
    if let alone, written.place(ofName: alone.id) == nil { return tell(wordsOfNoWrite(alone)) }
    if isPassed(write) { return passOverLastWrite(to: write) }
    guard let write else { return nothingToTakeBack() }
    let whose = alone.map { "What was written of \(privacy.shown($0.title))" } ?? "The last write"
    if let words = store.wordsOfNoUndo(of: whose) { return tell(failed: words) }
    switch pages.last {
    case nil, .record?, .family?, .givenUp?:
      var page = ReviewPage(.undo(write), stage: .checking)
      if let alone { page.kept = RecordNames(written).subtracting([alone.id]) }
      pages.append(.review(page))
      return [.checkUndo(write)]
    // Somebody went on to another screen meanwhile.
    case .value?, .editor?, .review?, .alternatives?, .walkthrough?, .tree?, .help?, .palette?, .finding?,
      .text?, .bulk?, .rules?, .log?:
      break
    }
    return []
  }

  /// What stands may have been decided by another Parley while this desk was open, and the journal has that.
  private mutating func nothingToTakeBack() -> [DeskEffect] {
    if isAnythingDecided, !hasAskedAgain {
      hasAskedAgain = true
      history.askAgain()
      return undo()
    }
    hasAskedAgain = false
    return tell(
      isAnythingDecided
        ? "Among the last \(EarlierActs.most) entries of the log is nothing to take back."
        : "There is nothing to take back: no decision, and no write.")
  }

  /// Also of a record of which something is left to decide.
  private var isAnythingDecided: Bool {
    !list.ready.isEmpty || list.summaries.contains { $0.undecided < $0.counts.all }
  }

  /// Whether the last write of the store is none of what this desk wrote last: that came there never, was taken back by somebody else, or
  /// lies below what somebody else wrote since. The journal tells which.
  private func isPassed(_ write: LastWrite?) -> Bool {
    !history.written.isEmpty && history.written.isDisjoint(with: write?.records.map(\.id) ?? [])
  }

  private func wordsOfNoWrite(_ record: NamedRecord) -> String {
    "Of \(privacy.shown(record.title)) no write stands: there is nothing to take back."
  }

  /// Opens the review of what would mend a finding.
  mutating func reviewMending(_ finding: Finding) -> [DeskEffect] {
    guard finding.canBeMended != nil else {
      return tell(
        finding.mendsInCopy
          ? "Parley mends this one in a copy alone: “Mended by” tells how."
          : "Parley cannot mend this one: “Mended by” tells what does.")
    }
    pages.append(.review(ReviewPage(.mend(finding), stage: .ready)))
    return []
  }

  package var isChangingTheStore: Bool { changeGoingOn != nil }

  /// By what the store is being changed, so that to leave would interrupt that; nil where it is not.
  package var changeGoingOn: JournalEntry.Act? {
    page(ReviewPage.self).flatMap { $0.stage == .writing ? $0.action.act : nil }
  }

  /// A write that goes on is stopped first, and tells what became of it; who wants to leave once more is not held.
  mutating func quit() -> [DeskEffect] {
    if let asked = on(RulesPage.self, { $0.askBeforeQuit(on: &$1) }) ?? nil { return asked }
    if let justEnded { return stay(toRead: justEnded) }
    guard isChangingTheStore, !wantsToLeave else { return [.quit] }
    wantsToLeave = true
    return [.stop] + tell("Stopping: the outcome comes next; once more leaves at once.")
  }

  /// Who meant to stop a change may be a moment late, and would have lost the desk. Nobody can tell that from wanting to leave, so the
  /// first key behind the end never leaves.
  private mutating func stay(toRead end: Status) -> [DeskEffect] {
    justEnded = nil
    return tell(Status(text: end.text + " Once more leaves.", isFailure: end.isFailure))
  }

  /// Who was told that once more leaves is not asked again.
  private mutating func changeHasEnded() {
    if !wantsToLeave { justEnded = status ?? .told("It has ended: here is what became of it.") }
  }

  mutating func takeReview(_ event: DeskEvent) -> [DeskEffect] {
    let wasChanging = isChangingTheStore
    defer {
      if wasChanging, !isChangingTheStore { changeHasEnded() }
      wantsToLeave = wantsToLeave && isChangingTheStore
    }
    if let effects = on(ReviewPage.self, { $0.take(event, on: &$1) }) {
      if case .undid(let results) = event {
        restOn(results)
        // What was given up by it is not any more.
        pages.removeAll { $0.content is GivenUpPage }
      }
      return effects
    }
    if case .reviewFailed(let words) = event { return tell(failed: words) }
    return []
  }

  /// The list's cursor goes to what is there again, once that is read.
  private mutating func restOn(_ results: [CheckedWrite]) {
    let ids = RecordNames(results.filter { $0.outcome == .fine }.map(\.id))
    nextList?.back = NextList.Back(ids: ids, cursor: list.selected?.id)
  }

  /// A review of drafts that could not be read shows none, so it is left; that they stand, and why they are not checked, is told.
  mutating func leaveUnread(_ reason: String) -> [DeskEffect] {
    pages.removeAll { $0.content is ReviewPage }
    let ready = list.ready
    let drafts = ready.count == 1 ? "1 draft is ready" : "\(ready.count) drafts are ready"
    let ways = ["\(key(.review)) tries again."] + held(of: ready)
    return tell(failed: "\(drafts), and not checked: \(reason.asClause). " + ways.joined(separator: " "))
  }

  /// What the write that was interrupted has to do with them.
  private func held(of ready: [String]) -> [String] {
    let count = ready.count(where: isHalf)
    if count == 0 { return [] }
    let what = count == ready.count ? "All" : "\(count)"
    return [
      "\(what) of them are in a write of which it is not known how it ended; \(key(.reload)) finishes it."
    ]
  }

  /// Back from a record that was opened in the review; or from a review over it, which took all answers meanwhile.
  mutating func returnToReview(from page: Page) -> [DeskEffect] {
    let isBack = page.content is RecordPage && top(ReviewPage.self) != nil
    return isBack || page.content is ReviewPage
      ? readReviewAgain((list.ready + movedInReview).unique) : []
  }

  mutating func readReviewAgain(_ ids: [String]) -> [DeskEffect] {
    on(ReviewPage.self) { page, desk in page.readAgain(ids, on: desk) } ?? []
  }

  /// Somebody else wrote to the store: the review keeps what it shows, and the store says of each draft whether it still fits. It does so
  /// whatever lies over it, as nobody asks again who comes back.
  mutating func checkReviewAgain() -> [DeskEffect] {
    guard page(ReviewPage.self)?.stage == .ready else { return [] }
    return on(ReviewPage.self) { $0.check(on: $1) } ?? []
  }

  /// It is told before a change of the store, as that is told anew with each.
  mutating func tellThatTextIsOfBefore() {
    guard let words = outdateText(of: ReviewPage.self, called: "review"),
      status?.text.hasPrefix(words) != true
    else { return }
    status = Status(
      text: [words, status?.text].compactMap(\.self).joined(separator: " "),
      isFailure: status?.isFailure ?? false)
  }

  /// What was made of a page for programs to read does not go on with it. Who has something else over it is told when they come back.
  ///
  /// - Returns: the words for that; nil where no such text is on top.
  mutating func outdateText<Kind: DeskPage>(of kind: Kind.Type, called name: String) -> String? {
    let place = pages.indices.dropFirst().first {
      pages[$0].content is TextPage && pages[$0 - 1].content is Kind
    }
    guard let place, case .text(var page) = pages[place] else { return nil }
    page.outdated = "Here stands what was there before: Esc, and the \(name) has what is there now."
    pages[place] = .text(page)
    return top(TextPage.self)?.outdated
  }

  var reviewed: [String] { page(ReviewPage.self)?.drafts.map(\.id) ?? [] }

  /// Unless somebody went on to another screen meanwhile.
  mutating func show(_ page: TextPage) -> [DeskEffect] {
    switch pages.last {
    case .review?, .bulk?: pages.append(.text(page))
    case nil, .record?, .value?, .editor?, .alternatives?, .walkthrough?, .tree?, .finding?, .text?, .help?,
      .palette?, .rules?, .family?, .givenUp?, .log?:
      break
    }
    return []
  }
}
