import StoreInterface

// What is typed after `/` in the log of the store. The words are gone to, one act after the other; the rest narrows the log, and all of
// it has to hold:
//
//   as she said       in a line of what is told of the act
//   kind:write        as `parley log --kind` calls it
//   id:3f2a           in the record's own name
//   age:2h age:<2h    it is at least, or less than two hours ago

/// What is looked for in the log of a store.
struct LogQuery: Sendable, Equatable {
  private enum Term: Sendable, Equatable {
    case kind(String)
    case id(String)
    case age(EditAge)
  }

  /// What may stand before a colon.
  static let names = ["kind", "id", "age"]

  /// The words that are gone to, folded, with the blanks between them; none where there are none.
  let texts: [String]
  private let terms: [Term]
  /// What was typed that is none of these, and what may be.
  let problem: String?

  /// - Parameter now: nanoseconds since 1970.
  init(_ words: String, now: Int64) {
    var (texts, terms, problem) = ([String](), [Term](), String?.none)
    for word in ListQuery.split(words) {
      let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, Self.names.contains(String(parts[0])) else {
        texts.append(word)
        continue
      }
      let term = Self.term(String(parts[0]), SearchText.folded(String(parts[1])), now)
      if let term { terms.append(term) } else { problem = problem ?? Self.none(word, String(parts[0])) }
    }
    self.texts = texts.isEmpty ? [] : [SearchText.folded(texts.joined(separator: " "))]
    (self.terms, self.problem) = (terms, problem)
  }

  /// Whether it leaves nothing out.
  var isOpen: Bool { terms.isEmpty }

  func holds(_ entry: JournalEntry) -> Bool {
    terms.allSatisfy { term in
      switch term {
      case .kind(let word): SearchText.folded(entry.kind.rawValue).hasPrefix(word)
      case .id(let word): SearchText.isFound(word, in: SearchText.folded(entry.record))
      case .age(let age): age.holds(entry.time)
      }
    }
  }

  private static let kinds = JournalEntry.Kind.allCases.map(\.rawValue)

  private static func term(_ name: String, _ rest: String, _ now: Int64) -> Term? {
    switch name {
    case "kind": kinds.contains { SearchText.folded($0).hasPrefix(rest) } ? .kind(rest) : nil
    case "age": EditAge(rest, now: now).map { .age($0) }
    case _: .id(rest)
    }
  }

  private static func none(_ word: String, _ name: String) -> String {
    let known = name == "kind" ? kinds : EditAge.examples
    return
      "no \(word); after \(name): goes \(known.dropLast().joined(separator: ", ")) or \(known.last ?? "")"
  }
}
