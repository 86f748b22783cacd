import ExactJSON
import Merging
import StoreInterface
import Synchronization
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
  /// Those that were decided and have changed since, so that something is undecided again, or would be dropped.
  private(set) var moved: [(summary: ConflictSummary, outcome: CheckedWrite)] = []
  private(set) var undecided = 0
  /// How many have nothing undecided, and something that was decided and holds no longer.
  private(set) var toLookAt = 0
  /// How many wait already to be applied or sent.
  private(set) var waiting = 0
  /// Of how many that are ready, or wait, another conflict is undecided, which is listed after this one.
  private(set) var withEarlier = 0

  var isEmpty: Bool { ready.isEmpty }
  /// Whether something is undecided, be all written that is ready.
  var isAnythingLeft: Bool { undecided > 0 || withEarlier > 0 }
  /// Those that can be written.
  var writes: [WriteOrder] {
    notWritable.isEmpty ? ready : ready.filter { notWritable[JSONText($0.id)] == nil }
  }

  /// - Parameters:
  ///   - redaction: by which records are found that a redacted report named; without names there is nothing to find.
  ///   - each: called for each record that is looked at.
  init(
    _ store: any ConflictStore, records: [String], _ redaction: Redaction = Redaction { RedactionKey() },
    remembering memory: Memory = .nothing,
    each: () throws -> Void = {}
  ) throws {
    let decided = DecidedAgain(store.journal)
    let draft = WriteOrder.Drafting { try decided.draft(of: $0) }
    let keepsWhole = memory == .whole || store.info.isAskedOnce
    try store.forEachConflict(named: records, redaction) { found in
      try each()
      guard isReady(found) else { return }
      let conflict = found.conflict
      if keepsWhole, let seen = found.draft {
        ready.append(WriteOrder(PlannedWrite(seen: conflict, draft: seen)))
      } else {
        decided.remember(found)
        ready.append(WriteOrder(id: conflict.id, title: conflict.title, draft: draft))
      }
      if memory == .summaries { summaries.append(found.summary) }
      if let reason = conflict.details.notWritable { notWritable[JSONText(conflict.id)] = reason }
    }
    decided.expect(ready)
  }

  /// Notes one that is not ready. The draft of one that is will be made when it is written.
  private mutating func isReady(_ decided: DecidedConflict) -> Bool {
    let isWaiting = decided.conflict.details.waitingSince != nil
    if isWaiting || (!decided.isMoved && decided.conflict.isReady(decided.resolution)) {
      if decided.conflict.details.hasEarlier { withEarlier += 1 }
      if isWaiting { waiting += 1 }
      return !isWaiting
    }
    if decided.undecided.isEmpty && decided.isMoved { toLookAt += 1 } else { undecided += 1 }
    if decided.isMoved { moved.append((decided.summary, decided.movedOutcome)) }
    return false
  }

  /// What `write` makes of each record that is ready, in their order. One that cannot be written is refused with its
  /// reason, and never planned.
  func outcomes(_ write: ([WriteOrder]) throws -> [CheckedWrite]) throws -> [CheckedWrite] {
    let writes = writes
    let written = writes.isEmpty ? [] : try write(writes)
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

/// What was decided about each record of a write, as it is asked for once more when it is written.
private final class DecidedAgain: Sendable {
  private struct State {
    /// The record that was found ready last. Of hundreds of leaves all are hashed to see whether a decision holds; whoever writes one
    /// record need not do so twice, if nothing of it is another when it is written.
    var last: DecidedConflict?
    /// Those of which nothing was asked for yet, in the order in which they are written.
    var rest: ArraySlice<RecordLabel> = []
    var decisions: [JSONText: [Decision]] = [:]
  }

  private let journal: any DecisionJournal
  private let state = Mutex(State())
  /// So many are asked for at once, which is a fifth of a second before the last of them is written.
  private static let page = 200

  init(_ journal: any DecisionJournal) { self.journal = journal }

  func remember(_ decided: DecidedConflict) { state.withLock { $0.last = decided } }

  /// By their labels: an order has the way to its draft, which has this, and neither would ever go. Names would be 10 MB of 10^5.
  func expect(_ orders: [WriteOrder]) { state.withLock { $0.rest = orders.map(\.label)[...] } }

  /// - Throws: ``Moved`` where it is not decided any more.
  func draft(of now: RecordConflict) throws -> Draft {
    let (last, decisions) = try state.withLock { ($0.last, try known(about: now.id, &$0)) }
    let decided =
      last.flatMap { $0.isMade(of: now, decisions) ? $0 : nil } ?? DecidedConflict(now, decisions: decisions)
    guard !decided.isMoved, let draft = decided.draft else { throw Moved(decided.movedWords) }
    return draft
  }

  /// One that is tried once more, as others had to be written first, is asked for alone.
  private func known(about id: String, _ state: inout State) throws -> [Decision] {
    if let known = state.decisions.removeValue(forKey: JSONText(id)) { return known }
    guard let first = state.rest.prefix(Self.page).firstIndex(where: { $0.id.hasSameBytes(as: id) }) else {
      return try journal.decisions(for: [id])
    }
    let names = state.rest[first...].prefix(Self.page).map(\.id)
    state.rest = state.rest[first...].dropFirst(names.count)
    let found = ByRecord(grouping: try journal.decisions(for: names), by: \.id)
    for name in names { state.decisions[JSONText(name)] = found[name] ?? [] }
    return state.decisions.removeValue(forKey: JSONText(id)) ?? []
  }
}

extension DecidedConflict {
  /// What a write says of a record that was decided and has changed since.
  fileprivate var movedOutcome: CheckedWrite {
    CheckedWrite(id: conflict.id, title: conflict.title, outcome: .moved(movedWords))
  }

  /// To what is undecided the way is known.
  private var way: String {
    dropped.isEmpty ? "" : ": resolve --set decides it anew, --forget takes it back"
  }

  fileprivate var movedWords: String {
    let lost = outdated.map(\.subject.name).joined(separator: ", ")
    let open = undecided.map(\.name).joined(separator: ", ")
    return outdated.isEmpty
      ? "\(conflict.whatChanged) after it was decided, and \(open) is undecided now"
      : "what was decided about \(lost) no longer holds, as \(conflict.whatChanged) after the decision" + way
  }
}
