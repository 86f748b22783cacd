import StoreInterface

/// How many lines of a file came to what: "12 decided, 3 as before, 2 refused".
struct AppliedTally {
  private var (decided, asBefore, moved, refused) = (0, 0, 0, 0)
  /// Of how many records the store would refuse the draft.
  private var unwritable = 0

  mutating func count(refusedDrafts: [CheckedWrite]) { unwritable += refusedDrafts.count }

  mutating func count(_ results: [AppliedDecisions.Result]) {
    for result in results {
      switch result.checked.outcome {
      case .fine where result.isAsBefore: asBefore += 1
      case .fine: decided += 1
      case .moved: moved += 1
      case .refused, .partly, .notKnown, .notReached: refused += 1
      }
    }
  }

  /// nil of a file without decisions.
  ///
  /// - Parameter open: how much is still to decide, by record.
  func words(isDryRun: Bool, open: ByRecord<Int>) -> String? {
    let parts = [
      (decided, isDryRun ? "would be decided" : "decided"), (asBefore, "as before"),
      (moved, "not taken"), (refused, "refused"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    if parts.isEmpty { return nil }
    let left = words(stillOpen: open.values.filter { $0 > 0 })
    return [parts.joined(separator: ", ") + ".", left].compactMap(\.self).joined(separator: " ")
  }

  /// nil where nothing of the file is in force, so that there is nothing to write by it.
  private func words(stillOpen counts: [Int]) -> String? {
    let taken = decided + asBefore
    if counts.isEmpty {
      if taken == 0 { return nil }
      let left = unwritable == 0 ? "" : ", of which the store would refuse \(unwritable), as told"
      return "No field of these records is open; parley write shows their drafts\(left)."
    }
    let all = counts.reduce(0, +)
    let records = counts.count == 1 ? "1 record" : "\(counts.count) records"
    return "\(all) \(all == 1 ? "field" : "fields") of \(records) \(all == 1 ? "is" : "are") still open."
  }
}
