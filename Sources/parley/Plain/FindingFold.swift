import Merging
import StoreInterface

/// Which of many findings are printed in full: the first few of a kind. Damage is seldom alone, and hundreds of paragraphs that
/// say the same hide the one that does not.
struct FindingFold {
  /// How many of a kind are printed in full.
  static let shown = 3

  private struct Kind: Hashable {
    let what: String
    let cause: String
  }

  private var order: [Kind] = []
  private var counts: [Kind: Int] = [:]

  /// Whether this one is printed in full; it is counted all the same.
  mutating func shows(_ finding: Finding) -> Bool {
    let kind = Kind(what: finding.what, cause: finding.cause)
    if counts[kind] == nil { order.append(kind) }
    counts[kind, default: 0] += 1
    return counts[kind, default: 0] <= FindingFold.shown
  }

  /// "534 more: a revision stored twice", for each kind of which some were not printed.
  var lines: [String] {
    let more = order.compactMap { kind in
      let count = counts[kind, default: 0] - FindingFold.shown
      return count > 0 ? "\(count) more: \(kind.what)" : nil
    }
    return more.isEmpty ? [] : more + ["  --all shows each of them, --json has them all", ""]
  }
}
