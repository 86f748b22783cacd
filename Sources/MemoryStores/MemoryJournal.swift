import Merging
import StoreInterface
import Synchronization
import Telling

/// A journal that lasts as long as the program.
package final class MemoryJournal: DecisionJournal {
  private struct Kept {
    var decisions: [Decision] = []
    var entries: [JournalEntry] = []
  }

  private let kept = Mutex(Kept())

  package init() {}

  package func append(_ decisions: [Decision]) throws {
    kept.withLock { kept in
      kept.decisions += decisions
      kept.entries += decisions.map { JournalEntry($0) }
    }
  }

  package func decisions(for ids: [String]) throws -> [Decision] {
    let ids = Set(ids)
    return kept.withLock { kept in
      var last: [Key: Int] = [:]
      for (index, decision) in kept.decisions.enumerated() where ids.contains(decision.id) {
        last[Key(id: decision.id, subject: decision.subject)] = index
      }
      return last.values.sorted().map { kept.decisions[$0] }
    }
  }

  package func entries(limit: Int) throws -> [JournalEntry] {
    kept.withLock { Array($0.entries.suffix(limit).reversed()) }
  }

  func append(_ entries: [JournalEntry]) { kept.withLock { $0.entries += entries } }

  private struct Key: Hashable {
    let id: String
    let subject: Subject
  }
}
