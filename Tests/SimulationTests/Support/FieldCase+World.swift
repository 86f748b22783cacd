import Merging

@testable import Simulation

/// A case as a world: what the device has, what it last knew, and what the server has.
extension FieldCase {
  static let device = "phone"

  var record: RecordID { RecordID("1", in: table) }

  /// The acknowledgement of a save carried no fields: the last-known record is there and empty, and nothing is pending. The
  /// facts say so in this case's note alone.
  var isSlim: Bool { id == "derived-slim-ack" }

  func world(_ rules: RuleSet) -> World {
    var world = World(rules, tables: [simulatedTable], devices: [FieldCase.device])
    let ancestor = ancestor.map { world.cloud.put($0, as: record) }
    world.devices[FieldCase.device]?.records[record] = onDevice(ancestor)
    if ancestor?.fields != server.fields { world.cloud.put(server, as: record) }
    return world
  }

  var conflict: RecordConflict {
    let client = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.client.field) })
    return RecordConflict(
      id: record.description, table: table, primaryKey: record.primaryKey, title: id,
      fields: simulatedTable.columns,
      versions: ThreeWay(
        ancestor: isSlim ? .unknown(reason: "no fields") : ancestor.map { .present($0.fields) },
        client: .present(client),
        server: .present(server.fields)))
  }

  private var simulatedTable: Table {
    Table(table, columns: fields.map { Field($0.name, isPrimaryKey: $0.name == primaryKey) })
  }

  private var ancestor: ServerRecord? {
    if isSlim { return ServerRecord([:]) }
    let known = fields.compactMap { field in field.ancestor.map { (field.name, $0.field) } }
    return known.count == fields.count ? ServerRecord(RecordVersion.Fields(uniqueKeysWithValues: known)) : nil
  }

  private var server: ServerRecord {
    ServerRecord(RecordVersion.Fields(uniqueKeysWithValues: fields.map { ($0.name, $0.server.field) }))
  }

  var row: [String: Value] {
    Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.client.value.value) })
  }

  private func onDevice(_ ancestor: ServerRecord?) -> DeviceRecord {
    let times = fields.compactMap { field in field.client.derivedTime.map { (field.name, $0) } }
    var metadata = DeviceRecord.Metadata(
      lastKnown: ancestor, userModificationTime: clientTime ?? times.map(\.1).max() ?? 0)
    metadata.editTimes = Dictionary(uniqueKeysWithValues: times)
    let isEdited = row.contains { $1 != ancestor?.value($0) ?? .null } && !isSlim
    return DeviceRecord(row: row, metadata: metadata, pending: isEdited ? .save : nil)
  }

  /// What an engine does by the path of this case, until nothing is left to do; then it fetches once more, as engines do.
  func run(_ rules: RuleSet, at time: Int64) -> World {
    var world = world(rules)
    for action in actions { world.play(Moment(time, .device(FieldCase.device, action))) }
    return world
  }

  private var actions: [DeviceAction] {
    let resolve = DeviceAction.resolve(record, Resolution())
    let send: [DeviceAction] = [.send, .receiveAnswer]
    let retry: [DeviceAction] = sendOrder == "fetchBeforeRetry" ? [.fetch, resolve] : [resolve]
    return (path == "send" ? send + retry : [.fetch, resolve]) + send + [.fetch]
  }
}
