import Desk
import ExactJSON
import Merging
import StoreInterface
import Telling

/// `u`: the newest act is taken back, be it a decision or a write, of this session or of an earlier one.
extension LinearDesk {
  func undo() throws -> Next {
    if let next = try recallingEarlier() { return next }
    guard case let step?? = history.last else { return try undoWrite() }
    guard try isMeant(step) else { return .stay }
    let back = try takeBack(step)
    history.removeLast()
    guard !back.isEmpty else { return .stay }
    if let last = trail.last?.record, back.contains(where: { $0.id.hasSameBytes(as: last) }) {
      trail.removeLast()
    }
    try ask(again: back)
    return .goOn
  }

  /// Of a family the first question of its first record comes again, as all of it is open.
  private func ask(again parts: [Step.Part]) throws {
    if parts.count > LinearDesk.named { return try readAgain(asking: parts) }
    for part in parts { ask(again: part.subjects, of: part.id) }
    if parts.count == 1 { repeated = parts[0].question }
  }

  /// What the journal has, once nothing is left of what is known here. A write of which nobody knows how it ended has no place among
  /// that yet, and what was decided for it is not what was done last; of what was begun before the last write something newer is known.
  ///
  /// - Returns: what comes next where such a write is in the way; nil where none is.
  private func recallingEarlier() throws -> Next? {
    guard history.isEmpty, !earlier.isAll else { return nil }
    try recallEarlier()
    guard case _?? = history.last, try isLastHidden() else { return nil }
    asksJournal()
    return try finishing()
  }

  /// What was interrupted was done last where it can be finished now, where it may be done after all else, and where nothing else is there
  /// to be taken back.
  ///
  /// - Returns: what comes next; nil where nothing of it is in the way.
  func finishingFirst() throws -> Next? {
    try isLastHidden() ? finishing() : nil
  }

  private func isLastHidden() throws -> Bool {
    let writes = try store.interruptedWrites()
    return try !writes.isEmpty && writes.hide(lastWrite: store.lastWriteNames()?.id)
  }

  private func finishing() throws -> Next {
    let writes = try store.interruptedWrites()
    try tell(writes.map(\.words))
    if let hindrance = writes.hindrance {
      let only = "Until then u takes back only what you decide from now on."
      try tell("It cannot be finished now: \(hindrance). \(only)")
      return .stay
    }
    guard try isConfirmed("finish it or take it back, record by record") else { return .stay }
    try store.finishInterrupted(telling: surroundings)
    forgetHistory()
    try read()
    if try store.hasInterruptedWrites() { return .goOn }
    // Nothing else was asked about, and whoever repeats an undo wants that one, and not what was done before it.
    try tell(
      "With that it has ended, and nothing else is taken back. u once more takes back what was done last.")
    return .goOn
  }

  /// What this session took back is no act any more.
  private func recallEarlier() throws {
    let found = try EarlierActs.Found(withOwn: true, olderThan: earlier.oldest, in: store.journal)
    let steps = found.steps(olderThan: earlier.oldest)
    history = History.acts(steps).map { $0.map { Step($0.steps, own: ownTimes) } }
    earlier.note(steps, isAll: found.isAll)
  }

  /// There is no answer that decides it again, so what was decided at once of many records, or of some that nobody has in mind by now, goes
  /// by the word alone.
  private func isMeant(_ step: Step) throws -> Bool {
    let count = step.parts.count
    let isLong = count > LinearDesk.named
    guard isLong || count > 1 && step.earlier != nil else { return true }
    let titles = try isLong ? [] : step.parts.compactMap { try decided($0.id)?.conflict.title }
    let names = titles.isEmpty ? "" : ": " + titles.joined(separator: ", ")
    let when = step.earlier.map { ", made \(whenNotHere($0))" } ?? ""
    try tell("The last decision was of \(count) records at once\(when)\(names)".ended)
    try tell("Once it is taken back, no answer decides all of it again.")
    return try isConfirmed("take it back")
  }

  private func whenNotHere(_ decided: Int64) -> String {
    "\(text.time.long(decided)) \(decided < startedAt ? "in an earlier session" : "by another Parley")"
  }

