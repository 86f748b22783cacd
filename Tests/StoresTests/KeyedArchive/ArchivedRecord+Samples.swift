import Merging

@testable import KeyedArchives

extension ArchivedRecord {
  /// A row of a reminders app, as SQLiteData archives it.
  static let dentist = ArchivedRecord(
    recordType: "reminders", recordName: "00a11ce0-0000-4000-8000-000000000412:reminders",
    zoneName: "co.pointfree.SQLiteData.defaultZone", changeTag: "a00b", createdAt: 1_795_079_280_123_000_000,
    modifiedAt: 1_795_165_680_882_000_000, modifiedByDevice: "Tester’s iPad 📱",
    parentRecordName: "00a11ce0-0000-4000-8000-000000000001:remindersLists",
    values: [
      "title": .string("Call dentist"),
      "notes": .string("牙医 · de\u{301}ntiste · 🦷\n"),
      "isCompleted": .integer(0),
      "priority": .integer(-3),
      "estimate": .real(0.1),
      "dueDate": .date(secondsSince2001: 816_858_480.5),
      "thumbnail": .data([0, 1, 0xFF]),
      "cover": .asset(
        ArchivedAsset(
          signature: [1, 2, 3], size: 420, uuid: "9435b674-df06-4166-8e52-87e2bb913814",
          filePath: "/private/tmp/a b/ü%20.png")),
      "cover_hash": .data(Array(repeating: 0xAB, count: 32)),
      "sqlitedata_icloud_userModificationTime": .integer(1_795_165_680_000_000_001),
      "sqlitedata_icloud_userModificationTime_title": .integer(1_795_165_200_000_000_000),
    ])
}

extension ArchivedRecord {
  /// An archive of a record that has exactly these values, coded by hand.
  static func archive(plain: [CodedObject.Field] = [], encrypted: [CodedObject.Field] = []) -> [UInt8] {
    KeyedArchiveWriter.archive(
      top: identity + [
        .init("ValueStore", .valueStore(plain)), .init("EncryptedValueStore", .valueStore(encrypted)),
      ])
  }

  static let identity: [CodedObject.Field] = [
    .init("RecordType", .text("reminders")),
    .init("RecordID", .recordID("1:reminders", zone: .zoneID("zone", ownerName: "__defaultOwner__"))),
  ]
}

extension CodedObject {
  static func valueStore(_ values: [Field], original: [Field] = [], changed: [String] = []) -> CodedObject {
    .object(
      classes: ["CKRecordValueStore", "NSObject"],
      fields: [
        .init("RecordValues", .mutableDictionary(values.map { ($0.key, $0.object) })),
        .init("OriginalValues", .mutableDictionary(original.map { ($0.key, $0.object) })),
        .init("ChangedKeys", .mutableSet(changed)),
      ])
  }

  /// An object with these fields, of a class that derives from NSObject.
  static func plain(_ className: String, _ fields: [Field] = []) -> CodedObject {
    .object(classes: [className, "NSObject"], fields: fields)
  }
}

/// What goes wrong when `bytes` are read; nil if nothing does.
func refusal(_ bytes: [UInt8]) -> ArchiveError? {
  do {
    _ = try ArchivedRecord(decoding: bytes)
    return nil
  } catch { return error }
}
