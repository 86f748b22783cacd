import Merging
import StoreInterface
import Synchronization

/// A store in memory: for tests of everything above ``ConflictStore``, and for showing things where no files are.
///
/// It keeps the promises of the protocol, and passes the same contract suite as a store on disk.
package final class MemoryStore: ConflictStore {
  /// Why the store would not take a draft, and the field it is about; nil if it would.
  package typealias Rule = @Sendable (PlannedWrite) -> CheckedWrite.Outcome?

  /// How the write of a draft ends that nothing was wrong with; nil if well. No check can foresee it.
  package typealias Ending = @Sendable (PlannedWrite) -> CheckedWrite.Outcome?

  fileprivate struct Contents {
    /// Newest first.
    var conflicts: [RecordConflict]
    /// What each write took out of the list, with the places it stood at. The newest write is the last.
    var writes: [[Written]] = []
    var findings: [Finding] = []
    /// How often somebody else has changed something.
    var changes: Int64 = 0
  }

  /// What can be put back.
  fileprivate struct Written {
    let id: String
    let title: String
    let putBack: @Sendable (inout Contents) -> Void
  }

  package let info: StoreInfo
  /// Its conflicts are merged by those who make them.
  package let ruleBook = RuleBook()
  private let contents: Mutex<Contents>
  private let readOnlyReason: String?
  private let rule: Rule
  private let ending: Ending
  private let log: MemoryJournal
  private let clock: @Sendable () -> Int64

  /// - Parameters:
  ///   - conflicts: newest first.
  ///   - readOnlyReason: why the store cannot be written; nil if it can.
  ///   - rule: what the store refuses beside values of a wrong type and missing ones.
  ///   - ending: what a server or a full disk would do. What is not known was written, and only its answer is lost; of what is
  ///     written in part the record stays in conflict.
  package init(
    name: String = "memory", conflicts: [RecordConflict], findings: [Finding] = [],
    readOnlyReason: String? = nil,
    journal: MemoryJournal = MemoryJournal(), clock: @escaping @Sendable () -> Int64 = WallClock.now,
    rule: @escaping Rule = { _ in nil }, ending: @escaping Ending = { _ in nil }
  ) {
    info = StoreInfo(
      name: name, path: name, kind: "memory", writing: "Drafts are kept until the program ends.")
    contents = Mutex(Contents(conflicts: conflicts, findings: findings))
    (self.readOnlyReason, self.rule, self.ending, self.clock) = (readOnlyReason, rule, ending, clock)
    log = journal
  }

  package var journal: any DecisionJournal { log }

  package func access() -> StoreAccess { readOnlyReason.map { .readOnly(reason: $0) } ?? .writable }

  package func traces() -> [Int64] { [contents.withLock { $0.changes }] }

  package func estimatedCount() throws -> Int? { contents.withLock { $0.conflicts.count } }

  package func conflicts() -> any ConflictWalk {
    MemoryWalk(store: self, all: contents.withLock { $0.conflicts })
  }

  package func findings() -> any FindingWalk {
    MemoryFindingWalk(contents.withLock { $0.findings }, path: info.path)
  }

  package func conflict(_ id: String) throws -> RecordConflict {
    try StoreCall.current.check(info.path)
    guard let conflict = contents.withLock({ $0.conflict(id) }) else { throw StoreError.noSuchRecord(id: id) }
    return conflict
  }

  /// Puts another conflict in the place of the one of the same name, as if it had moved behind the desk's back.
  package func replace(_ conflict: RecordConflict) {
    contents.withLock { contents in
      if let index = contents.index(conflict.id) { contents.conflicts[index] = conflict }
      contents.changes += 1
    }
  }

  package func judge(_ field: String, in write: PlannedWrite) throws -> ValueVerdict {
    if case .refused(let refused, let reason)? = rule(write), refused == nil || refused == field {
      return .refused(reason)
    }
    return .fits
  }

  package func check(_ orders: [WriteOrder]) throws -> [CheckedWrite] {
    try checkAccess()
    return try contents.withLock { contents in
      try orders.enumerated().map { index, order in
        try StoreCall.begin(index, of: orders.count, in: info.path)
        return order.checked(try outcome(order, contents) { _ in nil })
      }
    }
  }

  package func write(_ orders: [WriteOrder], note: String?) throws -> [CheckedWrite] {
    try checkAccess()
    try StoreCall.current.check(info.path)
    return contents.withLock { contents in
      let ended = orders.enumerated().map { index, order in
        return order.checked(end(order, index, of: orders.count, contents))
      }
      let written = ended.filter { $0.outcome.hasLeftTheList }
      let removed = written.compactMap { contents.remove($0.id) }
      if !removed.isEmpty { contents.writes.append(removed) }
      log.append(entries(.write, written, note: note))
      log.note(ended)
      return ended
    }
  }

  package func lastWrite() throws -> LastWrite? {
    contents.withLock { contents in
      contents.writes.last.map { written in
        LastWrite(
          id: Int64(contents.writes.count),
          records: written.map { LastWrite.Record(id: $0.id, title: $0.title, changes: WrittenChanges()) },
          takingBack: "What was written is in conflict, or found, again.")
      }
    }
  }

  package func undo(_ extent: UndoExtent) throws -> [CheckedWrite] {
    try checkAccess()
    try StoreCall.current.check(info.path)
    return try contents.withLock { contents in
      guard let last = contents.takeBack(extent) else { throw StoreError.nothingToUndo }
      for written in last.reversed() { written.putBack(&contents) }
      let checked = last.map { CheckedWrite(id: $0.id, title: $0.title, outcome: .fine) }
      log.append(entries(.undo, checked, note: nil))
      return checked
    }
  }

  package func checkUndo(_ extent: UndoExtent) throws -> [CheckedUndo] {
    try checkAccess()
    return try contents.withLock { contents in
      var rehearsed = contents
      guard let last = rehearsed.takeBack(extent) else { throw StoreError.nothingToUndo }
      return last.map {
        CheckedUndo(CheckedWrite(id: $0.id, title: $0.title, outcome: .fine), changes: WrittenChanges())
      }
    }
  }

  package func mend(_ findings: [Finding.ID], note: String?) throws -> [CheckedWrite] {
    try checkAccess()
    return contents.withLock { contents in
      var mended: [Written] = []
      let checked = findings.map { id in contents.mend(id, &mended) }
      if !mended.isEmpty { contents.writes.append(mended) }
      log.append(entries(.write, checked.filter { $0.outcome == .fine }, note: note))
      return checked
    }
  }

  private func checkAccess() throws {
    if let readOnlyReason { throw StoreError.readOnly(path: info.path, reason: readOnlyReason) }
  }

  private func outcome(
    _ order: WriteOrder, _ contents: borrowing Contents, _ ending: Ending
  ) throws -> CheckedWrite.Outcome {
    guard let now = contents.conflict(order.id) else { return .moved("it is no longer in conflict") }
    do {
      let write = PlannedWrite(seen: now, draft: try order.draft(of: now))
      return rule(write) ?? write.refusalOfValues ?? ending(write) ?? .fine
    } catch let moved as Moved {
      return .moved(moved.words)
    }
  }

  private func end(
    _ order: WriteOrder, _ index: Int, of all: Int, _ contents: borrowing Contents
  ) -> CheckedWrite.Outcome {
    do {
      try StoreCall.begin(index, of: all, in: info.path)
      return try outcome(order, contents, ending)
    } catch {
      return .notReached("it was stopped")
    }
  }

  private func entries(_ act: JournalEntry.Act, _ written: [CheckedWrite], note: String?) -> [JournalEntry] {
    written.map {
      JournalEntry(time: clock(), record: $0.id, title: $0.title, event: .ended(act), note: note)
    }
  }
}

