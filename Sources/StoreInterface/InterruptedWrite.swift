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

/// What became of a write, or an undo, that had been interrupted.
public struct FinishedWrite: Sendable, Equatable {
  public enum Outcome: String, Sendable, CaseIterable {
    case completed
    /// Nothing of it is in the store.
    case rolledBack
    /// Somebody else had changed the record since.
    case left
  }

  public struct Record: Sendable, Equatable, Identifiable {
    public var id: String
    public var title: String
    public var outcome: Outcome
    /// Why it was not completed.
    public var detail: String?

    public init(id: String, title: String, outcome: Outcome, detail: String? = nil) {
      self.id = id
      self.title = title
      self.outcome = outcome
      self.detail = detail
    }
  }

  public var isUndo: Bool
  public var records: [Record]

  public init(isUndo: Bool, records: [Record]) {
    self.isUndo = isUndo
    self.records = records
  }
}

extension FinishedWrite {
  /// "An interrupted write is finished: of its 3 records 2 are completed, 1 is left as somebody else changed it."
  public var words: String {
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
