import Merging
import Testing

@testable import Simulation

/// What happens between records, and to records that do not fit: parents, batches, unknown tables, zones, permissions.
/// Under the rules of today unless told otherwise.
struct BetweenRecordsTests {
  private let list1 = Household.list(1)
  private let list2 = Household.list(2)
  private let reminder = Household.reminder(1)

  @Test(TodaysFact.editLocalParentDeletedRemoteCascade)
  func aRowWhoseNewParentIsGoneIsDeletedByCascade() {
    var house = Household()
    house.share([1: [1], 2: []])
    house.server(.delete(list2))
    house.phone(.edit(reminder, ["listID": .integer(2)]), .send)
    let events = house.phone(.receiveAnswer)
    #expect(events.contains(.refused(.parentMissing(.cascade))))
    house.phone(.send, .receiveAnswer, .fetch)
    #expect(!house.has("phone", reminder) && !house.serverHas(reminder))
    #expect(!house.has("phone", list2) && !house.serverHas(list2))
    #expect(house.has("phone", list1) && house.serverHas(list1))
  }

  @Test func underTheModelARowWhoseParentIsGoneWaits() {
    var house = Household(.model())
    house.share([1: [1], 2: []])
    house.server(.delete(list2))
    house.phone(.edit(reminder, ["listID": .integer(2)]), .send, .receiveAnswer)
    #expect(house.has("phone", reminder) && house.on("phone", reminder).pending == .save)
  }

  @Test(TodaysFact.deleteLocalChildAddedRemote)
  func aDeletionIsTakenBackWhileTheServerHasChildren() {
    var house = Household()
    house.share([1: []])
    house.phone(.delete(list1))
    house.tablet(.create(reminder, house.row(1, in: 1)), .send, .receiveAnswer)
    house.phone(.send)
    #expect(house.phone(.receiveAnswer) == [.refused(.childrenRemain)])
    #expect(house.world.devices["phone"]?.parked == [list1])
    house.phone(.fetch, .fetch)
    #expect(house.has("phone", list1) && house.has("phone", reminder))
    #expect(house.serverHas(list1) && house.serverHas(reminder))
    #expect(house.world.devices["phone"]?.parked == [])
  }

  @Test(TodaysFact.parentDeletedSetNull)
  func aRowWhoseNewParentIsGoneLetsGoOfItBySetNull() {
    var house = Household(reminders: Household.table(onDelete: .setNull))
    house.share([1: [1], 2: []])
    house.server(.delete(list2))
    house.phone(
      .edit(reminder, ["listID": .integer(2)]), .send, .receiveAnswer, .send, .receiveAnswer, .fetch)
    #expect(house.on("phone", reminder).row?["listID"] == .null)
    #expect(house.world.cloud.records[reminder]?.value("listID") == .null)
    #expect(house.has("phone", list1) && !house.has("phone", list2))
  }

  @Test(TodaysFact.atomicEditConflictAndDelete)
  func oneRefusalRefusesTheBatch() {
    var house = Household()
    house.share([1: [], 2: []])
    house.tablet(.edit(list1, ["title": .text("My stuff")]), .send, .receiveAnswer)
    house.phone(.edit(list1, ["title": .text("Stuff")]), .delete(list2), .send)
    let events = house.phone(.receiveAnswer)
    #expect(events.contains(.batchFailed))
    #expect(events.contains(.conflictOnSend(.merged(["title": .keptEdit]))))
    #expect(house.serverHas(list2))
    house.phone(.send, .receiveAnswer)
    #expect(house.world.cloud.records[list1]?.value("title") == .text("Stuff"))
    #expect(!house.serverHas(list2))
  }

  @Test(TodaysFact.deleteLocalEditRemote)
  func aDeletionWinsIfItReachesTheServerFirst() {
    var house = Household()
    house.share([1: []])
    house.tablet(.edit(list1, ["title": .text("Stuff")]), .send, .receiveAnswer)
    house.phone(.delete(list1), .send)
    #expect(house.on("phone", list1).metadata == nil, "removed when the batch was built")
    house.phone(.receiveAnswer)
    house.tablet(.fetch)
    #expect(!house.serverHas(list1) && !house.has("tablet", list1))
  }

  @Test(TodaysFact.deleteLocalEditRemote)
  func anEditThatIsFetchedBeforeTheDeletionIsSentWritesTheRowAgain() {
    var house = Household()
    house.share([1: []])
    house.phone(.delete(list1))
    house.tablet(.edit(list1, ["title": .text("Stuff")]), .send, .receiveAnswer)
    #expect(house.phone(.fetch).contains(.conflictOnFetch(.overrun)))
    #expect(house.on("phone", list1).row?["title"] == .text("Stuff"))
  }

  @Test func underTheModelADeletionThatDidNotSeeAnEditIsRefused() {
    var house = Household(.model())
    house.share([1: []])
    house.phone(.delete(list1))
    house.tablet(.edit(list1, ["title": .text("Stuff")]), .send, .receiveAnswer)
    house.phone(.send, .receiveAnswer)
    #expect(house.serverHas(list1))
    #expect(house.world.conflict(of: list1, on: "phone")?.kind == .deletedOnClient)
    house.phone(.resolve(list1, Resolution(choices: [.record: .take(.client)])), .send, .receiveAnswer)
    #expect(!house.serverHas(list1))
  }

  @Test(TodaysFact.editLocalDeleteRemote)
  func aFetchedDeletionLosesTheEdit() {
    var house = Household()
    house.share([1: []])
    house.tablet(.delete(list1), .send, .receiveAnswer)
    house.phone(.edit(list1, ["title": .text("Stuff")]))
    #expect(house.phone(.fetch) == [.fetchedDeletion(lostEdit: true)])
    #expect(house.on("phone", list1).row == nil && house.on("phone", list1).metadata == nil)
    #expect(house.phone(.send) == [.nothingToSend])
    #expect(!house.serverHas(list1))
  }

  @Test(TodaysFact.childBeforeParentFetch)
  func aChildWaitsForItsParent() {
    var house = Household()
    house.server(.save(reminder, fields(house.row(1, in: 1))))
    #expect(house.phone(.fetch) == [.parked])
    #expect(!house.has("phone", reminder))
    #expect(house.phone(.fetch) == [.parked], "with every fetch")
    house.server(.save(list1, fields(["id": .integer(1), "title": .text("List 1")])))
    house.phone(.fetch)
    #expect(house.has("phone", reminder) && house.world.devices["phone"]?.parked == [])
  }

  @Test(TodaysFact.childBeforeParentFetch)
  func aChildThatTheServerNoLongerHasIsForgotten() {
    var house = Household()
    house.server(.save(reminder, fields(house.row(1, in: 1))))
    house.phone(.fetch)
    house.server(.delete(reminder))
    #expect(house.phone(.fetch).contains(.unparked))
    #expect(house.world.devices["phone"]?.parked == [])
  }

  private func fields(_ row: [String: Value]) -> RecordVersion.Fields {
    RecordVersion.Fields(row.mapValues { FieldVersion($0, time: 0) })
  }
}
