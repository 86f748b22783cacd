import GRDB
import Journals
import KeyedArchives
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

extension SQLiteDataStore {
  package func mend(_ findings: [Finding.ID], note: String?) throws -> [CheckedWrite] {
    try mend(findings, seen: [], note: note)
  }

  package func mend(_ findings: [Finding.ID], seen: [Finding], note: String?) throws -> [CheckedWrite] {
    try mend(findings) { try change($0, note: note, seen: seen.byID) }
  }

  package func subject(of record: String) -> (table: String, record: String) {
    let name = RecordName(whole: record)
    return (name.table, name.primaryKey)
  }

  /// - Parameter seen: what somebody had before them.
  private func change(
    _ findings: [Finding.ID], note: String?, seen: ByRecord<Finding>
  ) throws -> [CheckedWrite] {
    let names = AnyCollection(findings.map { Mender.parts($0).rest })
    let steps = SQLiteDataSteps(store: self, route: .direct, names: names)
    var known: Mender?
    func mender(_ session: WriteSession) throws -> Mender {
      let mender = try known ?? Mender(session, self)
      known = mender
      return mender
    }
    let tasks = findings.map { id in
      let label = RecordLabel(id: id, title: Mender.parts(id).rest)
      return WriteTask(label, titled: { try mender($0).title(of: id) }) { session in
        let mender = try mender(session)
        if let seen = seen[id] { try mender.check(seen) }
        return try session.apply(mender.changes(for: id))
      }
    }
    return try steps.commit(tasks, mends: true, note: note)
  }
}

/// What mending a finding changes in the files. A finding is looked for again first: what was seen may be gone.
private struct Mender {
  let inspector: RecordInspector
  let session: WriteSession

  init(_ session: WriteSession, _ store: SQLiteDataStore) throws {
    let surroundings = try Circumstances(in: session.db, journal: store.log, now: session.now)
    inspector = try RecordInspector(db: session.db, store: store, surroundings: surroundings)
    self.session = session
  }

  private var db: Database { inspector.db }

  static func parts(_ id: Finding.ID) -> (key: String, rest: String) {
    let parts = id.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    return (String(Substring(parts[0])), parts.count > 1 ? String(Substring(parts[1])) : "")
  }

  func title(of id: Finding.ID) -> String {
    let (key, rest) = Mender.parts(id)
    if key == StoreTrouble.undecodableKey { return "pending change \(rest)" }
    // A record that cannot be read is refused later, with its reason; until then its name will do.
    guard let name = RecordName(rest), let metadata = try? MetadataRow.of(name, in: db) else { return rest }
    // What is mended by the row itself is no finding any more.
    return (try? inspector.findings(name, metadata).first?.title)
      ?? (try? session.records.title(of: rest)).flatMap(\.self) ?? name.primaryKey
  }

  /// - Throws: `Moved` where the files show something else of it now: a row that the app has changed may be overwritten unseen.
  func check(_ seen: Finding) throws {
    let (key, rest) = Mender.parts(seen.id)
    guard let name = RecordName(rest), let metadata = try MetadataRow.of(name, in: db) else { return }
    let plain = key.hasSuffix(Finding.serverSuffix) ? String(key.dropLast(Finding.serverSuffix.count)) : key
    let now = try inspector.findings(name, metadata).first { Mender.parts($0.id).key == plain }
    // The evidence has the beginnings of the first values alone.
    if let now, now.evidence != seen.evidence || !now.hasValues(of: seen.ofEitherSide) {
      throw Moved("it is not what was shown any more")
    }
  }

  func changes(for id: Finding.ID) throws -> [StoredChange] {
    let (full, rest) = Mender.parts(id)
    if full == StoreTrouble.undecodableKey { return [try removal(rowid: rest)] }
    let key = full.hasSuffix(Finding.serverSuffix) ? String(full.dropLast(Finding.serverSuffix.count)) : full
    let name = RecordName(rest) ?? RecordName(primaryKey: rest, table: "")
    try checkNothingWaits(name)
    let metadata = try MetadataRow.of(name, in: db)
    guard let stuck = try stuck(name, metadata).first(where: { $0.key == key }) else {
      throw Moved("it is no longer found")
    }
    guard let mending = key == full ? stuck.mending : stuck.mendingFromServer else {
      throw Refusal(nil, "Parley cannot mend it; see what does")
    }
    return try changes(mending, name, metadata).filter { !$0.changesNothing }
  }

  /// The app would apply a draft over what was mended.
  private func checkNothingWaits(_ name: RecordName) throws {
    guard inspector.surroundings.waiting.contains(name.whole) else { return }
    throw Refusal(nil, "a \(Circumstances.waits)")
  }

  private func stuck(_ name: RecordName, _ metadata: MetadataRow?) throws -> [StuckRecord] {
    var stuck = try metadata.map { try inspector.inspect(name, $0).stuck() } ?? [.queuedForNothing]
    if inspector.surroundings.unsynced.contains(name.whole) {
      stuck.append(try inspector.unsynced(name, metadata).0)
    }
    return stuck
  }

