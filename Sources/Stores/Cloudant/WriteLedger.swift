import Merging

/// What the journal is told of one write of several documents.
struct WriteLedger {
  let log: Journal
  let undoes: Int64?
  let note: String?
  private var intent: Intent?
  private var written: Set<String> = []

  init(log: Journal, undoes: Int64?, note: String?) {
    (self.log, self.undoes, self.note) = (log, undoes, note)
  }

  mutating func begin(_ record: RecordChanges) throws {
    if var open = intent {
      try log.append(record, to: &open)
      intent = open
    } else {
      intent = try log.append(intent: [record], undoes: undoes, note: note)
    }
  }

  var hasWritten: Bool { !written.isEmpty }

  mutating func finish(_ record: String) { written.insert(record) }

  func close() throws {
    guard let intent else { return }
    try log.append(
      intent.records.map { record in
        written.contains(record.record)
          ? Receipt(record.record, .written)
          : Receipt(record.record, .rolledBack, detail: "it could not be committed")
      }, of: intent)
  }
}
