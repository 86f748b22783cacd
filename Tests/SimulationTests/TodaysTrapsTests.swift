import Merging
import StoreInterface
import Testing

@testable import Simulation

/// Traps of today's SQLiteData that no case of the facts plays, each with what the model does.
struct TodaysTrapsTests {
  private let name = RecordID("1", in: "notes")
  private let table = Table(
    "notes", columns: [Field("id", isPrimaryKey: true), Field("title"), Field("image")])
  private let image = Value.blob(Blob(bytes: [1, 2, 3]))

  @Test func aBlobThatWasSetToNullComesBack() {
    let row = played(.sqliteData(), [.edit(name, ["image": .null])], server: "Stuff", [.fetch])
    #expect(row?["image"] == image)
    let model = played(
      .model(), [.edit(name, ["image": .null])], server: "Stuff", [.fetch, .resolve(name, Resolution())])
    #expect(model?["image"] == .null)
  }

  @Test func anEditWithAClockBehindIsNeitherSentNorOverwritten() {
    var world = shared(.sqliteData())
    world.play(Moment(500, .server(.save(name, ["title": FieldVersion(.text("Stuff"), time: 500)]))))
    for action in [.fetch, .edit(name, ["title": .text("Late")]), .send, .receiveAnswer, .fetch]
      as [DeviceAction]
    {
      world.play(Moment(200, .device("phone", action)))
    }
    // The fetch raised the row's time to that of the record, and the edit set it back to the clock's.
    #expect(world.cloud.records[name]?.value("title") == .text("Stuff"))
    #expect(world.devices["phone"]?[name].row?["title"] == .text("Late"))
    #expect(world.devices["phone"]?.isSettled == true)
  }

  @Test func underTheModelAClockBehindDoesNotMatter() {
    var world = shared(.model())
    world.play(Moment(500, .server(.save(name, ["title": FieldVersion(.text("Stuff"), time: 500)]))))
    for action in [.fetch, .edit(name, ["title": .text("Late")]), .send, .receiveAnswer] as [DeviceAction] {
      world.play(Moment(200, .device("phone", action)))
    }
    #expect(world.cloud.records[name]?.fields["title"] == FieldVersion(.text("Late"), time: 500))
  }

  /// A time without a value says "set to NULL"; without the time other devices would leave their own value.
  @Test(arguments: [RuleSet.sqliteData(), .model()])
  func aNullThatWasNeverAnythingElseIsSentWithATime(rules: RuleSet) {
    var world = World(rules, tables: [table], devices: ["phone"])
    let row: [String: Value] = ["id": .integer(1), "title": .null, "image": .null]
    for action in [.create(name, row), .send] as [DeviceAction] {
      world.play(Moment(100, .device("phone", action)))
    }
    #expect(world.cloud.records[name]?.fields["title"] == FieldVersion(.null, time: 100))
  }

  /// Metadata lost, row still here: the server's record becomes the ancestor, and what differs counts as edited for good.
  @Test func withoutAMetadataRowWhatDiffersIsKeptAndNeverSent() {
    var world = shared(.sqliteData())
    world.devices["phone"]?.records[name]?.metadata = nil
    world.play(Moment(300, .server(.save(name, ["title": FieldVersion(.text("Stuff"), time: 300)]))))
    for action in [.fetch, .send, .receiveAnswer, .fetch] as [DeviceAction] {
      world.play(Moment(400, .device("phone", action)))
    }
    #expect(world.devices["phone"]?[name].row?["title"] == .text("Note"))
    #expect(world.cloud.records[name]?.value("title") == .text("Stuff"))
  }

  @Test func aRowThatIsDeletedAndMadeAgainIsOnlyDeleted() {
    var world = shared(.sqliteData())
    for action in [.delete(name), .undelete(name), .send, .receiveAnswer, .send, .fetch] as [DeviceAction] {
      world.play(Moment(300, .device("phone", action)))
    }
    #expect(world.devices["phone"]?[name].row != nil)
    #expect(world.cloud.records[name] == nil)
  }

  @Test func underTheModelARowThatIsDeletedAndPutBackIsAsBefore() {
    var world = shared(.model())
    let before = world.cloud
    for action in [.delete(name), .undelete(name), .send, .receiveAnswer, .fetch] as [DeviceAction] {
      world.play(Moment(300, .device("phone", action)))
    }
    #expect(world.devices["phone"]?[name].row != nil)
    #expect(world.cloud == before, "nothing was changed, so nothing is sent")
  }

  private func shared(_ rules: RuleSet) -> World {
    var world = World(rules, tables: [table], devices: ["phone"])
    let row = ["id": Value.integer(1), "title": .text("Note"), "image": image]
    for action in [.create(name, row), .send, .receiveAnswer, .fetch] as [DeviceAction] {
      world.play(Moment(100, .device("phone", action)))
    }
    return world
  }

  private func played(
    _ rules: RuleSet, _ before: [DeviceAction], server title: String, _ after: [DeviceAction]
  ) -> [String: Value]? {
    var world = shared(rules)
    for action in before { world.play(Moment(200, .device("phone", action))) }
    world.play(Moment(250, .server(.save(name, ["title": FieldVersion(.text(title), time: 250)]))))
    for action in after { world.play(Moment(300, .device("phone", action))) }
    return world.devices["phone"]?[name].row
  }
}
