import Merging
import Synchronization

/// The rules by which an open store merges. They can be changed meanwhile: what is read afterwards is merged by the new ones.
package final class RuleBook: Sendable {
  private let inForce: Mutex<MergeRules>

  package init(_ rules: MergeRules = MergeRules()) { inForce = Mutex(rules) }

  package var rules: MergeRules { inForce.withLock(\.self) }

  package func use(_ rules: MergeRules) { inForce.withLock { $0 = rules } }
}