extension MemoryStore.Contents {
  fileprivate func index(_ id: String) -> Int? { conflicts.firstIndex { $0.id == id } }
  fileprivate func conflict(_ id: String) -> RecordConflict? { index(id).map { conflicts[$0] } }

  fileprivate mutating func remove(_ id: String) -> MemoryStore.Written? {
    index(id).map { index in
      let conflict = conflicts.remove(at: index)
      return .init(id: id, title: conflict.title) { $0.conflicts.insert(conflict, at: index) }
    }
  }

  /// Nothing ever moves in memory: what was written can be taken back.
  fileprivate mutating func takeBack(_ extent: UndoExtent) -> [MemoryStore.Written]? {
    if case .write(let id) = extent, id != Int64(writes.count) { return nil }
    guard case .records(let ids) = extent else { return writes.popLast() }
    let written = ids.compactMap { takeBack($0) }
    return written.isEmpty ? nil : written
  }

  private mutating func takeBack(_ id: String) -> MemoryStore.Written? {
    for index in writes.indices.reversed() {
      guard let place = writes[index].firstIndex(where: { $0.id == id }) else { continue }
      let written = writes[index].remove(at: place)
      writes.removeAll(where: \.isEmpty)
      return written
    }
    return nil
  }

  fileprivate mutating func mend(_ id: Finding.ID, _ mended: inout [MemoryStore.Written]) -> CheckedWrite {
    guard let index = findings.firstIndex(where: { $0.id == id }) else {
      return CheckedWrite(id: id, title: id, outcome: .moved("it is no longer found"))
    }
    let finding = findings[index]
    guard finding.canBeMended != nil else {
      let reason = "Parley cannot mend it; see what does"
      return CheckedWrite(id: id, title: finding.title, outcome: .refused(field: nil, reason))
    }
    findings.remove(at: index)
    mended.append(.init(id: id, title: finding.title) { $0.findings.insert(finding, at: index) })
    return CheckedWrite(id: id, title: finding.title, outcome: .fine)
  }
}

extension CheckedWrite.Outcome {
  /// What nobody answered is written here all the same.
  fileprivate var hasLeftTheList: Bool {
    switch self {
    case .fine, .notKnown: true
    case .moved, .refused, .partly, .notReached: false
    }
  }
}

