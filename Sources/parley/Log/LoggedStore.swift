import Merging
import StoreInterface
import Telling

/// A store of which every call that reads or writes is noted in the log.
final class LoggedStore: ConflictStore {
  private let store: any ConflictStore
  private let log: LogBook
  /// By which a record is called what a redacted report calls it.
  private let privacy: Privacy
  let journal: any DecisionJournal

  init(_ store: any ConflictStore, _ log: LogBook, _ privacy: Privacy) {
    (self.store, self.log, self.privacy) = (store, log, privacy)
    journal = LoggedJournal(store, log, privacy)
    log.note(
      "store \(store.info.kind), can \(store.info.can.map { "\($0)" }.sorted().joined(separator: " "))")
  }

  private func hash(_ id: String) -> String { privacy.recordHash(id, in: store.info) }

  var info: StoreInfo { store.info }
  var ruleBook: RuleBook { store.ruleBook }
  func traces() -> [Int64] { store.traces() }
  func letGo() { store.letGo() }
  func patientAccess() -> StoreAccess { store.patientAccess() }
  func deafness() -> String? { store.deafness() }
  func access() -> StoreAccess { log.timed("access", { ": \(LogBook.name(of: $0))" }, { store.access() }) }
  func estimatedCount() throws -> Int? { try store.estimatedCount() }

  func conflicts() -> any ConflictWalk { LoggedWalk(store.conflicts(), log) }

  func conflict(_ id: String) throws -> RecordConflict {
    try log.timed("conflict \(hash(id))", { ": \($0.fields.count) fields" }, { try store.conflict(id) })
  }

  func conflicts(_ ids: [String]) throws -> [RecordConflict] {
    try log.timed("conflicts of \(ids.count)", { ": \($0.count)" }, { try store.conflicts(ids) })
  }

  func tree(_ id: String) throws -> RevisionTreePicture? {
    try log.timed("tree \(hash(id))") { try store.tree(id) }
  }

  func content(of field: String, _ value: Value, in id: String) throws -> [UInt8]? {
    try log.timed(
      "content in \(hash(id))", { ": \($0?.count ?? -1) bytes" },
      {
        try store.content(of: field, value, in: id)
      })
  }

  func check(_ orders: [WriteOrder]) throws -> [CheckedWrite] {
    try log.timed("check of \(orders.count)", LoggedStore.outcomes) { try store.check(orders) }
  }

  func statements(_ orders: [WriteOrder]) throws -> WriteStatements {
    try log.timed("statements of \(orders.count)", { ": \($0.sql.count)" }, { try store.statements(orders) })
  }

  func recordsNeeded(by write: PlannedWrite) throws -> [String] { try store.recordsNeeded(by: write) }

  func judge(_ field: String, in write: PlannedWrite) throws -> ValueVerdict {
    try log.timed("judge", { ": \(LogBook.name(of: $0))" }, { try store.judge(field, in: write) })
  }

  func write(_ orders: [WriteOrder], note: String?) throws -> [CheckedWrite] {
    try log.timed("write of \(orders.count)", LoggedStore.outcomes) { try store.write(orders, note: note) }
  }

  func interruptedWrites() throws -> [InterruptedWrite] {
    try log.timed("interrupted writes", { ": \($0.count)" }, { try store.interruptedWrites() })
  }

  func hasInterruptedWrites() throws -> Bool { try store.hasInterruptedWrites() }

  func finishInterruptedWrites() throws -> [FinishedWrite] {
    try log.timed("finish interrupted writes", { ": \($0.count)" }, { try store.finishInterruptedWrites() })
  }

  func lastWrite() throws -> LastWrite? { try log.timed("last write") { try store.lastWrite() } }

  func standingNames(of write: LastWrite.ID) throws -> [String]? {
    try log.timed("what stands of a write") { try store.standingNames(of: write) }
  }

  func lastWriteNames() throws -> LastWrite.Names? {
    try log.timed("names of the last write") { try store.lastWriteNames() }
  }

  func undo(_ extent: UndoExtent) throws -> [CheckedWrite] {
    try log.timed("undo", LoggedStore.outcomes) { try store.undo(extent) }
  }

  func checkUndo(_ extent: UndoExtent) throws -> [CheckedUndo] {
    try log.timed(
      "check of an undo", { LoggedStore.outcomes($0.map(\.checked)) },
      {
        try store.checkUndo(extent)
      })
  }

  func findings() -> any FindingWalk { LoggedFindings(store.findings(), log) }

  func mend(_ findings: [Finding.ID], note: String?) throws -> [CheckedWrite] {
    try mend(findings, seen: [], note: note)
  }

  func mend(_ findings: [Finding.ID], seen: [Finding], note: String?) throws -> [CheckedWrite] {
    try log.timed("mend of \(findings.count)", LoggedStore.outcomes) {
      try store.mend(findings, seen: seen, note: note)
    }
  }

