import ExactJSON
import Merging
import StoreInterface
import Telling

/// What a write is about: the records that are ready, by name, and how many are not.
struct ReadyDrafts {
  /// What is remembered of each that is ready beside its name.
  enum Memory {
    case nothing
    /// For the lines of `--json`, as a record that is written has no summary any more.
    case summaries
    /// What somebody has before them while they make up their mind is written as they saw it, or not at all.
    case whole
  }

  private(set) var ready: [WriteOrder] = []
  /// In the order of those that are ready, if they are remembered.
  private(set) var summaries: [ConflictSummary] = []
  /// Why some of those that are ready cannot be written.
  private(set) var notWritable: [JSONText: String] = [:]
  private(set) var left = LeftToDo()
  private let decided: DecidedAgain

  var isEmpty: Bool { ready.isEmpty }
  /// Those that can be written.
  var writes: [WriteOrder] {
    notWritable.isEmpty ? ready : ready.filter { notWritable[JSONText($0.id)] == nil }
  }

  /// - Parameters:
  ///   - redaction: by which records are found that a redacted report named; without names there is nothing to find.
  ///   - isWritten: whether what is ready will be written at once. Then the write reads it anyway, and what is decided need not be read
  ///     before: which of it is ready is known only then, by ``settled(_:)``.
  ///   - each: called for each record that is looked at.
  init(
    _ store: any ConflictStore, records: MeantRecords, _ redaction: Redaction = Redaction { RedactionKey() },
    remembering memory: Memory = .nothing, isWritten: Bool = false,
    each: () throws -> Void = {}
  ) throws {
    decided = DecidedAgain(store.journal)
    let draft = decided.drafting
    let keepsWhole = memory == .whole || store.info.isAskedOnce
    if isWritten, records.isAll, memory == .nothing, !keepsWhole {
      let unread = decided.unread()
      try store.forEachMet { id, found in
        try each()
        if let found { return add(found, draft, keepsWhole: false, after: unread.count) }
        ready.append(WriteOrder(unread.append(id), of: unread))
      }
    } else {
      try store.forEachConflict(records, redaction) { found in
        try each()
        add(found, draft, keepsWhole: keepsWhole, remembering: memory)
      }
    }
  }

  /// - Parameters:
  ///   - keepsWhole: whether it is written as it was found, if it is still decided so.
  ///   - unread: how many came before it that were not read.
  private mutating func add(
    _ found: DecidedConflict, _ draft: WriteOrder.Drafting, keepsWhole: Bool, after unread: Int = 0,
    remembering memory: Memory = .nothing
  ) {
    guard left.isReady(found, after: unread) else { return }
    let conflict = found.conflict
    let seen = keepsWhole ? found.draft.map { PlannedWrite(seen: conflict, draft: $0) } : nil
    let order =
      seen.map { WriteOrder($0, decided: draft) }
      ?? WriteOrder(id: conflict.id, title: conflict.title, draft: draft)
    decided.remember(found, order)
    ready.append(order)
    if memory == .summaries { summaries.append(found.summary) }
    if let reason = conflict.details.notWritable { notWritable[JSONText(conflict.id)] = reason }
  }

  /// What `write` makes of each record that is ready, in their order. One that cannot be written is refused with its
  /// reason, and never planned.
  ///
  /// - Parameter finished: what was interrupted, and was finished before `write`.
  func outcomes(
    after finished: [FinishedWrite] = [], _ write: ([WriteOrder]) throws -> [CheckedWrite]
  ) throws -> [CheckedWrite] {
    let writes = writes
    let written = writes.isEmpty ? [] : try writes.outcomes(after: finished, write)
    if written.count == ready.count { return written }
    var rest = written[...]
    return ready.map { order in
      if (rest.first?.id).isName(order.id) { return rest.removeFirst() }
      let untold =
        notWritable[JSONText(order.id)].map { CheckedWrite.Outcome.refused(field: nil, $0) }
        ?? .notKnown("the store said nothing of it")
      return CheckedWrite(id: order.id, title: order.title, outcome: untold)
    }
  }

