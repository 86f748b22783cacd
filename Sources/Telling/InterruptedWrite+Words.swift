import StoreInterface

extension InterruptedWrite {
  /// "A write was interrupted: of its 3 records 2 are half written, 1 is untouched."
  package var words: String {
    let states = State.allCases.map { state in (records.count { $0.state == state }, state.words) }
    return "\(isUndo ? "An undo" : "A write") was interrupted: \(counted(states, of: records.count))."
  }
}

extension FinishedWrite {
  /// "An interrupted write is finished: of its 3 records 2 are completed, 1 is left as somebody else changed it."
  package var words: String {
    let outcomes = Outcome.allCases.map { outcome in
      (records.count { $0.outcome == outcome }, outcome.words)
    }
    return "An interrupted \(isUndo ? "undo" : "write") is finished: \(counted(outcomes, of: records.count))."
  }
}

private func counted(_ counts: [(count: Int, words: String)], of all: Int) -> String {
  let parts = counts.filter { $0.count > 0 }.map { "\($0.count) \($0.count == 1 ? "is" : "are") \($0.words)" }
  return "of its \(all) record\(all == 1 ? "" : "s") " + parts.joined(separator: ", ")
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

extension FinishedWrite.Outcome {
  fileprivate var words: String {
    switch self {
    case .completed: "completed"
    case .rolledBack: "as before it"
    case .left: "left as somebody else changed it"
    }
  }
}
