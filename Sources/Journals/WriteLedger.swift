import ExactJSON
import Merging
import StoreInterface

/// What the journal is told of one write.
struct WriteLedger {
  private let log: Journal
  private let store: String
  private let isUndo: Bool
  private var intent: IntentWriter
  /// Of what was written, and not as it was meant.
  private var others: [Receipt] = []
  /// Whether the store said of some that it does not know. They have no receipt, and are asked for again later.
  private(set) var hasUnheard = false
  /// What is fine of them was begun.
  private(set) var checked: [CheckedWrite] = []
  /// How many of them came to an ``end(_:)``.
  private var ended = 0

  /// - Parameters:
  ///   - store: its path, for the words of an error.
  ///   - lastDecision: before the decisions were read by which it is written; nil where it hangs on none.
  init(log: Journal, store: String, undoes: Int64?, lastDecision: Int64?, note: String?) {
    (self.log, self.store, isUndo) = (log, store, undoes != nil)
    intent = log.intent(undoes: undoes, note: note, lastDecision: lastDecision)
  }

  /// What is about to be changed, as soon as it is known: for all of it may be more than fits into memory.
  mutating func begin(_ record: RecordIntent) throws {
    try Journal.beforeWriting(store) { try intent.append(record) }
  }

  /// What was begun is durable when this returns.
  ///
  /// - Returns: whether there is any of it.
  mutating func flush(_ checked: [CheckedWrite]) throws -> Bool {
    try Journal.beforeWriting(store) { _ = try intent.flush() }
    self.checked.append(sharing: checked)
    return checked.contains { $0.outcome == .fine }
  }

  /// All that was begun is written, except for these.
  mutating func end(_ others: [JSONText: CheckedWrite.Outcome]) {
    for index in ended..<checked.count where !others.isEmpty && checked[index].outcome == .fine {
      if let other = others[JSONText(checked[index].id)] { end(index, other) }
    }
    ended = checked.count
  }

  private mutating func end(_ index: Int, _ other: CheckedWrite.Outcome) {
    checked[index].outcome = other
    switch other {
    case .fine: break
    case .notKnown: hasUnheard = true
    case .partly, .moved, .refused, .notReached:
      others.append(Receipt(checked[index].id, other, isUndo: isUndo))
    }
  }

  /// What was written as it was meant, which of many is nearly all.
  private var written: some Collection<CheckedWrite> { checked[..<ended].lazy.filter { $0.outcome == .fine } }

  var hasWritten: Bool { !written.isEmpty || others.contains { $0.outcome == .written } }

  /// What was begun, and not heard of since.
  func unfinished() throws -> (intent: Intent?, records: [Intent.Record]) {
    guard let id = intent.id else { return (nil, []) }
    let known = Set(written.map { JSONText($0.id) } + others.map { JSONText($0.record) })
    guard let open = try log.openIntents().first(where: { $0.id == id }) else {
      throw Damage("the intent \(id) is not there")
    }
    return (open, open.records.filter { !known.contains(JSONText($0.id)) })
  }

  /// - Parameter rest: of which nobody has heard yet.
  func close(
    _ others: [Receipt] = [], awaiting rest: [Intent.Record] = [], detail: JournalEntry.OwnDetail? = nil
  ) throws {
    guard let id = intent.id else { return }
    let detail = detail?.rawValue
    let written = written.lazy.map { Receipt($0.id, .written, detail: $0.note ?? detail) }
    let others = self.others.map { Receipt($0.record, $0.outcome, detail: $0.detail ?? detail) } + others
    let isNothingKnown = written.isEmpty && others.isEmpty
    try Journal.afterWriting(store) {
      let rest = try rest.isEmpty && hasUnheard ? unfinished().records.without(others) : rest
      if !rest.isEmpty { try log.leaveOpen(rest, of: id, isAll: isNothingKnown, askedAt: log.now()) }
      try log.append(written, of: id, others)
    }
  }
}

extension [Intent.Record] {
  func without(_ receipts: [Receipt]) -> [Intent.Record] {
    let heard = Set(receipts.map { JSONText($0.record) })
    return filter { !heard.contains(JSONText($0.id)) }
  }
}

extension Receipt {
  /// Of a record that its server did not write as it was meant. What is undone in part stays to be undone.
  fileprivate init(_ record: String, _ outcome: CheckedWrite.Outcome, isUndo: Bool) {
    switch outcome {
    case .fine: self.init(record, .written)
    case .partly(let written, let why):
      self.init(record, isUndo ? .left : .written, detail: "only \(written); \(why)")
    case .moved(let why), .refused(_, let why), .notReached(let why):
      self.init(record, .notDone, detail: why)
    case .notKnown(let why): self.init(record, .left, detail: why)
    }
  }
}

/// Intent and receipt, with the words for a write that fails at one of them.
extension Journal {
  /// - Throws: ``StoreError/decidedMeanwhile(path:record:)``;
  ///   ``StoreError/writeFailed(path:detail:)``: what is not in the journal is not written;
  ///   ``StoreError/journalGone(path:)``, after which it would be wrong to say that decisions are kept;
  ///   ``StoreError/locked(path:holder:)``, where somebody else has it.
  static func beforeWriting<Result>(_ store: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError where error.tellsAllOfTheJournal {
      throw error
    } catch let error as DecidedMeanwhile {
      throw StoreError.decidedMeanwhile(path: store, record: error.record)
    } catch {
      throw StoreError.writeFailed(path: store, detail: StoreError.detail(of: error))
    }
  }

  static func afterWriting(_ store: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      throw StoreError.receiptMissing(path: store, detail: StoreError.detail(of: error))
    }
  }
}

extension StoreError {
  /// Whether nothing is to be said beside it: what is not in the journal is not written.
  fileprivate var tellsAllOfTheJournal: Bool {
    switch self {
    case .journalGone, .locked: true
    case .notFound, .fileMissing, .notADatabase, .metadataMissing, .metadataAmbiguous, .databaseAmbiguous,
      .metadataIsDatabase,
      .notAStore, .severalStores, .storeTooNew, .damaged, .journalTooNew, .journalUnusable, .journalFull,
      .journalOfAnother, .journalForbidden, .cannotRead, .bytesNotHad, .beingWritten, .stopped, .noAnswer,
      .server, .notAFile, .tooLarge, .noSuchRecord, .noSuchField, .noSuchAttachment, .refusedChoice,
      .readOnly, .tooNewToWrite, .moved, .refused, .decidedMeanwhile, .writeFailed, .writeUnknown,
      .receiptMissing, .nothingToUndo, .outboxUnusable, .outboxTooNew, .indexUnusable, .outboxOfOtherJournal,
      .copyIsThere:
      false
    }
  }

  /// What an error is about, to stand inside of another one's sentence.
  package static func detail(of error: any Error) -> String {
    switch error as? StoreError {
    case .writeFailed(_, let detail)?: detail
    case .decidedMeanwhile(_, let record)?: "what was decided about \(record) changed meanwhile"
    case .journalFull(let path)?: "the disk is full, and its journal \(path) comes first"
    case .journalUnusable(let path, let detail)?: "its journal \(path) cannot be used, \(detail)"
    case .journalGone(let path)?: "its journal \(path) is gone or another one"
    // What was done before it stays, so that nothing was changed would be said of the rest alone.
    case .stopped?: "it was stopped"
    case let error?: error.words.hasSuffix(".") ? String(error.words.dropLast()) : error.words
    case nil: "\(error)"
    }
  }
}
