extension ArchivedRecord {
  /// The archive that `CKRecord.encode(with:)` writes: system fields and, if there are any, value stores.
  ///
  /// Reading it back gives this record again, but for truth values, which come back as integers, and times, which are kept
  /// to the microsecond. Never read by CloudKit itself: where a server's archive is at hand, store that one instead.
  package func encoded() -> [UInt8] {
    KeyedArchiveWriter.archive(top: systemFields + (hasValueStores ? valueStores : []))
  }

  /// The archive that `CKRecord.encodeSystemFields(with:)` writes.
  package func encodedSystemFields() -> [UInt8] { KeyedArchiveWriter.archive(top: systemFields) }

  private var zone: CodedObject { .zoneID(zoneName, ownerName: ownerName) }

  /// All the keys that were seen in public archives, in CloudKit's order; what Parley knows nothing of is nil or false.
  private var systemFields: [CodedObject.Field] {
    identityFields + nilFields(Self.protectionKeys) + sharingFields
      + Self.falseKeys.map { .init($0, .inline(.bool(false))) } + [.init("Permission", .inline(.integer(0)))]
  }

  private var identityFields: [CodedObject.Field] {
    let currentUser = CodedObject.recordID(
      "__defaultOwner__", zone: .zoneID("_defaultZone", ownerName: "__defaultOwner__"))
    return [
      .init("RecordType", .text(recordType)),
      .init("RecordID", .recordID(recordName, zone: zone)),
      .init("RecordCtime", .date(nanoseconds: createdAt)),
      .init("RecordMtime", .date(nanoseconds: modifiedAt)),
      .init("CreatorUserRecordID", changeTag == nil ? .null : currentUser),
      .init("LastModifiedUserRecordID", changeTag == nil ? .null : currentUser),
      .init("ModifiedByDevice", .text(modifiedByDevice)),
      .init("ETag", .text(changeTag)),
      .init("KnownToServer", .inline(.bool(changeTag != nil))),
    ]
  }

  private var sharingFields: [CodedObject.Field] {
    nilFields(["ShareReference", "PreviousShareReference"])
      + [
        .init("ParentReference", parentRecordName.map { .reference(to: .recordID($0, zone: zone)) } ?? .null)
      ]
      + nilFields(Self.sharingKeys)
  }

  private func nilFields(_ keys: [String]) -> [CodedObject.Field] { keys.map { .init($0, .null) } }

  private static let protectionKeys = [
    "ConflictLoserEtags", "ProtectionData", "ProtectionDataEtag", "ChainProtectionData", "ChainPrivateKey",
    "ChainParentPublicKeyID", "PreviousProtectionDataEtag", "ZoneProtectionDataEtag", "ShareEtag",
    "TombstonedPublicKeyIDs",
  ]

  private static let sharingKeys = [
    "PreviousParentReference", "RoutingKey", "BaseToken", "DisplayedHostname",
    "MutableEncryptedPublicSharingKey",
    "URL", "PreviousProtectionDataEtagFromUnitTest", "PCSKeyID", "ZoneishKeyID", "AllPCSKeyIDs",
    "ExpirationDate",
    "UpdatedExpiration",
  ]

  private static let falseKeys = [
    "WasCached", "WantsChainPCSKey", "UseLightweightPCS", "HasUpdatedShareReference",
    "HasUpdatedParentReference",
    "WantsPublicSharingKey", "Expired", "HasUpdatedExpiration", "MergeableValueDeltaRecord",
    "NeedsRollAndCounterSignKey",
  ]
}

extension ArchivedRecord {
  private var valueStores: [CodedObject.Field] {
    [
      .init("ValueStore", valueStore(.plain, classes: ["CKRecordValueStore", "NSObject"])),
      .init(
        "EncryptedValueStore",
        valueStore(.encrypted, classes: ["CKEncryptedRecordValueStore", "CKRecordValueStore", "NSObject"])),
      .init("PluginFields", .null),
    ]
  }

  private func valueStore(_ store: ArchivedValueStore, classes: [String]) -> CodedObject {
    .object(
      classes: classes,
      fields: [
        .init("RecordValues", dictionary(values.filter { $0.value.store == store })),
        .init(
          "OriginalValues", dictionary(originalValues.filter { self.store(ofOriginal: $0.key) == store })),
        .init("ChangedKeys", .mutableSet(changedKeys.filter { self.store(ofChanged: $0) == store }.sorted())),
      ])
  }

  /// Sorted, so that equal records give equal bytes.
  private func dictionary(_ values: [String: ArchivedValue]) -> CodedObject {
    .mutableDictionary(
      values.sorted { $0.key < $1.key }.map { (key: $0.key, object: $0.value.coded(zone: zone)) })
  }

  /// "There was nothing" belongs to where something is now.
  private func store(ofOriginal key: String) -> ArchivedValueStore {
    let original = originalValues[key]
    return (original == .null ? values[key] ?? original : original)?.store ?? .encrypted
  }

  private func store(ofChanged key: String) -> ArchivedValueStore {
    values[key]?.store ?? (originalValues[key] == nil ? .encrypted : store(ofOriginal: key))
  }
}
