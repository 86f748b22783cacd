import Merging
import StoreInterface

extension SQLiteDataStore {
  /// The records of writes that were interrupted, as long as nobody could finish them.
  ///
  /// A journal that cannot be read is told by those who need it; the other findings do not.
  func interruptedRecords() -> [Finding] {
    let writes = (try? interruptedWrites()) ?? []
    return writes.flatMap { write in
      write.records.map { Finding($0, isUndo: write.isUndo) }
    }
  }
}

extension Finding {
  fileprivate init(_ record: InterruptedWrite.Record, isUndo: Bool) {
    let act = isUndo ? "undo" : "write"
    let name = RecordName(record.id) ?? RecordName(primaryKey: record.id, table: "")
    self.init(
      id: Finding.interrupted(record.id), table: name.table, record: name.primaryKey, title: record.title,
      what: "interrupted \(act)",
      evidence:
        "The journal has the intent of the \(told: act) and no receipt; the record is \(told: record.state.words).",
      cause: "Parley was ended, or the disk failed, while it wrote.",
      remedy:
        "Finish what was begun, or take it back, before the app is started.",
      canBeMended: "What was begun is finished, or taken back where the store's rules refuse it.",
      isInterrupted: true)
  }

  /// The id of the finding that the write of a record was interrupted.
  static func interrupted(_ record: String) -> Finding.ID { "interrupted:\(record)" }
}

extension CheckedWrite {
  /// That it is finished is what mends it, one way or the other.
  init(_ record: FinishedWrite.Record, finding: Finding.ID) {
    let outcome: Outcome =
      switch record.outcome {
      case .completed, .rolledBack: .fine
      case .left: .refused(field: nil, record.detail ?? "somebody else changed it since")
      }
    self.init(id: finding, title: record.title, outcome: outcome)
  }
}
