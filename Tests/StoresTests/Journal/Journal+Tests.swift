@testable import Journals

extension Journal {
  /// The journal of `Reminders.sqlite`, wherever it lies.
  convenience init(path: String, clock: @escaping @Sendable () -> Int64) {
    self.init(
      path: path, owner: JournalOwner(kind: "SQLiteData", database: "Reminders.sqlite"), clock: clock)
  }
}
