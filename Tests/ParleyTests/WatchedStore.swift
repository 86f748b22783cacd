import Merging
import StoreInterface
import Synchronization

@testable import MemoryStores

/// The store in memory, which passes the contract, and what a command did to it. Beside that a test chooses what becomes of a
/// write or an undo, and what an import says.
final class WatchedStore: ConflictStore {
  private struct Seen {
    var writes: [(drafts: [Draft], note: String?)] = []
    var undos: [UndoExtent] = []
    /// What happens while something is taken back.
    var whileUndoing: @Sendable () -> Void = {}
    /// What happens before what was interrupted is finished, or nothing is.
    var beforeFinishing: @Sendable () -> Void = {}
    var interrupted: [InterruptedWrite] = []
    /// What happens while somebody looks at these.
    var meanwhile: @Sendable () -> Void = {}
    var (glances, lettings) = (0, 0)
    /// What is in conflict once something was written.
    var earlier: [String: RecordConflict] = [:]
    /// What reads fail with, and how many go well before.
    var failure: (error: StoreError, after: Int)?
  }

  private let store: MemoryStore
  private let held: HeldJournal
  private let ids: [String]
  private let undoing: [String: CheckedWrite.Outcome]
  private let summary: ImportSummary?
  /// Whether a record can point to another one.
  private let hasReferences: Bool
  /// Whether no answer comes to a write.
  private let losesAnswers: Bool
  private let notUndone: String?
  private let seen = Mutex(Seen())

  /// - Parameters:
  ///   - outcomes: of checks and writes, by record.
  ///   - endings: of writes that no check could foresee, by record.
  ///   - undoing: of what is taken back, by record; then nothing is.
  ///   - losesAnswers: whether a write may still arrive, and nothing of it is there so far.
  ///   - notUndone: why nothing is taken back here.
  init(
    _ conflicts: [RecordConflict], outcomes: [String: CheckedWrite.Outcome] = [:],
    endings: [String: CheckedWrite.Outcome] = [:], losesAnswers: Bool = false,
    undoing: [String: CheckedWrite.Outcome] = [:], readOnly reason: String? = nil, findings: [Finding] = [],
    summary: ImportSummary? = nil, notUndone: String? = nil
  ) {
    store = MemoryStore(
      conflicts: conflicts, findings: findings, readOnlyReason: reason, rule: { outcomes[$0.seen.id] },
      ending: { endings[$0.seen.id] })
    held = HeldJournal(store.journal)
    ids = conflicts.map(\.id)
    hasReferences = conflicts.contains { $0.fields.contains { $0.field.referencedTable != nil } }
    (self.undoing, self.summary, self.losesAnswers) = (undoing, summary, losesAnswers)
    self.notUndone = notUndone
  }

  /// Those in force.
  var decisions: [Decision] { (try? journal.decisions(for: ids)) ?? [] }
  /// All that was given to be written.
  var writtenDrafts: [Draft] { seen.withLock { $0.writes.flatMap(\.drafts) } }
  var writeNotes: [String?] { seen.withLock { $0.writes.map(\.note) } }
  /// How often it was looked at from outside.
  var glances: Int { seen.withLock { $0.glances } }
  /// How often it was let go of.
  var lettings: Int { seen.withLock { $0.lettings } }
  var undos: [UndoExtent] { seen.withLock { $0.undos } }

  func write(_ orders: [WriteOrder], note: String?) throws -> [CheckedWrite] {
    let drafts = orders.compactMap { order in try? order.draft(of: store.conflict(order.id)) }
    if losesAnswers { return interrupt(orders) }
    let checked = try store.write(orders, note: note)
    seen.withLock { $0.writes.append((drafts, note)) }
    return checked
  }

  private func interrupt(_ orders: [WriteOrder]) -> [CheckedWrite] {
    let records = orders.map { InterruptedWrite.Record(id: $0.id, title: $0.title, state: .awaited) }
    let write = InterruptedWrite(act: .write, records: records, hindrance: "it may come until noon")
    seen.withLock { $0.interrupted.append(write) }
    return orders.map { CheckedWrite(id: $0.id, title: $0.title, outcome: .notKnown("the server hung up")) }
  }

  /// What was on its way never came.
  func endWaiting() {
    seen.withLock { seen in
      for index in seen.interrupted.indices { seen.interrupted[index].hindrance = nil }
    }
  }

  /// - Parameter meanwhile: is called while somebody looks at it.
  func leave(_ write: InterruptedWrite, meanwhile: @escaping @Sendable () -> Void = {}) {
    seen.withLock { ($0.interrupted, $0.meanwhile) = ([write], meanwhile) }
  }

  func hasInterruptedWrites() throws -> Bool { seen.withLock { !$0.interrupted.isEmpty } }

  func interruptedWrites() throws -> [InterruptedWrite] {
    let meanwhile = seen.withLock(\.meanwhile)
    meanwhile()
    return seen.withLock { $0.interrupted }
  }

  func finishInterruptedWrites() throws -> [FinishedWrite] {
    try checkIsThere()
    let before = seen.withLock(\.beforeFinishing)
    before()
    let ended = seen.withLock { seen in
      defer { seen.interrupted.removeAll { $0.hindrance == nil } }
      return seen.interrupted.filter { $0.hindrance == nil }
    }
    return ended.map { write in
      let records = write.records.map {
        FinishedWrite.Record(
          id: $0.id, title: $0.title,
          outcome: [.complete, .half].contains($0.state) ? .completed : .rolledBack)
      }
      return FinishedWrite(act: write.act, records: records, id: write.id)
    }
  }

