import KeyedArchives
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

/// The rows of the hidden database, and of the inbox.
extension WritePlan {
  func metadataChange(_ aim: Aim, _ row: RowImage?) throws -> StoredChange {
    let key: RowImage = [
      "recordPrimaryKey": .text(state.name.primaryKey), "recordType": .text(state.name.table),
    ]
    var change = try session.seen(.metadata, Metadatabase.metadata, key)
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
    if let row, let key = shape.parent, isNew || row[key.columns[0]] != state.row?[key.columns[0]] {
      setParent(parent(of: row), in: &after)
    }
    return after
  }

  /// CKRecord reads its system fields from a full archive as well, so both columns may hold the same bytes.
  private func setAncestor(_ archive: Value, in metadata: inout RowImage) {
    metadata["lastKnownServerRecord"] = archive
    metadata["_lastKnownServerRecordAllFields"] = archive
  }

  private func setParent(_ parent: RecordName?, in metadata: inout RowImage) {
    metadata["parentRecordPrimaryKey"] = parent.map { .text($0.primaryKey) } ?? .null
    metadata["parentRecordType"] = parent.map { .text($0.table) } ?? .null
  }

  /// A record lies where its parent does. In the app a move is the record's deletion there, and a new record of it and of all below it
  /// here: that is left to the app.
  ///
  /// - Throws: ``Refusal``
  func checkZone(_ row: RowImage?) throws {
    guard let key = shape.parent, let parent = parent(of: row), parent != self.parent(of: state.row),
      let place = try MetadataRow.of(parent, in: session.db),
      place.zoneName != zone.name || place.ownerName != zone.owner
    else { return }
    throw Refusal(key.columns[0], WritePlan.parentElsewhere)
  }

  static let parentElsewhere = """
    that record lies in another zone, and only the app can move this one there: by its outbox, or by setting it in the app
    """

  private func parent(of row: RowImage?) -> RecordName? {
    guard let key = shape.parent, let value = row?[key.columns[0]] else { return nil }
    return switch value {
    case .text(let text): RecordName(primaryKey: text, table: key.table)
    case .integer(let integer): RecordName(primaryKey: String(integer), table: key.table)
    case .null, .real, .blob, .opaque: nil
    }
  }

  /// Where the record lives: the metadata knows, else the server's record does.
  private var zone: (name: String, owner: String) {
    if let metadata = state.metadata { return metadata.zone }
    if state.inbox.serverRecord != nil, let record = state.server?.record {
      return (record.zoneName, record.ownerName)
    }
    return (state.inbox.zoneName, state.inbox.ownerName)
  }

  /// At most one change of the record is queued, beside its deletion from a zone that it left: of the wanted kind, if there is one.
  func pendingChanges(_ kind: PendingZoneChange.Kind?) throws -> [StoredChange] {
    let name = state.inbox.recordName
    if let kind {
      return try session.queueing(
        PendingZoneChange(kind: kind, recordName: name, zoneName: zone.name, ownerName: zone.owner))
    }
    if draft.action == .delete { return session.unqueueing(name, in: zone) }
    // A save stays queued where nothing has to be sent: it may be the app's, and then sends what the app still has.
    return session.unqueueing(
      name, in: zone, but: session.queue.entries(of: name).last { $0.change?.kind == .save })
  }

  /// What the app's own triggers would note (see ``UnsentTriggers``), which are not here.
  func unsentChanges(_ aim: Aim, _ row: RowImage?) throws -> [StoredChange] {
    let table = ParleyTables.unsentName
    guard try session.records.tables.shape(of: table, in: session.db) != nil else { return [] }
    let key: RowImage = ["recordName": .text(state.inbox.recordName)]
    var change = try session.seen(.app, table, key)
    if row != nil, aim.queued == .save { change.after = key.merging(["row": .null]) { key, _ in key } }
    return [change]
  }

  /// A record that has a row no longer waits for its parent (B6).
  func unsyncedChanges(_ row: RowImage?) throws -> [StoredChange] {
    guard row != nil, session.hasUnsynced else { return [] }
    let key: RowImage = [
      "recordName": .text(state.inbox.recordName), "zoneName": .text(zone.name),
      "ownerName": .text(zone.owner),
    ]
    return [try session.seen(.metadata, Metadatabase.unsynced, key)]
  }
}
