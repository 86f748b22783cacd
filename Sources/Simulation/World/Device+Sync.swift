import Merging

/// Sending, and what comes back.
extension Device {
  /// Everything that is pending goes out as one batch.
  mutating func send(to cloud: inout Cloud, _ turn: Turn) -> [Happening] {
    var happenings = receiveAnswers(turn)
    var batch: [RecordID: Upload] = [:]
    for (name, record) in records.sorted(by: { $0.key < $1.key }) {
      guard let pending = record.pending else { continue }
      batch[name] = upload(name, turn)
      happenings.append(happening(name, batch[name] == nil ? .nothingToSend : .sent(pending)))
    }
    answers = cloud.answer(batch, from: self.name, tables: tables)
    return happenings
  }

  private mutating func upload(_ name: RecordID, _ turn: Turn) -> Upload? {
    guard let site = site(name, at: turn.time), var record = records[name] else { return nil }
    let upload = turn.rules.upload(of: &record, at: site)
    record.pending = nil
    record.inFlight = upload
    records[name] = record
    return upload
  }

  mutating func receiveAnswers(_ turn: Turn) -> [Happening] {
    let arrived = answers.sorted { $0.key < $1.key }
    answers = [:]
    return arrived.flatMap { receive($1, for: $0, turn) }
  }

  private mutating func receive(_ answer: Answer, for name: RecordID, _ turn: Turn) -> [Happening] {
    let upload = records[name]?.inFlight
    records[name]?.inFlight = nil
    switch (answer, upload) {
    case (.referenceViolation, .save?): return refuseOrphan(name, turn)
    case (.referenceViolation, _): return refuseDeletion(name)
    case (.batchFailed, _):
      if self[name].pending == nil { records[name]?.pending = upload?.pending }
      return [happening(name, .batchFailed)]
    case (.saved, _), (.deleted, _), (.changed, _), (.missing, _), (.notPermitted, _):
      return take(answer, for: name, turn)
    }
  }

  private mutating func take(_ answer: Answer, for name: RecordID, _ turn: Turn) -> [Happening] {
    guard let site = site(name, at: turn.time), var record = records[name] else { return [] }
    let event = turn.rules.receive(answer, for: &record, at: site)
    records[name] = record
    return [happening(name, event)]
  }

  /// The deletion is taken back: the record is fetched again, by its name.
  private mutating func refuseDeletion(_ name: RecordID) -> [Happening] {
    parked.insert(name)
    records[name] = nil
    return [happening(name, .refused(.childrenRemain))]
  }

  /// SQLiteData takes a refused parent for a deleted one, and applies the row's ON DELETE.
  private mutating func refuseOrphan(_ name: RecordID, _ turn: Turn) -> [Happening] {
    guard turn.rules.appliesOnDeleteWhenParentIsMissing else {
      records[name]?.pending = .save
      return [happening(name, .refused(.parentMissing(nil)))]
    }
    let applied = orphan(name, turn)
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

/// What is new at the server arrives.
extension Device {
  /// An answer that is under way arrives first: an engine does one thing after the other.
  mutating func fetch(from cloud: Cloud, _ turn: Turn) -> [Happening] {
    var happenings = receiveAnswers(turn)
    happenings += fetchReset(cloud)
    let waiting = parked.sorted()
    let changes = cloud.changes(after: seen, for: name)
    seen = cloud.lastTag
    happenings += changes.map { receive($0.change, as: $0.name, turn) }
    return happenings + fetch(waiting, from: cloud, turn)
  }

  /// What was parked before is asked for by name; what this fetch itself parked, with the next.
  private mutating func fetch(_ waiting: [RecordID], from cloud: Cloud, _ turn: Turn) -> [Happening] {
    waiting.filter { parked.remove($0) != nil }.map { name in
      guard let record = cloud.records[name] else { return happening(name, .unparked) }
      return receive(.record(record), as: name, turn)
    }
  }

  private mutating func receive(_ change: Incoming, as name: RecordID, _ turn: Turn) -> Happening {
    switch change {
    case .record(let server) where tables[name.table] == nil: return keep(server, as: name)
    case .record(let server) where !hasParent(of: server, name):
      parked.insert(name)
      return happening(name, .parked)
    case .record, .deletion: return apply(change, to: name, turn)
    }
  }

  private mutating func apply(_ change: Incoming, to name: RecordID, _ turn: Turn) -> Happening {
    guard let site = site(name, at: turn.time) else { return happening(name, .ignored) }
    var record = self[name]
    let event = turn.rules.receive(change, for: &record, at: site)
    records[name] = record.isNothing ? nil : record
    if case .fetchedDeletion = event { removeOrphans(of: name) }
    return happening(name, event)
  }

  private func hasParent(of server: ServerRecord, _ name: RecordID) -> Bool {
    guard let parent = tables[name.table]?.parent(of: server.value) else { return true }
    return records[parent]?.row != nil
  }

  /// A record of an unknown table is all metadata and no row.
  private mutating func keep(_ server: ServerRecord, as name: RecordID) -> Happening {
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

/// What a person does at a device.
extension Device {
  mutating func create(_ name: RecordID, _ values: [String: Value], _ turn: Turn) {
    records[name, default: DeviceRecord()].row = values
    turn.rules.noteEdit(of: Set(values.keys), in: &records[name, default: DeviceRecord()], at: turn.time)
  }

  mutating func edit(_ name: RecordID, _ values: [String: Value], _ turn: Turn) -> Event {
    guard let row = records[name]?.row else { return .noSuchRow }
    let changed = values.filter { row[$0.key] != $0.value }
    records[name]?.row?.merge(changed) { $1 }
    turn.rules.noteEdit(of: Set(changed.keys), in: &records[name, default: DeviceRecord()], at: turn.time)
    return .edited(Set(changed.keys))
  }

  mutating func undelete(_ name: RecordID, _ turn: Turn) -> Event {
    guard self[name].row == nil, let row = self[name].deletedRow else { return .noSuchRow }
    create(name, row, turn)
    return .undeleted
  }

  /// Deletes the row, and by their foreign keys what hangs on it.
  mutating func delete(_ name: RecordID, _ turn: Turn) -> [Happening] {
    guard let row = records[name]?.row else { return [happening(name, .noSuchRow)] }
    records[name]?.deletedRow = row
    records[name]?.row = nil
    turn.rules.noteDeletion(in: &records[name, default: DeviceRecord()], at: turn.time)
    return [happening(name, .deleted)] + children(of: name).flatMap { orphan($0, turn) }
  }
}

/// What SQLite's foreign keys do.
extension Device {
  func children(of name: RecordID) -> [RecordID] {
    records.filter { child, record in
      record.row != nil && tables[child.table]?.parent(of: record.value) == name
    }.keys.sorted()
  }

  /// Applies a row's ON DELETE, as if a person had done it: the triggers cannot tell.
  mutating func orphan(_ name: RecordID, _ turn: Turn) -> [Happening] {
    guard let parent = tables[name.table]?.parent else { return [] }
    switch parent.onDelete {
    case .cascade: return delete(name, turn)
    case .setNull: return [happening(name, edit(name, [parent.column: .null], turn))]
    }
  }

  /// Applies a deletion that was fetched. Nothing of it is sent again.
  mutating func removeOrphans(of name: RecordID) {
    for child in children(of: name) {
      switch tables[child.table]?.parent {
      case let parent? where parent.onDelete == .setNull: records[child]?.row?[parent.column] = .null
      case .some, nil:
        records[child] = nil
        removeOrphans(of: child)
      }
    }
  }
}