  private func changes(
    _ mending: Mending, _ name: RecordName, _ metadata: MetadataRow?
  ) throws -> [StoredChange] {
    switch mending {
    case .dropUnsynced: return try droppedEntries(name)
    case .dropChange:
      // A deletion needs no metadata, and still has to go out.
      return session.queue.entries(of: name.whole).filter { $0.change?.kind == .save }.map(\.removal)
    case .takeServer(let fields): return [try serverValues(of: fields, name, metadata)]
    case .firstUpload, .upload, .queueDeletion, .keepRow, .moveToZone: break
    }
    guard let metadata else { throw Moved("it is no longer found") }
    let wanted = PendingZoneChange(
      kind: kind(mending), recordName: name.whole, zoneName: metadata.zoneName,
      ownerName: metadata.ownerName)
    return try [metadataChange(mending, name, metadata)] + session.queueing(wanted)
      + settling(mending, name)
  }

  private func kind(_ mending: Mending) -> PendingZoneChange.Kind {
    switch mending {
    case .queueDeletion: .delete
    // A deletion is in the zone of its record, or half of a move.
    case .moveToZone: .save
    case .firstUpload, .upload, .keepRow, .dropUnsynced, .dropChange, .takeServer: .save
    }
  }

  /// Whether a record stays deleted is decided with this; a conflict about its deletion is none any more.
  private func settling(_ mending: Mending, _ name: RecordName) throws -> [StoredChange] {
    guard mending == .keepRow || mending == .queueDeletion,
      let state = try session.state(of: name.whole), state.conflict.kind == .deletedOnClient
    else { return [] }
    return try session.settling(state)
  }
}

extension Finding {
  /// What other records are called there may be another by now.
  fileprivate func hasValues(of seen: Finding) -> Bool {
    differences.count == seen.differences.count
      && zip(differences, seen.differences).allSatisfy {
        $0.name == $1.name && $0.before == $1.before && $0.after == $1.after
      }
  }
}

/// The rows that change.
extension Mender {
  private func metadataChange(
    _ mending: Mending, _ name: RecordName, _ metadata: MetadataRow
  ) throws -> StoredChange {
    let key: RowImage = ["recordPrimaryKey": .text(name.primaryKey), "recordType": .text(name.table)]
    var change = try session.seen(.metadata, Metadatabase.metadata, key)
    change.after = change.before
    if mending == .keepRow { change.after?["_isDeleted"] = .integer(0) }
    // With it the engine would send the row as that record, to where it is not, and be refused each time.
    if mending != .queueDeletion, metadata.hasAncestorOfOtherPlace {
      change.after?["lastKnownServerRecord"] = .null
      change.after?["_lastKnownServerRecordAllFields"] = .null
    }
    if let time = try time(mending, name, metadata) {
      change.after?["userModificationTime"] = .integer(time)
    }
    return change
  }

  /// nil where the record keeps its time. A row that was made again has the time of the one that was deleted, and other
  /// devices would not take it.
  private func time(_ mending: Mending, _ name: RecordName, _ metadata: MetadataRow) throws -> Int64? {
    switch mending {
    case .upload(raisesTime: true): try inspector.inspect(name, metadata).timeToSend
    case .keepRow: try timeOfKeeping(inspector.inspect(name, metadata), metadata)
    case .firstUpload, .upload(raisesTime: false), .queueDeletion, .moveToZone, .dropUnsynced, .dropChange,
      .takeServer:
      nil
    }
  }

  private func timeOfKeeping(_ record: InspectedRecord, _ metadata: MetadataRow) -> Int64 {
    let known = (record.ancestor?.times ?? []) + [metadata.modificationTime]
    return WriteTime.time(of: record.stored, now: session.now, after: known)
  }

  /// The row with what was known of the server last: it differs in nothing then, and is in order.
  private func serverValues(
    of fields: [String], _ name: RecordName, _ metadata: MetadataRow?
  ) throws -> StoredChange {
    guard let metadata, let shape = try session.records.tables.shape(of: name.table, in: db),
      let key = shape.singleKey, let row = try inspector.inspect(name, metadata).stored
    else { throw Moved("it is no longer found") }
    let known = try inspector.inspect(name, metadata).ancestor?.version.fields
    var after = row
    for field in fields {
      guard let value = known?[field]?.value else { throw Moved("it is no longer found") }
      guard value.isAtHand else { throw Refusal(field, "the server's bytes are not here") }
      after[field] = value
    }
    try References(db: db).checkParents(of: after, shape, changedFrom: row)
    let image: RowImage = [key.name: row[key.name] ?? shape.keyValue(name.primaryKey, key)]
    return StoredChange(file: .app, table: shape.name, key: image, before: row, after: after)
  }

  private func removal(rowid: String) throws -> StoredChange {
    let entry = inspector.surroundings.queues.table.entries.first { "\($0.rowid)" == rowid }
    guard let entry, entry.error != nil else { throw Moved("it is no longer found") }
    return entry.removal
  }

  private func droppedEntries(_ name: RecordName) throws -> [StoredChange] {
    var changes: [StoredChange] = []
    let sql = """
      SELECT zoneName, ownerName FROM \(Metadatabase.sqlName(Metadatabase.unsynced)) WHERE recordName = ?
      """
    try db.forEachRow(sql, [.text(name.whole)]) { row in
      let image: RowImage = [
        "recordName": .text(name.whole), "zoneName": .text(row.text(0)), "ownerName": .text(row.text(1)),
      ]
      changes.append(
        StoredChange(file: .metadata, table: Metadatabase.unsynced, key: image, before: image, after: nil))
    }
    return changes
  }
}
