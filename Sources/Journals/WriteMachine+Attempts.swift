import StoreInterface

/// The records of one transaction, each tried when its turn comes.
extension WriteSteps {
  /// Tries each. One that is refused is tried again once the record that it waits for went through, as a child fits only after its parent;
  /// and where nobody can tell what it waits for, once any other did.
  ///
  /// - Parameters:
  ///   - isRehearsal: whether nothing is to be done behind it.
  ///   - keep: gets what changes of a record as soon as it is known.
  package func attempt(
    _ tasks: some WriteTasks<Place>, after done: Int = 0, of all: Int? = nil, at place: Place,
    isRehearsal: Bool = false, _ keep: (RecordIntent) throws -> Void = { _ in }
  ) throws -> [CheckedWrite] {
    let all = all ?? tasks.count
    var attempts = Attempts(of: tasks.count)
    for (index, task) in tasks.enumerated() {
      // Of a group none is written before all were looked at, be it the only one.
      let ended = isRehearsal || batch == .max ? done + index : done
      try StoreCall.begin(ended, of: all, in: path)
      attempts.add(try attempt(task, at: place, keep))
      try repeatFreed(tasks, at: place, &attempts, keep)
    }
    while attempts.freeAll() { try repeatFreed(tasks, at: place, &attempts, keep) }
    return attempts.checked
  }

  private func repeatFreed(
    _ tasks: some WriteTasks<Place>, at place: Place, _ attempts: inout Attempts,
    _ keep: (RecordIntent) throws -> Void
  ) throws {
    while let index = attempts.nextFreed() {
      try StoreCall.current.check(path)
      let task = tasks[tasks.index(tasks.startIndex, offsetBy: index)]
      attempts.note(try attempt(task, at: place, keep), of: index)
    }
  }

  private func attempt(
    _ task: WriteTask<Place>, at place: Place, _ keep: (RecordIntent) throws -> Void
  ) throws -> Attempt {
    let record: RecordIntent
    do {
      record = try task.perform(place)
    } catch let moved as Moved {
      return Attempt(try task.checked(.moved(moved.words), at: place))
    } catch let refusal as Refusal {
      let refused = CheckedWrite.Outcome.refused(field: refusal.field, refusal.reason)
      return Attempt(try task.checked(refused, at: place), awaited: refusal.awaited)
    }
    try keep(record)
    return Attempt(
      CheckedWrite(
        task.label.titled(record.title), outcome: .fine, note: record.note, upload: record.upload,
        notBack: record.notBack))
  }
}

private struct Attempt {
  let checked: CheckedWrite
  /// The record that has to go through before, if it was refused for that.
  let awaited: String?

  init(_ checked: CheckedWrite, awaited: String? = nil) { (self.checked, self.awaited) = (checked, awaited) }
}

/// What became of each so far, and which of them are to be tried again.
///
///     c  refused, waits for b
///     b  refused, waits for a
///     a  fine ─► b fine ─► c fine
///
/// So each of a chain is tried twice, whichever comes first. Were all that are refused tried in rounds, this one would take three.
private struct Attempts {
  private(set) var checked: [CheckedWrite] = []
  private var waiting = ByRecord<[Int]>()
  /// The last one is the next.
  private var freed: [Int] = []
  /// Whether anything went through since all were freed.
  private var isAnyThrough = false

  init(of count: Int) { checked.reserveCapacity(count) }

  mutating func add(_ attempt: Attempt) {
    checked.append(attempt.checked)
    note(attempt, of: checked.count - 1)
  }

  mutating func note(_ attempt: Attempt, of index: Int) {
    checked[index] = attempt.checked
    if let awaited = attempt.awaited { waiting[awaited, default: []].append(index) }
    if attempt.checked.outcome != .fine { return }
    isAnyThrough = true
    freed += (waiting.removeValue(forKey: attempt.checked.id) ?? []).reversed()
  }

  mutating func nextFreed() -> Int? { freed.popLast() }

  /// All that are refused, as what went through since may have made room for them.
  ///
  /// - Returns: whether there is any.
  mutating func freeAll() -> Bool {
    guard isAnyThrough else { return false }
    (isAnyThrough, waiting) = (false, ByRecord())
    freed = checked.indices.reversed().filter { checked[$0].isRefused }
    return !freed.isEmpty
  }
}

extension CheckedWrite {
  fileprivate var isRefused: Bool { if case .refused = outcome { true } else { false } }
}
