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

  package enum Entry: Sendable, Equatable {
    case decision(Step)
    /// The titles of the records that were written.
    case write([String])
  }

  package private(set) var done: [Entry] = []
  package private(set) var undone: [Step] = []

  package mutating func record(_ step: Step) {
    done.append(.decision(step))
    undone.removeAll()
  }

  /// What was decided about written records is past: it can be taken back only with the write.
  package mutating func recordWrite(of ids: Set<String>, titles: [String]) {
    done.removeAll { if case .decision(let step) = $0 { ids.contains(step.id) } else { false } }
    undone.removeAll { ids.contains($0.id) }
    done.append(.write(titles))
  }

  package mutating func forgetLastWrite() {
    if let index = done.lastIndex(where: { if case .write = $0 { true } else { false } }) {
      done.remove(at: index)
    }
  }

  /// The last entry, if it was a decision.
  package var lastStep: Step? {
    if case .decision(let step)? = done.last { step } else { nil }
  }

  /// The titles of the last entry, if it was a write.
  package var lastWrite: [String]? {
    if case .write(let titles)? = done.last { titles } else { nil }
  }

  package var ids: Set<String> {
    Set(done.compactMap { if case .decision(let step) = $0 { step.id } else { nil } } + undone.map(\.id))
  }

  package func steps(of id: String) -> [Step] {
    done.compactMap { if case .decision(let step) = $0, step.id == id { step } else { nil } }
  }

  package mutating func undo() {
    guard let step = lastStep else { return }
    done.removeLast()
    undone.append(step)
  }

  package mutating func redo() {
    if let step = undone.popLast() { done.append(.decision(step)) }
  }

  /// What somebody else has decided since is no longer this desk's to take back.
  package mutating func forget(_ subjects: Set<Subject>, of id: String) {
    let isPast = { (step: Step) in step.id == id && !subjects.isDisjoint(with: step.subjects) }
    done.removeAll { if case .decision(let step) = $0 { isPast(step) } else { false } }
    undone.removeAll(where: isPast)
  }

  /// A record that is no longer there has nothing to take back.
  package mutating func forget(_ id: String) {
    done.removeAll { if case .decision(let step) = $0 { step.id == id } else { false } }
    undone.removeAll { $0.id == id }
  }
}
