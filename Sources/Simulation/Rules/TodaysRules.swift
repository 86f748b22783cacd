import Merging

/// SQLiteData as it is: what its sources do, not what its documentation says.
///
/// Learnt by reading its sync engine at commit f6bd67aa (2026-08-19) and checked against the values that its tests assert: see
/// Sources/SQLiteDataStores/FORMAT.md, "How the engine sends" and "How the engine takes in a record".
/// In short, and proved by the tests of this target:
///
/// - the same field edited on both sides keeps the **client's** value, whatever the times;
/// - equal times keep each device's own value, and so both disagree for good;
/// - every merge writes the row, the row's trigger sets its one time to now, and so everything unsent looks new;
/// - the first upload becomes the last-known record before the server has answered;
/// - a merge on fetch queues nothing, and a fetched deletion does not look at edits.
package struct TodaysRules: SyncRules {
  /// See ``RuleSet/RecordDates``.
  package var dates: RuleSet.RecordDates

  package init(dates: RuleSet.RecordDates = .present) { self.dates = dates }

  let appliesOnDeleteWhenParentIsMissing = true

  func noteEdit(of columns: Set<String>, in record: inout DeviceRecord, at time: Int64) {
    record.touch(at: time)
    // A deletion that waits is not taken back by writing the row again: only the deletion is sent (their issue 418).
    record.pending = record.pending ?? .save
  }

  func noteDeletion(in record: inout DeviceRecord, at time: Int64) {
    guard record.metadata != nil else {
      record.pending = nil
      return
    }
    record.touch(at: time)
    record.pending = .deletion
  }

  func upload(of record: inout DeviceRecord, at site: Site) -> Upload? {
    switch record.pending {
    case nil: return nil
    case .deletion?:
      let time = record.metadata?.userModificationTime ?? site.now
      record.metadata = nil
      return .delete(onlyIf: nil, at: time)
    case .save?: return save(&record, at: site)
    }
  }

  /// The last-known record with the row on top of it. Without a metadata row or a row the pending save is dropped.
  private func save(_ record: inout DeviceRecord, at site: Site) -> Upload? {
    guard let metadata = record.metadata, record.row != nil else { return nil }
    var upload = metadata.lastKnown ?? ServerRecord([:], time: nil)
    for column in site.table.writableColumns {
      upload.put(record.value(column.name), in: column.name, at: metadata.userModificationTime)
    }
    refreshLastKnown(upload, in: &record)
    return .save(upload)
  }

  /// A record with a date is replaced only by a later one; one without, as an upload that was never answered, by any.
  func refreshLastKnown(_ server: ServerRecord, in record: inout DeviceRecord) {
    if dates == .present, let known = record.lastKnown?.tag, server.tag.map({ $0 <= known }) ?? true {
      return
    }
    setLastKnown(server, in: &record)
  }

  func setLastKnown(_ server: ServerRecord, in record: inout DeviceRecord) {
    record.metadata?.lastKnown = server
    let time = record.metadata?.userModificationTime ?? .min
    record.metadata?.userModificationTime = max(time, server.time ?? .min)
  }
}

extension DeviceRecord {
  /// What the row's triggers do, whoever wrote it.
  mutating func touch(at time: Int64) {
    if metadata == nil { metadata = Metadata(userModificationTime: time) }
    metadata?.userModificationTime = time
  }
}

/// The server's word, as today's SQLiteData hears it.
extension TodaysRules {
  func receive(_ answer: Answer, for record: inout DeviceRecord, at site: Site) -> Event {
    switch answer {
    case .saved(let server):
      refreshLastKnown(server, in: &record)
      record.metadata?.isMerged = false
      return .confirmed(server.tag)
    case .deleted: return .deletionConfirmed
    case .changed(let server):
      let encounter = meet(server, in: &record, at: site)
      record.pending = record.pending ?? .save
      return .conflictOnSend(encounter)
    case .missing:
      record.metadata?.lastKnown = nil
      record.pending = record.pending ?? .save
      return .queuedAgain
    case .notPermitted(let server): return overwrite(&record, with: server, at: site)
    case .referenceViolation, .batchFailed: return .batchFailed
    }
  }

  func receive(_ incoming: Incoming, for record: inout DeviceRecord, at site: Site) -> Event {
    switch incoming {
    case .record(let server): return receive(server, for: &record, at: site)
    case .deletion:
      let lostEdit = record.pending == .save && record.row != nil
      // What is pending stays in the queue; when its turn comes there is nothing to send.
      record = DeviceRecord(pending: record.pending)
      return .fetchedDeletion(lostEdit: lostEdit)
    }
  }

  private func receive(_ server: ServerRecord, for record: inout DeviceRecord, at site: Site) -> Event {
    guard server.time != nil else { return .ignored }
    let before = record
    let encounter = meet(server, in: &record, at: site)
    guard case .merged(let fates) = encounter else { return .conflictOnFetch(encounter) }
    let isMet = fates.values.contains { $0 == .keptEdit || $0 == .putBack }
    if isMet || (before.pending != nil && before.lastKnown?.tag != server.tag) {
      return .conflictOnFetch(encounter)
    }
    return .fetched(Set(site.table.columns.map(\.name).filter { before.value($0) != record.value($0) }))
  }

  private func meet(_ server: ServerRecord, in record: inout DeviceRecord, at site: Site) -> Encounter {
    let before = record
    let fates = upsert(server, into: &record, at: site) ?? [:]
    record.metadata?.isMerged = fates.values.contains(.keptEdit)
    if before.row == nil, before.pending == .deletion { return .overrun }
    // A value that both sides have already is written again, and nobody needs to be told.
    return .merged(fates.filter { $1 != .taken || before.row == nil || before.value($0) != record.value($0) })
  }

