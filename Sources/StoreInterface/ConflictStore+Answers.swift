import ExactJSON
import Merging

extension ConflictStore {
  /// The same entries, with what is called by its name in a store of files: a side is more than what its text will be, so "client taken"
  /// tells nobody what becomes of the file. What an older Parley decided has no name in the journal, and one only as long as it holds.
  package func namingAnswers(_ entries: [JournalEntry]) throws -> [JournalEntry] {
    guard info.can.contains(.tellRounds) else { return entries }
    var conflicts: ByRecord<RecordConflict?> = [:]
    return try entries.map { entry in
      guard case .decided(let decision) = entry.event, entry.answer == nil else { return entry }
      let known = try conflicts[entry.record] ?? conflictIfAny(entry.record)
      conflicts[entry.record] = known
      var named = entry
      named.answer = known.flatMap { $0.answer(of: decision) }
      return named
    }
  }

  /// The same entries; those of decisions say whether they no longer hold, where their record can be read, or is no more in conflict.
  package func tellingOvertaken(_ entries: [JournalEntry]) -> [JournalEntry] {
    let ids = entries.mayBeOvertaken.sorted()
    guard !ids.isEmpty, let conflicts = try? conflicts(ids), let known = try? journal.decisions(for: ids)
    else { return entries }
    let decisions = ByRecord(grouping: known, by: \.id)
    let overtaken = conflicts.flatMap { DecidedConflict($0, decisions: decisions[$0.id] ?? []).outdated }
    let there = RecordNames(conflicts.map(\.id))
    let settled = known.filter { !there.contains($0.id) && $0.isOpen }
    return entries.map { $0.marked(overtaken: overtaken + settled) }
  }
}

extension RecordConflict {
  /// What a choice is called in words that hold no value of anybody's, where the choice alone does not tell it: what a file's store calls
  /// it, or that both sides had what was taken. nil where there is no name for it.
  package func answer(by choice: Choice, for subject: Subject) -> String? {
    switch subject {
    case .record where details.file == nil: return nil
    case .record: return DecidedConflict(self, Resolution(choices: [.record: choice])).answer?.words
    case .field(let name):
      guard let field = self[name], choice.unfinished == nil else { return nil }
      if details.file != nil { return alternative(making: field.draft(choice))?.words }
      let told = words(choice, of: field)
      return told == choice.words ? nil : told
    }
  }

  fileprivate func answer(of decision: Decision) -> String? {
    var fingerprints = Fingerprints(self)
    guard let choice = decision.choice, fingerprints.fit(decision.fingerprint, decision.subject) else {
      return nil
    }
    return answer(by: choice, for: decision.subject)
  }
}

extension Decision {
  /// Whether it may be in force still.
  fileprivate var isOpen: Bool { choice != nil && !isWritten }
}

extension [JournalEntry] {
  /// The records of which something was decided that may hold no longer. Of one that had several conflicts the write of any counts as one of
  /// what was decided about the others.
  fileprivate var mayBeOvertaken: RecordNames {
    let decisions = compactMap { entry -> Decision? in
      if case .decided(let decision) = entry.event { decision } else { nil }
    }
    let ofSeveral: ByRecord<[Decision]> = ByRecord(grouping: decisions, by: \.id).filter {
      Set($0.value.map(\.fingerprint.conflict)).count > 1
    }
    return RecordNames(filter(\.isOpenDecision).map(\.record)).union(ofSeveral.keys)
  }
}

extension JournalEntry {
  fileprivate var isOpenDecision: Bool {
    if case .decided(let decision) = event { decision.isOpen } else { false }
  }

  /// - Parameter overtaken: the decisions that no longer hold, as the store has changed since.
  package func marked(overtaken: [Decision]) -> JournalEntry {
    guard case .decided(let decision) = event else { return self }
    var entry = self
    entry.isOvertaken = overtaken.contains {
      $0.id.hasSameBytes(as: decision.id) && $0.subject == decision.subject
        && $0.decidedAt == decision.decidedAt
        && $0.choice == decision.choice
    }
    return entry
  }
}
