import Foundation
import Merging
import Testing

@testable import Stores

struct EngineQueueTests {
  /// As a device was seen to keep it, with the members of an ordered set.
  private static func state(_ names: [String]) -> String {
    let zone = CodedObject.zoneID(Metadatabase.defaultZone, ownerName: "__defaultOwner__")
    let changes = names.enumerated().map { index, name in
      CodedObject.Field(
        "NS.object.\(index)",
        .object(
          classes: ["CKSyncEnginePendingRecordZoneChange", "NSObject"],
          fields: [.init("type", .inline(.integer(0))), .init("recordID", .recordID(name, zone: zone))]))
    }
    let queue = CodedObject.object(
      classes: ["NSMutableOrderedSet", "NSOrderedSet", "NSObject"], fields: changes)
    let root = CodedObject.object(
      classes: ["CKSyncEngineState", "NSObject"],
      fields: [
        .init("pendingRecordModifications", queue),
        .init("needsToFetchDatabaseChanges", .inline(.bool(true))),
      ])
    let bytes = KeyedArchiveWriter.archive(top: [.init("root", root)])
    return "{\"data\": \"\(Data(bytes).base64EncodedString())\"}"
  }

  @Test func queuedRecordsAreFoundByName() throws {
    #expect(try EngineQueue(state: Self.state(["a:b", "c:d"])).recordNames == ["a:b", "c:d"])
    #expect(try EngineQueue(state: Self.state([])).recordNames.isEmpty)
  }

  @Test func aRecordThatTheEngineHasQueuedOnlyWaits() throws {
    let folder = try TestFolder()
    let path = try Demo.make(in: folder)
    try StoreFilesInspector(path).run(
      "INSERT INTO \(Metadatabase.state) VALUES ('2', ?)",
      [.text(Self.state([Demo.reminder(201), Demo.reminder(202)]))])
    let found = try findings(of: SQLiteDataStore.open(path: path))
    #expect(
      found.filter { [Demo.key(201), Demo.key(202)].contains($0.record) }.map(\.what) == [
        "waiting for upload", "waiting for upload",
      ])
  }

  @Test func aStateThatCannotBeReadIsAFinding() throws {
    let folder = try TestFolder()
    let path = try Demo.make(in: folder)
    try StoreFilesInspector(path).run(
      "INSERT INTO \(Metadatabase.state) VALUES ('2', '{\"data\": \"AAAA\"}')")
    let found = try findings(of: SQLiteDataStore.open(path: path))
    #expect(found.filter { $0.what == "engine state unreadable" }.count == 1)
  }
}
