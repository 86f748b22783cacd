import Desk
import Merging
import StoreInterface

/// `u`: the newest act is taken back, be it a decision or a write, of this session or of an earlier one.
extension LinearDesk {
  func undo() throws -> Next {
    try recallEarlier()
    guard case let step?? = history.last else { return try undoWrite() }
    history.removeLast()
    let back = try step.parts.filter { try takeBack($0, decided: step.earlier) }
    guard let first = back.first else { return .stay }
    if let last = trail.last?.record, back.contains(where: { $0.id == last }) { trail.removeLast() }
    // Of a family the first question of its first record comes again, as all of it is open.
    for part in back { ask(again: part.subjects, of: part.id) }
    if back.count == 1 { repeated = first.question }
    return .goOn
  }

  /// What the journal has, once nothing is left of what is known here: what this session took back is no act any more.
  private func recallEarlier() throws {
    guard history.isEmpty, !knowsEarlier else { return }
    let entries = try store.journal.entries(limit: EarlierActs.limit)
    history = EarlierActs(entries, before: .max).steps.map {
      $0.map { Step($0, isEarlier: $0.time < startedAt) }
    }
    knowsEarlier = true
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
