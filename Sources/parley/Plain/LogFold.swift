import StoreInterface

/// What a line of `parley log` tells: an entry, or how many there are of those that say the same.
///
/// A write that is stopped, or cut off, before it was committed leaves a receipt for each of its records, by which the journal knows that
/// nothing is open. Thousands of them hide the rest of the log.
struct LogFold {
  let entry: JournalEntry
  private(set) var count = 1
  /// How many are still told one by one.
  static let shown = 3

  init(_ entry: JournalEntry) { self.entry = entry }

  /// - Parameter entries: newest first.
  static func folds(of entries: [JournalEntry]) -> [LogFold] {
    var runs: [[JournalEntry]] = []
    for entry in entries {
      if let first = runs.last?.first, first.saysTheSame(as: entry) {
        runs[runs.count - 1].append(entry)
      } else {
        runs.append([entry])
      }
    }
    return runs.flatMap { $0.count > shown ? [LogFold(all: $0)] : $0.map(LogFold.init) }
  }

  private init(all entries: [JournalEntry]) {
    var first = entries[0]
    first.title = nil
    (entry, count) = (first, entries.count)
  }
}

extension JournalEntry {
  /// Of what was rolled back nothing is to be known but that.
  fileprivate func saysTheSame(as other: JournalEntry) -> Bool {
    guard case .ended(_, .rolledBack?, _) = event else { return false }
    return event == other.event && time == other.time && note == other.note
  }
}
