import Merging

extension ConflictStore {
  /// The same entries, with what is called by its name in a store of files: a side is more than what its text will be, so "take client"
  /// tells nobody what becomes of the file. What holds no longer has no name any more.
  package func namingAnswers(_ entries: [JournalEntry]) throws -> [JournalEntry] {
    guard info.can.contains(.tellRounds) else { return entries }
    var conflicts: [String: RecordConflict?] = [:]
    return try entries.map { entry in
      guard case .decided(let decision) = entry.event else { return entry }
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
  fileprivate func answer(of decision: Decision) -> Alternative? {
    guard let choice = decision.choice,
      decision.fingerprint.subject == fingerprint(of: decision.subject).subject
    else { return nil }
    switch decision.subject {
    case .record: return DecidedConflict(self, Resolution(choices: [.record: choice])).answer
    case .field(let name):
      guard let field = self[name], choice.unfinished == nil else { return nil }
      return answer(by: field.draft(choice))
    }
  }

  /// Of equal texts either side is taken, and the first answer that makes the file so is what is carried out.
  private func answer(by draft: FieldDraft) -> Alternative? {
    details.alternatives.first { alternative in
      guard case .save(let version) = alternative.outcome else { return false }
      return version.fields?[draft.name]?.value == draft.value
    }
  }
}
