import StoreInterface

/// What of interrupted writes was finished before a write began. Of that the write itself finds no more than that it is in conflict no
/// longer, which is nobody else's doing.
struct FinishedFirst: Sendable, Equatable {
  /// Whether anything was finished.
  private(set) var isAny = false
  private var completed: RecordNames = []
  /// The records that were written by it, and by nothing else.
  private(set) var written: RecordNames = []

  fileprivate mutating func note(_ writes: [FinishedWrite]) {
    isAny = true
    completed.formUnion(writes.written)
  }

  /// What became of the records of the write that came behind it.
  mutating func take(_ results: [CheckedWrite]) -> [CheckedWrite] {
    written = RecordNames(results.filter { $0.isWritten(before: completed) }.map(\.id))
    return results.map { result in
      var result = result
      if written.contains(result.id) { result.outcome = .fine }
      return result
    }
  }
}

extension ReviewPage {
  mutating func noteFinished(_ writes: [FinishedWrite]) {
    if action == .write, stage == .writing { finishedFirst.note(writes) }
  }

  /// Without those that the interrupted write has written, which is another one to take back.
  var ownResults: [CheckedWrite] { results.filter { !finishedFirst.written.contains($0.id) } }
}
