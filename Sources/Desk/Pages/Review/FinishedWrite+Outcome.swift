import StoreInterface

extension FinishedWrite.Record {
  /// What became of the write of this record.
  var ending: CheckedWrite.Outcome {
    switch outcome {
    case .completed: .fine
    case .rolledBack: .notReached(detail ?? "nothing was written")
    case .left: .moved(detail ?? "somebody else changed it since")
    }
  }
}
