import Desk
import Merging
import StoreInterface

/// `/`: the records that the list's own filter finds, one after the other, be they decided or not.
extension LinearDesk {
  /// - Parameter words: nil for those of before.
  func find(_ words: String?) throws -> Next {
    guard let words = try words ?? lookedFor ?? answer("The words to find; Enter leaves it:") else {
      return .stay
    }
    if words.allSatisfy(\.isWhitespace) {
      try tell("Nothing was looked for.")
      return .stay
    }
    let query = ListQuery(words, now: surroundings.now())
    if let problem = query.problem(of: ListQuery.statesOfConflicts) {
      try tell("There is \(problem).")
      return .stay
    }
    lookedFor = words
    return try goToNext(of: try found(by: query), words)
  }

  private struct Found {
    var ids: [String] = []
    /// How many of them come up to the record that is asked about, with that.
    var passed = 0
    /// What waits is decided, and nobody is asked about it.
    var waiting = 0
  }

  private func found(by query: ListQuery) throws -> Found {
    var found = Found()
    try store.forEachSummary { summary in
      if try query.finds(summary, reading: { try store.conflicts([summary.id]).first }) {
        if summary.waitingSince == nil { found.ids.append(summary.id) } else { found.waiting += 1 }
      }
      if asked.record.isName(summary.id) { found.passed = found.ids.count }
    }
    return found
  }

  private func goToNext(of found: Found, _ words: String) throws -> Next {
    guard !found.ids.isEmpty else {
      try tell(nothing(found, words))
      return .stay
    }
    let number = found.passed < found.ids.count ? found.passed : 0
    let id = found.ids[number]
    guard !asked.record.isName(id) else {
      try tell("Only this record has \(LinearText.typed(words)).")
      return .stay
    }
    guard let record = try decided(id) else { return .stay }
    try tell(place(number, of: found.ids.count, words))
    let next = moveOn()
    ask(found: record)
    return next
  }

  private func nothing(_ found: Found, _ words: String) -> String {
    guard found.waiting > 0 else {
      let unknown = ListQuery(words, now: 0).unknownName.map { " \($0)." } ?? ""
      return "No record in conflict has \(LinearText.typed(words)).\(unknown)"
    }
    let count = found.waiting == 1 ? "One record has" : "\(found.waiting) records have"
    let waits = "decided and waiting \(store.info.words.waits): nothing is asked about it."
    return "\(count) \(LinearText.typed(words)), \(waits)"
  }

  private func place(_ number: Int, of count: Int, _ words: String) -> String {
    guard count > 1 else { return "One record has \(LinearText.typed(words))." }
    return "\(count) records have \(LinearText.typed(words)). Number \(number + 1); / goes to the next."
  }
}
