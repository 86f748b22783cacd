import Merging

/// The conflict that waits, and its draft.
extension ModelRules {
  func conflict(of record: DeviceRecord, at site: Site) -> RecordConflict? {
    guard let incoming = record.metadata?.incoming else { return nil }
    let ancestor = record.lastKnown.map { RecordVersion.present($0.fields) }
    return RecordConflict(
      id: site.name.description, table: site.name.table, primaryKey: site.name.primaryKey,
      title: title(of: record, at: site), fields: site.table.columns,
      versions: ThreeWay(
        ancestor: ancestor, client: client(of: record, at: site), server: RecordVersion(incoming)),
      rules: merging,
      details: RecordConflict.Details(
        ancestorTag: record.lastKnown?.tag?.description, serverTag: incoming.tag?.description))
  }

  private func title(of record: DeviceRecord, at site: Site) -> String {
    if case .text(let title)? = record.row?["title"] { title } else { site.name.description }
  }

  /// The row, with the ancestor's time for what was not edited.
  private func client(of record: DeviceRecord, at site: Site) -> RecordVersion {
    guard let row = record.row else { return .deleted(time: record.metadata?.userModificationTime) }
    return .present(
      Dictionary(
        uniqueKeysWithValues: row.map { column, value in
          let ancestor = record.lastKnown?.fields[column]
          let time = ancestor?.value == value ? ancestor?.time : editTime(column, of: record)
          return (column, FieldVersion(value, time: time))
        }))
  }

  func resolve(_ record: inout DeviceRecord, _ resolution: Resolution, at site: Site) -> Event {
    guard let conflict = conflict(of: record, at: site) else { return .nothingToResolve }
    let decided = conflict.accepting(.yours, in: resolution)
    guard let draft = conflict.draft(decided) else { return .nothingToResolve }
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
