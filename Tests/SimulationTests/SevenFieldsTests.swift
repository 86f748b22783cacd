import Merging
import Testing

@testable import Simulation

/// The seven fields of the model, played: what the row holds, what is sent, and with which time.
///
/// The client edited at 100; the merge happens at 1000, or at 0 as in SQLiteData's own tests, whose clock stands still.
struct SevenFieldsTests {
  struct Line: Sendable {
    var name: String
    var ancestor = "foo"
    var client: String
    var server: (String, Int64)
    var model: (String, Int64)
    var today: (String, Int64)
    var standing: (String, Int64)
  }

  static let lines = [
    Line(
      name: "1", client: "foo", server: ("foo", 0), model: ("foo", 0), today: ("foo", 0), standing: ("foo", 0)
    ),
    Line(
      name: "2", client: "bar", server: ("foo", 0), model: ("bar", 100), today: ("bar", 1000),
      standing: ("bar", 200)),
    Line(
      name: "3", client: "foo", server: ("baz", 200), model: ("baz", 200), today: ("baz", 200),
      standing: ("baz", 200)),
    Line(
      name: "4", client: "bar", server: ("baz", 200), model: ("baz", 200), today: ("bar", 1000),
      standing: ("bar", 200)),
    Line(
      name: "5", client: "bar", server: ("baz", 50), model: ("bar", 100), today: ("bar", 1000),
      standing: ("bar", 200)),
    Line(
      name: "6", client: "bar", server: ("baz", 100), model: ("bar", 100), today: ("bar", 1000),
      standing: ("bar", 200)),
    Line(
      name: "7", client: "bar", server: ("bar", 200), model: ("bar", 200), today: ("bar", 200),
      standing: ("bar", 200)),
  ]

  @Test(arguments: SyncPath.allCases)
  func theModelKeepsTheTimesOfTheEdits(path: SyncPath) {
    expect(played(.model(), path, at: 1000), \.model)
  }

  @Test(arguments: SyncPath.allCases)
  func sqliteDataKeepsEveryEditAndStampsItAnew(path: SyncPath) {
    expect(played(.sqliteData(), path, at: 1000), \.today)
  }

  @Test(arguments: SyncPath.allCases)
  func withAClockThatStandsStillSQLiteDataStampsWithTheNewestTime(path: SyncPath) {
    expect(played(.sqliteData(), path, at: 0), \.standing)
  }

  /// Field 6 alone depends on the tie rule.
  @Test func theTieRuleDecidesOneField() {
    let world = played(.model(MergeRules(tie: .server)), .fetch, at: 1000)
    #expect(world.cloud.records[name]?.fields["field6"] == FieldVersion(.text("baz"), time: 100))
    #expect(world.cloud.records[name]?.fields["field5"] == FieldVersion(.text("bar"), time: 100))
  }

  private let name = RecordID("1", in: "mergeModels")

  private func expect(_ world: World, _ expected: KeyPath<Line, (String, Int64)>) {
    let server = world.cloud.records[name]?.fields
    for line in SevenFieldsTests.lines {
      let (value, time) = line[keyPath: expected]
      #expect(server?["field\(line.name)"] == FieldVersion(.text(value), time: time), "field \(line.name)")
    }
    #expect(world.devices["phone"]?[name].row == server?.mapValues(\.value))
  }

  private func played(_ rules: RuleSet, _ path: SyncPath, at time: Int64) -> World {
    var world = world(rules)
    let first: [DeviceAction] = path == .send ? [.send, .receiveAnswer] : [.fetch]
    for action in first + [.resolve(name, Resolution()), .send, .receiveAnswer, .fetch] {
      world.play(Moment(time, .device("phone", action)))
    }
    return world
  }

  /// Lived through from the creation, with no state put in place by hand.
  private func world(_ rules: RuleSet) -> World {
    let columns = SevenFieldsTests.lines.map { Field("field\($0.name)") }
    let table = Table("mergeModels", columns: [Field("id", isPrimaryKey: true)] + columns)
    var world = World(rules, tables: [table], devices: ["phone"])
    let ancestor = row { $0.ancestor }.merging(["id": .integer(1)]) { $1 }
    let client = row { $0.client }.filter { ancestor[$0.key] != $0.value }
    let server = SevenFieldsTests.lines.filter { $0.server.1 > 0 }.map { line in
      ("field\(line.name)", FieldVersion(Value.text(line.server.0), time: line.server.1))
    }
    for moment in [
      Moment(0, .device("phone", .create(name, ancestor))), Moment(0, .device("phone", .send)),
      Moment(0, .device("phone", .receiveAnswer)), Moment(100, .device("phone", .edit(name, client))),
      Moment(200, .server(.save(name, RecordVersion.Fields(uniqueKeysWithValues: server)))),
    ] { world.play(moment) }
    return world
  }

  private func row(_ value: (Line) -> String) -> [String: Value] {
    Dictionary(uniqueKeysWithValues: SevenFieldsTests.lines.map { ("field\($0.name)", .text(value($0))) })
  }
}
