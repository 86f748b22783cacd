import Merging

/// Sending, and what comes back.
extension Device {
  /// Everything that is pending goes out as one batch.
  mutating func send(to cloud: inout Cloud, rules: any SyncRules, at time: Int64) -> [Happening] {
    var happenings = receiveAnswers(rules: rules, at: time)
    var batch: [RecordName: Upload] = [:]
    for (name, record) in records.sorted(by: { $0.key < $1.key }) {
      guard let pending = record.pending else { continue }
      batch[name] = upload(name, rules: rules, at: time)
      happenings.append(happening(name, batch[name] == nil ? .nothingToSend : .sent(pending)))
    }
    answers = cloud.answer(batch, from: self.name, tables: tables)
    return happenings
  }

  private mutating func upload(_ name: RecordName, rules: any SyncRules, at time: Int64) -> Upload? {
    guard let site = site(name, at: time), var record = records[name] else { return nil }
    let upload = rules.upload(of: &record, at: site)
    record.pending = nil
    record.inFlight = upload
    records[name] = record
    return upload
  }

  mutating func receiveAnswers(rules: any SyncRules, at time: Int64) -> [Happening] {
    let arrived = answers.sorted { $0.key < $1.key }
    answers = [:]
    return arrived.flatMap { receive($1, for: $0, rules: rules, at: time) }
  }

  private mutating func receive(
    _ answer: Answer, for name: RecordName, rules: any SyncRules, at time: Int64
  ) -> [Happening] {
    let upload = records[name]?.inFlight
    records[name]?.inFlight = nil
    switch (answer, upload) {
    case (.referenceViolation, .save?): return refuseOrphan(name, rules: rules, at: time)
    case (.referenceViolation, _): return refuseDeletion(name)
    case (.batchFailed, _):
      if self[name].pending == nil { records[name]?.pending = upload?.pending }
      return [happening(name, .batchFailed)]
    case (.saved, _), (.deleted, _), (.changed, _), (.missing, _), (.notPermitted, _):
      return take(answer, for: name, rules: rules, at: time)
    }
  }

  private mutating func take(
    _ answer: Answer, for name: RecordName, rules: any SyncRules, at time: Int64
  ) -> [Happening] {
    guard let site = site(name, at: time), var record = records[name] else { return [] }
    let event = rules.receive(answer, for: &record, at: site)
    records[name] = record
    return [happening(name, event)]
  }

  /// The deletion is taken back: the record is fetched again, by its name.
  private mutating func refuseDeletion(_ name: RecordName) -> [Happening] {
    parked.insert(name)
    records[name] = nil
    return [happening(name, .refused(.childrenRemain))]
  }

  /// SQLiteData takes a refused parent for a deleted one, and applies the row's ON DELETE.
  private mutating func refuseOrphan(
    _ name: RecordName, rules: any SyncRules, at time: Int64
  ) -> [Happening] {
    guard rules.appliesOnDeleteWhenParentIsMissing else {
      records[name]?.pending = .save
      return [happening(name, .refused(.parentMissing(nil)))]
    }
    let applied = orphan(name, rules: rules, at: time)
    return [happening(name, .refused(.parentMissing(tables[name.table]?.parent?.onDelete)))] + applied
  }
}

extension Upload {
  var pending: DeviceRecord.Pending {
    switch self {
    case .save: .save
    case .delete: .deletion
    }
  }
}