extension WriteOrder {
  fileprivate func checked(_ outcome: CheckedWrite.Outcome) -> CheckedWrite {
    CheckedWrite(id: id, title: title, outcome: outcome)
  }
}

extension PlannedWrite {
  /// The first value that its field does not take.
  fileprivate var refusalOfValues: CheckedWrite.Outcome? {
    guard case .save(let drafts) = draft.action else { return nil }
    for draft in drafts where draft.value != seen[draft.name]?.client?.value {
      if !draft.value.isAtHand {
        return .refused(field: draft.name, "its bytes are not here; only their hash is known")
      }
      switch seen[draft.name]?.field.refusal(of: draft.value) {
      case .required?: return .refused(field: draft.name, "it must not be NULL")
      case .wrongType(_, let expected)?:
        return .refused(field: draft.name, "it takes a value of the type \(expected.rawValue)")
      case nil, .some: break
      }
    }
    return nil
  }
}

/// A walk over the conflicts as they were when it began.
final class MemoryWalk: ConflictWalk {
  private let store: MemoryStore
  private let all: [RecordConflict]
  /// How many were told.
  private let told = Mutex(0)

  init(store: MemoryStore, all: [RecordConflict]) { (self.store, self.all) = (store, all) }

  func next(limit: Int) throws -> ConflictPage? {
    try StoreCall.current.check(store.info.path)
    return try told.withLock { told in
      let page = all[told...].prefix(max(1, limit))
      if page.isEmpty { return nil }
      told += page.count
      return ConflictPage(summaries: try store.journal.summaries(of: Array(page)), seen: told)
    }
  }
}

final class MemoryFindingWalk: FindingWalk {
  private let path: String
  private let left: Mutex<ArraySlice<Finding>>
  private let count: Int

  init(_ findings: [Finding], path: String) {
    self.path = path
    left = Mutex(findings[...])
    count = findings.count
  }

  var looked: Int { count - left.withLock(\.count) }

  func next(limit: Int) throws -> [Finding]? {
    try StoreCall.current.check(path)
    return left.withLock { left in
      if left.isEmpty { return nil }
      let page = left.prefix(max(1, limit))
      left = left.dropFirst(page.count)
      return Array(page)
    }
  }
}

/// A journal that lasts as long as the program.
package final class MemoryJournal: DecisionJournal {
  private struct Kept {
    var decisions: [Decision] = []
    var entries: [JournalEntry] = []

    /// Oldest first.
    func handedOut(of ids: Set<String>, before end: Decision?, ofEachConflict: Bool) -> [Decision] {
      let count = end.map { decisions.firstIndex(of: $0) ?? 0 } ?? decisions.count
      return decisions.prefix(count).indices.filter { ids.contains(decisions[$0].id) }
        .handedOut(
          { DecidedSubject(decisions[$0], ofEachConflict: ofEachConflict) },
          isTakenBack: { decisions[$0].choice == nil }
        )
        .map { decisions[$0] }
    }

    /// The same, each with what was refused before it, where it decides nothing else.
    func keepingRefusals(_ new: [Decision]) -> [Decision] {
      new.map { decision in
        let known = decisions.filter { $0.id == decision.id }
        let newest = Dictionary(known.map { ($0.subject, $0) }) { $1 }
        var decision = decision
        if new.filter({ $0.id == decision.id }).isDecided(by: newest.values) {
          decision.refusal = known.last?.refusal
        }
        return decision
      }
    }
  }

  private let kept = Mutex(Kept())

  package init() {}

  package func append(_ decisions: [Decision]) throws {
    kept.withLock { kept in
      let decisions = decisions.changing(
        kept.handedOut(of: Set(decisions.map(\.id)), before: nil, ofEachConflict: false))
      kept.decisions += kept.keepingRefusals(decisions)
      for decision in decisions {
        var entry = JournalEntry(decision)
        entry.place = Int64(kept.entries.count)
        kept.entries.append(entry)
      }
    }
  }

  package func note(_ checked: [CheckedWrite]) {
    kept.withLock { kept in
      for checked in checked where checked.outcome.isAnswer {
        guard let newest = kept.decisions.lastIndex(where: { $0.id == checked.id }) else { continue }
        let known = kept.decisions[newest].refusal
        kept.decisions[newest].refusal = checked.outcome.refusal
        guard let refusal = checked.outcome.refusal, refusal != known else { continue }
        kept.entries.append(
          JournalEntry(time: kept.decisions[newest].decidedAt, record: checked.id, event: .refused(refusal)))
      }
    }
  }

  package func decisions(for ids: [String], before end: Decision?) throws -> [Decision] {
    kept.withLock { $0.handedOut(of: Set(ids), before: end, ofEachConflict: true) }
  }

  package func entries(limit: Int) throws -> [JournalEntry] {
    kept.withLock { Array($0.entries.suffix(limit).reversed()) }
  }

  func append(_ entries: [JournalEntry]) { kept.withLock { $0.entries += entries } }
}
