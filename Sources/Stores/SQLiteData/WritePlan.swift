import Merging

/// What a draft means for the files, case by case (the letters are the steps of facts/sqlitedata.md, section 3, route B):
///
///     server    draft    row (B2)           ancestor (B4)       metadata (B3)               pending (B5)
///     present   save     updated, inserted  the server's        T, not deleted              save, if anything differs
///     present   delete   deleted            kept                marked as deleted           delete
///     deleted   save     updated, inserted  none                T, not deleted              save
///     deleted   delete   deleted            –                   removed                     –
///     unknown   save     updated, inserted  kept                T, not deleted              save
///     unknown   delete   deleted            kept                marked as deleted           delete
///
/// - T is the time the app gives to every field it uploads. A field is sent only if its time in the ancestor is not later,
///   so T is the largest of now, the old time, and the times of the fields that are to be sent.
/// - The server's archive becomes the ancestor: the upload then carries its tag and is accepted, and fields that equal it
///   keep their times. If the draft equals it in all fields there is nothing to send: no save is queued, and the time is
///   what the app itself makes of it when it takes in a record, the larger of its own and the record's.
/// - A record that the server deleted has no tag any more. With an ancestor the upload would be an update of nothing; with
///   none the app creates the record anew.
/// - A deletion that the app queued is replaced by a save, also where the draft equals the server: the engine keeps one
///   change for each record, and the last one counts.
/// - If the app has received a newer version than the one in the inbox, that one stays the ancestor.
struct WritePlan {
  let state: RecordState
  let draft: Draft
  let shape: TableShape
  let key: TableShape.Column
  let session: WriteSession

  /// - Throws: ``Refusal``
  init(_ draft: Draft, _ state: RecordState, _ session: WriteSession) throws {
    if let reason = state.conflict.details.notWritable { throw Refusal(nil, reason) }
    guard let shape = state.shape, let key = shape.singleKey else {
      throw Refusal(nil, "the app database has no table for it")
    }
    self.state = state
    self.draft = draft
    self.shape = shape
    self.key = key
    self.session = session
  }

  func changes() throws -> [StoredChange] {
    let row = try rowAfter()
    let rowChange = rowChange(row)
    let aim = aim(row)
    let others = try pendingChanges(aim.queued) + inboxChanges() + unsyncedChanges(row)
    return try ([rowChange, metadataChange(aim, row)] + others).filter { !$0.changesNothing }
  }

  func rowChange(_ row: RowImage?) -> StoredChange {
    StoredChange(file: .app, table: shape.name, key: rowKey, before: state.row, after: row)
  }

  private var rowKey: RowImage {
    [key.name: state.row?[key.name] ?? shape.keyValue(state.name.primaryKey, key)]
  }
}

/// The row.
extension WritePlan {
  func rowAfter() throws -> RowImage? {
    guard case .save(let fields) = draft.action else { return nil }
    var row = state.row ?? rowKey
    for field in fields {
      guard let column = shape[field.name], !column.isGenerated, column.keyPosition == 0 else { continue }
      if let value = try value(of: field, column) { row[field.name] = value }
    }
    return row
  }

  /// What is written into the column; nil if it is left to what is there, or to the column's default.
  private func value(of field: FieldDraft, _ column: TableShape.Column) throws -> Value? {
    let value = column.affinity.stored(field.value)
    if let row = state.row, row[field.name] == value { return nil }
    if state.row == nil, value == .null, isUnknownToAll(field.name) { return nil }
    try checkWritable(value, field.name)
    try checkChoice(field, value, column)
    return value
  }

  private func isUnknownToAll(_ name: String) -> Bool {
    let conflict = state.conflict[name]
    return conflict?.client == nil && conflict?.server == nil
  }

  private func checkWritable(_ value: Value, _ name: String) throws {
    if !value.isAtHand { throw Refusal(name, "its bytes are not here; only their hash is known") }
    if case .opaque(let kind, _) = value, kind != SQLRow.brokenText {
      throw Refusal(name, "a value of the kind \(kind) cannot be written into a column")
    }
  }

  private func checkChoice(_ field: FieldDraft, _ value: Value, _ column: TableShape.Column) throws {
    if value == .null, column.isRequired { throw Refusal(field.name, "it must not be NULL") }
    switch field.source {
    case .edited?, .merged?:
      if case .wrongType(_, let expected)? = state.conflict[field.name]?.field.refusal(of: value) {
        throw Refusal(field.name, "it takes a value of the type \(expected)")
      }
    case .ancestor?:
      let isClients = state.conflict[field.name]?.client?.value == value
      if let reason = state.conflict.details.ancestorNotChoosable, !isClients {
        throw Refusal(field.name, reason)
      }
    case .client?, .server?, .both?, nil: break
    }
  }
}

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
    let upload = newer?.version.fields ?? server
    let archive = newer == nil ? state.inbox.serverRecord : nil
    let differs = !fieldsToSend(row, over: upload).isEmpty
    let recordTime = (newer ?? state.server)?.record?.modificationTime ?? 0
    return Aim(
      ancestor: archive.map { .advanced($0) } ?? .kept,
      time: differs ? timeToSend(row, over: upload) : max(oldTime, recordTime),
      queued: differs || isDeletionQueued ? .save : nil)
  }

  private var oldTime: Int64 { state.metadata?.modificationTime ?? 0 }

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

