import Merging
import StoreInterface

/// What was done before, as the journal has it, so that it can be taken back like what was done in this session.
package struct EarlierActs {
  /// How many entries of the journal are looked at first, and at most: nobody goes further back key by key.
  package static let (first, most) = (1_000, 64_000)

  private struct Change {
    /// nil of what lies further back than anybody looks.
    let act: Int?
    let decision: Decision

    /// The same once more changes nothing, so that there is nothing to take back.
    func isRepeated(by other: Decision) -> Bool {
      !decision.mayBeWritten && decision.choice == other.choice
        && decision.fingerprint.subject == other.fingerprint.subject
    }
  }

  /// In their order: the record that was decided, when, and the place of the first decision; nil for a write.
  private var acts: [(record: String, time: Int64, place: Int64?)?] = []
  /// What was decided one after the other, without what was taken back since.
  private var changes: ByRecord<[Subject: [Change]]> = [:]

  /// - Parameters:
  ///   - entries: newest first.
  ///   - end: what was decided after this place of the journal is none of it; nil: all is.
  ///   - standing: what was decided before all of these about the records that they tell of.
  package init(_ entries: [JournalEntry], upTo end: Int64? = nil, standing: [Decision] = []) {
    for decision in standing.standing where !decision.mayBeWritten {
      changes[decision.id, default: [:]][decision.subject] = [Change(act: nil, decision: decision)]
    }
    for entry in entries.withoutUndone.reversed() where entry.isAsked(upTo: end) {
      switch entry.event {
      case .decided(let decision): if !decision.mayBeWritten { add(decision, at: entry.place) }
      // What was written at once has an entry for each record.
      case .ended(.write, _, _): if !(acts.last.map { $0 == nil } ?? false) { acts.append(nil) }
      case .ended, .notDone, .refused: break
      }
    }
  }

  /// Who comes back to what was decided before takes back what was decided since.
  private mutating func add(_ decision: Decision, at place: Int64?) {
    let before = changes[decision.id]?[decision.subject] ?? []
    // It took back what lies further back than anybody looks.
    if before.isEmpty, decision.choice == nil { return }
    if let last = before.last, last.isRepeated(by: decision) {
      changes[decision.id]?[decision.subject]?[before.count - 1] = Change(act: last.act, decision: decision)
      return
    }
    if let last = before.last, !last.decision.mayBeWritten,
      before.dropLast().last.flatMap({ Self.old($0, last) }) == decision.choice
    {
      changes[decision.id]?[decision.subject]?.removeLast()
      return
    }
    if !(acts.last??.record).isName(decision.id) || acts.last??.time != decision.decidedAt {
      acts.append((decision.id, decision.decidedAt, place))
    }
    changes[decision.id, default: [:]][decision.subject, default: []]
      .append(Change(act: acts.count - 1, decision: decision))
  }

  /// Oldest first; nil for a write.
  package var steps: [History.Step?] {
    let byAct = changes.values.reduce(into: [Int: [Subject: (old: Choice?, new: Choice?)]]()) {
      all, subjects in
      for (subject, chain) in subjects {
        for (before, change) in zip([nil] + chain.map(Optional.some), chain) {
          guard let act = change.act else { continue }
          all[act, default: [:]][subject] = (
            before.flatMap { Self.old($0, change) }, change.decision.choice
          )
        }
      }
    }
    return acts.enumerated().compactMap { index, act -> History.Step?? in
      guard let act else { return .some(nil) }
      return byAct[index].map { History.Step(act.record, $0, act.time, act.place) }
    }
  }

  /// What was decided of something that was another one by then does not come back.
  private static func old(_ before: Change, _ change: Change) -> Choice? {
    before.decision.fingerprint.subject == change.decision.fingerprint.subject ? before.decision.choice : nil
  }
}

/// What of the journal somebody has gone back to.
package struct EarlierSpan: Sendable, Equatable {
  /// The place of the oldest of it in the journal; nil if nobody has.
  package private(set) var oldest: Int64?
  /// Whether there is nothing before it, or nobody goes further back.
  package private(set) var isAll = false

  package init() {}

  package mutating func note(_ steps: [History.Step?], isAll: Bool) {
    oldest = steps.lazy.compactMap { $0?.place }.min() ?? oldest
    self.isAll = isAll || steps.isEmpty
  }
}

extension History.Step {
  fileprivate init(
    _ record: String, _ changes: [Subject: (old: Choice?, new: Choice?)], _ time: Int64, _ place: Int64?
  ) {
    self.init(
      id: record, old: Resolution(choices: changes.compactMapValues(\.old)),
      new: Resolution(choices: changes.compactMapValues(\.new)), time: time, place: place)
  }
}

extension [JournalEntry] {
  /// Newest first, without the writes and imports of records that were taken back since.
  fileprivate var withoutUndone: [JournalEntry] {
    var undone: ByRecord<Int> = [:]
    return filter { entry in
      switch entry.event {
      // Nothing of it is in the store, be it a write or what was to take one back.
      case .ended(_, .rolledBack, _): return false
      case .ended(.undo, _, _):
        undone[entry.record, default: 0] += 1
        return false
      case .ended:
        guard let count = undone[entry.record], count > 0 else { return true }
        undone[entry.record] = count - 1
        return false
      case .decided, .notDone, .refused: return true
      }
    }
  }
}

