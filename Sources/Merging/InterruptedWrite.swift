/// A write, or an undo, of which only the intent is known, and what the store shows of it.
public struct InterruptedWrite: Sendable, Equatable {
  public enum State: String, Sendable, CaseIterable {
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

  public struct Record: Sendable, Equatable, Identifiable {
    public var id: String
    public var title: String
    public var state: State

    public init(id: String, title: String, state: State) {
      self.id = id
      self.title = title
      self.state = state
    }
  }

  public var isUndo: Bool
  public var records: [Record]
  /// Why nobody can finish it now; nil if that can be done.
  public var hindrance: String?

  public init(isUndo: Bool, records: [Record], hindrance: String? = nil) {
    self.isUndo = isUndo
    self.records = records
    self.hindrance = hindrance
  }
}

extension InterruptedWrite.State {
  /// As in "2 are half written".
  public var words: String {
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
  public var words: String {
    let count = records.count == 1 ? "its 1 record" : "its \(records.count) records"
    let states = State.allCases.compactMap { state in
      let found = records.count { $0.state == state }
      return found == 0 ? nil : "\(found) \(found == 1 ? "is" : "are") \(state.words)"
    }
    return "\(isUndo ? "An undo" : "A write") was interrupted: of \(count) \(states.joined(separator: ", "))."
  }
}
