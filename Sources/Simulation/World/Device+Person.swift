import Merging

/// What a person does at a device.
extension Device {
  mutating func create(_ name: RecordName, _ values: [String: Value], rules: any SyncRules, at time: Int64) {
    records[name, default: DeviceRecord()].row = values
    rules.noteEdit(of: Set(values.keys), in: &records[name, default: DeviceRecord()], at: time)
  }

  mutating func edit(
    _ name: RecordName, _ values: [String: Value], rules: any SyncRules, at time: Int64
  ) -> Event {
    guard let row = records[name]?.row else { return .noSuchRow }
    let changed = values.filter { row[$0.key] != $0.value }
    records[name]?.row?.merge(changed) { $1 }
    rules.noteEdit(of: Set(changed.keys), in: &records[name, default: DeviceRecord()], at: time)
    return .edited(Set(changed.keys))
  }

  mutating func undelete(_ name: RecordName, rules: any SyncRules, at time: Int64) -> Event {
    guard self[name].row == nil, let row = self[name].deletedRow else { return .noSuchRow }
    create(name, row, rules: rules, at: time)
    return .undeleted
  }

  /// Deletes the row, and by their foreign keys what hangs on it.
  mutating func delete(_ name: RecordName, rules: any SyncRules, at time: Int64) -> [Happening] {
    guard let row = records[name]?.row else { return [happening(name, .noSuchRow)] }
    records[name]?.deletedRow = row
    records[name]?.row = nil
    rules.noteDeletion(in: &records[name, default: DeviceRecord()], at: time)
    return [happening(name, .deleted)]
      + children(of: name).flatMap { orphan($0, rules: rules, at: time) }
  }
}

/// What SQLite's foreign keys do.
extension Device {
  func children(of name: RecordName) -> [RecordName] {
    records.filter { child, record in
      record.row != nil && tables[child.table]?.parent(of: record.value) == name
    }.keys.sorted()
  }

  /// Applies a row's ON DELETE, as if a person had done it: the triggers cannot tell.
  mutating func orphan(_ name: RecordName, rules: any SyncRules, at time: Int64) -> [Happening] {
    guard let parent = tables[name.table]?.parent else { return [] }
    switch parent.onDelete {
    case .cascade: return delete(name, rules: rules, at: time)
    case .setNull:
      return [happening(name, edit(name, [parent.column: .null], rules: rules, at: time))]
    }
  }

  /// Applies a deletion that was fetched. Nothing of it is sent again.
  mutating func removeOrphans(of name: RecordName) {
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
