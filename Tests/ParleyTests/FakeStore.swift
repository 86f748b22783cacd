import Merging
import StoreInterface
import Synchronization

/// A store of conflicts given by a test. Only what commands need to be seen using: walks, decisions, and outcomes of
/// writes that the test chooses.
final class FakeStore: ConflictStore, Sendable {
  private struct State {
    var conflicts: [RecordConflict]
    var decisions: [Decision] = []
    var writes: [(writes: [PlannedWrite], note: String?)] = []
    var undos: [UndoExtent] = []
  }

  private let state: Mutex<State>
  private let outcomes: [String: CheckedWrite.Outcome]
  private let readOnlyReason: String?
  private let found: [Finding]

  init(
    _ conflicts: [RecordConflict], outcomes: [String: CheckedWrite.Outcome] = [:],
    readOnly reason: String? = nil, findings: [Finding] = []
  ) {
    found = findings
    state = Mutex(State(conflicts: conflicts))
    self.outcomes = outcomes
    readOnlyReason = reason
  }

  var decisions: [Decision] { state.withLock { $0.decisions } }
  var writtenDrafts: [Draft] { state.withLock { $0.writes.flatMap { $0.writes.map(\.draft) } } }
  var undos: [UndoExtent] { state.withLock { $0.undos } }
  var writeNotes: [String?] { state.withLock { $0.writes.map(\.note) } }

  let info = StoreInfo(name: "fake.sqlite", path: "fake.sqlite", kind: "fake", writing: "not at all")
  var journal: any DecisionJournal { self }

  func access() -> StoreAccess { readOnlyReason.map { .readOnly(reason: $0) } ?? .writable }
  func estimatedCount() throws -> Int? { state.withLock { $0.conflicts.count } }
  func findings() -> any FindingWalk { FakeFindingWalk(found) }
  func mend(_ findings: [Finding.ID], note: String?) throws -> [CheckedWrite] {
    findings.map { CheckedWrite(id: $0, title: $0, outcome: .fine) }
  }

  func conflicts(from position: WalkPosition?) -> any ConflictWalk {
    let (conflicts, decisions) = state.withLock { ($0.conflicts, $0.decisions) }
    return FakeWalk(
      conflicts.map {
        ConflictSummary($0, decisions: decisions)
      })
  }

  func conflict(_ id: String) throws -> RecordConflict {
    guard let conflict = state.withLock({ $0.conflicts.first { $0.id == id } }) else {
      throw StoreError.noSuchRecord(id: id)
    }
    return conflict
  }

  func check(_ writes: [PlannedWrite]) throws -> [CheckedWrite] { writes.map { checked($0) } }

  func write(_ writes: [PlannedWrite], note: String?) throws -> [CheckedWrite] {
    let checked = writes.map { self.checked($0) }
    let fine = Set(checked.filter { $0.outcome == .fine }.map(\.id))
    state.withLock { state in
      state.writes.append((writes, note))
      state.conflicts.removeAll { fine.contains($0.id) }
    }
    return checked
  }

  func lastWrite() throws -> LastWrite? {
    state.withLock { state in
      state.writes.last.map { last in
        LastWrite(
          id: Int64(state.writes.count),
          records: last.writes.map { LastWrite.Record(id: $0.seen.id, title: $0.seen.title, fields: []) },
          takingBack: "forgotten")
      }
    }
  }

  func undo(_ extent: UndoExtent) throws -> [CheckedWrite] {
    state.withLock { $0.undos.append(extent) }
    guard let last = state.withLock({ $0.writes.popLast() }) else { throw StoreError.nothingToUndo }
    state.withLock { $0.conflicts += last.writes.map(\.seen) }
    return last.writes.map { checked($0) }
  }

  func checkUndo(_ extent: UndoExtent) throws -> [CheckedUndo] {
    guard let last = state.withLock({ $0.writes.last }) else { throw StoreError.nothingToUndo }
    let fields = [LastWrite.FieldChange(name: "priority", before: .null, after: .integer(2))]
    return last.writes.map { CheckedUndo(checked($0), fields: fields) }
  }

  private func checked(_ write: PlannedWrite) -> CheckedWrite {
    CheckedWrite(id: write.seen.id, title: write.seen.title, outcome: outcomes[write.seen.id] ?? .fine)
  }
}

extension FakeStore: DecisionJournal {
  func append(_ decisions: [Decision]) throws { state.withLock { $0.decisions += decisions } }

  func decisions(for ids: [String]) throws -> [Decision] { decisions.filter { ids.contains($0.id) } }

  /// Writes first, as if they had come after every decision.
  func entries(limit: Int) throws -> [JournalEntry] {
    let seen = state.withLock { $0.writes.flatMap { $0.writes.map(\.seen) } }
    let written = seen.map {
      JournalEntry(time: 0, record: $0.id, title: $0.title, event: .ended(.write))
    }
    return Array((written + decided(limit: limit)).prefix(limit))
  }

  private func decided(limit: Int) -> [JournalEntry] {
    decisions.reversed().prefix(limit).map { JournalEntry($0) }
  }
}

private final class FakeWalk: ConflictWalk {
  private let rest: Mutex<(seen: Int, summaries: ArraySlice<ConflictSummary>)>

  init(_ summaries: [ConflictSummary]) { rest = Mutex((0, summaries[...])) }

  var position: WalkPosition { WalkPosition(bytes: []) }

  func next(limit: Int) throws -> ConflictPage? {
    rest.withLock { rest in
      guard !rest.summaries.isEmpty else { return nil }
      let page = Array(rest.summaries.prefix(limit))
      rest.summaries = rest.summaries.dropFirst(limit)
      rest.seen += page.count
      return ConflictPage(summaries: page, seen: rest.seen)
    }
  }
}

private final class FakeFindingWalk: FindingWalk {
  private let rest: Mutex<[Finding]>

  init(_ findings: [Finding]) { rest = Mutex(findings) }

  func next(limit: Int) throws -> [Finding]? {
    rest.withLock { rest in
      defer { rest = [] }
      return rest.isEmpty ? nil : rest
    }
  }
}
