import Merging
import StoreInterface

extension GivenUp {
  /// "title of the server: Call Dr. Wu", "the client's deletion", "notes of leaf 3: too long to be kept"
  package func words(_ privacy: Privacy) -> String {
    switch what {
    case .edit(let field, let value):
      "\(privacy.name(field)) of \(who): \(value.map { privacy.line($0) } ?? "too long to be kept")"
    case .deletion: "\(who)'s deletion"
    case .record: "\(who)'s record"
    case .unknown: "what \(who) has, which is not known"
    case .other(let words): privacy.shown(words)
    }
  }

  private var who: String { party ?? leaf.map { "leaf \($0)" } ?? side.map { "the \($0)" } ?? "the store" }
}

extension JournalEntry {
  /// A line for each edit that was given up; one that says so, where the journal does not have them.
  package func givenUpWords(_ privacy: Privacy) -> [String] {
    givenUp?.map { "given up: \($0.words(privacy))" } ?? ["given up: not kept by the Parley that decided"]
  }

  /// Without what the other side has given up; nil if nothing is left. What is not known may be of either.
  package func givingUp(of side: Side?) -> JournalEntry? {
    guard let side, let all = givenUp else { return self }
    var entry = self
    entry.givenUp = all.filter { $0.side ?? side == side }
    return entry.givenUp == [] ? nil : entry
  }
}
