import Merging

/// The server: one version of every record, and a refusal for whoever saves on top of an older one.
package struct Cloud: Sendable, Equatable {
  package struct Deletion: Sendable, Equatable {
    package var tag: ChangeTag
    /// Nanoseconds since 1970; nil where the deleter did not say.
    package var time: Int64?
    /// The device that asked for it; nil for one that is not played.
    package var device: String?
  }

  package private(set) var records: [RecordName: ServerRecord] = [:]
  package private(set) var deletions: [RecordName: Deletion] = [:]
  /// Devices that may read and not write.
  package var readers: Set<String> = []
  /// How often the whole zone was thrown away because its keys were lost.
  package private(set) var resets = 0
  private(set) var lastTag: ChangeTag?

  package init() {}

  /// Saves whatever is asked, as another device would after a successful save.
  @discardableResult
  package mutating func put(_ record: ServerRecord, as name: RecordName) -> ServerRecord {
    var saved = record
    saved.tag = nextTag()
    records[name] = saved
    deletions[name] = nil
    return saved
  }

  package mutating func remove(_ name: RecordName, at time: Int64?, by device: String? = nil) {
    guard records.removeValue(forKey: name) != nil else { return }
    deletions[name] = Deletion(tag: nextTag(), time: time, device: device)
  }

  /// Throws the zone away, as after a reset of the encryption keys. Nobody deleted anything.
  package mutating func reset() {
    records = [:]
    deletions = [:]
    resets += 1
  }

  /// What has changed after `tag`, in the order in which it happened. A device's own saves come back to it, its own
  /// deletions do not.
  func changes(after tag: ChangeTag?, for device: String) -> [(name: RecordName, change: Incoming)] {
    let saved = records.compactMap { name, record in record.tag.map { ($0, name, Incoming.record(record)) } }
    let deleted = deletions.filter { $1.device != device }.map {
      ($1.tag, $0, Incoming.deletion(time: $1.time))
    }
    return (saved + deleted).filter { tag == nil || $0.0 > tag ?? $0.0 }.sorted { $0.0 < $1.0 }
      .map { ($0.1, $0.2) }
  }

  private mutating func nextTag() -> ChangeTag {
    let tag = ChangeTag((lastTag?.number ?? 0) + 1)
    lastTag = tag
    return tag
  }
}

/// A record's news from the server.
package enum Incoming: Sendable, Equatable {
  case record(ServerRecord)
  /// Nanoseconds since 1970, where known.
  case deletion(time: Int64?)
}
