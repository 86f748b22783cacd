import Merging

@testable import Simulation

/// Lists and their reminders on two devices, for what happens between records.
struct Household {
  static let lists = Table("lists", columns: [Field("id", isPrimaryKey: true), Field("title")])
  static let reminders = table(onDelete: .cascade)

  static func table(onDelete: Table.Parent.OnDelete) -> Table {
    Table(
      "reminders", columns: [Field("id", isPrimaryKey: true), Field("title"), Field("listID")],
      parent: Table.Parent(column: "listID", table: "lists", onDelete: onDelete))
  }

  static func list(_ key: Int) -> RecordID { RecordID(String(key), in: "lists") }
  static func reminder(_ key: Int) -> RecordID { RecordID(String(key), in: "reminders") }

  var world: World
  private var time: Int64 = 0

  init(_ rules: RuleSet = .sqliteData(), reminders: Table = Household.reminders) {
    world = World(rules, tables: [Household.lists, reminders], devices: ["phone", "tablet"])
  }

  /// Each step is a moment later than the one before.
  @discardableResult
  mutating func phone(_ actions: DeviceAction...) -> [Event] { play(actions, on: "phone") }

  @discardableResult
  mutating func tablet(_ actions: DeviceAction...) -> [Event] { play(actions, on: "tablet") }

  @discardableResult
  mutating func server(_ action: ServerAction) -> [Event] { play(.server(action)) }

  /// From now on this device may only read.
  mutating func makeReader(_ device: String) { world.cloud.readers.insert(device) }

  private mutating func play(_ actions: [DeviceAction], on device: String) -> [Event] {
    actions.flatMap { play(.device(device, $0)) }
  }

  private mutating func play(_ step: Step) -> [Event] {
    time += 1
    return world.play(Moment(time, step)).map(\.event)
  }

  /// Both devices have these lists, each with its reminders, and all is confirmed.
  mutating func share(_ lists: [Int: [Int]]) {
    for (list, reminders) in lists.sorted(by: { $0.key < $1.key }) {
      phone(.create(Household.list(list), ["id": .integer(Int64(list)), "title": .text("List \(list)")]))
      for reminder in reminders {
        phone(.create(Household.reminder(reminder), row(reminder, in: list)))
      }
    }
    phone(.send, .receiveAnswer, .fetch)
    tablet(.fetch)
  }

  func row(_ reminder: Int, in list: Int) -> [String: Value] {
    [
      "id": .integer(Int64(reminder)), "title": .text("Reminder \(reminder)"),
      "listID": .integer(Int64(list)),
    ]
  }

  func on(_ device: String, _ name: RecordID) -> DeviceRecord {
    world.devices[device]?[name] ?? DeviceRecord()
  }

  func has(_ device: String, _ name: RecordID) -> Bool { on(device, name).row != nil }

  func serverHas(_ name: RecordID) -> Bool { world.cloud.records[name] != nil }
}
