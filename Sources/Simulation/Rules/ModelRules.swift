import Merging

/// The three-way merge.
///
/// - The ancestor is what the server confirmed, and nothing else ever becomes it.
/// - A server's version that meets an unsent edit waits until it is resolved; what did not meet one is applied.
/// - What was not sent keeps the time of its edit. Only a decision that a person took against the suggestion is new.
/// - A deletion is an edit: against another edit it waits like one.
struct ModelRules: SyncRules {
  var merging = MergeRules()
  var times = RuleSet.ClientTimes.ofEachField

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
    guard let metadata = record.metadata else { return nil }
    return switch times {
    case .ofTheRow: metadata.userModificationTime
    case .ofEachField: metadata.editTimes[column] ?? metadata.userModificationTime
    }
  }
}
