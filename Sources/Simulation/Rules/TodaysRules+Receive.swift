import Merging

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
