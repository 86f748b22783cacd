import Journals
import Merging
import RowJournals

/// What the journal is told of one write of several documents.
struct WriteLedger {
  private let log: Journal
  private let store: String
  private var intent: IntentWriter
  private var begun: [String] = []
  private var written: Set<String> = []
  private var last: RecordChanges?

  /// - Parameter store: its path, for the words of an error.
  init(log: Journal, store: String, undoes: Int64?, note: String?) {
    (self.log, self.store) = (log, store)
    intent = log.intent(undoes: undoes, note: note)
  }

  /// Durable when it returns, as each document has its own transaction.
  mutating func begin(_ record: RecordChanges) throws {
    try Journal.beforeWriting(store) {
      try intent.append(record)
      try intent.flush()
    }
    begun.append(record.record)
    last = record
  }

  var hasWritten: Bool { !written.isEmpty }

  mutating func finish(_ record: String) {
    written.insert(record)
    last = nil
  }

  /// The document that was begun, and whose commit was not heard of.
  var unfinished: [RecordChanges] { last.map { [$0] } ?? [] }

  /// - Parameter others: of those that are ``unfinished``.
  func close(_ others: [Receipt] = []) throws {
    guard let id = intent.id else { return }
    let done = begun.filter(written.contains).map { Receipt($0, .written) }
    try Journal.afterWriting(store) { try log.append(done + others, of: id) }
  }
}
