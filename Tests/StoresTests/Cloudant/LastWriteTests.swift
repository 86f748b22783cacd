import Merging
import Testing

@testable import StoreInterface

/// What the newest write changed, as a person is told before it is taken back: always against the winner of before.
@Suite struct LastWriteTests {
  @Test(arguments: [Side.client, .server], [false, true])
  func theFieldsOfTheFormerWinnerAreTold(side: Side, isAndroid: Bool) throws {
    let datastore = try Datastore([("milk", DocumentWriteTests.milk)], platform: isAndroid ? .android : .ios)
    let store = try datastore.open()
    #expect(try store.resolve("milk", [.field("a"): .take(side), .field("b"): .take(side)]) == .fine)
    let fields = try #require(try store.lastWrite()?.records.first?.changes.fields)
    let changed: [LastWrite.FieldChange] = [
      .init(name: "a", before: .integer(1), after: .integer(2)),
      .init(name: "b", before: .integer(2), after: .integer(1)),
    ]
    // The winner is the client.
    #expect(fields == (side == .client ? [] : changed))
  }

  @Test func aDeletionIsToldWithWhatItDeleted() throws {
    let datastore = try Datastore([("milk", DocumentWriteTests.milk)])
    let store = try datastore.open()
    let draft = Draft(id: "milk", action: .delete)
    _ = try store.write([PlannedWrite(seen: try store.conflict("milk"), draft: draft)], note: nil)
    let fields = try #require(try store.lastWrite()?.records.first?.changes.fields)
    #expect(fields.map(\.before) == [.integer(1), .integer(2)])
    #expect(fields.allSatisfy { $0.after == nil })
  }
}