extension EarlierActs {
  /// What the journal was asked for.
  package struct Found: Sendable, Equatable {
    /// Newest first. No act is among them in part.
    package var entries: [JournalEntry] = []
    /// What was decided before all of these about the records that they tell of, and what is taken back comes back to.
    package var standing: [Decision] = []
    /// Whether nothing older is there.
    package var isAll = true
    /// The place of the newest decision of before this session; nil where that is not known.
    package var start: Int64?
    /// The last write that the store knows; nil where there is none.
    package var lastWrite: LastWrite.ID?
    /// The place of the newest decision that was asked for; nil: all are.
    fileprivate var end: Int64?

    /// Of the journal of a store.
    package init(withOwn: Bool, olderThan known: Int64?, in journal: any DecisionJournal) throws {
      let start = journal.placeAtStart
      self = try EarlierActs.find(
        upTo: withOwn ? nil : start, olderThan: known, journal.entries(limit:), journal.decisions(for:before:)
      )
      self.start = start
    }

    fileprivate init(
      _ entries: [JournalEntry], upTo end: Int64?, isAll: Bool,
      _ standing: (_ of: [String], _ before: Decision) throws -> [Decision]
    ) rethrows {
      (self.entries, self.end, self.isAll) = (entries, end, isAll)
      let decisions = entries.compactMap(\.decision)
      self.standing = try decisions.last.map { try standing(decisions.map(\.id).unique, $0) } ?? []
    }

    /// What is taken back by one key after the other, oldest first; nil for a write.
    package func steps(olderThan known: Int64?) -> [History.Step?] {
      let all = EarlierActs(entries, upTo: end, standing: standing).steps
      guard let known else { return all }
      return Array(all.prefix { $0?.place.map { $0 < known } ?? true })
    }
  }

  /// The newest entries, as many as it takes to find something to take back; as many as are looked at, if there is nothing.
  ///
  /// - Parameters:
  ///   - end: see ``init(_:upTo:standing:)``.
  ///   - known: what was decided from this place on was found before; nil: nothing was.
  ///   - entries: of the journal, newest first, so many at most.
  ///   - standing: what was decided about these records before that decision.
  package static func find(
    upTo end: Int64?, olderThan known: Int64?, _ entries: (_ limit: Int) throws -> [JournalEntry],
    _ standing: (_ of: [String], _ before: Decision) throws -> [Decision]
  ) rethrows -> Found {
    func isAnything(_ found: Found) -> Bool { !found.steps(olderThan: known).isEmpty }
    var limit = first
    while true {
      let newest = try entries(limit)
      let isAll = newest.count < limit
      let found = try Found(isAll ? newest : newest.withoutTheLastAct, upTo: end, isAll: isAll, standing)
      if isAll || isAnything(found) { return found }
      // What was done since, such as a taking back of all of it, is no part of what is looked at.
      let isEnough = newest.withoutUndone.count { $0.isAsked(upTo: end, olderThan: known) } >= most
      // An act that is longer than all that is looked at is read to its end.
      if isEnough, !isAnything(try Found(newest, upTo: end, isAll: false, standing)) { return found }
      limit *= 4
    }
  }
}

extension [JournalEntry] {
  /// The last may be cut off: what was decided at once has one time.
  fileprivate var withoutTheLastAct: [JournalEntry] {
    guard let last, last.decision != nil else { return self }
    let end = lastIndex { $0.time != last.time || $0.decision == nil }
    return Array(prefix(end.map { $0 + 1 } ?? 0))
  }
}

extension JournalEntry {
  fileprivate var decision: Decision? { if case .decided(let decision) = event { decision } else { nil } }

  /// What is no decision has no place, and may be.
  fileprivate func isAsked(upTo end: Int64?, olderThan known: Int64? = nil) -> Bool {
    guard let place else { return true }
    return place <= (end ?? Int64.max) && place < (known ?? Int64.max)
  }
}

extension DeskState {
  /// The newest of what earlier sessions did is taken back, be it a decision or a write. A write of which nobody knows how it ended has no
  /// place among that yet, and what was decided for it is not what was done last; once it has, the journal is asked again. Of what was
  /// begun before the last write something newer is known.
  mutating func takeEarlier(_ found: EarlierActs.Found) -> [DeskEffect] {
    let steps = found.steps(olderThan: history.earlier.oldest)
    let held = interrupted.hide(lastWrite: found.lastWrite) ? statusOfHeldUndo : statusOfUnknown
    if case _?? = steps.last, let held {
      return tell(held)
    }
    history.recall(steps, isAll: found.isAll, start: found.start)
    // Somebody went on to another screen meanwhile.
    return keys.bindings(on: topic).contains { $0.command == .undo } ? undo() : []
  }
}
