import Merging

extension RuleEntryProblem {
  /// What is said behind the entry on a screen.
  package var words: String {
    switch self {
    case .noTable: "decides nothing, as there is no such table"
    case .noField: "decides nothing, as there is no such field"
    case .spelled(let name): "decides nothing, as it is spelled \(name)"
    case .cannotFit(let rule, let kind): "decides nothing: \(rule.rawValue) fits no \(kind.rawValue)"
    }
  }

  /// A sentence about an entry, for whoever does not look at rules.
  package func warning(of entry: String) -> String {
    let what =
      switch self {
      case .noTable: "this store has no such table. If it is another store's, put it under stores: FILE."
      case .noField(let table): "the table \(table) has no such field."
      case .spelled(let name): "it is spelled \(name): it decides nothing so."
      case .cannotFit(let rule, let kind):
        "it decides nothing: \(rule.rawValue) fits no field of the type \(kind.rawValue)."
      }
    return "The configuration has a policy for \(entry), and \(what)"
  }
}
