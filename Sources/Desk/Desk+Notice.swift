import Merging
import StoreInterface
import Telling

/// What the background finds while a person works.
extension DeskState {
  mutating func takeWalk(_ event: DeskEvent) -> [DeskEffect] {
    switch event {
    case .counted(let total): find { $0.progress?.total = total }
    case .found(let page):
      let summaries = page.summaries.map { open[$0.id]?.summary ?? keepRefusal(of: $0) }
      forgetMoves(of: summaries)
      find {
        $0.progress?.seen = page.seen
        $0.append(summaries)
      }
      return tallyAlso(summaries)
    case .walkEnded:
      find { $0.progress = nil }
      return readBulkOfWholeList()
    case .foundFindings(let findings): find { $0.appendApart(findings) }
    case .findingsEnded:
      endFailure(\.failureOfReading)
      find { ($0.findingsAreComplete, $0.wasReadWhole) = (true, true) }
      return walkIsOver()
    case .walkFailed(let words): return walkFailed(words)
    default: break
    }
    return []
  }

  /// What could not be written as it had moved, and is what was decided about again, can be written.
  private mutating func forgetMoves(of summaries: [ConflictSummary]) {
    if unwritten.isEmpty { return }
    let ready = summaries.filter { $0.isReady && !$0.isMoved }
    changeUnwritten { unwritten in
      for summary in ready { if case .moved? = unwritten[summary.id] { unwritten[summary.id] = nil } }
    }
  }
}

/// Another program may write to the store while the desk is open. What is on the screen is read again at once, the list beside
/// the one that is shown, so that nothing jumps; and what no longer holds is told.
extension DeskState {
  mutating func storeChanged() -> [DeskEffect] {
    let shown = shownIDs
    let kept = shown + pages.compactMap(\.record)
    // What nobody looks at is read when somebody does.
    open = open.filter { kept.contains($0.key) || $0.value.isRehearsal }
    let wanted = shown + [list.ahead].compactMap(\.self)
    return wanted.flatMap { openAgain($0) } + treeAgain() + checkReviewAgain()
      + (on(EditorPage.self) { $0.judgeAgain(on: $1) } ?? []) + bulkChanged() + walkAgain()
  }

  /// What was said of the cause is over with it, and what could not be done can be tried now.
  mutating func accessChanged(_ access: StoreAccess) -> [DeskEffect] {
    if let reason = self.access.reason, status?.text.contains(reason) == true { status = nil }
    let couldNot = self.access.reason != nil
    self.access = access
    forgetUnread()
    return (couldNot && access == .writable ? [.finishInterrupted] : []) + checkReviewAgain()
  }

  /// What was missed meanwhile is heard with the next change.
  mutating func deafnessChanged(_ reason: String?) -> [DeskEffect] {
    deafness = reason
    if reason == nil { forgetUnread() }
    // What was just told stays to be read, as that a draft is not checked; what was said of an earlier reason does not.
    let said = status.map {
      String($0.text[..<($0.text.firstRange(of: Self.notHeard)?.lowerBound ?? $0.text.endIndex)])
    }
    if let reason {
      return tell(
        failed: (said ?? "").beforeMore + "\(Self.notHeard): \(reason.asClause). r reads the store again.")
    }
    guard let status, let said, !said.isEmpty else { return tell("Changes by others are noticed again.") }
    return said == status.text ? [] : tell(Status(text: String(said.dropLast()), isFailure: status.isFailure))
  }

  private static let notHeard = "What others change is not heard of"

  /// `r`: the same, asked for.
  mutating func reload() -> [DeskEffect] {
    let read = Status.told("The store is read again.")
    return finishing + storeChanged() + tell(interruptedStatus ?? statusOfUnknown ?? read)
  }

  /// The records that the screen is about.
  private var shownIDs: [String] {
    var ids = pages.compactMap(\.record)
    if pages.isEmpty, case .conflict(let summary)? = list.selected { ids.append(summary.id) }
    return ids.unique.filter { list.summary($0) != nil }
  }

  mutating func openAgain(_ id: String) -> [DeskEffect] {
    openingAgain.insert(id)
    return [.open(id: id)]
  }

  /// The tree that is shown with a record in conflict is read again if that has other leaves; a finding's at once.
  private mutating func treeAgain() -> [DeskEffect] {
    // The help goes away again, and what is under it is looked at.
    switch pages.last(where: { $0.content.topic != .help }) {
    case .record(let page)? where tree.id.isName(page.id): return []
    case .tree(let page)? where list.summary(page.id) != nil: return []
    case .tree(let page)?:
      if case .read(let former) = tree { keepFormer(former) }
      tree = .reading(page.id)
      return [.readTree(id: page.id)]
    default:
      tree = .none
      return []
    }
  }

  /// A walk that goes on may be past what changed, so another one follows it.
  private mutating func walkAgain() -> [DeskEffect] {
    guard nextList == nil, list.isComplete else {
      walksAgain = true
      return []
    }
    nextList = NextList(tells: true)
    return [.walk]
  }
}

/// The list as it is read again.
extension DeskState {
  /// Many records are found faster by walking through the store.
  mutating func readAgain(_ ids: [String]) -> [DeskEffect] {
    ids.count > 20 ? readAgain() : ids.map { .open(id: $0) }
  }

  /// After a write of this desk's own: all of it is read anew.
  mutating func readAgain() -> [DeskEffect] {
    nextList = NextList(tells: false)
    walksAgain = false
    open.removeAll()
    tree = .none
    return [.walk]
  }

