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

  package private(set) var records: [RecordID: ServerRecord] = [:]
  package private(set) var deletions: [RecordID: Deletion] = [:]
  /// Devices that may read and not write.
  package var readers: Set<String> = []
  /// How often the whole zone was thrown away because its keys were lost.
  package private(set) var resets = 0
  private(set) var lastTag: ChangeTag?

  package init() {}

  /// Saves whatever is asked, as another device would after a successful save.
  @discardableResult
  package mutating func put(_ record: ServerRecord, as name: RecordID) -> ServerRecord {
    var saved = record
    saved.tag = nextTag()
    records[name] = saved
    deletions[name] = nil
    return saved
  }

  package mutating func remove(_ name: RecordID, at time: Int64?, by device: String? = nil) {
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
  func changes(after tag: ChangeTag?, for device: String) -> [(name: RecordID, change: Incoming)] {
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

/// What a device asks of the server for one record.
package enum Upload: Sendable, Equatable {
  /// The record carries the tag of the version it was made on, or none if it is new.
  case save(ServerRecord)
  /// CloudKit deletes whatever it has, and never compares a tag. The model needs the comparison (an app gets it by
  /// fetching right before), so that a deletion cannot take an edit along that its author never saw.
  case delete(onlyIf: ChangeTag?, at: Int64)
}

/// What the server says to an upload.
package enum Answer: Sendable, Equatable {
  case saved(ServerRecord)
  case deleted
  /// Refused: the record there is not the one that the upload was made on.
  case changed(ServerRecord)
  /// Refused: there is no such record, or no longer.
  case missing
  /// Refused: the parent is not there, or a child still is.
  case referenceViolation
  /// Refused: this device may only read. With the record as it is, if there is one.
  case notPermitted(ServerRecord?)
  /// Not even looked at, because another upload of the same batch was refused.
  case batchFailed
}

extension Cloud {
  /// Takes a whole batch, or nothing of it: a zone is saved atomically.
  mutating func answer(
    _ uploads: [RecordID: Upload], from device: String, tables: [String: Table]
  ) -> [RecordID: Answer] {
    let refusals = refusals(of: uploads, from: device, tables: tables)
    guard refusals.isEmpty else { return uploads.mapValues { _ in .batchFailed }.merging(refusals) { $1 } }
    var answers: [RecordID: Answer] = [:]
    for (name, upload) in uploads.sorted(by: { $0.key < $1.key }) {
      answers[name] = take(upload, as: name, from: device)
    }
    return answers
  }

  private mutating func take(_ upload: Upload, as name: RecordID, from device: String) -> Answer {
    switch upload {
    case .save(let record): return .saved(put(record, as: name))
    case .delete(_, let time):
      remove(name, at: time, by: device)
      return .deleted
    }
  }

  private func refusals(
    of uploads: [RecordID: Upload], from device: String, tables: [String: Table]
  ) -> [RecordID: Answer] {
    var refusals: [RecordID: Answer] = [:]
    for (name, upload) in uploads {
      refusals[name] =
        readers.contains(device)
        ? .notPermitted(records[name])
        : staleness(of: upload, as: name) ?? violation(by: upload, as: name, among: uploads, tables: tables)
    }
    return refusals
  }

  private func staleness(of upload: Upload, as name: RecordID) -> Answer? {
    let current = records[name]
    switch upload {
    case .save(let record) where record.tag != current?.tag: return current.map(Answer.changed) ?? .missing
    case .delete(let tag?, _) where current != nil && current?.tag != tag: return current.map(Answer.changed)
    case .save, .delete: return nil
    }
  }

  private func violation(
    by upload: Upload, as name: RecordID, among uploads: [RecordID: Upload], tables: [String: Table]
  ) -> Answer? {
    switch upload {
    case .save(let record):
      guard let parent = tables[name.table]?.parent(of: record.value) else { return nil }
      return records[parent] != nil || uploads[parent] != nil ? nil : .referenceViolation
    case .delete:
      let children = records.filter { tables[$0.key.table]?.parent(of: $0.value.value) == name }
      return children.keys.allSatisfy { uploads[$0] != nil } ? nil : .referenceViolation
    }
  }
}

/// The server's mark on one version of a record. A save must carry the mark of the version it was made on.
///
/// CloudKit's tags are opaque and unordered. These are given out in order, and written a, b, … z, aa, ab, …, so that
/// a picture can name versions and a test can say which is later.
package struct ChangeTag: Sendable, Hashable, Comparable {
  /// 1 is "a".
  package let number: Int

  package init(_ number: Int) {
    precondition(number > 0, "tags are counted from 1, as there is no letter before a")
    self.number = number
  }

  package static func < (left: ChangeTag, right: ChangeTag) -> Bool { left.number < right.number }
}

extension ChangeTag: CustomStringConvertible {
  package var description: String {
    var rest = number
    var letters = ""
    while rest > 0 {
      letters = String(UnicodeScalar(UInt8(ascii: "a") + UInt8((rest - 1) % 26))) + letters
      rest = (rest - 1) / 26
    }
    return letters
  }
}
