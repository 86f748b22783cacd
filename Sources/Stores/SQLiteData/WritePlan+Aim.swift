import Merging

/// What the engine is to find in the metadata and in its queue.
extension WritePlan {
  struct Aim {
    enum Ancestor {
      case kept, none
      case advanced([UInt8])
    }

    enum Metadata {
      case removed
      case kept(isDeleted: Bool)
    }

    var ancestor = Ancestor.kept
    var metadata = Metadata.kept(isDeleted: false)
    var time: Int64
    var queued: PendingZoneChange.Kind?
  }

  func aim(_ row: RowImage?) -> Aim {
    switch (state.conflict.versions.server, row) {
    case (.present(let server), let row?): save(row, over: server)
    case (.deleted, .some), (.absent, .some):
      Aim(ancestor: .none, time: max(session.now, oldTime), queued: .save)
    case (.unknown, let row?): Aim(time: timeToSend(row, over: knownFields), queued: .save)
    case (.deleted, nil), (.absent, nil): Aim(metadata: .removed, time: oldTime)
    case (.present, nil), (.unknown, nil):
      Aim(metadata: .kept(isDeleted: true), time: max(session.now, oldTime), queued: .delete)
    }
  }

  private func save(_ row: RowImage, over server: RecordVersion.Fields) -> Aim {
    let newer = newerAncestor
    let upload = newer?.version.fields ?? (state.inbox.serverRecord == nil ? completed(server) : server)
    let archive = newer == nil ? state.inbox.serverRecord : nil
    let differs = !fieldsToSend(row, over: upload).isEmpty
    let recordTime = (newer ?? state.server)?.record?.modificationTime ?? 0
    return Aim(
      ancestor: archive.map { .advanced($0) } ?? .kept,
      time: differs ? timeToSend(row, over: upload) : max(oldTime, recordTime),
      queued: differs || isDeletionQueued ? .save : nil)
  }

  /// What came as JSON, with the ancestor's fields where it does not tell them, and no time before the ancestor's.
  private func completed(_ server: RecordVersion.Fields) -> RecordVersion.Fields {
    knownFields.merging(server) { ancestor, server in
      FieldVersion(server.value, time: [ancestor.time, server.time].compactMap(\.self).max())
    }
  }

  var oldTime: Int64 { state.metadata?.modificationTime ?? 0 }

  private var isDeletionQueued: Bool {
    state.metadata?.isDeleted == true
      || session.queue.entries(of: state.inbox.recordName).contains { $0.change?.kind == .delete }
  }

  private var knownFields: RecordVersion.Fields {
    ArchivedVersion(state.metadata?.allFields, shape: shape)?.version.fields ?? [:]
  }

  /// The metadata's ancestor, if the app received it after the record in the inbox.
  private var newerAncestor: ArchivedVersion? {
    guard let known = ArchivedVersion(state.metadata?.allFields, shape: shape), known.version.isPresent,
      let record = known.record, let other = state.server?.record
    else { return nil }
    let ancestorTag = state.inbox.isCaptured ? state.conflict.details.ancestorTag : nil
    return record.isNewer(than: other, ancestorTag: ancestorTag) ? known : nil
  }

  /// The columns in which the row differs from what is uploaded over. A field that a record does not know counts as NULL.
  private func fieldsToSend(_ row: RowImage, over record: RecordVersion.Fields) -> [String] {
    row.keys.filter { row[$0] != record[$0]?.value ?? .null && $0 != key.name }
  }

  private func timeToSend(_ row: RowImage, over record: RecordVersion.Fields) -> Int64 {
    let times = fieldsToSend(row, over: record).compactMap { record[$0]?.time }
    return ([session.now, oldTime] + times).max() ?? session.now
  }
}