  /// What the background finds goes into the list, or into the one that takes its place when all is found.
  mutating func find(_ change: (inout ListState) -> Void) {
    guard var next = nextList else { return change(&list) }
    nextList = nil
    change(&next.list)
    nextList = next
  }

  /// Rows that are gone, from the list that is shown and from the one that is being read.
  mutating func removeFromList(_ ids: RecordNames) {
    list.remove(ids)
    nextList?.list.remove(ids)
  }

  mutating func walkIsOver() -> [DeskEffect] {
    var effects: [DeskEffect] = []
    if var next = nextList {
      nextList = nil
      // What was decided meanwhile is newer than what the walk has seen.
      for record in open.values { next.list.replace(record.summary) }
      next.list.takePlace(of: list)
      if let back = next.back, back.cursor == list.selected?.id { next.list.moveCursor(toFirstOf: back.ids) }
      if next.tells { tellChange(to: next.list) }
      list = next.list
      leaveOutWhatIsGone(tells: next.tells)
      effects = tallyAgain() + findFamilyAgain() + readSettledAgain()
    }
    guard walksAgain else { return effects }
    walksAgain = false
    return effects + walkAgain()
  }

  mutating func walkFailed(_ words: String) -> [DeskEffect] {
    find { ($0.progress, $0.findingsAreComplete) = (nil, true) }
    // Rows that were read before are better than a part of them.
    nextList = nil
    walksAgain = false
    failureOfReading = words
    return tell(failed: words)
  }

  private mutating func tellChange(to next: ListState) {
    guard list.isComplete, interrupted.isEmpty else { return }
    let gone = RecordNames(list.summaries.lazy.map(\.id).filter { next.summary($0) == nil })
    let isBack = goneSoFar?.ids.contains { next.summary($0) != nil } == true
    let known = gone.isEmpty && !isBack ? nil : goneSoFar
    // One that is back is not said to be gone beside that.
    let all = gone.union(known?.ids ?? []).filter { next.summary($0) == nil }
    let words = list.changes(to: next, gone: all.count)
    guard !words.isEmpty else { return }
    // Who was told of by title is counted with the others.
    let said = known?.said ?? status.map { DeskState.withoutChange($0.text).beforeMore } ?? ""
    let told = Status.told(said + "\(DeskState.changed)\(words.joined(separator: ", ")).")
    if known != nil || !gone.isEmpty { toldGone = ToldGone(ids: all, said: said, status: told) }
    status = told
  }

  /// nil once something else is told.
  private var goneSoFar: ToldGone? { toldGone?.status == status ? toldGone : nil }

  /// One by its title, several by their number: they are found one after the other, and by a walk as well.
  mutating func tellGone(_ id: String, byTitle words: String) {
    let ids = (goneSoFar?.ids ?? []).union([id])
    // Who finds the same again knows its title no more.
    if ids == goneSoFar?.ids { return }
    let said = goneSoFar?.said ?? finishedSoFar
    let several = "\(said)\(DeskState.changed)\(DeskState.words(gone: ids.count))."
    let told = Status.told(ids.count == 1 ? said + words : several)
    toldGone = ToldGone(ids: ids, said: said, status: told)
    status = told
  }

  /// What was asked for is told before what came of it.
  private var finishedSoFar: String {
    guard let toldFinished, toldFinished == status else { return "" }
    return toldFinished.text.beforeMore
  }

  fileprivate static func words(gone count: Int) -> String { "\(count) no longer in conflict" }

  private static let changed = "The store has changed: "

  /// What else was said: an earlier change is in this one.
  static func withoutChange(_ text: String) -> String {
    String(text[..<(text.firstRange(of: changed)?.lowerBound ?? text.endIndex)])
  }
}

extension String {
  /// As sentences, behind which another one can stand.
  var beforeMore: String {
    guard let last = lastIndex(where: { $0 != " " }) else { return "" }
    return self[...last] + (".!?…".contains(self[last]) ? " " : ". ")
  }
}

extension ListState {
  /// What another list of the same store has otherwise.
  fileprivate func changes(to next: ListState, gone: Int) -> [String] {
    let new = next.summaries.count { summary($0.id) == nil }
    let lost = next.summaries.reduce(0) { sum, row in
      sum + max(0, row.outdated - (summary(row.id)?.outdated ?? row.outdated))
    }
    return [
      (new, "\(new) more in conflict"), (gone, DeskState.words(gone: gone)),
      (lost, lost == 1 ? "1 decision no longer holds" : "\(lost) decisions no longer hold"),
    ].filter { $0.0 > 0 }.map(\.1)
  }
}

extension DeskState {
  /// With every key, behind what that itself has to tell; what it was refused by may be the same.
  mutating func notHeard(_ words: String) -> [DeskEffect] {
    let said = status.map { $0.text + " " } ?? ""
    // Where the same is the reason of something else, it stays with that once the journal is heard again.
    if said.contains(words) { return [] }
    failureOfHearing = words
    return tell(failed: said + words)
  }
}

extension DeskState {
  /// What a store says about a record by its name.
  func shown(_ words: String, naming id: String) -> String {
    words.split(separator: id, omittingEmptySubsequences: false).joined(separator: privacy.shown(id))
  }

  func shownTitle(of id: String) -> String {
    privacy.shown(list.summary(id)?.title ?? open[id]?.conflict.title ?? id)
  }
}
