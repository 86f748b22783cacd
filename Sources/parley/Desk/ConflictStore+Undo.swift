import Journals
import StoreInterface

extension ConflictStore {
  /// Takes back the newest write of each of these records, one by one. Where one fails, those behind it stay as they are.
  ///
  /// - Throws: what the first one fails with, as nothing is taken back then.
  func undo(each records: [String]) throws -> [CheckedWrite] {
    var outcomes: [CheckedWrite] = []
    for (place, record) in records.enumerated() {
      do {
        outcomes += try undo(.record(record))
      } catch {
        if place == 0 { throw error }
        return outcomes + [CheckedWrite(id: record, title: record, outcome: outcome(of: error))]
          + records[(place + 1)...].map {
            CheckedWrite(id: $0, title: $0, outcome: .notReached(StoreError.detail(of: error)))
          }
      }
    }
    return outcomes
  }

  /// Of a record whose undo failed: it may be in the store all the same.
  private func outcome(of error: any Error) -> CheckedWrite.Outcome {
    switch error {
    case StoreError.writeUnknown, StoreError.receiptMissing: .notKnown(StoreError.detail(of: error))
    default: .notReached(StoreError.detail(of: error))
    }
  }
}
