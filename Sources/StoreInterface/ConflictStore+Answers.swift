import Merging

extension ConflictStore {
  /// The same entries, with what is called by its name in a store of files: a side is more than what its text will be, so "take client"
  /// tells nobody what becomes of the file. What an older Parley decided has no name in the journal, and one only as long as it holds.
  package func namingAnswers(_ entries: [JournalEntry]) throws -> [JournalEntry] {
    guard info.can.contains(.tellRounds) else { return entries }
    var conflicts: [String: RecordConflict?] = [:]
    return try entries.map { entry in
      guard case .decided(let decision) = entry.event, entry.answer == nil else { return entry }
      let known = try conflicts[entry.record] ?? conflictIfAny(entry.record)
      conflicts[entry.record] = known
      var named = entry
      named.answer = known.flatMap { $0.answer(of: decision) }
      return named
    }
  }

  private func conflictIfAny(_ id: String) throws -> RecordConflict? {
    do { return try conflict(id) } catch StoreError.noSuchRecord { return nil }
  }
}

extension RecordConflict {
  /// What a file's store calls a choice, in words that hold no value of anybody's; nil of what is no file, and where there is no
  /// name for it.
  package func answer(by choice: Choice, for subject: Subject) -> String? {
    guard details.file != nil else { return nil }
    switch subject {
    case .record: return DecidedConflict(self, Resolution(choices: [.record: choice])).answer?.words
    case .field(let name):
      guard let field = self[name], choice.unfinished == nil else { return nil }
      return alternative(making: field.draft(choice))?.words
    }
  }

  fileprivate func answer(of decision: Decision) -> String? {
    guard let choice = decision.choice,
      decision.fingerprint.subject == fingerprint(of: decision.subject).subject
    else { return nil }
    return answer(by: choice, for: decision.subject)
  }
}
