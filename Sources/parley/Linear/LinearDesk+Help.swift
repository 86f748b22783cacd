import Merging
import StoreInterface

/// `?`: what can be answered here, and no answer that would only be told why it is none.
extension LinearDesk {
  func sayHelp() throws {
    for entry in LinearAnswer.entries where works(entry.answer) {
      try tell("\(entry.keys[0]): \(sample != nil ? entry.ofSample : entry.meaning).")
    }
  }

  private func works(_ answer: LinearAnswer) -> Bool {
    switch answer {
    case .back, .undo, .givenUp, .again, .find, .write, .quit, .help: true
    case .notUnderstood: false
    case .family: seen != nil && store.info.can.contains(.tellFamilies)
    case .skip, .skipRecord, .inFull: seen != nil
    case .singly: seen != nil && subject == nil
    case .merge: isMergeable
    case .take(let side): subject.map { seen?.conflict.refusal(of: .take(side), for: $0) == nil } ?? false
    case .edit: subject.map { $0 != .record || seen?.conflict.details.ownValue != nil } ?? false
    case .enter, .suggestion, .way, .ways, .acceptAll: seen.map { works(answer, about: $0) } ?? false
    }
  }

  private func works(_ answer: LinearAnswer, about record: DecidedConflict) -> Bool {
    let conflict = record.conflict
    return switch answer {
    case .enter:
      suggests(.byClock, in: conflict) || asked.subjects.allSatisfy(record.isDecided)
    case .suggestion: suggests(.yours, in: conflict)
    case .acceptAll: conflict.accepting(.byClock, in: record.resolution) != record.resolution
    case .way: areWaysTold && !conflict.alternatives.isEmpty
    case .ways: !text.ways(conflict).isEmpty
    case .take, .edit, .merge, .singly, .family, .inFull, .skip, .skipRecord, .find, .back, .undo, .givenUp,
      .again,
      .write,
      .quit, .help, .notUnderstood:
      true
    }
  }

  /// What one answer decides; nil where several fields are asked about together.
  private var subject: Subject? {
    if seen != nil, case .ofOne(_, let subject) = asked { subject } else { nil }
  }

  private func suggests(_ least: Certainty, in conflict: RecordConflict) -> Bool {
    let suggested = conflict.accepting(least, in: Resolution())
    return asked.subjects.allSatisfy { suggested[$0] != nil }
  }
}