  private func overwrite(_ record: inout DeviceRecord, with server: ServerRecord?, at site: Site) -> Event {
    if let server {
      upsert(server, into: &record, at: site, force: true)
    } else {
      record = DeviceRecord()
    }
    return .refused(.readOnly(overwritten: true))
  }

  /// Nothing ever waits: it is merged the moment it comes in.
  func conflict(of record: DeviceRecord, at site: Site) -> RecordConflict? { nil }

  func resolve(_ record: inout DeviceRecord, _ resolution: Resolution, at site: Site) -> Event {
    .nothingToResolve
  }
}

/// The merge of today's SQLiteData: a server record comes in and is written over the row, but for the columns that are
/// kept. What remains of the server's record, changed on the way, becomes the last-known record.
extension TodaysRules {
  /// - Parameter force: the row is overwritten, as after a refused write to a shared record.
  /// - Returns: what became of each column; nil if the record was ignored.
  @discardableResult
  func upsert(
    _ incoming: ServerRecord, into record: inout DeviceRecord, at site: Site, force: Bool = false
  ) -> [String: ColumnFate]? {
    guard let time = incoming.time else { return nil }
    if record.metadata == nil {
      record.metadata = DeviceRecord.Metadata(lastKnown: incoming, userModificationTime: time)
    }
    var server = incoming
    server.raiseTime(to: record.metadata?.userModificationTime ?? time)
    let ancestor = force || record.row == nil ? nil : record.lastKnown
    if let time = ancestor?.time { server.raiseTime(to: time) }
    let fates = merge(ancestor, into: &server, row: record, site.table)
    write(server, fates, into: &record, at: site)
    setLastKnown(server, in: &record)
    return fates
  }

  private func merge(
    _ ancestor: ServerRecord?, into server: inout ServerRecord, row: DeviceRecord, _ table: Table
  ) -> [String: ColumnFate] {
    var fates: [String: ColumnFate] = [:]
    for column in table.writableColumns.map(\.name) {
      fates[column] = server.knows(column) ? .taken : .untouched
      guard let ancestor else { continue }
      let isPutBack = server.putBack(ancestor.fields[column], in: column)
      if isEdited(row.value(column), since: ancestor.value(column)) {
        fates[column] = .keptEdit
      } else if isPutBack {
        fates[column] = .putBack
      }
    }
    return fates
  }

  /// Times do not count. A NULL is compared with the values that travel encrypted, and a blob is not one of them: that a
  /// blob was set to NULL is not seen.
  private func isEdited(_ value: Value, since ancestor: Value) -> Bool {
    switch (value, ancestor) {
    case (.null, .blob): false
    case (.null, _), (.integer, _), (.real, _), (.text, _), (.blob, _), (.opaque, _): value != ancestor
    }
  }

  /// An INSERT of what the record knows; where the row exists, an UPDATE of what is taken. If that is nothing but the
  /// primary key nothing is written, and no trigger fires.
  private func write(
    _ server: ServerRecord, _ fates: [String: ColumnFate], into record: inout DeviceRecord, at site: Site
  ) {
    guard record.row != nil else {
      record.takeRow(from: server, in: site.table)
      return record.touch(at: site.now)
    }
    let taken = site.table.writableColumns.filter { !$0.isPrimaryKey && fates[$0.name] == .taken }
    for column in taken { record.row?[column.name] = server.value(column.name) }
    if !taken.isEmpty { record.touch(at: site.now) }
  }
}

/// How today's SQLiteData writes into a record. Each setter looks at the field's time first, lets none go back, and tells
/// whether it changed the value.
extension ServerRecord {
  /// -1 where nobody recorded one.
  private func fieldTime(_ column: String) -> Int64 { fields[column]?.time ?? -1 }

  private mutating func set(_ value: Value, in column: String, at time: Int64) {
    fields[column] = FieldVersion(value, time: max(fieldTime(column), time))
    raiseTime(to: time)
  }

  /// A column of a row that is sent.
  mutating func put(_ value: Value, in column: String, at time: Int64) {
    switch value {
    case .null: removeValue(of: column, at: time)
    // Bytes are never compared: each upload of a row stamps all its blobs anew.
    case .blob where fieldTime(column) <= time: set(value, in: column, at: time)
    case .blob: break
    case .integer, .real, .text, .opaque: setValue(value, of: column, at: time)
    }
  }

  /// A column of the last-known record that is put back into the server's, if it is not older and differs.
  mutating func putBack(_ known: FieldVersion<Value>?, in column: String) -> Bool {
    let time = known?.time ?? -1
    switch known?.value ?? .null {
    case .null: return removeValue(of: column, at: time)
    // An archive names the file of a blob, and mostly it is gone.
    case let blob where !blob.isAtHand: return false
    case let value: return setValue(value, of: column, at: time)
    }
  }

  @discardableResult
  private mutating func setValue(_ value: Value, of column: String, at time: Int64) -> Bool {
    guard fieldTime(column) <= time, self.value(column) != value else { return false }
    set(value, in: column, at: time)
    return true
  }

  @discardableResult
  private mutating func removeValue(of column: String, at time: Int64) -> Bool {
    guard fieldTime(column) <= time else { return false }
    if value(column) != .null {
      set(.null, in: column, at: time)
      return true
    }
    if !knows(column) { fields[column] = FieldVersion(.null, time: time) }
    return false
  }
}
