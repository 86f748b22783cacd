import StoreInterface

/// A write, an undo or an import as the journal keeps it. What it changes is read record by record, as all of it together
/// may be more than fits into memory.
package struct Intent: Sendable, Equatable {
  package enum Act: String, Sendable {
    case write
    /// Server records came into the inbox.
    case `import`
  }

  package struct Record: Sendable, Equatable {
    package let id: String
    package let title: String
    /// Whether it was interrupted, and had to be left as it was found.
    package var isLeft = false
  }

  package let id: Int64
  package let act: Act
  /// The intent that this one takes back; nil for all others.
  package let undoes: Int64?
  /// In the order in which they were written.
  package var records: [Record]
}

/// What became of one record of an intent.
package struct Receipt: Sendable, Equatable {
  package enum Outcome: String, Sendable {
    case written
    /// Found half done after a crash, and completed.
    case completed
    /// Found not done or half done after a crash, and taken back.
    case rolledBack
    /// Somebody else changed the record meanwhile; it was left alone.
    case left

    /// How an interrupted one was finished; nil for what went as it was meant.
    package var finished: FinishedWrite.Outcome? {
      switch self {
      case .written: nil
      case .completed: .completed
      case .rolledBack: .rolledBack
      case .left: .left
      }
    }
  }

  package let record: String
  package let outcome: Outcome
  package let detail: String?

  package init(_ record: String, _ outcome: Outcome, detail: String? = nil) {
    self.record = record
    self.outcome = outcome
    self.detail = detail
  }
}

extension FinishedWrite {
  package init(_ intent: Intent, _ receipts: [Receipt]) {
    let titles = Dictionary(intent.records.map { ($0.id, $0.title) }) { first, _ in first }
    self.init(
      isUndo: intent.undoes != nil,
      records: receipts.map {
        Record(
          id: $0.record, title: titles[$0.record] ?? $0.record, outcome: $0.outcome.finished ?? .completed,
          detail: $0.detail)
      })
  }
}