  /// - Parameter after: how many reads go well before.
  func fail(with error: StoreError, after: Int = 0) { seen.withLock { $0.failure = (error, after) } }

  func recover() { seen.withLock { $0.failure = nil } }

  /// As if another program had its journal for writing.
  func holdJournal(_ isHeld: Bool = true) { held.hold(isHeld) }

  private func checkIsThere() throws {
    try seen.withLock { seen in
      guard let failure = seen.failure else { return }
      if failure.after == 0 { throw failure.error }
      seen.failure?.after -= 1
    }
  }

  func whileUndoing(_ body: @escaping @Sendable () -> Void) { seen.withLock { $0.whileUndoing = body } }

  func beforeFinishing(_ body: @escaping @Sendable () -> Void) { seen.withLock { $0.beforeFinishing = body } }

  /// Another conflict of a record, which is listed once something was written.
  func keep(earlier conflict: RecordConflict) { seen.withLock { $0.earlier[conflict.id] = conflict } }

  /// As if its app had changed it.
  func replace(_ conflict: RecordConflict) { store.replace(conflict) }

  func undo(_ extent: UndoExtent) throws -> [CheckedWrite] {
    let meanwhile = seen.withLock { seen in
      seen.undos.append(extent)
      return seen.whileUndoing
    }
    meanwhile()
    return undoing.isEmpty ? try store.undo(extent) : try checkUndo(extent).map(\.checked)
  }

  func checkUndo(_ extent: UndoExtent) throws -> [CheckedUndo] {
    try store.checkUndo(extent).map {
      CheckedUndo(
        CheckedWrite(
          id: $0.checked.id, title: $0.checked.title,
          outcome: notUndone.map { .refused(field: nil, $0) } ?? undoing[$0.checked.id] ?? .fine),
        changes: WrittenChanges(fields: [
          LastWrite.FieldChange(name: "priority", before: .null, after: .integer(2))
        ]))
    }
  }

  func importRecords(
    from paths: [String], isRehearsal: Bool, progress: (_ path: String, _ records: Int) throws -> Void
  ) throws -> ImportSummary {
    for path in paths { for records in [0, 1500] { try progress(path, records) } }
    return summary ?? ImportSummary()
  }

  var ruleBook: RuleBook { store.ruleBook }
  var info: StoreInfo {
    var info = store.info
    if summary != nil { info.can.insert(.importRecords) }
    if hasReferences { info.can.insert(.tellFamilies) }
    info.notUndone = notUndone
    return info
  }
  var journal: any DecisionJournal { held }
  func access() -> StoreAccess { store.access() }

  func letGo() { seen.withLock { $0.lettings += 1 } }

  func traces() -> [Int64] {
    seen.withLock { $0.glances += 1 }
    return []
  }

  func estimatedCount() throws -> Int? { try store.estimatedCount() }
  func conflicts() -> any ConflictWalk {
    CheckedWalk(walk: store.conflicts(), check: { try self.checkIsThere() })
  }
  func conflict(_ id: String) throws -> RecordConflict {
    try checkIsThere()
    let earlier = seen.withLock { $0.writes.isEmpty ? nil : $0.earlier[id] }
    return try earlier ?? store.conflict(id)
  }
  func check(_ orders: [WriteOrder]) throws -> [CheckedWrite] { try store.check(orders) }
  func lastWrite() throws -> LastWrite? { try store.lastWrite() }
  func findings() -> any FindingWalk { store.findings() }
  func mend(_ findings: [Finding.ID], note: String?) throws -> [CheckedWrite] {
    try store.mend(findings, note: note)
  }
}

/// A walk of a store that may fail meanwhile.
private final class CheckedWalk: ConflictWalk {
  private let walk: any ConflictWalk
  private let check: @Sendable () throws -> Void

  init(walk: any ConflictWalk, check: @escaping @Sendable () throws -> Void) {
    (self.walk, self.check) = (walk, check)
  }

  func next(limit: Int) throws -> ConflictPage? {
    try check()
    return try walk.next(limit: limit)
  }

  func nextConflicts(limit: Int, of store: any ConflictStore) throws -> [RecordConflict]? {
    try check()
    return try walk.nextConflicts(limit: limit, of: store)
  }
}

/// A journal that another program may have for writing, so that nothing is kept in it.
private final class HeldJournal: DecisionJournal {
  private let journal: any DecisionJournal
  private let isHeld = Mutex(false)

  init(_ journal: any DecisionJournal) { self.journal = journal }

  func hold(_ isHeld: Bool) { self.isHeld.withLock { $0 = isHeld } }

  func append(_ decisions: [Decision]) throws {
    if isHeld.withLock(\.self) { throw StoreError.locked(path: "a.parley.sqlite", holder: nil) }
    try journal.append(decisions)
  }

  func note(_ checked: [CheckedWrite]) throws { try journal.note(checked) }
  func decisions(for ids: [String], before decision: Decision?) throws -> [Decision] {
    try journal.decisions(for: ids, before: decision)
  }
  func entries(limit: Int) throws -> [JournalEntry] { try journal.entries(limit: limit) }
}
