import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores

struct EngineStateTests {
  private static func change(_ number: Int, _ kind: PendingZoneChange.Kind = .save) -> PendingZoneChange {
    PendingZoneChange(
      kind: kind, recordName: "r\(number):reminders", zoneName: Metadatabase.defaultZone,
      ownerName: Metadatabase.defaultOwner)
  }

  private static func decoded(_ json: String) throws -> EngineState? {
    var json = json
    let archive = json.withUTF8 { EngineState.archive(inJSON: UnsafeRawBufferPointer($0)) }
    return try archive.map { try EngineState(decoding: $0) }
  }

  @Test func whatWaitsIsRead() throws {
    let pending = [Self.change(1), Self.change(2, .delete)]
    let bytes = EngineState.encoded(
      pending: pending, inFlight: [Self.change(3)], zoneChanges: 2, mustFetch: true)
    let state = try #require(try Self.decoded(EngineState.json(bytes)))
    #expect(state.pending == pending)
    #expect(state.inFlight == [Self.change(3)])
    #expect(state.zoneChanges == 2 && state.mustFetch == true && state.unreadable == 0)
  }

  @Test(arguments: ["{ \"data\" : \"%\" }", "{\"data\":\"%\"}\n"])
  func spacesAndEscapedSlashesAreJSON(form: String) throws {
    let bytes = EngineState.encoded(pending: [Self.change(1)])
    let base64 = EngineState.base64(bytes)
    let escaped = base64.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "\\/")
    for text in [base64, escaped] {
      let json = form.split(separator: "%").joined(separator: text)
      #expect(try Self.decoded(json)?.pending == [Self.change(1)])
    }
  }

  @Test(arguments: [
    "", "{}", "[]", "null", "{\"data\": 7}", "{\"date\": \"AAAA\"}", "{\"data\": \"A", "{\"data\": \"?\"}",
  ])
  func otherJSONIsNoState(json: String) throws {
    #expect(try Self.decoded(json) == nil)
  }

  @Test func aMemberThatCannotBeReadIsCountedAndTheOthersAreRead() throws {
    let bytes = KeyedArchiveWriter.archive(
      root: .object(
        classes: ["CKSyncEngineState", "NSObject"],
        fields: [
          .init(
            "pendingRecordModifications",
            .object(
              classes: ["NSMutableOrderedSet", "NSObject"],
              fields: [
                .init("NS.object.0", .text("nonsense")), .init("NS.object.1", .engineChange(Self.change(1))),
              ]))
        ]))
    let state = try EngineState(decoding: bytes)
    #expect(state.pending == [Self.change(1)] && state.unreadable == 1)
  }

  @Test func alistOfMembersIsReadToo() throws {
    let bytes = KeyedArchiveWriter.archive(
      root: .object(
        classes: ["CKSyncEngineState", "NSObject"],
        fields: [.init("pendingRecordModifications", .array([.engineChange(Self.change(1))]))]))
    #expect(try EngineState(decoding: bytes).pending == [Self.change(1)])
  }

  @Test func theQueueOfAStoreHasAllPartsAndTimes() throws {
    let bench = try DoctorBench([1, 2])
    try bench.addPending(.delete, "r1:reminders")
    try bench.addEngineState(["r2:reminders", "r9:gone"])
    let queue = try bench.open().uploadQueue(limit: 2)
    #expect(queue.parts.map { [$0.saves, $0.deletions] } == [[0, 1], [2, 0]])
    #expect(queue.parts.map(\.name) == ["queue table", "engine, private database"])
    #expect(queue.count == 3)
    #expect(
      queue.waiting == [
        .init(
          table: "reminders", record: "r1", isDeletion: true, part: "queue table", since: DoctorBench.agreed),
        .init(
          table: "reminders", record: "r2", isDeletion: false, part: "engine, private database",
          since: DoctorBench.agreed),
      ])
    #expect(try bench.open().uploadQueue(limit: 9).waiting.last?.since == nil)
  }

  @Test func aStoreWithoutAStateTableHasOnlyItsOwnQueue() throws {
    let bench = try DoctorBench()
    try bench.run("DROP TABLE \(Metadatabase.state)")
    #expect(try bench.open().uploadQueue(limit: 9).parts.map(\.name) == ["queue table"])
    #expect(try bench.found().isEmpty)
  }
}
