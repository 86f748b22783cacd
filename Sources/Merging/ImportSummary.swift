/// A store that takes in server records from files.
public protocol ImportingStore: ConflictStore {
  /// Puts the records of these files that differ from what is known into the inbox. What kind of file each is shows in its
  /// contents, never in its name.
  ///
  /// - Parameters:
  ///   - isRehearsal: tells what would happen, and changes nothing.
  ///   - progress: called as each file is begun, and every few records of it, with how many were met.
  /// - Throws: ``StoreError`` if a file is not there or cannot be opened, or what is new cannot be kept; then nothing is.
  ///   A record that cannot be read is no error: ``ImportSummary/unreadable``.
  func importRecords(
    from paths: [String], isRehearsal: Bool, progress: (_ path: String, _ records: Int) throws -> Void
  ) throws -> ImportSummary
}

extension ImportingStore {
  public func importRecords(from paths: [String], isRehearsal: Bool) throws -> ImportSummary {
    try importRecords(from: paths, isRehearsal: isRehearsal) { _, _ in }
  }
}

/// What became of the records of an import.
public struct ImportSummary: Sendable, Equatable {
  /// Records that wait in the inbox now.
  public var new = 0
  /// Records that the server has deleted; they wait in the inbox too.
  public var deleted = 0
  /// Of the new ones, those that came without an archive: the ancestor cannot be advanced from them.
  public var withoutArchive = 0
  /// Of the new ones, those with a time that lies in the future: a clock was wrong.
  public var timesAhead = 0
  /// What is known already, from the ancestor or the inbox.
  public var unchanged = 0
  /// What is older than the ancestor or the inbox.
  public var older = 0
  /// How many records are of tables that the store does not have or does not sync, by the table's name.
  public var unknownTables: [String: Int] = [:]
  /// What could not be read or taken, in the order it was met; of many the first.
  public private(set) var unreadable: [Unreadable] = []
  /// How many more there were.
  public private(set) var moreUnreadable = 0
  /// How many of those that wait lie in the app's own inbox; the others are in the journal.
  public var inAppInbox = 0

  public struct Unreadable: Sendable, Equatable {
    public var file: String
    /// "line 3, column 17", "record 2", or a record's name; nil if the file as a whole cannot be read.
    public var place: String?
    /// Why; holds no values.
    public var reason: String

    public init(file: String, place: String?, reason: String) {
      self.file = file
      self.place = place
      self.reason = reason
    }
  }

  public init() {}

  public init(unreadable: [Unreadable]) { self.unreadable = unreadable }

  /// A file may be millions of times nothing: what a person reads is kept, the rest is counted.
  public mutating func add(_ entry: Unreadable) {
    if unreadable.count < 1000 { unreadable.append(entry) } else { moreUnreadable += 1 }
  }

  /// How many wait in the inbox now.
  public var taken: Int { new + deleted }
  public var inJournal: Int { taken - inAppInbox }
}