  /// All of it at once, or nothing.
  ///
  /// - Returns: what there was to take back of it.
  private func takeBack(_ step: Step) throws -> [Step.Part] {
    var (back, others, decisions, gone) = ([Titled](), [Titled](), [Decision](), [String]())
    let now = surroundings.now()
    for part in step.parts {
      guard let record = try decided(part.id) else {
        gone.append(part.id)
        continue
      }
      let (title, parts) = (record.conflict.title, record.standing(part))
      if !parts.standing.subjects.isEmpty { back.append((parts.standing, title)) }
      if !parts.others.subjects.isEmpty { others.append((parts.others, title)) }
      decisions += record.decisions(takingBack: parts.standing, at: now)
    }
    try keep(decisions, as: "taken back")
    try tellGone(gone)
    try tell(others: others)
    try tell(back, decided: step.earlier)
    return back.map { $0.part }
  }

  private typealias Titled = (part: Step.Part, title: String)

  private func tellGone(_ gone: [String]) throws {
    if gone.isEmpty { return }
    let names = gone.count > LinearDesk.named ? "\(gone.count) records" : gone.joined(separator: ", ")
    let (are, them) = gone.count == 1 ? ("is", "it") : ("are", "them")
    try tell("\(names) \(are) no longer in conflict, so what was decided about \(them) stays as it is.")
  }

  /// What somebody else has decided since.
  private func tell(others: [Titled]) throws {
    if others.count > LinearDesk.named {
      return try tell("What stands otherwise by now, of \(others.count) records, stays so.")
    }
    for (part, title) in others {
      try tell("\(names(part)) of \(title) stands otherwise by now, and stays so.")
    }
  }

  private func names(_ part: Step.Part) -> String {
    part.subjects.map { LinearText.name($0) }.joined(separator: ", ")
  }

  /// Of many records, which were decided at once, their number.
  private func tell(_ back: [Titled], decided time: Int64?) throws {
    let when = time.map { ", decided \(whenNotHere($0))" } ?? ""
    if back.count > LinearDesk.named {
      return try tell("Taken back: what was decided at once of \(back.count) records\(when).")
    }
    for (part, title) in back { try tell("Taken back: \(names(part)) of \(title)\(when).") }
  }

  /// So many records are told one by one, as nobody hears more names to their end.
  static let named = 10
}

extension DecidedConflict {
  /// What of it stands as it was decided, or holds no longer, and what somebody has decided otherwise since.
  fileprivate func standing(
    _ part: LinearDesk.Step.Part
  ) -> (standing: LinearDesk.Step.Part, others: LinearDesk.Step.Part) {
    var (standing, others) = (part, part)
    standing.subjects = part.subjects.filter { subject in
      resolution[subject] == part.after[subject] || outdated.contains { $0.subject == subject }
    }
    others.subjects = part.subjects.filter { !standing.subjects.contains($0) }
    return (standing, others)
  }

  fileprivate func decisions(takingBack part: LinearDesk.Step.Part, at now: Int64) -> [Decision] {
    let old = part.subjects.reduce(into: resolution) { $0.decide($1, part.before[$1]) }
    return conflict.decisions(about: part.subjects, in: old, at: now)
  }
}

extension LinearDesk.Step {
  /// - Parameter own: when this desk decided, in nanoseconds since 1970.
  fileprivate init(_ steps: [History.Step], own: Set<Int64>) {
    let parts = steps.map { step in
      Part(
        id: step.id, before: step.old, after: step.new, subjects: step.subjects.sorted { $0.name < $1.name })
    }
    self.init(parts: parts, earlier: steps.first.map(\.time).flatMap { own.contains($0) ? nil : $0 })
  }
}

extension LinearDesk.Step.Part {
  /// What it answered; of several fields they are asked about together if each is sure, and else as on the way in.
  fileprivate var question: LinearQuestion {
    subjects.count == 1 ? .about(id, subjects[0]) : .sure(id, subjects.compactMap(\.fieldName))
  }
}
