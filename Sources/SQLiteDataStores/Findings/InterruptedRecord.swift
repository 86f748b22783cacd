import Merging
import StoreInterface

extension SQLiteDataStore {
  /// The records of writes that were interrupted, as long as nobody could finish them.
  ///
  /// A journal that cannot be read is told by those who need it; the other findings do not.
  func interruptedRecords() -> [Finding] {
    let writes = (try? interruptedWrites()) ?? []
    return writes.flatMap { write in write.records.map { Finding($0, isUndo: write.isUndo) } }
  }
}

extension Finding {
  fileprivate init(_ record: InterruptedWrite.Record, isUndo: Bool) {
    let act = isUndo ? "undo" : "write"
    let name = RecordName(record.id) ?? RecordName(primaryKey: record.id, table: "")
    self.init(
      id: "interrupted:\(record.id)", table: name.table, record: name.primaryKey, title: record.title,
      what: "interrupted \(act)",
      evidence:
        "The journal has the intent of the \(told: act) and no receipt; the record is \(told: record.state.words).",
      cause: "Parley was ended, or the disk failed, while it wrote.",
      remedy:
        "Open the store with Parley while the app is closed: what was begun is finished then, or taken back.")
  }
}
