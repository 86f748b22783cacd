import Merging

/// What is new at the server arrives.
extension Device {
  /// An answer that is under way arrives first: an engine does one thing after the other.
  mutating func fetch(from cloud: Cloud, rules: any SyncRules, at time: Int64) -> [Happening] {
    var happenings = receiveAnswers(rules: rules, at: time)
    happenings += fetchReset(cloud)
    let waiting = parked.sorted()
    let changes = cloud.changes(after: seen, for: name)
    seen = cloud.lastTag
    happenings += changes.map { receive($0.change, as: $0.name, rules: rules, at: time) }
    return happenings + fetch(waiting, from: cloud, rules: rules, at: time)
  }

  /// What was parked before is asked for by name; what this fetch itself parked, with the next.
  private mutating func fetch(
    _ waiting: [RecordName], from cloud: Cloud, rules: any SyncRules, at time: Int64
  ) -> [Happening] {
    waiting.filter { parked.remove($0) != nil }.map { name in
      guard let record = cloud.records[name] else { return happening(name, .unparked) }
      return receive(.record(record), as: name, rules: rules, at: time)
    }
  }

  private mutating func receive(
    _ change: Incoming, as name: RecordName, rules: any SyncRules, at time: Int64
  ) -> Happening {
    switch change {
    case .record(let server) where tables[name.table] == nil: return keep(server, as: name)
    case .record(let server) where !hasParent(of: server, name):
      parked.insert(name)
      return happening(name, .parked)
    case .record, .deletion: return apply(change, to: name, rules: rules, at: time)
    }
  }

  private mutating func apply(
    _ change: Incoming, to name: RecordName, rules: any SyncRules, at time: Int64
  ) -> Happening {
    guard let site = site(name, at: time) else { return happening(name, .ignored) }
    var record = self[name]
    let event = rules.receive(change, for: &record, at: site)
    records[name] = record.isNothing ? nil : record
    if case .fetchedDeletion = event { removeOrphans(of: name) }
    return happening(name, event)
  }

  private func hasParent(of server: ServerRecord, _ name: RecordName) -> Bool {
    guard let parent = tables[name.table]?.parent(of: server.value) else { return true }
    return records[parent]?.row != nil
  }

  /// A record of an unknown table is all metadata and no row.
  private mutating func keep(_ server: ServerRecord, as name: RecordName) -> Happening {
    guard let time = server.time else { return happening(name, .ignored) }
    records[name] = DeviceRecord(
      metadata: DeviceRecord.Metadata(lastKnown: server, userModificationTime: time))
    return happening(name, .kept)
  }

  /// A newer version of the app knows the table: the records that were kept become rows.
  mutating func register(_ table: Table) -> [Happening] {
    tables[table.name] = table
    let kept = records.filter { $0.key.table == table.name && $0.value.row == nil }.keys.sorted()
    return kept.compactMap { name in
      guard let server = records[name]?.lastKnown else { return nil }
      records[name]?.takeRow(from: server, in: table)
      return happening(name, .fetched(Set(table.writableColumns.map(\.name))))
    }
  }

  /// The zone's keys were lost: what the server had is gone, nobody deleted it, and every row is sent again as new.
  private mutating func fetchReset(_ cloud: Cloud) -> [Happening] {
    guard cloud.resets > seenResets else { return [] }
    seenResets = cloud.resets
    return records.filter { $0.value.row != nil }.keys.sorted().map { name in
      records[name]?.metadata?.lastKnown = nil
      records[name]?.pending = .save
      return happening(name, .queuedAgain)
    }
  }
}

extension DeviceRecord {
  fileprivate var isNothing: Bool {
    row == nil && metadata == nil && pending == nil && inFlight == nil && deletedRow == nil
  }
}
