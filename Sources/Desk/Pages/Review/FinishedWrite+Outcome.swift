import StoreInterface

extension FinishedWrite.Record {
  /// What became of the write of this record.
  var ending: CheckedWrite.Outcome {
    switch outcome {
    case .completed: .fine
    case .rolledBack: .notReached(detail ?? JournalEntry.OwnDetail.nothingWritten.rawValue)
    case .left: .moved(detail ?? JournalEntry.OwnDetail.changedSince.rawValue)
    }
  }
}
