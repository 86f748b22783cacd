import Merging

/// What was decided in this session, so that it can be taken back. Undo is keeping the old value.
package struct History: Sendable, Equatable {
  package struct Step: Sendable, Equatable {
    package var id: String
    package var old: Resolution
    package var new: Resolution
    /// Nanoseconds since 1970.
    package var time: Int64

    package var subjects: Set<Subject> { new.difference(from: old) }
  }

  private enum Entry: Sendable, Equatable {
    case decision(Step)
    case write

    var step: Step? { if case .decision(let step) = self { step } else { nil } }
  }

  private var done: [Entry] = []
  package private(set) var undone: [Step] = []

  /// The last entry, if it was a decision.
  package var lastStep: Step? { done.last?.step }

  package var ids: Set<String> { Set(done.compactMap(\.step?.id) + undone.map(\.id)) }

  package func steps(of id: String) -> [Step] { done.compactMap(\.step).filter { $0.id == id } }

  package mutating func record(_ step: Step) {
    done.append(.decision(step))
    undone.removeAll()
  }

  /// What was decided about written records is past: it can be taken back only with the write.
  package mutating func recordWrite(of ids: Set<String>) {
    forget { ids.contains($0.id) }
    done.append(.write)
  }

  package mutating func forgetLastWrite() {
    if let index = done.lastIndex(of: .write) { done.remove(at: index) }
  }

  package mutating func undo() {
    guard let step = lastStep else { return }
    done.removeLast()
    undone.append(step)
  }

  package mutating func redo() { if let step = undone.popLast() { done.append(.decision(step)) } }

  /// What somebody else has decided since is no longer this desk's to take back.
  package mutating func forget(_ subjects: Set<Subject>, of id: String) {
    forget { $0.id == id && !subjects.isDisjoint(with: $0.subjects) }
  }

  /// A record that is no longer there has nothing to take back.
  package mutating func forget(_ id: String) { forget { $0.id == id } }

  private mutating func forget(_ isPast: (Step) -> Bool) {
    done.removeAll { $0.step.map(isPast) ?? false }
    undone.removeAll(where: isPast)
  }
}
