import Desk
import ExactJSON
import Merging
import StoreInterface
import Telling

/// `u`: the newest act is taken back, be it a decision or a write, of this session or of an earlier one.
extension LinearDesk {
  func undo() throws -> Next {
    guard try recallsEarlier() else { return .stay }
    guard case let step?? = history.last else { return try undoWrite() }
    history.removeLast()
    let back = try step.parts.filter { try takeBack($0, decided: step.earlier) }
    guard let first = back.first else { return .stay }
    if let last = trail.last?.record, back.contains(where: { $0.id.hasSameBytes(as: last) }) {
      trail.removeLast()
    }
    // Of a family the first question of its first record comes again, as all of it is open.
    for part in back { ask(again: part.subjects, of: part.id) }
    if back.count == 1 { repeated = first.question }
    return .goOn
  }

  /// What the journal has, once nothing is left of what is known here. A write of which nobody knows how it ended has no place among
  /// that yet, and what was decided for it is not what was done last.
  ///
  /// - Returns: false where such a write is in the way, which is told.
  private func recallsEarlier() throws -> Bool {
    guard history.isEmpty, !knowsEarlier else { return true }
    try recallEarlier()
    guard case _?? = history.last, try store.hasInterruptedWrites() else { return true }
    asksJournal()
    guard try finishesInterrupted() else { return false }
    try recallEarlier()
    return true
  }

  private func finishesInterrupted() throws -> Bool {
    let writes = try store.interruptedWrites()
    try tell(writes.map(\.words))
    if let hindrance = writes.lazy.compactMap(\.hindrance).first {
      let only = "Until then u takes back only what you decide from now on."
      try tell("It cannot be finished now: \(hindrance). \(only)")
      return false
    }
    guard try isConfirmed("finish it or take it back, record by record") else { return false }
    try store.finishInterrupted(telling: surroundings)
    forgetHistory()
    try read()
    return try !store.hasInterruptedWrites()
  }

  /// What this session took back is no act any more.
  private func recallEarlier() throws {
    let found = try EarlierActs.Found(before: .max, olderThan: oldestEarlier, in: store.journal)
    let steps = found.steps(before: .max, olderThan: oldestEarlier)
    history = steps.map { $0.map { Step($0, isEarlier: $0.time < startedAt) } }
    oldestEarlier = steps.lazy.compactMap { $0?.time }.min() ?? oldestEarlier
    knowsEarlier = found.isAll || steps.isEmpty
  }

  /// False if there is nothing to take back any more.
  private func takeBack(_ part: Step.Part, decided time: Int64?) throws -> Bool {
    guard let record = try decided(part.id) else {
      try tell("\(part.id) is in conflict no longer, so what was decided about it stays as it is.")
      return false
    }
    var resolution = record.resolution
    for subject in part.subjects { resolution.decide(subject, part.before[subject]) }
    try store.journal.append(
      record.conflict.decisions(about: part.subjects, in: resolution, at: surroundings.now()))
    let names = part.subjects.map(\.name).joined(separator: ", ")
    let when = time.map { ", decided \(text.time.long($0)) in an earlier session" } ?? ""
    try tell("Taken back: \(names) of \(record.conflict.title)\(when).")
    return true
  }
}

extension LinearDesk.Step {
  fileprivate init(_ step: History.Step, isEarlier: Bool) {
    let subjects = step.subjects.sorted { $0.name < $1.name }
    self.init(
      parts: [Part(id: step.id, before: step.old, subjects: subjects)], earlier: isEarlier ? step.time : nil)
  }
}

extension LinearDesk.Step.Part {
  /// What it answered; of several fields they are asked about together if each is sure, and else as on the way in.
  fileprivate var question: LinearQuestion {
    subjects.count == 1 ? .about(id, subjects[0]) : .sure(id, subjects.compactMap(\.fieldName))
  }
}
