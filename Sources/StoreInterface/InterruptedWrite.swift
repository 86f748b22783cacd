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
