/// What waits for upload in a store, for `parley doctor`.
public struct UploadQueue: Sendable, Equatable {
  /// One place where changes wait. A store may have several: its own table, and the state of its sync engine.
  public struct Part: Sendable, Equatable {
    public var name: String
    public var bytes: Int
    public var saves: Int
    public var deletions: Int
    /// Changes that were being sent when the file was written.
    public var inFlight: Int
    /// Changes that cannot be read.
    public var unreadable: Int
    /// Changes of whole zones.
    public var zoneChanges: Int
    /// Whether the server has told of news that were not fetched; nil where nobody keeps that.
    public var mustFetch: Bool?
    /// Why this part cannot be read at all.
    public var problem: String?

    public init(
      name: String, bytes: Int, saves: Int = 0, deletions: Int = 0, inFlight: Int = 0, unreadable: Int = 0,
      zoneChanges: Int = 0, mustFetch: Bool? = nil, problem: String? = nil
    ) {
      self.name = name
      self.bytes = bytes
      self.saves = saves
      self.deletions = deletions
      self.inFlight = inFlight
      self.unreadable = unreadable
      self.zoneChanges = zoneChanges
      self.mustFetch = mustFetch
      self.problem = problem
    }
  }

  /// One change that waits.
  public struct Waiting: Sendable, Equatable {
    public var table: String
    public var record: String
    public var isDeletion: Bool
    /// The name of the part it waits in.
    public var part: String
    /// When the record was last changed, in nanoseconds since 1970: it waits at least since then. nil if nobody knows.
    public var since: Int64?

    public init(table: String, record: String, isDeletion: Bool, part: String, since: Int64?) {
      self.table = table
      self.record = record
      self.isDeletion = isDeletion
      self.part = part
      self.since = since
    }
  }

  public var parts: [Part]
  /// The first changes of all parts, in their order.
  public var waiting: [Waiting]

  public init(parts: [Part], waiting: [Waiting]) {
    self.parts = parts
    self.waiting = waiting
  }

  /// How many changes wait in all parts.
  public var count: Int { parts.reduce(0) { $0 + $1.saves + $1.deletions } }
}
