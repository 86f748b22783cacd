import Merging
import StoreInterface
import Telling

// How a person may name a finding: by its id, by the id that a redacted report gives it, or by the beginning of either that
// fits one finding only.

extension ConflictStore {
  /// The findings that `names` mean, in the order in which they are found.
  ///
  /// - Throws: ``CommandError/unknownFinding(_:)``, ``CommandError/ambiguousFinding(_:candidates:)``
  func findings(named names: [String]) throws -> (chosen: [Finding], others: Int) {
    var searches = names.map { FindingSearch(name: $0) }
    var (order, count) = ([Finding.ID: Int](), 0)
    try forEachFinding { finding in
      count += 1
      for index in searches.indices where searches[index].look(at: finding) { order[finding.id] = count }
    }
    var chosen: [Finding.ID: Finding] = [:]
    for search in searches {
      let finding = try search.found()
      chosen[finding.id] = finding
    }
    return (
      chosen.values.sorted { order[$0.id, default: 0] < order[$1.id, default: 0] }, count - chosen.count
    )
  }
}

private struct FindingSearch {
  let name: String
  private var exact: [Finding] = []
  private var fitting: [Finding] = []

  init(name: String) { self.name = name }

  /// - Returns: whether it may be the one.
  mutating func look(at finding: Finding) -> Bool {
    let ids = [finding.id, Privacy.redacted.told(finding).id]
    if ids.contains(name) {
      exact.append(finding)
    } else if !name.isEmpty, fitting.count < 5, ids.contains(where: { $0.hasPrefix(name) }) {
      fitting.append(finding)
    } else {
      return false
    }
    return true
  }

  func found() throws(CommandError) -> Finding {
    let found = exact.isEmpty ? fitting : exact
    switch found.count {
    case 0: throw .unknownFinding(name)
    case 1: return found[0]
    default:
      throw .ambiguousFinding(name, candidates: found.prefix(4).map(\.id) + (found.count > 4 ? ["…"] : []))
    }
  }
}
