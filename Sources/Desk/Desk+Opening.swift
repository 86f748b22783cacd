import ExactJSON
import Merging
import StoreInterface
import Telling

/// A record comes, as far as somebody looks at it.
extension DeskState {
  /// Has the selected record read, if the page on top wants to show it and it is not at hand: asked after every event.
  mutating func openSelected() -> [DeskEffect] {
    let wanted: String? =
      switch pages.last {
      case nil: if case .conflict(let summary)? = list.selected { summary.id } else { nil }
      case .record(let page)? where page.id != WalkthroughPage.rehearsal: page.id
      case .tree(let page)? where list.summary(page.id) != nil: page.id
      default: nil
      }
    let tree = readTreeBeside()
    if wanted != list.unread { list.unread = nil }
    guard let wanted, open[wanted] == nil, list.reading != wanted else { return tree + openAhead() }
    if list.ahead == wanted {
      (list.reading, list.ahead) = (wanted, nil)
      return tree
    }
    // What could not be read beside the list is read again when somebody wants more of it.
    if pages.isEmpty, waiting == nil, list.unread == wanted { return tree }
    list.reading = wanted
    return [.open(id: wanted)] + tree
  }

  /// Where the list shows values, those of the next row are read while somebody looks at this one: then its first frame is whole.
  private mutating func openAhead() -> [DeskEffect] {
    guard pages.isEmpty, list.reading == nil, list.ahead == nil, let next = list.nextConflict,
      open[next] == nil, next != list.unreadAhead
    else { return [] }
    list.ahead = next
    return [.open(id: next)]
  }

  mutating func opened(_ conflict: RecordConflict, _ decisions: [Decision]) -> [DeskEffect] {
    if list.reading.isName(conflict.id) { list.reading = nil }
    if list.ahead.isName(conflict.id) { list.ahead = nil }
    endFailure(of: conflict.id)
    let known = open[conflict.id]
    // A decision fell while it was read, so what was read may not know of it.
    if openingAgain.remove(conflict.id) == nil, known != nil { return openAgain(conflict.id) }
    makeRoom()
    var record = DecidedConflict(conflict, decisions: decisions)
    // What was told of a key when it was listed is known better by now.
    if record.refusal == nil, refusal(of: conflict.id)?.isOfMissingRecord == true {
      forgetRefusal(of: conflict.id)
    }
    record.refusal = keepRefusal(record.refusal, of: conflict.id)
    if let known {
      tellChange(from: known, to: record)
      keepCursor(from: known, in: conflict)
    }
    put(record)
    on(RecordPage.self) { page, desk in
      if page.id.hasSameBytes(as: conflict.id) { page.beginWhereItMatters(on: desk) }
    }
    return forgetTree(unlikeThatOf: conflict) + goOnEditing(conflict) + runWaiting(for: conflict.id)
  }

  private mutating func keepCursor(from known: DecidedConflict, in conflict: RecordConflict) {
    for index in pages.indices {
      guard case .record(var page) = pages[index], page.id.hasSameBytes(as: conflict.id) else { continue }
      page.keepCursor(from: known, in: conflict, on: self)
      pages[index] = .record(page)
    }
  }

  /// Records that were only looked at are forgotten again, so that a long walk through the list stays small.
  private mutating func makeRoom() {
    guard open.count >= 200 else { return }
    let needed = history.ids.union(pages.compactMap(\.record)).union(
      [list.selectedConflict].compactMap(\.self))
    open = open.filter { needed.contains($0.key) || $0.value.isRehearsal }
  }
}

/// One record that was read again.
extension DeskState {
  /// What others changed in it, and which decisions that ends.
  mutating func tellChange(from known: DecidedConflict, to record: DecidedConflict) {
    history.forget(record.resolution.difference(from: known.resolution), of: record.conflict.id)
    let changed = record.conflict.names(otherThanIn: known.conflict).map(privacy.name)
    let lost = Set(record.outdated.map(\.subject)).subtracting(known.outdated.map(\.subject)).map(
      privacy.words
    ).sorted()
    guard !changed.isEmpty || !lost.isEmpty else { return }
    let fields = changed.isEmpty ? "" : " (\(changed.joined(separator: ", ")))"
    // What was deleted before has only other values now.
    let deleted = known.deletedSince == nil ? record.deletedSince : nil
    let what = deleted.map { ": \($0)" } ?? fields
    let title = shownTitle(of: record.conflict.id)
    let told =
      record.conflict.hasLostItsAncestorAlone(since: known.conflict)
      ? "\(title): its ancestor is kept no longer, and nothing else has changed."
      : "\(title) has changed in the store\(what)."
    status = .told(told + words(lost))
  }

  private func words(_ lost: [String]) -> String {
    if lost.isEmpty { return "" }
    let (decisions, hold) = lost.count == 1 ? ("decision", "holds") : ("decisions", "hold")
    return " Your \(decisions) on \(lost.joined(separator: ", ")) no longer \(hold)."
  }

