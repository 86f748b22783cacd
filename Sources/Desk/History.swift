import ExactJSON
import Merging
import StoreInterface

/// What was decided in this session, so that it can be taken back, and what earlier ones did, once somebody goes back that far. Undo
/// is keeping the old value.
package struct History: Sendable, Equatable {
  package struct Step: Sendable, Equatable {
    package var id: String
    package var old: Resolution
    package var new: Resolution
    /// Nanoseconds since 1970.
    package var time: Int64
    /// Of its first decision in the journal; nil where this desk decided it.
    package var place: Int64?

    package var subjects: Set<Subject> { new.difference(from: old) }

    /// Whether it took decisions back and made none, so that they are made again where it is undone.
    var isForgetting: Bool { subjects.allSatisfy { new[$0] == nil } }

    fileprivate func isUpTo(_ end: Int64?) -> Bool {
      if let place, let end { place <= end } else { false }
    }

    /// The rest of it; nil if nothing is left.
    fileprivate func without(_ subjects: Set<Subject>) -> Step? {
      var step = self
      step.old = Resolution(choices: old.choices.filter { !subjects.contains($0.key) })
      step.new = Resolution(choices: new.choices.filter { !subjects.contains($0.key) })
      return step.subjects.isEmpty ? nil : step
    }
  }

  /// What was decided about many records at once, by rules: taken back in one go.
  package struct Bulk: Sendable, Equatable {
    package private(set) var changes: ByRecord<BulkChange>
    /// Nanoseconds since 1970.
    package var time: Int64

    package init(_ changes: [BulkChange], time: Int64) {
      self.changes = ByRecord(changes.map { ($0.id, $0) }) { $1 }
      self.time = time
    }

    fileprivate func step(of id: String) -> Step? {
      changes[id].map { change in
        let choices = change.taken.map { ($0.subject, $0.choice) }
        let new = Resolution(choices: Dictionary(choices) { $1 })
        return Step(id: id, old: Resolution(), new: new, time: time)
      }
    }

    /// One of each record, in the order of their names.
    fileprivate var steps: [Step] { changes.keys.sorted().compactMap { step(of: $0) } }

    fileprivate func only(about ids: RecordNames) -> Bulk {
      var part = self
      part.changes = changes.filter { ids.contains($0.key) }
      return part
    }

    /// Nothing is copied where nothing of it is meant.
    fileprivate mutating func forget(_ subjects: Set<Subject>?, about ids: RecordNames) {
      for id in ids {
        guard let change = changes[id] else { continue }
        let rest = subjects.flatMap { change.without($0) }
        if rest != change { changes[id] = rest }
      }
    }
  }

  /// What is taken back by one key.
  package enum Act: Sendable, Equatable {
    case step(Step)
    case bulk(Bulk)

    /// Nanoseconds since 1970.
    fileprivate var time: Int64 {
      switch self {
      case .step(let step): step.time
      case .bulk(let bulk): bulk.time
      }
    }

    /// What it decided, record by record.
    package var steps: [Step] {
      switch self {
      case .step(let step): [step]
      case .bulk(let bulk): bulk.steps
      }
    }

    /// Whether it is what was decided of this record alone.
    func isStep(of id: String) -> Bool {
      if case .step(let step) = self { step.id.hasSameBytes(as: id) } else { false }
    }

    package func isOf(_ subjects: Set<Subject>, of id: String) -> Bool {
      step(of: id)?.subjects.isDisjoint(with: subjects) == false
    }

    fileprivate func step(of id: String) -> Step? {
      switch self {
      case .step(let step): step.id.hasSameBytes(as: id) ? step : nil
      case .bulk(let bulk): bulk.step(of: id)
      }
    }

    /// What of it is about these records; nil if nothing is.
    fileprivate func only(about ids: RecordNames) -> Act? {
      switch self {
      case .step(let step): return ids.contains(step.id) ? self : nil
      case .bulk(let bulk):
        let part = bulk.only(about: ids)
        return part.changes.isEmpty ? nil : .bulk(part)
      }
    }

    /// The same without these subjects of some records; nil: without the records. nil if nothing is left.
    fileprivate func without(_ subjects: Set<Subject>?, of ids: RecordNames) -> Act? {
      switch self {
      case .step(let step):
        return ids.contains(step.id) ? subjects.flatMap { step.without($0) }.map { .step($0) } : self
      case .bulk(var bulk):
        bulk.forget(subjects, about: ids)
        return bulk.changes.isEmpty ? nil : .bulk(bulk)
      }
    }
  }

  private enum Entry: Sendable, Equatable {
    case act(Act)
    /// With what was decided about its records in this session, oldest first; nil for a write of before. Where it is doubted, as none of
    /// them is surely written, only the store can tell whether they are.
    case write([Act]?, of: RecordNames = [], isDoubted: Bool = false)

    var isWrite: Bool { if case .write = self { true } else { false } }
    var act: Act? { if case .act(let act) = self { act } else { nil } }
  }

  private var done: [Entry] = []
  /// When this desk decided, and took back. Nanoseconds since 1970.
  private var times: Set<Int64> = []
  /// When others decided before this session, by whatever clock.
  private var timesBefore: Set<Int64> = []
  package private(set) var undone: [Act] = []
  /// What the journal was asked for.
  package private(set) var earlier = EarlierSpan()
  /// Whether the journal is asked for what was decided in this session as well, as it alone knows the order of that.
  package private(set) var asksForOwn = false

  /// Whether the journal is to be asked for what was done before.
  package var wantsEarlier: Bool { done.isEmpty && !earlier.isAll }

  /// - Parameters:
  ///   - steps: oldest first; nil for a write.
  ///   - isAll: whether there is nothing before these, or nobody goes further back.
  ///   - start: the place of the newest decision of before this session; nil where that is not known.
  package mutating func recall(_ steps: [Step?], isAll: Bool, start: Int64? = nil) {
    // Of two answers, as the key was pressed twice, the second has nothing that is not there.
    guard wantsEarlier else { return }
    done = History.acts(steps).map { $0.map { .act($0) } ?? .write(nil) } + done
    earlier.note(steps, isAll: isAll)
    for case let step? in steps where step.isUpTo(start) { timesBefore.insert(step.time) }
  }

  /// What each was part of.
  ///
  /// - Parameter steps: oldest first; nil for a write.
  package static func acts(_ steps: [Step?]) -> [Act?] {
    var (acts, together) = ([Act?](), Together())
    for step in steps where !together.take(step) {
      acts += together.end().map { [$0] } ?? []
      if !together.take(step) { acts.append(step.map { .step($0) }) }
    }
    return acts + (together.end().map { [$0] } ?? [])
  }

  /// What was decided of many records in one moment was a bulk act, of which the journal keeps the decisions alone.
  private struct Together {
    private var steps: [Step] = []
    private var names = RecordNames()

    /// Whether it is part of the same.
    mutating func take(_ step: Step?) -> Bool {
      guard let step, step.old.isEmpty, steps.first.map({ $0.time == step.time }) ?? true,
        names.insert(step.id).inserted
      else { return false }
      steps.append(step)
      return true
    }

    mutating func end() -> Act? {
      defer { self = Together() }
      guard let first = steps.first else { return nil }
      return steps.count == 1 ? .step(first) : .bulk(Bulk(steps.map { BulkChange($0) }, time: first.time))
    }
  }

  /// The last entry, if it was a decision.
  package var lastAct: Act? { done.last?.act }

  /// The records of the last entry, if it was a write of which nobody knows whether anything of it is in the store.
  package var doubted: RecordNames {
    if case .write(_, let ids, true)? = done.last { ids } else { [] }
  }

  /// The records of the last entry, if it was a write of this session, or one that it finished.
  package var written: RecordNames { if case .write(_, let ids, _)? = done.last { ids } else { [] } }

  /// The records that were decided one by one: what was decided in bulk is read again when it is needed.
  package var ids: RecordNames {
    RecordNames(
      (done.compactMap(\.act) + undone).compactMap { act in
        if case .step(let step) = act { step.id } else { nil }
      })
  }

  package func steps(of id: String) -> [Step] { done.compactMap { $0.act?.step(of: id) } }

  /// Whether this desk decided it. What another decided meanwhile comes from the journal like what was decided before.
  package func isOwn(_ time: Int64) -> Bool { times.contains(time) }

  /// Whether it was there when this session began.
  package func isOfBefore(_ time: Int64) -> Bool { timesBefore.contains(time) }

  /// - Parameter time: at which this desk decides, or takes back. Nanoseconds since 1970.
  package mutating func noteOwn(_ time: Int64) { times.insert(time) }

  package mutating func record(_ act: Act) {
    done.append(.act(act))
    undone.removeAll()
  }

  /// What was decided about written records is past: it can be taken back only with the write.
  package mutating func recordWrite(of ids: RecordNames, isDoubted: Bool = false) {
    let past = done.compactMap { $0.act?.only(about: ids) }
    forget(nil, of: ids)
    done.append(.write(past, of: ids, isDoubted: isDoubted))
  }

  /// What was decided about the records of a write that was taken back is in force again, and can be taken back in its turn. Of one that was
  /// written before this session the journal knows.
  ///
  /// - Parameter ids: the records that were taken back. If they are none of the last write's, that stands, and the journal knows the order.
  package mutating func forgetLastWrite(of ids: some Sequence<String>) {
    guard let index = done.lastIndex(where: \.isWrite), case .write(let past, let own, _) = done[index],
      own.isEmpty || !own.isDisjoint(with: ids)
    else { return readAgain() }
    if let past {
      done.remove(at: index)
      bringBack(past, endingAt: index)
    } else {
      readAgain()
    }
  }

  /// Among what was decided of other records meanwhile, each in its time: the last one is taken back first.
  private mutating func bringBack(_ past: [Act], endingAt end: Int) {
    let start = done[..<end].lastIndex(where: \.isWrite).map { $0 + 1 } ?? 0
    let acts = done[start..<end].compactMap(\.act) + past
    done.replaceSubrange(start..<end, with: acts.sorted { $0.time < $1.time }.map { .act($0) })
  }

  package mutating func readAgain() {
    undone = []
    askAgain()
  }

  /// What was done until now is known to the journal alone.
  package mutating func askAgain() {
    (done, earlier, asksForOwn) = ([], EarlierSpan(), true)
  }

  package mutating func undo() {
    guard let act = lastAct else { return }
    done.removeLast()
    undone.append(act)
  }

  /// The last act is none any more, as somebody decided otherwise since.
  package mutating func drop() { if lastAct != nil { done.removeLast() } }
  /// The same of what was taken back last.
  package mutating func dropUndone() { _ = undone.popLast() }

  package mutating func redo() { if let act = undone.popLast() { done.append(.act(act)) } }

  /// A bulk act was taken back as far as `changes`: the rest of it, if somebody stopped, stays to be taken back.
  package mutating func undoBulk(_ changes: [BulkChange], rest: [BulkChange], at time: Int64) {
    guard case .bulk? = lastAct else { return }
    done.removeLast()
    if !rest.isEmpty { done.append(.act(.bulk(Bulk(rest, time: time)))) }
    if !changes.isEmpty { undone.append(.bulk(Bulk(changes, time: time))) }
  }

  /// The same of one that was done again.
  package mutating func redoBulk(_ changes: [BulkChange], rest: [BulkChange], at time: Int64) {
    guard case .bulk? = undone.last else { return }
    undone.removeLast()
    if !rest.isEmpty { undone.append(.bulk(Bulk(rest, time: time))) }
    if !changes.isEmpty { done.append(.act(.bulk(Bulk(changes, time: time)))) }
  }

  /// What somebody else has decided since is no longer this desk's to take back; the rest of the same act is.
  package mutating func forget(_ subjects: Set<Subject>, of id: String) { forget(subjects, of: [id]) }

  /// A record that is no longer there has nothing to take back.
  package mutating func forget(_ id: String) { forget(nil, of: [id]) }

  private mutating func forget(_ subjects: Set<Subject>?, of ids: RecordNames) {
    if subjects?.isEmpty == true { return }
    done = done.compactMap { entry in
      entry.act.map { $0.without(subjects, of: ids).map { .act($0) } } ?? entry
    }
    undone = undone.compactMap { $0.without(subjects, of: ids) }
  }
}

extension BulkChange {
  /// The rest of it; nil if nothing is left.
  fileprivate func without(_ subjects: Set<Subject>) -> BulkChange? {
    let rest = taken.filter { !subjects.contains($0.subject) }
    return rest.isEmpty ? nil : BulkChange(id: id, seen: seen, taken: rest)
  }

  /// Of an earlier session: how the record was then is not known, and is seen when it is taken back.
  fileprivate init(_ step: History.Step) {
    let taken = step.new.choices.map { Taken(subject: $0.key, choice: $0.value) }
    self.init(id: step.id, seen: "", taken: taken)
  }
}