/// The rows of the hidden database, and of the inbox.
extension WritePlan {
  private func metadataChange(_ aim: Aim, _ row: RowImage?) throws -> StoredChange {
    let key: RowImage = [
      "recordPrimaryKey": .text(state.name.primaryKey), "recordType": .text(state.name.table),
    ]
    var change = StoredChange(
      file: .metadata, table: Metadatabase.metadata, key: key, before: nil, after: nil)
    change.before = try session.current(change)
    change.after = metadataAfter(
      aim, row, before: change.before ?? newMetadata(key), isNew: change.before == nil)
    return change
  }

  private func newMetadata(_ key: RowImage) -> RowImage {
    key.merging(["zoneName": .text(zone.name), "ownerName": .text(zone.owner)]) { key, _ in key }
  }

  private func metadataAfter(_ aim: Aim, _ row: RowImage?, before: RowImage, isNew: Bool) -> RowImage? {
    guard case .kept(let isDeleted) = aim.metadata else { return nil }
    var after = before
    after["userModificationTime"] = .integer(aim.time)
    after["_isDeleted"] = .integer(isDeleted ? 1 : 0)
    switch aim.ancestor {
    case .kept: break
    case .none: setAncestor(.null, in: &after)
    case .advanced(let archive): setAncestor(.blob(Blob(bytes: archive)), in: &after)
    }
    if let row, let parent = shape.parent, isNew || row[parent.columns[0]] != state.row?[parent.columns[0]] {
      setParent(row[parent.columns[0]] ?? .null, parent.table, in: &after)
    }
    return after
  }

  /// CKRecord reads its system fields from a full archive as well, so both columns may hold the same bytes.
  private func setAncestor(_ archive: Value, in metadata: inout RowImage) {
    metadata["lastKnownServerRecord"] = archive
    metadata["_lastKnownServerRecordAllFields"] = archive
  }

  private func setParent(_ key: Value, _ table: String, in metadata: inout RowImage) {
    let text: String? =
      switch key {
      case .text(let text): text
      case .integer(let integer): String(integer)
      case .null, .real, .blob, .opaque: nil
      }
    metadata["parentRecordPrimaryKey"] = text.map { .text($0) } ?? .null
    metadata["parentRecordType"] = text == nil ? .null : .text(table)
  }

  /// Where the record lives: the metadata knows, else the server's record does.
  private var zone: (name: String, owner: String) {
    if let metadata = state.metadata { return (metadata.zoneName, metadata.ownerName) }
    if let record = state.server?.record { return (record.zoneName, record.ownerName) }
    return (state.inbox.zoneName, state.inbox.ownerName)
  }

  /// One change of the wanted kind is queued, and none of another kind.
  private func pendingChanges(_ kind: PendingZoneChange.Kind?) throws -> [StoredChange] {
    let wanted = kind.map {
      PendingZoneChange(
        kind: $0, recordName: state.inbox.recordName, zoneName: zone.name, ownerName: zone.owner)
    }
    let queued = session.queue.entries(of: state.inbox.recordName)
    // A save stays queued where nothing has to be sent: it may be the app's, and then sends what the app still has.
    let contrary = queued.filter { entry in
      kind == nil ? isGone || entry.change?.kind == .delete : entry.change != wanted
    }
    var changes = Set(contrary.map(\.blob)).map { pendingChange($0, before: true, after: false) }
    if let wanted, !queued.contains(where: { $0.change == wanted }) {
      changes.append(pendingChange(try encoded(wanted), before: false, after: true))
    }
    return changes
  }

  private var isGone: Bool { draft.action == .delete }

  private func pendingChange(_ blob: [UInt8], before: Bool, after: Bool) -> StoredChange {
    let image: RowImage = [Metadatabase.pendingColumn: .blob(Blob(bytes: blob))]
    return StoredChange(
      file: .metadata, table: Metadatabase.pending, key: image, before: before ? image : nil,
      after: after ? image : nil)
  }

  /// One row that does not decode stops the app's sync at every launch, so what was made is read again.
  private func encoded(_ change: PendingZoneChange) throws -> [UInt8] {
    let bytes = change.encoded()
    guard (try? PendingZoneChange(decoding: bytes)) == change else {
      throw Refusal(nil, "its pending change does not decode again")
    }
    return bytes
  }

  private func inboxChanges() throws -> [StoredChange] {
    try session.inboxRows(of: state.inbox.recordName).map { id in
      var change = StoredChange(
        file: .app, table: InboxRow.table, key: ["id": .integer(id)], before: nil, after: nil)
      change.before = try session.current(change)
      return change
    }
  }

  /// A record that has a row no longer waits for its parent (B6).
  private func unsyncedChanges(_ row: RowImage?) throws -> [StoredChange] {
    guard row != nil else { return [] }
    let key: RowImage = [
      "recordName": .text(state.inbox.recordName), "zoneName": .text(zone.name),
      "ownerName": .text(zone.owner),
    ]
    var change = StoredChange(
      file: .metadata, table: Metadatabase.unsynced, key: key, before: nil, after: nil)
    change.before = try session.current(change)
    return [change]
  }
}
