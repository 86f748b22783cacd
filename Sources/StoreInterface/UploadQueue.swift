/// What waits for upload in a store, for `parley doctor`.
package struct UploadQueue: Sendable, Equatable {
  /// One place where changes wait. A store may have several: its own table, and the state of its sync engine.
  package struct Part: Sendable, Equatable {
    package var name: String
    package var bytes: Int
    package var saves: Int
    package var deletions: Int
    /// Changes that were being sent when the file was written.
    package var inFlight: Int
    /// Changes that cannot be read.
    package var unreadable: Int
    /// Changes of whole zones.
    package var zoneChanges: Int
    /// Whether the server has told of news that were not fetched; nil where nobody keeps that.
    package var mustFetch: Bool?
    /// Why this part cannot be read at all.
    package var problem: String?

    package init(
      name: String, bytes: Int, saves: Int = 0, deletions: Int = 0, inFlight: Int = 0, unreadable: Int = 0,
      zoneChanges: Int = 0, mustFetch: Bool? = nil, problem: String? = nil
    ) {
      (self.name, self.bytes, self.saves, self.deletions) = (name, bytes, saves, deletions)
      (self.inFlight, self.unreadable, self.zoneChanges) = (inFlight, unreadable, zoneChanges)
      (self.mustFetch, self.problem) = (mustFetch, problem)
    }
  }

  /// One change that waits.
  package struct Waiting: Sendable, Equatable {
    package var table: String
    package var record: String
    package var isDeletion: Bool
    /// The name of the part it waits in.
    package var part: String
    /// When the record was last changed, in nanoseconds since 1970: it waits at least since then. nil if nobody knows.
    package var since: Int64?

    package init(table: String, record: String, isDeletion: Bool, part: String, since: Int64?) {
      (self.table, self.record, self.isDeletion, self.part) = (table, record, isDeletion, part)
      self.since = since
    }
  }

  package var parts: [Part]
  /// The first changes of all parts, in their order.
  package var waiting: [Waiting]

  package init(parts: [Part], waiting: [Waiting]) { (self.parts, self.waiting) = (parts, waiting) }

  /// How many changes wait in all parts.
  package var count: Int { parts.reduce(0) { $0 + $1.saves + $1.deletions } }
}
