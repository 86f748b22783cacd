import StoreInterface

/// What the journal is told of one write.
struct WriteLedger {
  private let log: Journal
  private let store: String
  private var intent: IntentWriter
  /// What was begun since the last ``end(_:)``.
  private var begun: [String] = []
  private var written: [String] = []
  private(set) var checked: [CheckedWrite] = []

  /// - Parameter store: its path, for the words of an error.
  init(log: Journal, store: String, undoes: Int64?, note: String?) {
    (self.log, self.store) = (log, store)
    intent = log.intent(undoes: undoes, note: note)
  }

  /// What is about to be changed, as soon as it is known: for all of it may be more than fits into memory.
  mutating func begin(_ record: RecordIntent) throws {
    try Journal.beforeWriting(store) { try intent.append(record) }
    begun.append(record.id)
  }

  /// What was begun is durable when this returns.
  ///
  /// - Returns: whether there is any of it.
  mutating func flush(_ checked: [CheckedWrite]) throws -> Bool {
    try Journal.beforeWriting(store) { _ = try intent.flush() }
    self.checked += checked
    return !begun.isEmpty
  }

  /// All that was begun is written.
  mutating func end() {
    written += begun
    begun = []
  }

  var hasWritten: Bool { !written.isEmpty }

  /// What was begun, and not heard of since.
  func unfinished() throws -> (intent: Int64, records: [Intent.Record]) {
    guard let id = intent.id else { return (0, []) }
    let known = Set(written)
    guard let open = try log.openIntents().first(where: { $0.id == id }) else {
      throw Damage("the intent \(id) is not there")
    }
    return (id, open.records.filter { !known.contains($0.id) })
  }

  func close(_ others: [Receipt] = [], detail: String? = nil) throws {
    guard let id = intent.id else { return }
    let receipts = written.map { Receipt($0, .written, detail: detail) } + others
    try Journal.afterWriting(store) { try log.append(receipts, of: id) }
  }
}
