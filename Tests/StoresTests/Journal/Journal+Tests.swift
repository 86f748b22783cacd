@testable import Journals
@testable import SQLiteDataStores

extension Journal {
  /// The journal of `Reminders.sqlite`, wherever it lies.
  convenience init(path: String, clock: @escaping @Sendable () -> Int64) {
    self.init(
      path: path, owner: JournalOwner(kind: "SQLiteData", database: "Reminders.sqlite"),
      reading: .ofRows, clock: clock)
  }
}
