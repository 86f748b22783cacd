/// A write, or an undo, of which only the intent is known, and what the store shows of it.
package struct InterruptedWrite: Sendable, Equatable {
  package enum State: String, Sendable, CaseIterable {
    /// Only its receipt is missing.
    case complete
    /// One of the store's files has it, the other has not.
    case half
    case untouched
    /// Somebody else has changed the same since.
    case changedSince
    /// What the journal holds of it is damaged, or the table has no such columns any more.
    case notKnown
  }

  package struct Record: Sendable, Equatable, Identifiable {
    package var id: String
    package var title: String
    package var state: State

    package init(id: String, title: String, state: State) {
      self.id = id
      self.title = title
      self.state = state
    }
  }

  package var isUndo: Bool
  package var records: [Record]
  /// Why nobody can finish it now; nil if that can be done.
  package var hindrance: String?

  package init(isUndo: Bool, records: [Record], hindrance: String? = nil) {
    self.isUndo = isUndo
    self.records = records
    self.hindrance = hindrance
  }
}

extension InterruptedWrite.State {
  /// As in "2 are half written".
  package var words: String {
    switch self {
    case .complete: "complete, but without a receipt"
    case .half: "half written"
    case .untouched: "untouched"
    case .changedSince: "changed since by somebody else"
    case .notKnown: "in a state that cannot be known"
    }
  }
}

extension InterruptedWrite {
  /// "A write was interrupted: of its 3 records 2 are half written, 1 is untouched."
  package var words: String {
    let count = records.count == 1 ? "its 1 record" : "its \(records.count) records"
    let states = State.allCases.compactMap { state in
      let found = records.count { $0.state == state }
      return found == 0 ? nil : "\(found) \(found == 1 ? "is" : "are") \(state.words)"
    }
    return "\(isUndo ? "An undo" : "A write") was interrupted: of \(count) \(states.joined(separator: ", "))."
  }
}

/// What became of a write, or an undo, that had been interrupted.
package struct FinishedWrite: Sendable, Equatable {
  package enum Outcome: String, Sendable, CaseIterable {
    case completed
    /// Nothing of it is in the store.
    case rolledBack
    /// Somebody else had changed the record since.
    case left
  }

  package struct Record: Sendable, Equatable, Identifiable {
    package var id: String
    package var title: String
    package var outcome: Outcome
    /// Why it was not completed.
    package var detail: String?

    package init(id: String, title: String, outcome: Outcome, detail: String? = nil) {
      self.id = id
      self.title = title
      self.outcome = outcome
      self.detail = detail
    }
  }

  package var isUndo: Bool
  package var records: [Record]

  package init(isUndo: Bool, records: [Record]) {
    self.isUndo = isUndo
    self.records = records
  }
}

extension FinishedWrite {
  /// "An interrupted write is finished: of its 3 records 2 are completed, 1 is left as somebody else changed it."
  package var words: String {
    let count = records.count == 1 ? "its 1 record" : "its \(records.count) records"
    let outcomes = Outcome.allCases.compactMap { outcome in
      let found = records.count { $0.outcome == outcome }
      return found == 0 ? nil : "\(found) \(found == 1 ? "is" : "are") \(outcome.words)"
    }
    return
      "An interrupted \(isUndo ? "undo" : "write") is finished: of \(count) \(outcomes.joined(separator: ", "))."
  }
}

extension FinishedWrite.Outcome {
  fileprivate var words: String {
    switch self {
    case .completed: "completed"
    case .rolledBack: "as before it"
    case .left: "left as somebody else changed it"
    }
  }
}
