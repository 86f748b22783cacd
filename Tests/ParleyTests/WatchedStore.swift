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
  }

  private let store: MemoryStore
  private let ids: [String]
  private let undoing: [String: CheckedWrite.Outcome]
  private let summary: ImportSummary?
  /// Whether a record can point to another one.
  private let hasReferences: Bool
  private let seen = Mutex(Seen())

  /// - Parameters:
  ///   - outcomes: of checks and writes, by record.
  ///   - undoing: of what is taken back, by record; then nothing is.
  init(
    _ conflicts: [RecordConflict], outcomes: [String: CheckedWrite.Outcome] = [:],
    undoing: [String: CheckedWrite.Outcome] = [:], readOnly reason: String? = nil, findings: [Finding] = [],
    summary: ImportSummary? = nil
  ) {
    store = MemoryStore(
      conflicts: conflicts, findings: findings, readOnlyReason: reason, rule: { outcomes[$0.seen.id] })
    ids = conflicts.map(\.id)
    hasReferences = conflicts.contains { $0.fields.contains { $0.field.referencedTable != nil } }
    (self.undoing, self.summary) = (undoing, summary)
  }

  /// Those in force.
  var decisions: [Decision] { (try? journal.decisions(for: ids)) ?? [] }
  /// All that was given to be written.
  var writtenDrafts: [Draft] { seen.withLock { $0.writes.flatMap(\.drafts) } }
  var writeNotes: [String?] { seen.withLock { $0.writes.map(\.note) } }
  var undos: [UndoExtent] { seen.withLock { $0.undos } }

  func write(_ orders: [WriteOrder], note: String?) throws -> [CheckedWrite] {
    let drafts = orders.compactMap { order in try? order.draft(of: store.conflict(order.id)) }
    let checked = try store.write(orders, note: note)
    seen.withLock { $0.writes.append((drafts, note)) }
    return checked
  }

  /// As if its app had changed it.
  func replace(_ conflict: RecordConflict) { store.replace(conflict) }

  func undo(_ extent: UndoExtent) throws -> [CheckedWrite] {
    seen.withLock { $0.undos.append(extent) }
    return undoing.isEmpty ? try store.undo(extent) : try checkUndo(extent).map(\.checked)
  }

  func checkUndo(_ extent: UndoExtent) throws -> [CheckedUndo] {
    try store.checkUndo(extent).map {
      CheckedUndo(
        CheckedWrite(id: $0.checked.id, title: $0.checked.title, outcome: undoing[$0.checked.id] ?? .fine),
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
    return info
  }
  var journal: any DecisionJournal { store.journal }
  func access() -> StoreAccess { store.access() }
  func estimatedCount() throws -> Int? { try store.estimatedCount() }
  func conflicts(from position: WalkPosition?) -> any ConflictWalk { store.conflicts(from: position) }
  func conflict(_ id: String) throws -> RecordConflict { try store.conflict(id) }
  func check(_ orders: [WriteOrder]) throws -> [CheckedWrite] { try store.check(orders) }
  func lastWrite() throws -> LastWrite? { try store.lastWrite() }
  func findings() -> any FindingWalk { store.findings() }
  func mend(_ findings: [Finding.ID], note: String?) throws -> [CheckedWrite] {
    try store.mend(findings, note: note)
  }
}
