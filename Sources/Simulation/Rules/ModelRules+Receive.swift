import Merging

/// The server's word: confirmations, refusals, and what a fetch brings.
extension ModelRules {
  func receive(_ answer: Answer, for record: inout DeviceRecord, at site: Site) -> Event {
    switch answer {
    case .saved(let server):
      confirm(server, in: &record, at: site)
      return .confirmed(server.tag)
    case .deleted:
      forget(&record)
      return .deletionConfirmed
    case .changed(let server):
      restorePending(&record)
      return wait(for: .record(server), in: &record, at: site).map(Event.conflictOnSend) ?? .fetched([])
    case .missing:
      restorePending(&record)
      return wait(for: .deletion(time: nil), in: &record, at: site).map(Event.conflictOnSend) ?? .queuedAgain
    case .notPermitted:
      restorePending(&record)
      return .refused(.readOnly(overwritten: false))
    case .referenceViolation, .batchFailed:
      restorePending(&record)
      return .batchFailed
    }
  }

  func receive(_ incoming: Incoming, for record: inout DeviceRecord, at site: Site) -> Event {
    switch incoming {
    case .record(let server): receive(server, for: &record, at: site)
    case .deletion: receiveDeletion(incoming, for: &record, at: site)
    }
  }

  private func receive(_ server: ServerRecord, for record: inout DeviceRecord, at site: Site) -> Event {
    guard server.time != nil || record.metadata != nil else { return .ignored }
    if let known = record.lastKnown?.tag, let tag = server.tag, tag <= known { return .fetched([]) }
    if hasEdits(record, at: site), let encounter = wait(for: .record(server), in: &record, at: site) {
      return .conflictOnFetch(encounter)
    }
    let changed = record.columnsDiffering(from: server, in: site.table)
    rebase(&record, onto: server)
    record.takeRow(from: server, in: site.table)
    record.pending = nil
    return .fetched(Set(changed))
  }

  private func receiveDeletion(
    _ incoming: Incoming, for record: inout DeviceRecord, at site: Site
  ) -> Event {
    // A row that the server never had is another one of the same name.
    guard record.lastKnown != nil else { return .fetchedDeletion(lostEdit: false) }
    if record.row != nil, hasEdits(record, at: site),
      let encounter = wait(for: incoming, in: &record, at: site)
    {
      return .conflictOnFetch(encounter)
    }
    record.row = nil
    record.metadata = nil
    record.pending = nil
    return .fetchedDeletion(lostEdit: false)
  }

  /// Whether something here is not what the server confirmed.
  private func hasEdits(_ record: DeviceRecord, at site: Site) -> Bool {
    guard let known = record.lastKnown else { return record.row != nil }
    return record.row == nil || !record.columnsDiffering(from: known, in: site.table).isEmpty
  }

  /// Keeps the server's version for a decision; nil if there is none to take, because both sides have the same.
  private func wait(for incoming: Incoming, in record: inout DeviceRecord, at site: Site) -> Encounter? {
    if case .record(let server) = incoming, record.row != nil,
      record.columnsDiffering(from: server, in: site.table).isEmpty
    {
      rebase(&record, onto: server)
      record.pending = nil
      return nil
    }
    record.metadata?.incoming = incoming
    return conflict(of: record, at: site).map(Encounter.waiting)
  }

  /// What was edited while the answer was under way stays pending.
  private func confirm(_ server: ServerRecord, in record: inout DeviceRecord, at site: Site) {
    rebase(&record, onto: server)
    guard record.row != nil else {
      record.pending = .deletion
      return
    }
    let unsent = record.columnsDiffering(from: server, in: site.table)
    let times = record.metadata?.editTimes ?? [:]
    record.metadata?.editTimes = times.filter { unsent.contains($0.key) }
    record.pending = unsent.isEmpty ? nil : .save
  }

  private func rebase(_ record: inout DeviceRecord, onto server: ServerRecord?) {
    var metadata = record.metadata ?? DeviceRecord.Metadata(userModificationTime: server?.time ?? 0)
    metadata.lastKnown = server
    metadata.incoming = nil
    metadata.isMerged = false
    record.metadata = metadata
  }

  /// The server has it no longer. A row that is here again was undeleted meanwhile, and is new.
  private func forget(_ record: inout DeviceRecord) {
    if record.row == nil {
      record.metadata = nil
      record.pending = nil
    } else {
      record.metadata?.lastKnown = nil
      record.pending = .save
    }
  }

  private func restorePending(_ record: inout DeviceRecord) {
    record.pending = record.row == nil ? .deletion : .save
  }
}