  func uploadQueue(limit: Int) throws -> UploadQueue {
    try log.timed("upload queue", { ": \($0.count)" }, { try store.uploadQueue(limit: limit) })
  }

  func importRecords(
    from paths: [String], isRehearsal: Bool, progress: (_ path: String, _ records: Int) throws -> Void
  ) throws -> ImportSummary {
    try log.timed(
      "import of \(paths.count) files", { ": \($0.new) new, \($0.unreadable.count) unreadable" },
      {
        try store.importRecords(from: paths, isRehearsal: isRehearsal, progress: progress)
      })
  }

  func capture(isPrintable: (String) -> Bool) throws -> Capture {
    try log.timed(
      "capture", { ": \($0.tables.count) tables" },
      {
        try store.capture(isPrintable: isPrintable)
      })
  }

  /// ": 2 fine, 1 moved"
  private static func outcomes(_ checked: [CheckedWrite]) -> String {
    let counts = Dictionary(grouping: checked) { $0.outcome.word(fine: "fine") }
    return ": "
      + counts.sorted { $0.key < $1.key }.map { "\($0.value.count) \($0.key)" }.joined(separator: ", ")
  }
}

private final class LoggedWalk: ConflictWalk {
  private let walk: any ConflictWalk
  private let log: LogBook

  init(_ walk: any ConflictWalk, _ log: LogBook) { (self.walk, self.log) = (walk, log) }

  func next(limit: Int) throws -> ConflictPage? {
    try log.timed(
      "page", { $0.map { ": \($0.summaries.count) conflicts, \($0.seen) seen" } ?? ": the end" },
      {
        try walk.next(limit: limit)
      })
  }

  func nextConflicts(limit: Int, of store: any ConflictStore) throws -> [RecordConflict]? {
    try log.timed(
      "page of conflicts", { $0.map { ": \($0.count)" } ?? ": the end" },
      { try walk.nextConflicts(limit: limit, of: store) })
  }
}

private final class LoggedFindings: FindingWalk {
  private let walk: any FindingWalk
  private let log: LogBook

  init(_ walk: any FindingWalk, _ log: LogBook) { (self.walk, self.log) = (walk, log) }

  var looked: Int { walk.looked }

  func next(limit: Int) throws -> [Finding]? {
    try log.timed(
      "findings", { $0.map { ": \($0.map(\.what).sorted().joined(separator: "; "))" } ?? ": the end" },
      {
        try walk.next(limit: limit)
      })
  }
}

private final class LoggedJournal: DecisionJournal {
  private let journal: any DecisionJournal
  private let log: LogBook
  private let privacy: Privacy
  private let info: StoreInfo

  init(_ store: any ConflictStore, _ log: LogBook, _ privacy: Privacy) {
    (journal, info, self.log, self.privacy) = (store.journal, store.info, log, privacy)
  }

  func prepare() throws { try log.timed("prepare the journal") { try journal.prepare() } }
  var notices: [JournalNotice] { journal.notices }

  func append(_ decisions: [Decision]) throws {
    let kinds = decisions.map { $0.choice.map { LogBook.name(of: $0) } ?? "taken back" }
    let counts = Dictionary(grouping: kinds, by: \.self).sorted { $0.key < $1.key }.map {
      "\($0.value.count) \($0.key)"
    }
    try log.timed("decide: \(counts.joined(separator: ", "))") { try journal.append(decisions) }
  }

  func note(_ checked: [CheckedWrite]) throws { try journal.note(checked) }
  func refusedRecords(limit: Int) throws -> [String] { try journal.refusedRecords(limit: limit) }
  func decisions(for ids: [String], before decision: Decision?) throws -> [Decision] {
    try journal.decisions(for: ids, before: decision)
  }
  func suppose(_ decisions: [Decision]) { journal.suppose(decisions) }
  var supposals: Supposals { journal.supposals }
  func share(_ supposals: Supposals) { journal.share(supposals) }
  func traces() -> [Int64] { journal.traces() }
  func tracesOfKept() -> [Int64] { journal.tracesOfKept() }
  func decisionsOfOthers() throws -> [Decision] { try journal.decisionsOfOthers() }
  var placeAtStart: Int64? { journal.placeAtStart }

  func history(of record: String) throws -> [JournalEntry] {
    try log.timed(
      "history \(privacy.recordHash(record, in: info))", { ": \($0.count)" },
      { try journal.history(of: record) })
  }

  func givenUp() throws -> [JournalEntry] {
    try log.timed("given up", { ": \($0.count)" }, { try journal.givenUp() })
  }

  func entries(limit: Int) throws -> [JournalEntry] {
    try log.timed("entries", { ": \($0.count)" }, { try journal.entries(limit: limit) })
  }
}
