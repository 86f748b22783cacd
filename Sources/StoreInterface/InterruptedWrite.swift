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

  package init(isUndo: Bool, records: [Record]) {
    self.isUndo = isUndo
    self.records = records
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
    }
  }
}
