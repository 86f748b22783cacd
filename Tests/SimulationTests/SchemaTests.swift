import Merging
import Testing

@testable import Simulation

/// Devices whose app knows more or less than the record has, zones and permissions. Under the rules of today.
struct SchemaTests {
  private let list = Household.list(1)

  @Test(TodaysFact.unknownTable)
  func aRecordOfAnUnknownTableIsKeptForALaterVersion() {
    let tag = RecordID("red", in: "tags")
    var house = Household()
    house.server(.save(tag, ["title": FieldVersion(.text("red"), time: 5)]))
    #expect(house.phone(.fetch) == [.kept])
    #expect(house.on("phone", tag).row == nil)
    #expect(house.on("phone", tag).lastKnown == house.world.cloud.records[tag])
    house.phone(.register(Table("tags", columns: [Field("title", isPrimaryKey: true)])))
    #expect(house.on("phone", tag).row == ["title": .text("red")])
  }

  @Test(TodaysFact.extraColumnKept, arguments: [RuleSet.sqliteData(), .model()])
  func aColumnThatIsUnknownHereIsKeptOnTheServer(rules: RuleSet) {
    var house = Household(rules)
    house.share([1: []])
    house.server(.save(list, ["position": FieldVersion(.integer(42), time: 5)]))
    house.phone(.fetch, .edit(list, ["title": .text("Stuff")]), .send, .receiveAnswer)
    #expect(house.world.cloud.records[list]?.value("position") == .integer(42))
    #expect(house.world.cloud.records[list]?.value("title") == .text("Stuff"))
  }

  @Test(TodaysFact.columnMissingOnServer, arguments: [RuleSet.sqliteData(), .model()])
  func aColumnThatTheServerDoesNotKnowIsNotTouched(rules: RuleSet) {
    let table = Table("lists", columns: [Field("id", isPrimaryKey: true), Field("title"), Field("color")])
    var world = World(rules, tables: [table], devices: ["phone"])
    let known = world.cloud.put(
      ServerRecord(["id": FieldVersion(.integer(1), time: 0), "title": FieldVersion(.text("List"), time: 0)]),
      as: list)
    // Added by a migration with DEFAULT 42, which no trigger sees.
    world.devices["phone"]?.records[list] = DeviceRecord(
      row: ["id": .integer(1), "title": .text("List"), "color": .integer(42)],
      metadata: DeviceRecord.Metadata(lastKnown: known, userModificationTime: 0))
    world.play(Moment(5, .server(.save(list, ["title": FieldVersion(.text("Stuff"), time: 5)]))))
    world.play(Moment(6, .device("phone", .fetch)))
    world.play(Moment(6, .device("phone", .resolve(list, Resolution()))))
    #expect(world.devices["phone"]?[list].row?["color"] == .integer(42))
    #expect(world.devices["phone"]?[list].row?["title"] == .text("Stuff"))
  }

  @Test(TodaysFact.outsideRecordIgnored, arguments: [RuleSet.sqliteData(), .model()])
  func aRecordWithoutATimeIsIgnored(rules: RuleSet) {
    var house = Household(rules)
    house.server(.overwrite(list, ["title": .text("Stuff")]))
    #expect(house.phone(.fetch) == [.ignored])
    #expect(house.on("phone", list) == DeviceRecord())
  }

  @Test(TodaysFact.readOnlyShareEdit)
  func anEditThatIsNotPermittedIsOverwritten() {
    var house = Household()
    house.share([1: []])
    house.makeReader("phone")
    house.phone(.edit(list, ["title": .text("Stuff")]), .send)
    #expect(house.phone(.receiveAnswer) == [.refused(.readOnly(overwritten: true))])
    #expect(house.on("phone", list).row?["title"] == .text("List 1"))
  }

  @Test(TodaysFact.readOnlyShareEdit)
  func aNewRowThatIsNotPermittedIsDeleted() {
    var house = Household()
    house.makeReader("phone")
    house.phone(.create(list, ["id": .integer(1), "title": .text("Stuff")]), .send, .receiveAnswer)
    #expect(!house.has("phone", list))
  }

  @Test func underTheModelAnEditThatIsNotPermittedStays() {
    var house = Household(.model())
    house.share([1: []])
    house.makeReader("phone")
    house.phone(.edit(list, ["title": .text("Stuff")]), .send)
    #expect(house.phone(.receiveAnswer) == [.refused(.readOnly(overwritten: false))])
    #expect(house.on("phone", list).row?["title"] == .text("Stuff"))
  }

  @Test(TodaysFact.encryptedDataReset, arguments: [RuleSet.sqliteData(), .model()])
  func afterALossOfKeysEveryRowIsSentAgain(rules: RuleSet) {
    var house = Household(rules)
    house.share([1: [], 2: []])
    house.server(.reset)
    #expect(!house.serverHas(list))
    #expect(house.phone(.fetch) == [.queuedAgain, .queuedAgain])
    #expect(house.has("phone", list) && house.on("phone", list).pending == .save)
    house.phone(.send, .receiveAnswer)
    #expect(house.serverHas(list) && house.serverHas(Household.list(2)))
  }
}
