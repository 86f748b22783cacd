import Merging

/// A server and its devices, under one set of rules. A value: keeping an old world is how a story goes back.
///
/// ```swift
/// var world = World(.model(), tables: [reminders], devices: ["phone"])
/// world.play(Moment(100, .device("phone", .create(name, ["title": .text("Buy milk")]))))
/// world.play(Moment(110, .device("phone", .send)))
/// ```
package struct World: Sendable, Equatable {
  package let ruleSet: RuleSet
  package var cloud = Cloud()
  package var devices: [String: Device]

  /// - Parameter tables: known to every device and to the server.
  package init(_ ruleSet: RuleSet, tables: [Table], devices: [String]) {
    self.ruleSet = ruleSet
    self.devices = Dictionary(uniqueKeysWithValues: devices.map { ($0, Device($0, tables: tables)) })
  }

  /// Does one step and tells what it turned out to be.
  @discardableResult
  package mutating func play(_ moment: Moment) -> [Happening] {
    switch moment.step {
    case .server(let action): [play(action, at: moment.time)].compactMap(\.self)
    case .device(let name, let action): play(action, on: name, at: moment.time)
    }
  }

  private mutating func play(_ action: DeviceAction, on name: String, at time: Int64) -> [Happening] {
    guard var device = devices[name] else { return [] }
    defer { devices[name] = device }
    let turn = Turn(rules: ruleSet.rules, time: time)
    switch action {
    case .create(let record, let values):
      device.create(record, values, turn)
      return [device.happening(record, .created)]
    case .edit(let record, let values):
      return [device.happening(record, device.edit(record, values, turn))]
    case .delete(let record): return device.delete(record, turn)
    case .undelete(let record): return [device.happening(record, device.undelete(record, turn))]
    case .send: return device.send(to: &cloud, turn)
    case .receiveAnswer: return device.receiveAnswers(turn)
    case .fetch: return device.fetch(from: cloud, turn)
    case .resolve(let record, let resolution):
      return [device.happening(record, device.resolve(record, resolution, turn))]
    case .register(let table): return device.register(table)
    }
  }

  private mutating func play(_ action: ServerAction, at time: Int64) -> Happening? {
    switch action {
    case .save(let name, let fields):
      return Happening(device: nil, record: name, event: .serverSaved(save(fields, as: name)))
    case .overwrite(let name, let values):
      return Happening(device: nil, record: name, event: .serverSaved(overwrite(values, of: name)))
    case .delete(let name):
      cloud.remove(name, at: time)
      return Happening(device: nil, record: name, event: .serverDeleted)
    case .reset: cloud.reset()
    }
    return nil
  }

  private mutating func overwrite(_ values: [String: Value], of name: RecordID) -> ChangeTag? {
    var record = cloud.records[name] ?? ServerRecord([:], time: nil)
    for (column, value) in values {
      record.fields[column] = FieldVersion(value, time: record.fields[column]?.time)
    }
    return cloud.put(record, as: name).tag
  }

  private mutating func save(_ fields: RecordVersion.Fields, as name: RecordID) -> ChangeTag? {
    var record = cloud.records[name] ?? ServerRecord([:])
    record.fields.merge(fields) { $1 }
    for time in fields.values.compactMap(\.time) { record.raiseTime(to: time) }
    return cloud.put(record, as: name).tag
  }
}

extension World {
  /// The conflict of a record that waits for a decision on a device; nil if none does.
  package func conflict(of name: RecordID, on device: String) -> RecordConflict? {
    guard let device = devices[device], let site = device.site(name, at: 0) else { return nil }
    return ruleSet.rules.conflict(of: device[name], at: site)
  }
}

extension Device {
  fileprivate mutating func resolve(_ name: RecordID, _ resolution: Resolution, _ turn: Turn) -> Event {
    guard let site = site(name, at: turn.time), var record = records[name] else { return .nothingToResolve }
    defer { records[name] = record }
    return turn.rules.resolve(&record, resolution, at: site)
  }
}
