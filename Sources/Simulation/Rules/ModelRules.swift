import Merging

/// The three-way merge.
///
/// - The ancestor is what the server confirmed, and nothing else ever becomes it.
/// - A server's version that meets an unsent edit waits until it is resolved; what did not meet one is applied.
/// - What was not sent keeps the time of its edit. Only a decision that a person took against the suggestion is new.
/// - A deletion is an edit: against another edit it waits like one.
struct ModelRules: SyncRules {
  var merging = MergeRules()

  let appliesOnDeleteWhenParentIsMissing = false

  func noteEdit(of columns: Set<String>, in record: inout DeviceRecord, at time: Int64) {
    var metadata = record.metadata ?? DeviceRecord.Metadata(userModificationTime: time)
    metadata.userModificationTime = time
    for column in columns { metadata.editTimes[column] = time }
    record.metadata = metadata
    record.pending = .save
  }

  func noteDeletion(in record: inout DeviceRecord, at time: Int64) {
    record.metadata?.userModificationTime = time
    record.metadata?.editTimes = [:]
    record.pending = .deletion
  }

  /// A conflict that waits holds its record back: the server would only refuse it again.
  func upload(of record: inout DeviceRecord, at site: Site) -> Upload? {
    guard let metadata = record.metadata, metadata.incoming == nil else { return nil }
    switch record.pending {
    case nil: return nil
    case .deletion?:
      if metadata.lastKnown == nil { record.metadata = nil }
      return metadata.lastKnown.map { .delete(onlyIf: $0.tag, at: metadata.userModificationTime) }
    case .save?: return draft(of: record, at: site).map(Upload.save)
    }
  }

  /// The ancestor with what was edited on top of it; nil if nothing was.
  private func draft(of record: DeviceRecord, at site: Site) -> ServerRecord? {
    let edited =
      record.lastKnown == nil
      ? site.table.writableColumns.map(\.name)
      : record.columnsDiffering(from: record.lastKnown, in: site.table)
    guard !edited.isEmpty else { return nil }
    var draft = record.lastKnown ?? ServerRecord([:])
    for column in edited {
      // Never behind the version it stands on: that edit was made knowing it.
      let time = max(editTime(column, of: record) ?? site.now, draft.fields[column]?.time ?? .min)
      draft.fields[column] = FieldVersion(record.value(column), time: time)
      draft.raiseTime(to: time)
    }
    return draft
  }

  /// When a field that differs from the ancestor was edited here.
  func editTime(_ column: String, of record: DeviceRecord) -> Int64? {
    record.metadata.map { $0.editTimes[column] ?? $0.userModificationTime }
  }
}

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

  private func receiveDeletion(_ incoming: Incoming, for record: inout DeviceRecord, at site: Site) -> Event {
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

/// The conflict that waits, and its draft.
extension ModelRules {
  func conflict(of record: DeviceRecord, at site: Site) -> RecordConflict? {
    guard let incoming = record.metadata?.incoming else { return nil }
    let ancestor = record.lastKnown.map { RecordVersion.present($0.fields) }
    return RecordConflict(
      id: site.name.description, table: site.name.table, primaryKey: site.name.primaryKey,
      title: title(of: record, at: site), fields: site.table.columns,
      versions: ThreeWay(
        ancestor: ancestor, client: client(of: record), server: RecordVersion(incoming)),
      rules: merging,
      details: RecordConflict.Details(
        ancestorTag: record.lastKnown?.tag?.description, serverTag: incoming.tag?.description))
  }

  private func title(of record: DeviceRecord, at site: Site) -> String {
    if case .text(let title)? = record.row?["title"] { title } else { site.name.description }
  }

  /// The row, with the ancestor's time for what was not edited.
  private func client(of record: DeviceRecord) -> RecordVersion {
    guard let row = record.row else { return .deleted(time: record.metadata?.userModificationTime) }
    return .present(
      RecordVersion.Fields(
        uniqueKeysWithValues: row.map { column, value in
          let ancestor = record.lastKnown?.fields[column]
          let time = ancestor?.value == value ? ancestor?.time : editTime(column, of: record)
          return (column, FieldVersion(value, time: time))
        }))
  }

  func resolve(_ record: inout DeviceRecord, _ resolution: Resolution, at site: Site) -> Event {
    guard let conflict = conflict(of: record, at: site) else { return .nothingToResolve }
    let decided = conflict.accepting(.yours, in: resolution)
    guard let draft = conflict.draft(decided) else { return .awaitsDecision }
    switch draft.action {
    case .delete: applyDeletion(to: &record)
    case .alternative: return .nothingToResolve
    case .save(let fields): apply(fields, of: conflict, to: &record, at: site)
    }
    return .resolved(conflict, draft)
  }

  private func applyDeletion(to record: inout DeviceRecord) {
    let server = record.metadata?.incoming?.record
    record.row = nil
    record.metadata?.lastKnown = server
    record.metadata?.incoming = nil
    record.pending = server == nil ? nil : .deletion
    if server == nil { record.metadata = nil }
  }

  /// The draft becomes the row, on top of the server's version. What differs from it is sent, each field with the time of
  /// the edit it comes from.
  private func apply(
    _ fields: [FieldDraft], of conflict: RecordConflict, to record: inout DeviceRecord, at site: Site
  ) {
    let server = record.metadata?.incoming?.record
    var row = record.row ?? server.map { server in server.fields.mapValues(\.value) } ?? [:]
    for field in fields { row[field.name] = field.value }
    record.row = row
    record.metadata?.lastKnown = server
    record.metadata?.incoming = nil
    let unsent = record.columnsDiffering(from: server, in: site.table)
    stamp(unsent, from: fields, of: conflict, in: &record, at: site)
    record.pending = unsent.isEmpty ? nil : .save
    record.metadata?.isMerged = !unsent.isEmpty
  }

  private func stamp(
    _ unsent: [String], from fields: [FieldDraft], of conflict: RecordConflict, in record: inout DeviceRecord,
    at site: Site
  ) {
    let drafts = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0) })
    var times: [String: Int64] = [:]
    for column in unsent {
      let isNew = drafts[column].map { isAgainstSuggestion($0, of: conflict) } ?? false
      times[column] = isNew ? site.now : conflict[column]?.client?.time ?? site.now
      if isNew { record.metadata?.userModificationTime = site.now }
    }
    record.metadata?.editTimes = times
  }

  /// Whether the value is new: computed, typed, or taken though something else was suggested.
  private func isAgainstSuggestion(_ draft: FieldDraft, of conflict: RecordConflict) -> Bool {
    guard !conflict.isWhole, let suggestion = conflict[draft.name]?.suggestion else { return false }
    return switch draft.source {
    case .client?, .both?: suggestion.value != draft.value
    case nil: false
    case .server?, .ancestor?, .edited?, .merged?: true
    }
  }
}

extension Incoming {
  var record: ServerRecord? {
    if case .record(let record) = self { record } else { nil }
  }

  var tag: ChangeTag? { record?.tag }
}

extension RecordVersion {
  init(_ incoming: Incoming) {
    switch incoming {
    case .record(let server): self = .present(server.fields)
    case .deletion(let time): self = .deleted(time: time)
    }
  }
}
