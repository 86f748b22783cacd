/// What became of the records of an import.
package struct ImportSummary: Sendable, Equatable {
  /// Records that wait in the inbox now.
  package var new = 0
  /// Records that the server has deleted; they wait in the inbox too.
  package var deleted = 0
  /// Of the new ones, those that came without an archive: the ancestor cannot be advanced from them.
  package var withoutArchive = 0
  /// Of the new ones, those with a time that lies in the future: a clock was wrong.
  package var timesAhead = 0
  /// What is known already, from the ancestor or the inbox.
  package var unchanged = 0
  /// What is older than the ancestor or the inbox.
  package var older = 0
  /// How many records are of tables that the store does not have or does not sync, by the table's name.
  package var unknownTables: [String: Int] = [:]
  /// What could not be read or taken, in the order it was met; of many the first.
  package private(set) var unreadable: [Unreadable] = []
  /// How many more there were.
  package private(set) var moreUnreadable = 0
  /// How many of those that wait lie in the app's own inbox; the others are in the journal.
  package var inAppInbox = 0

  package struct Unreadable: Sendable, Equatable {
    package var file: String
    /// "line 3, column 17", "record 2", or a record's name; nil if the file as a whole cannot be read.
    package var place: String?
    /// The name of the record that lies there, where the place is not that, and it is known.
    package var record: String?
    /// What its row here is called; nil where there is none.
    package var title: String?
    /// Why; holds no values.
    package var reason: String

    package init(file: String, place: String?, record: String? = nil, title: String? = nil, reason: String) {
      (self.file, self.place, self.record, self.title) = (file, place, record, title)
      self.reason = reason
    }
  }

  package init() {}

  /// A file may be millions of times nothing: what a person reads is kept, the rest is counted.
  package mutating func add(_ entry: Unreadable) {
    if unreadable.count < 1000 { unreadable.append(entry) } else { moreUnreadable += 1 }
  }

  /// The same where a person knows a file by another name.
  package func calling(_ file: String, _ name: String) -> ImportSummary {
    var summary = self
    for index in summary.unreadable.indices where summary.unreadable[index].file == file {
      summary.unreadable[index].file = name
    }
    return summary
  }

  /// Whether all that was given waits now, or was known.
  package var isComplete: Bool { unreadable.isEmpty && unknownTables.isEmpty }
  /// How many wait in the inbox now.
  package var taken: Int { new + deleted }
  package var inJournal: Int { taken - inAppInbox }
}
