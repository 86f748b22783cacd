import Synchronization

/// Decisions that are in no journal's file: see ``DecisionJournal/suppose(_:)``. Journals of one store share them.
package final class Supposals: Sendable {
  private let decisions = Mutex(ByRecord<[Decision]>())

  package init() {}

  /// The last about a subject counts.
  package func add(_ new: [Decision]) {
    decisions.withLock { all in
      for decision in new {
        let others = (all[decision.id] ?? []).filter { $0.subject != decision.subject }
        all[decision.id] = others + [decision]
      }
    }
  }

  /// What is kept about these records, and then what is supposed, as that was decided last.
  package func standing(after kept: [Decision], about ids: [String]) -> [Decision] {
    decisions.withLock { all in
      let newest: [Decision] = all.isEmpty ? [] : ids.unique.flatMap { all[$0] ?? [] }
      if newest.isEmpty { return kept }
      return kept.filter { old in all[old.id]?.contains { $0.subject == old.subject } != true } + newest
    }
  }
}