  /// A record that somebody settled elsewhere.
  mutating func settled(_ id: String) -> [DeskEffect] {
    let decided = open[id]?.resolution.choices.count ?? 0
    let (words, typed) = (wordsOfSettled(id), wordsOfSettledTyping(id))
    let lost = decided == 0 ? "" : " What was decided about it is kept in the log."
    let known = open[id]
    close(id)
    if settleEditor(of: id, known) { return tell(failed: typed) }
    pages.removeAll { $0.record.isName(id) }
    if let interruptedStatus { return tell(interruptedStatus) }
    tellGone(id, byTitle: words + lost)
    return []
  }

  /// What is being typed for it stays on the screen until Esc, beside what it was. What was typed behind a value that was to be kept is no
  /// part of that.
  ///
  /// - Returns: false where nothing is.
  mutating func settleEditor(of id: String, _ known: DecidedConflict?) -> Bool {
    guard case .editor(var page)? = pages.last, page.id.hasSameBytes(as: id) else { return false }
    open[id] = known
    if page.isKeeping { leaveTyped() }
    page.settle()
    pages[pages.count - 1] = .editor(page)
    return true
  }

  private func wordsOfSettled(_ id: String) -> String { "\(shownTitle(of: id)) is no longer in conflict." }

  private func wordsOfSettledTyping(_ id: String) -> String {
    wordsOfSettled(id) + " What is typed here cannot be kept."
  }

  /// To who wants to keep it.
  func refusalOfSettled(_ id: String) -> String {
    "\(shownTitle(of: id)) is no longer in conflict, so this cannot be kept. Esc goes back."
  }

  /// A record that was settled while something was typed for it, and is in the list again: nobody else would ask for it.
  mutating func readSettledAgain() -> [DeskEffect] {
    guard let page = page(EditorPage.self), page.isSettled, list.summary(page.id) != nil else { return [] }
    return openAgain(page.id)
  }

  /// What is typed for a record that is in conflict again can be kept again, if there is still such a field.
  private mutating func goOnEditing(_ conflict: RecordConflict) -> [DeskEffect] {
    guard let page = page(EditorPage.self), page.isSettled, page.id.hasSameBytes(as: conflict.id),
      conflict[page.field.name] != nil
    else { return [] }
    for words in [wordsOfSettledTyping(page.id), refusalOfSettled(page.id)] { takeAway(words) }
    let words = "\(shownTitle(of: page.id)) is in conflict again: Enter takes what is typed."
    status = .told([words, status?.text].compactMap(\.self).joined(separator: " "))
    return on(EditorPage.self) { $0.goOn(on: $1) } ?? []
  }

  private mutating func close(_ id: String) {
    if list.ahead.isName(id) { list.ahead = nil }
    if list.reading.isName(id) { list.reading = nil }
    forgetWaiting(for: id)
    openingAgain.remove(id)
    unwritten[id] = nil
    open[id] = nil
    history.forget(id)
    removeFromList([id])
  }

  /// A record that cannot be read now, which is no reason to take it for settled. What is known of it stays, as its write is checked
  /// anyway.
  mutating func openFailed(_ id: String, _ words: String) -> [DeskEffect] {
    guard open[id] == nil else {
      openingAgain.remove(id)
      return tell(failed: shown(words, naming: id))
    }
    // Nobody has asked for it yet.
    if list.ahead.isName(id) {
      (list.ahead, list.unreadAhead) = (nil, id)
      openingAgain.remove(id)
      return []
    }
    if list.reading.isName(id) { list.reading = nil }
    let isWaitedFor = (waiting?.id).isName(id)
    forgetWaiting(for: id)
    openingAgain.remove(id)
    list.unread = id
    pages.removeAll { $0.record.isName(id) }
    let failure = Status.failed(shown(words, naming: id))
    // It is tried again and again, and something else may have been said since.
    let isTold = unreadStatus.map { $0.id.hasSameBytes(as: id) && $0.status == failure } ?? false
    unreadStatus = (id, failure)
    return isTold && status != nil && !isWaitedFor ? [] : tell(failure)
  }

  /// What could not be read may be read now: who looks at it has it read, see ``openSelected()``.
  mutating func readUnreadAgain() -> [DeskEffect] {
    forgetUnread()
    return []
  }

  mutating func forgetUnread() { (list.unread, list.unreadAhead) = (nil, nil) }

  /// Why it could not be read is over once it is.
  private mutating func endFailure(of id: String) {
    guard let told = unreadStatus, told.id.hasSameBytes(as: id) else { return }
    takeAway(told.status.text)
    unreadStatus = nil
  }
}

extension RecordConflict {
  /// As by a compaction, which leaves both sides, and each other leaf, as they are.
  fileprivate func hasLostItsAncestorAlone(since other: RecordConflict) -> Bool {
    let (now, before) = (versions, other.versions)
    return before.isAncestorKnown && !now.isAncestorKnown && now.client == before.client
      && now.server == before.server && liveLeaves.map(\.id) == other.liveLeaves.map(\.id)
  }

  /// The fields that have another value on one side than in `other`; what is computed from them says nothing new.
  fileprivate func names(otherThanIn other: RecordConflict) -> [String] {
    fields.filter(\.field.isWritable).filter { field in
      Side.allCases.contains { field.version($0)?.value != other[field.name]?.version($0)?.value }
    }.map(\.name)
  }
}

extension ThreeWay<RecordVersion> {
  fileprivate var isAncestorKnown: Bool { ancestor.map { !$0.isUnknown } ?? false }
}

extension Page {
  var record: String? { content.record }
}
