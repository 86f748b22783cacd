import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores

@Suite struct ArchivedRecordTests {
  @Test func readingWhatWasWrittenGivesTheRecordBack() throws {
    let record = ArchivedRecord.dentist
    #expect(try ArchivedRecord(decoding: record.encoded()) == record)
  }

  @Test func equalRecordsGiveEqualBytes() {
    #expect(ArchivedRecord.dentist.encoded() == ArchivedRecord.dentist.encoded())
  }

  @Test func systemFieldsAloneHaveNoValues() throws {
    var expected = ArchivedRecord.dentist
    expected.values = [:]
    expected.hasValueStores = false
    let decoded = try ArchivedRecord(decoding: ArchivedRecord.dentist.encodedSystemFields())
    #expect(decoded == expected)
    #expect(
      try ArchivedRecord(decoding: decoded.encoded()) == expected, "written again it has no stores either")
  }

  @Test func storesWithoutValuesAreNotTheSameAsNoStores() throws {
    let empty = ArchivedRecord(recordType: "reminders", recordName: "1:reminders", zoneName: "zone")
    #expect(try ArchivedRecord(decoding: empty.encoded()).hasValueStores)
  }

  @Test func recordThatTheServerNeverSawHasNoTagAndNoTimes() throws {
    let new = ArchivedRecord(
      recordType: "reminders", recordName: "1:reminders", zoneName: "zone", ownerName: "_4f")
    let decoded = try ArchivedRecord(decoding: new.encoded())
    #expect(decoded == new)
    #expect(decoded.changeTag == nil && decoded.createdAt == nil && decoded.parentRecordName == nil)
  }

  /// To 1677 and 2262, as all times are that are kept here.
  @Test func aDateIsReadAsFarAsNanosecondsReach() {
    let ends: [(Double, Int64)] = [
      (8_245_064_836, 9_223_372_036_000_000_000), (-10_201_679_236, -9_223_372_036_000_000_000),
    ]
    for (seconds, nanoseconds) in ends {
      #expect(ReferenceDate.nanoseconds(secondsSince2001: seconds) == nanoseconds)
      #expect(ReferenceDate.secondsSince2001(nanoseconds: nanoseconds) == seconds)
    }
    let beyond: [Double] = [
      8_245_064_836.9, 8_245_064_837, -10_201_679_237, 1e18, 1e300, .infinity, -.infinity, .nan,
    ]
    for none in beyond {
      #expect(ReferenceDate.nanoseconds(secondsSince2001: none) == nil, "\(none)")
    }
  }

  @Test func valuesAreFoundByColumnWithTheirTimesAndHashes() throws {
    let record = try ArchivedRecord(decoding: ArchivedRecord.dentist.encoded())
    #expect(record.modificationTime == 1_795_165_680_000_000_001)
    #expect(record.modificationTime(of: "title") == 1_795_165_200_000_000_000)
    #expect(record.modificationTime(of: "notes") == nil)
    #expect(record.assetHash(of: "cover") == Array(repeating: 0xAB, count: 32))
    #expect(record.assetHash(of: "title") == nil)
  }

  /// What the engine leaves of a blob that was set to NULL.
  @Test func hashWithoutItsAssetIsNoBlob() {
    var record = ArchivedRecord.dentist
    record.values["cover"] = nil
    #expect(record.assetHash(of: "cover") == nil)
    #expect(record.fields(of: nil)["cover"]?.value ?? .null == .null)
  }

  @Test func originalValuesAndChangedKeysOfBothStoresAreRead() throws {
    var record = ArchivedRecord.dentist
    record.originalValues = [
      "title": .string("Call the dentist"), "thumbnail": .null, "cover": .null,
      "list": .reference(recordName: "2"),
    ]
    record.changedKeys = ["title", "thumbnail", "cover", "list", "neverThere"]
    #expect(try ArchivedRecord(decoding: record.encoded()) == record)
  }

  @Test func recordCanBeTheRootObject() throws {
    let fields = ArchivedRecord.identity + [.init("ValueStore", .valueStore([.init("title", .text("Milk"))]))]
    let record = try ArchivedRecord(
      decoding: KeyedArchiveWriter.archive(root: .object(classes: ["CKRecord", "NSObject"], fields: fields)))
    #expect(record.recordName == "1:reminders")
    #expect(record.values == ["title": .string("Milk")])
  }

  @Test func oldArchivesHaveTheirValuesInTheRecordItself() throws {
    let record = try ArchivedRecord(
      decoding: KeyedArchiveWriter.archive(
        top: ArchivedRecord.identity + [
          .init(
            "RecordValues",
            .mutableDictionary([
              ("title", .text("Milk")), ("note", .encrypted("CKEncryptedString", .init(6, "oat"))),
            ])),
          .init("OriginalValues", .mutableDictionary([("title", .text("Mlik"))])),
          .init("ChangedKeys", .mutableSet(["title"])),
        ]))
    #expect(record.values == ["title": .string("Milk"), "note": .string("oat")])
    #expect(record.originalValues == ["title": .string("Mlik")])
    #expect(record.changedKeys == ["title"])
    #expect(record.hasValueStores)
  }

  @Test func theEncryptedStoreCountsWhereBothHaveAKey() throws {
    let record = try ArchivedRecord(
      decoding: ArchivedRecord.archive(
        plain: [.init("title", .text("plain")), .init("where", .text("here"))],
        encrypted: [.init("title", .encrypted("CKEncryptedString", .init(6, "encrypted")))]))
    #expect(record.values == ["title": .string("encrypted"), "where": .string("here")])
  }

  @Test func keysThatAreNotKnownArePassedOver() throws {
    let record = try ArchivedRecord(
      decoding: KeyedArchiveWriter.archive(
        top: [.init("_recordChangeTag", .leaf(.integer(7))), .init("Ω", .null)] + ArchivedRecord.identity))
    #expect(record.recordType == "reminders")
  }

  @Test(
    arguments: [
      (-63_114_076_800.0, nil), (.nan, nil), (.infinity, nil),
      (0, 978_307_200_000_000_000), (-0.5, 978_307_199_500_000_000),
      (685_881_597.882, 1_664_188_797_882_000_000),
    ] as [(Double, Int64?)])
  func datesBecomeNanosecondsWhereTheyCan(seconds: Double, nanoseconds: Int64?) throws {
    let record = try ArchivedRecord(
      decoding: KeyedArchiveWriter.archive(
        top: ArchivedRecord.identity + [.init("RecordMtime", .date(secondsSince2001: seconds))]))
    #expect(record.modifiedAt == nanoseconds)
  }

  @Test func whatARecordCannotBeWithoutIsNamed() {
    let withoutType = KeyedArchiveWriter.archive(top: [ArchivedRecord.identity[1]])
    #expect(refusal(withoutType)?.description == "RecordType: missing")
    let withoutID = KeyedArchiveWriter.archive(top: [ArchivedRecord.identity[0], .init("RecordID", .null)])
    #expect(refusal(withoutID)?.description == "RecordID: missing")
    let zone = CodedObject.zoneID("", ownerName: "__defaultOwner__")
    let withoutZone = KeyedArchiveWriter.archive(
      top: [ArchivedRecord.identity[0], .init("RecordID", .recordID("1", zone: zone))])
    #expect(refusal(withoutZone)?.description == "RecordID.ZoneID.ZoneName: empty")
    let damaged = ArchivedRecord.archive(encrypted: [
      .init("title", .encrypted("CKEncryptedString", .init(6, 1.0)))
    ])
    #expect(
      refusal(damaged)?.description
        == "EncryptedValueStore.RecordValues.title: the encrypted value's payload is "
        + "damaged: another wire type where bytes belongs")
  }
}
