import Merging

extension Lifecycle {
  /// The rest of the life of a real record, from its conflict on: steps 8 to 11 with the record's own values.
  ///
  /// The server's version is taken to come in with a fetch. Its tags are named a and b, whatever they are in the store.
  /// - Parameters:
  ///   - resolution: what was decided so far; the suggestion is taken for everything else.
  ///   - now: when the draft is written, in nanoseconds since 1970.
  /// - Returns: nil where one side's version is not known, and so nothing can be foretold.
  package static func scenario(
    of conflict: RecordConflict, resolution: Resolution = Resolution(), now: Int64
  ) -> Scenario? {
    guard !conflict.versions.client.isUnknown, !conflict.versions.server.isUnknown else { return nil }
    let record = RecordName(conflict.primaryKey, in: conflict.table)
    let client = { (action: DeviceAction) in Moment(now, .device("client", action)) }
    return Scenario(
      id: "conflict", title: conflict.title, about: "What happens to this record next.",
      table: Table(conflict.table, columns: conflict.fields.map(\.field)), record: record,
      devices: ["client"],
      client: "client",
      chapters: [
        chapter("8", "now", .conflict, nil),
        chapter("9a", "merge", .conflict, client(.fetch)),
        chapter("9b", "draft on top of it", .conflict, client(.resolve(record, resolution))),
        chapter("10", "sent, unconfirmed", .conflict, client(.send)),
        chapter("11", "all agree", .conflict, client(.receiveAnswer)),
      ], start: conflict)
  }
}

extension World {
  /// Puts the three versions of a conflict where they belong.
  mutating func put(_ conflict: RecordConflict, as name: RecordName, on device: String) {
    let ancestor = conflict.versions.ancestor?.fields.map { cloud.put(ServerRecord($0), as: name) }
    devices[device]?.records[name] = DeviceRecord(conflict.versions.client, ancestor: ancestor)
    devices[device]?.seen = ancestor?.tag
    switch conflict.versions.server {
    case .present(let fields): cloud.put(ServerRecord(fields), as: name)
    case .deleted(let time): cloud.remove(name, at: time)
    case .absent, .unknown: cloud.remove(name, at: nil)
    }
  }
}

extension DeviceRecord {
  init(_ client: RecordVersion, ancestor: ServerRecord?) {
    switch client {
    case .present(let fields): self.init(fields, ancestor: ancestor)
    case .deleted(let time):
      self.init(
        metadata: Metadata(lastKnown: ancestor, userModificationTime: time ?? ancestor?.time ?? 0),
        pending: .deletion)
    case .absent, .unknown: self.init()
    }
  }

  /// A client has one time for its row; where each field has its own, the newest edit's is the row's.
  private init(_ fields: RecordVersion.Fields, ancestor: ServerRecord?) {
    let edits = fields.filter { ancestor?.fields[$0.key]?.value != $0.value.value }
    let times = (edits.isEmpty ? fields : edits).compactMapValues(\.time)
    var metadata = Metadata(lastKnown: ancestor, userModificationTime: times.values.max() ?? 0)
    metadata.editTimes = times
    self.init(row: fields.mapValues(\.value), metadata: metadata, pending: edits.isEmpty ? nil : .save)
  }
}