  /// What the write was about, and what became of it, once it is known which of what was not read before was ready.
  func settled(_ outcomes: [CheckedWrite]) -> (plan: ReadyDrafts, outcomes: [CheckedWrite]) {
    let found = decided.foundInside
    if found.isEmpty { return (self, outcomes) }
    var plan = self
    plan.left.add(found.left)
    plan.notWritable.merge(found.notWritable) { first, _ in first }
    let ready = zip(ready, outcomes).filter { !found.passedOver.contains($0.0.id) }
    plan.ready = ready.map(\.0)
    return (plan, ready.map { found.told($0.1) })
  }

  /// The same once it was written.
  func written(in store: any ConflictStore) -> ReadyDrafts {
    var plan = self
    plan.left.lookAgain(in: store)
    return plan
  }

  /// Calls `body` with each that is ready as it is now, or was remembered, and its outcome. One that has gone meanwhile is nil.
  func forEach(
    _ outcomes: [CheckedWrite], in store: any ConflictStore,
    _ body: (DecidedConflict?, CheckedWrite) throws -> Void
  ) throws {
    for start in stride(from: 0, to: ready.count, by: 200) {
      let page = start..<min(start + 200, ready.count)
      let found = try store.decidedConflicts(ready[page])
      for (order, outcome) in zip(ready[page], outcomes[page]) {
        try body(found[JSONText(order.id)], outcome)
      }
    }
  }
}

/// What is left to do of the records that a write is about, whatever is written of them.
struct LeftToDo {
  /// Those that were decided and have changed since, so that something is undecided again, or would be dropped.
  private(set) var moved: [MovedRecord] = []
  private(set) var undecided = 0
  /// How many have nothing undecided, and something that was decided and holds no longer.
  private(set) var toLookAt = 0
  /// How many wait already to be applied or sent.
  private(set) var waiting = 0
  /// Of those that are ready, or wait.
  private(set) var earlier = EarlierConflicts()

  struct MovedRecord {
    let summary: ConflictSummary
    let outcome: CheckedWrite
    /// How many came before it that were not read.
    fileprivate let place: Int
  }

  /// Whether something is undecided, be all written that is ready.
  var isAnythingLeft: Bool { undecided > 0 || !earlier.isEmpty }

  /// Notes one that is not ready. The draft of one that is will be made when it is written.
  ///
  /// - Parameter unread: how many came before it that were not read.
  mutating func isReady(_ decided: DecidedConflict, after unread: Int) -> Bool {
    let isWaiting = decided.conflict.details.waitingSince != nil
    if isWaiting || (!decided.isMoved && decided.conflict.isReady(decided.resolution)) {
      earlier.insert(decided.conflict)
      if isWaiting { waiting += 1 }
      return !isWaiting
    }
    if decided.undecided.isEmpty && decided.isMoved { toLookAt += 1 } else { undecided += 1 }
    if decided.isMoved {
      moved.append(MovedRecord(summary: decided.summary, outcome: decided.movedOutcome, place: unread))
    }
    return false
  }

  fileprivate mutating func lookAgain(in store: any ConflictStore) { earlier.lookAgain(in: store) }

  /// - Parameter other: what was found of those that were not read.
  mutating func add(_ other: LeftToDo) {
    // In the order of all: one that was read comes before the next that was not.
    moved = (moved + other.moved).enumerated()
      .sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }.map(\.element)
    undecided += other.undecided
    toLookAt += other.toLookAt
    waiting += other.waiting
    earlier.formUnion(other.earlier)
  }
}

extension DecidedConflict {
  /// What a write says of a record that was decided and has changed since.
  fileprivate var movedOutcome: CheckedWrite {
    CheckedWrite(id: conflict.id, title: conflict.title, outcome: .moved(movedWords))
  }
}
