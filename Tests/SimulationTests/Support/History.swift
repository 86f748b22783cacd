import Merging

@testable import Simulation

/// What two devices do with one record, in a random order. Afterwards both sync until nothing is left to do.
struct History: Equatable, CustomStringConvertible {
  enum Kind: String, CaseIterable {
    case editTitle, editCount, delete, undelete, send, receiveAnswer, fetch, resolve
  }

  struct Act: Equatable, CustomStringConvertible {
    var device: String
    var kind: Kind
    /// How much later than the act before; 0 is the same time.
    var delay: Int64
    /// Each act writes a value of its own, so that it can be found again.
    var number: Int64

    var description: String { "+\(delay) \(device) \(kind)(\(number))" }
  }

  /// Whether both devices start with the same confirmed record. Otherwise the first edit of each creates it.
  var isShared: Bool
  /// How far each device's clock is ahead.
  var skew: [String: Int64] = [:]
  var acts: [Act]

  static let devices = ["phone", "tablet"]
  static let record = Lifecycle.record

  static func random(seed: UInt64, length: Int, deletions: Bool, skew: Bool = false) -> History {
    var random = SplitMix(seed: seed)
    let kinds = Kind.allCases.filter { deletions || ($0 != .delete && $0 != .undelete) }
    let acts = (0..<length).map { number in
      Act(
        device: devices[Int.random(in: 0...1, using: &random)],
        kind: kinds[Int.random(in: kinds.indices, using: &random)],
        delay: Int64.random(in: 0...2, using: &random), number: Int64(number + 10))
    }
    return History(
      isShared: Int.random(in: 0...3, using: &random) > 0,
      skew: skew ? ["tablet": Int64.random(in: -9...9, using: &random)] : [:], acts: acts)
  }

  var description: String { "\(isShared ? "shared" : "apart") \(skew) \(acts)" }
}

/// A history as it went.
struct PlayedHistory {
  struct Edit: Equatable {
    var column: String
    var value: Value
    var time: Int64
  }

  var world: World
  var edits: [Edit] = []
  private(set) var time: Int64 = 100
  private let skew: [String: Int64]
  private let keepsTimesOfFields: Bool

  /// - Parameter keepsTimesOfFields: whether a device knows when each field was edited, which the model wants; else it knows one time for
  ///   the row, as SQLiteData's metadata has it, with which an old edit looks as new as a later one of another field.
  init(_ history: History, under rules: RuleSet, keepsTimesOfFields: Bool = true) {
    self.keepsTimesOfFields = keepsTimesOfFields
    world = World(rules, tables: [Lifecycle.table], devices: History.devices)
    skew = history.skew
    if history.isShared { share() }
    for act in history.acts { play(act) }
    sync()
  }

  private mutating func share() {
    play("phone", .create(History.record, Lifecycle.row("Water plants", 1)))
    sync()
    time += 1
  }

  private mutating func play(_ act: History.Act) {
    time += act.delay
    let name = History.record
    switch act.kind {
    case .editTitle: edit(["title": .text("Water \(act.number)")], on: act.device)
    case .editCount: edit(["count": .integer(act.number)], on: act.device)
    case .delete: play(act.device, .delete(name))
    case .undelete: play(act.device, .undelete(name))
    case .send: play(act.device, .send)
    case .receiveAnswer: play(act.device, .receiveAnswer)
    case .fetch: play(act.device, .fetch)
    case .resolve: play(act.device, .resolve(name, Resolution()))
    }
  }

  /// An edit of a row that is not there makes one.
  private mutating func edit(_ values: [String: Value], on device: String) {
    let exists = world.devices[device]?[History.record].row != nil
    let written = exists ? values : Lifecycle.row("Made on \(device) \(time)", time).merging(values) { $1 }
    play(device, exists ? .edit(History.record, written) : .create(History.record, written))
    for (column, value) in written {
      edits.append(Edit(column: column, value: value, time: time + (skew[device] ?? 0)))
    }
  }

  private mutating func play(_ device: String, _ action: DeviceAction) {
    world.play(Moment(time + (skew[device] ?? 0), .device(device, action)))
    if !keepsTimesOfFields { world.devices[device]?.records[History.record]?.metadata?.editTimes = [:] }
  }

  /// Both devices sync until a round changes nothing. Nine rounds are more than any history needs, and end one that never
  /// settles.
  private mutating func sync() {
    for _ in 0..<9 {
      let before = world
      for device in History.devices {
        time += 1
        for action in [.fetch, .resolve(History.record, Resolution()), .send, .receiveAnswer]
          as [DeviceAction]
        {
          play(device, action)
        }
      }
      if world.devices.mapValues({ $0[History.record].row })
        == before.devices.mapValues({ $0[History.record].row }),
        world.cloud == before.cloud
      {
        return
      }
    }
  }

  func row(_ device: String) -> [String: Value]? { world.devices[device]?[History.record].row }

  /// Both devices and the server hold the same, and nothing waits.
  var converged: Bool {
    let server = world.cloud.records[History.record]?.fields.mapValues(\.value)
    return row("phone") == row("tablet") && row("phone") == server
      && world.devices.values.allSatisfy(\.isSettled)
  }

  /// The columns whose value is not that of an edit which was newest. Where several have that time, any of them will do.
  var lostColumns: [String] {
    Set(edits.map(\.column)).filter { column in
      let edits = edits.filter { $0.column == column }
      let newest = edits.map(\.time).max()
      let values = edits.filter { $0.time == newest }.map(\.value)
      return !values.contains { $0 == row("phone")?[column] }
        || !values.contains { $0 == row("tablet")?[column] }
    }.sorted()
  }
}
