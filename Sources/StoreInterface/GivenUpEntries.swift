import Merging

/// Which entries of a journal, newest first, have given something up: a decision that counts, be it written or still a draft, and
/// each write that was not taken back. What was decided anew, or taken back, gives up nothing any more.
extension [JournalEntry] {
  package var givingUp: [JournalEntry] { tellingGivenUp.filter { $0.givenUp?.isEmpty != true } }

  /// Of those the ones that tell each loss once: without the decisions whose losses a write of them tells. One that does not know
  /// them leaves that to the decisions.
  package var withoutWritten: [JournalEntry] {
    var written: RecordNames = []
    return filter { entry in
      guard case .ended(.write, _, _) = entry.event else { return !written.contains(entry.record) }
      if entry.givenUp != nil { written.insert(entry.record) } else { written.remove(entry.record) }
      return entry.givenUp != nil || entry.tookServer
    }
  }

  /// The same entries, each with what it gives up.
  package var tellingGivenUp: [JournalEntry] {
    var entries = self
    var inForce: ByRecord<[Subject: Int]> = [:]
    for index in entries.indices.reversed() {
      let entry = entries[index]
      switch entry.event {
      case .decided(let decision): inForce[entry.record, default: [:]].decide(decision, index)
      case .ended(.write, let ending, _) where !entry.isUndone && (ending == nil || ending == .completed):
        let counting = inForce.removeValue(forKey: entry.record)?.counting ?? []
        for decision in counting { entries[decision].tellGivenUp() }
        let all = counting.map { entries[$0].givenUp }
        entries[index].givenUp =
          entry.tookServer ? entry.givenUpForServer : all.contains(nil) ? nil : all.flatMap { $0 ?? [] }
      case .ended, .notDone, .refused: break
      }
    }
    for decision in inForce.values.flatMap(\.counting) { entries[decision].tellGivenUp() }
    return entries
  }
}

extension JournalEntry {
  /// Whether a finding was mended by what the server has: of that nothing was decided, and what the row had is in what was changed.
  package var tookServer: Bool { isMend && Finding.takesServer(record) }

  /// nil where the journal cannot tell.
  fileprivate var givenUpForServer: [GivenUp]? {
    if changes.damage != nil { return nil }
    return changes.fields.map { GivenUp(.client, .edit(field: $0.name, $0.before)) }
  }
}

extension JournalEntry {
  fileprivate mutating func tellGivenUp() {
    if case .decided(let decision) = event { givenUp = decision.givenUp?.all }
  }
}

extension [Subject: Int] {
  /// As ``Merging/Resolution/decide(_:_:)`` does.
  fileprivate mutating func decide(_ decision: Decision, _ index: Int) {
    self[decision.subject] = decision.choice == nil ? nil : index
    if decision.subject != .record, decision.choice != nil { self[.record] = nil }
  }

  /// Where the record is decided as a whole, nothing else counts.
  fileprivate var counting: [Int] { self[.record].map { [$0] } ?? values.sorted(by: >) }
}
