import Merging

/// What the journal is told of one write of several documents.
struct WriteLedger {
  private let log: Journal
  private var intent: IntentWriter
  private var begun: [String] = []
  private var written: Set<String> = []

  init(log: Journal, undoes: Int64?, note: String?) {
    self.log = log
    intent = log.intent(undoes: undoes, note: note)
  }

  /// Durable when it returns, as each document has its own transaction.
  mutating func begin(_ record: RecordChanges) throws {
    try intent.append(record)
    try intent.flush()
    begun.append(record.record)
  }

  var hasWritten: Bool { !written.isEmpty }

  mutating func finish(_ record: String) { written.insert(record) }

  func close() throws {
    guard let id = intent.id else { return }
    try log.append(
      begun.map { record in
        written.contains(record)
          ? Receipt(record, .written) : Receipt(record, .rolledBack, detail: "it could not be committed")
      }, of: id)
  }
}
