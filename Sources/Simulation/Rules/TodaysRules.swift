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
