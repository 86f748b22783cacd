import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores

@Suite struct PendingZoneChangeTests {
  @Test(arguments: PendingZoneChange.Kind.allCases)
  func readingWhatWasWrittenGivesTheChangeBack(kind: PendingZoneChange.Kind) throws {
    let change = PendingZoneChange(
      kind: kind, recordName: "00a11ce0-0000-4000-8000-00000000044f:reminders",
      zoneName: "co.pointfree.SQLiteData.defaultZone", ownerName: "__defaultOwner__")
    #expect(try PendingZoneChange(decoding: change.encoded()) == change)
  }

  @Test func changesOfOtherKindsAreRefused() {
    let bytes = KeyedArchiveWriter.archive(top: [
      .init("RecordName", .text("1:reminders")), .init("ZoneID", .zoneID("zone", ownerName: "owner")),
      .init("changeType", .text("saveZone")),
    ])
    let error = #expect(throws: ArchiveError.self) { try PendingZoneChange(decoding: bytes) }
    #expect(error == ArchiveError(.unknownChangeType, keys: ["changeType"]))
    // It may be printed, and what stands in an archive may not.
    #expect(error?.description == "changeType: it names no kind of change")
  }

  @Test func whatIsMissingIsNamed() {
    #expect(throws: ArchiveError(.notAPropertyList)) {
      try PendingZoneChange(decoding: Array("not an archive".utf8))
    }
    #expect(throws: ArchiveError(.missing, keys: ["RecordName"])) {
      try PendingZoneChange(decoding: KeyedArchiveWriter.archive(top: []))
    }
    #expect(throws: ArchiveError(.missing, keys: ["changeType"])) {
      try PendingZoneChange(
        decoding: KeyedArchiveWriter.archive(top: [
          .init("RecordName", .text("1")), .init("ZoneID", .zoneID("zone", ownerName: "owner")),
        ]))
    }
  }
}
