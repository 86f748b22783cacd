import StoreInterface

/// What a line of `parley log` tells: an entry, or how many there are of those that say the same.
///
/// A write that is stopped, or cut off, before it was committed leaves a receipt for each of its records, by which the journal knows that
/// nothing is open. Thousands of them hide the rest of the log.
struct LogFold {
  let entry: JournalEntry
  let count: Int
  /// How many entries there are down to its last one.
  let end: Int
  /// How many are still told one by one.
  static let shown = 3

  /// - Parameter entries: newest first.
  static func folds(of entries: [JournalEntry]) -> [LogFold] {
    var runs: [Range<Int>] = []
    for place in entries.indices {
      if let run = runs.last, entries[run.lowerBound].saysTheSame(as: entries[place]) {
        runs[runs.count - 1] = run.lowerBound..<place + 1
      } else {
        runs.append(place..<place + 1)
      }
    }
    return runs.flatMap { $0.count > shown ? [LogFold(entries, $0)] : each(of: entries, in: $0) }
  }

  /// Each entry by itself.
  static func each(of entries: [JournalEntry], in places: Range<Int>? = nil) -> [LogFold] {
    (places ?? entries.indices).map { LogFold(entries, $0..<$0 + 1) }
  }

  private init(_ entries: [JournalEntry], _ run: Range<Int>) {
    var first = entries[run.lowerBound]
    if run.count > 1 { first.title = nil }
    (entry, count, end) = (first, run.count, run.upperBound)
  }
}

extension JournalEntry {
  /// Of what was rolled back nothing is to be known but that.
  fileprivate func saysTheSame(as other: JournalEntry) -> Bool {
    guard case .ended(_, .rolledBack?, _) = event else { return false }
    return event == other.event && time == other.time && note == other.note
  }
}
