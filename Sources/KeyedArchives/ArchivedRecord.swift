/// A CKRecord as an app archived it: its system fields, and its values if they were archived too.
///
/// ```
/// RecordType    "reminders"                       ┐
/// RecordID      {RecordName, ZoneID: {ZoneName, ownerName}}   system fields
/// ETag          "c00d"                            │ `encodeSystemFields(with:)` writes these alone
/// RecordCtime … and some forty more               ┘
/// ValueStore           {RecordValues, OriginalValues, ChangedKeys}     plain values: assets, references
/// EncryptedValueStore  {RecordValues, OriginalValues, ChangedKeys}     values of `encryptedValues`
/// ```
///
/// The keys lie in `$top`, or in the object that `$top.root` names; there is no class to go by, since the record encodes
/// itself straight into the coder. The system fields and the keys of the stores are confirmed by archives in public test data
/// (Apple Notes, Safari, shares); that OriginalValues and ChangedKeys mean what they are called is not. New systems add keys,
/// so whatever is not named here is passed over (FORMAT.md, "Where a record lies").
package struct ArchivedRecord: Sendable, Equatable {
  package var recordType: String
  package var recordName: String
  package var zoneName: String
  /// `__defaultOwner__` for the user's own zones.
  package var ownerName: String
  /// Opaque; equal only to itself. nil for a record that the server has not seen.
  package var changeTag: String?
  /// Nanoseconds since 1970, by the server's clock.
  package var createdAt: Int64?
  /// Nanoseconds since 1970, by the server's clock.
  package var modifiedAt: Int64?
  package var modifiedByDevice: String?
  package var parentRecordName: String?
  /// Encrypted and plain values together, by key, as they are now. A key whose value is unset is missing.
  package var values: ArchivedValues
  /// What the server last had of each changed key, of both stores; ``ArchivedValue/null`` if it had nothing.
  package var originalValues = ArchivedValues()
  /// The keys that were set or unset since the server was last heard, of both stores.
  package var changedKeys: Set<String> = []
  /// false for an archive of system fields only.
  package var hasValueStores: Bool

  package init(
    recordType: String, recordName: String, zoneName: String, ownerName: String = "__defaultOwner__",
    changeTag: String? = nil, createdAt: Int64? = nil, modifiedAt: Int64? = nil,
    modifiedByDevice: String? = nil, parentRecordName: String? = nil, values: [String: ArchivedValue] = [:],
    hasValueStores: Bool = true
  ) {
    self.recordType = recordType
    self.recordName = recordName
    self.zoneName = zoneName
    self.ownerName = ownerName
    self.changeTag = changeTag
    self.createdAt = createdAt
    self.modifiedAt = modifiedAt
    self.modifiedByDevice = modifiedByDevice
    self.parentRecordName = parentRecordName
    self.values = ArchivedValues(values)
    self.hasValueStores = hasValueStores
  }
}

extension ArchivedRecord {
  /// Reads an archive in binary or XML form. Whatever the bytes are, this ends in time that grows with their number.
  ///
  /// - Throws: ``ArchiveError`` if the bytes are no archive, if record type, record name or zone are missing, or if a value
  ///   is damaged. A value of an unknown class is no error: ``ArchivedValue/opaque(className:bytes:)``.
  package init(decoding bytes: [UInt8]) throws(ArchiveError) {
    let binary = try bytes.inPlace { bytes throws(ArchiveError) in
      !BinaryPropertyList.isOne(bytes) && XMLPropertyList.isOne(bytes)
        ? try XMLPropertyList.binary(bytes) : nil
    }
    self = try .read(binary ?? bytes)
  }

  /// No initializer that calls another one: its record would be copied at its end, and to copy one is to count references to all that it
  /// has. For the same reason it is read in its place.
  private static func read(_ bytes: [UInt8]) throws(ArchiveError) -> ArchivedRecord {
    var record = ArchivedRecord()
    let made = try bytes.inPlace { place throws(ArchiveError) in
      try ArchiveLayouts.known.read(try KeyedArchive(place), into: &record)
    }
    record.values.keep(bytes, made)
    record.originalValues.keep(bytes, made)
    return record
  }

  /// As nothing was read of it yet.
  init() {
    (recordType, recordName, zoneName, ownerName) = ("", "", "", "")
    (values, originalValues, changedKeys) = (ArchivedValues(), ArchivedValues(), [])
    hasValueStores = false
  }
}

/// The keys of a record that mean something here; all others are passed over.
enum RecordKey {
  case recordType, recordID, changeTag, createdAt, modifiedAt, device, parent
  case plainStore, encryptedStore
  // Of a store, or of an old record itself.
  case values, originalValues, changedKeys

  init?(_ key: ArchiveKey) {
    switch key {
    case "RecordType": self = .recordType
    case "RecordID": self = .recordID
    case "ETag": self = .changeTag
    case "RecordCtime": self = .createdAt
    case "RecordMtime": self = .modifiedAt
    case "ModifiedByDevice": self = .device
    case "ParentReference": self = .parent
    case "ValueStore": self = .plainStore
    case "EncryptedValueStore": self = .encryptedStore
    case "RecordValues": self = .values
    case "OriginalValues": self = .originalValues
    case "ChangedKeys": self = .changedKeys
    default: return nil
    }
  }
}

extension KeyedArchive {
  /// The record in `$top`, or in the object that `$top.root` names.
  mutating func read(into record: inout ArchivedRecord) throws(ArchiveError) {
    let fields = try recordFields()
    for position in 0..<fields.count {
      let (key, index) = try entry(position, of: fields)
      guard let known = RecordKey(key) else { continue }
      do { try read(known, index, into: &record) } catch { throw error.inside(key.text) }
    }
    // What was read is never empty.
    if record.recordType.isEmpty { throw ArchiveError(.missing, keys: ["RecordType"]) }
    if record.recordName.isEmpty { throw ArchiveError(.missing, keys: ["RecordID"]) }
  }

  mutating func recordFields() throws(ArchiveError) -> Extent {
    guard let root = try entry("root", of: top) else { return top }
    return try within("root") { () throws(ArchiveError) in try object(root) }
  }

  mutating func read(
    _ key: RecordKey, _ index: Int, into record: inout ArchivedRecord
  ) throws(ArchiveError) {
    switch key {
    case .recordType: record.recordType = try requiredText(index)
    case .recordID: (record.recordName, record.zoneName, record.ownerName) = try recordID(index)
    case .changeTag: record.changeTag = try text(index)
    case .createdAt: record.createdAt = try date(index).flatMap(ReferenceDate.nanoseconds)
    case .modifiedAt: record.modifiedAt = try date(index).flatMap(ReferenceDate.nanoseconds)
    case .device: record.modifiedByDevice = try text(index)
    case .parent: record.parentRecordName = try parentRecordName(index)
    case .plainStore: try valueStore(.plain, index, into: &record)
    case .encryptedStore: try valueStore(.encrypted, index, into: &record)
    // Archives of old systems have one store, and its keys lie in the record.
    case .values, .originalValues, .changedKeys:
      try valueStorePart(key, .plain, index, into: &record)
    }
  }

  private mutating func valueStore(
    _ store: ArchivedValueStore, _ index: Int, into record: inout ArchivedRecord
  ) throws(ArchiveError) {
    if case .null = try target(of: index) { return }
    record.hasValueStores = true
    let fields = try object(index)
    for position in 0..<fields.count {
      let (key, index) = try entry(position, of: fields)
      do {
        try valueStorePart(RecordKey(key), store, index, into: &record)
      } catch {
        throw error.inside(key.text)
      }
    }
  }

  private mutating func valueStorePart(
    _ key: RecordKey?, _ store: ArchivedValueStore, _ index: Int, into record: inout ArchivedRecord
  ) throws(ArchiveError) {
    if case .null = try target(of: index) { return }
    switch key {
    case .values?:
      record.hasValueStores = true
      try readDictionary(try object(index), of: store, into: &record.values)
    case .originalValues?: try readDictionary(try object(index), of: store, into: &record.originalValues)
    case .changedKeys?: try readTexts(try object(index), into: &record.changedKeys)
    default: break
    }
  }

  /// NSDictionary with text for keys: {NS.keys, NS.objects}. A key lives in one store; should it be in both, the encrypted
  /// one counts, since SQLiteData asks it first.
  private mutating func readDictionary(
    _ fields: Extent, of store: ArchivedValueStore, into values: inout ArchivedValues
  ) throws(ArchiveError) {
    let keys = try elements("NS.keys", of: fields)
    let objects = try elements("NS.objects", of: fields)
    guard keys.count == objects.count else {
      throw ArchiveError(.unequalCounts(keys: keys.count, objects: objects.count))
    }
    if keys.count == 0 { return }
    // A count is only a claim: the keys may all be the same.
    values.reserveCapacity(min(keys.count, 256))
    for position in 0..<keys.count {
      let key = try valueKey(try list.element(position, of: keys))
      let object = try list.element(position, of: objects)
      let value: ValueInPlace
      do { value = try valueInPlace(object) } catch { throw error.inside(key.text(in: list.bytes)) }
      values.set(key, value, replacing: store == .encrypted, list.bytes)
    }
  }

  private mutating func valueKey(_ index: Int) throws(ArchiveError) -> ArchivedValues.ReadKey {
    let node = try target(of: index)
    if case .ascii(let extent) = node {
      try reserve(extent.count)
      try list.checkASCII(extent)
      return .ascii(extent)
    }
    guard let text = try text(ofTarget: node) else { throw ArchiveError(.missing) }
    return .text(text)
  }

  private mutating func readTexts(_ collection: Extent, into texts: inout Set<String>) throws(ArchiveError) {
    let elements = try elements("NS.objects", of: collection)
    for position in 0..<elements.count {
      if let text = try text(try list.element(position, of: elements)) { texts.insert(text) }
    }
  }
}

// CKRecordID and the references to one.
extension KeyedArchive {
  typealias RecordID = (recordName: String, zoneName: String, ownerName: String)

  mutating func recordID(_ index: Int) throws(ArchiveError) -> RecordID { try recordID(try object(index)) }

  /// With its zone: {RecordName, ZoneID: {ZoneName, ownerName, …}}. All three are always there and never empty.
  mutating func recordID(_ fields: Extent) throws(ArchiveError) -> RecordID {
    let recordName = try requiredText("RecordName", of: fields)
    let zone = try entry("ZoneID", of: fields)
    return try within("ZoneID") { () throws(ArchiveError) in
      let zone = try object(zone)
      return (recordName, try requiredText("ZoneName", of: zone), try requiredText("ownerName", of: zone))
    }
  }

  /// CKReference, or nil: {recordID, referenceAction}.
  package mutating func parentRecordName(_ index: Int) throws(ArchiveError) -> String? {
    if case .null = try target(of: index) { return nil }
    return try recordName(referredToBy: try object(index))
  }

  package mutating func recordName(referredToBy reference: Extent) throws(ArchiveError) -> String {
    let recordID = try entry("recordID", of: reference)
    return try within("recordID") { () throws(ArchiveError) in
      try requiredText("RecordName", of: try object(recordID))
    }
  }

  package mutating func requiredText(_ name: StaticString, of fields: Extent) throws(ArchiveError) -> String {
    let index = try entry(name, of: fields)
    return try within("\(name)") { () throws(ArchiveError) in try requiredText(index) }
  }
}

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
    let parent = parentRecordName.map { CodedObject.reference(to: .recordID($0, zone: zone)) } ?? .null
    return nilFields(["ShareReference", "PreviousShareReference"]) + [.init("ParentReference", parent)]
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
    "MutableEncryptedPublicSharingKey", "URL", "PreviousProtectionDataEtagFromUnitTest", "PCSKeyID",
    "ZoneishKeyID", "AllPCSKeyIDs", "ExpirationDate", "UpdatedExpiration",
  ]

  private static let falseKeys = [
    "WasCached", "WantsChainPCSKey", "UseLightweightPCS", "HasUpdatedShareReference",
    "HasUpdatedParentReference", "WantsPublicSharingKey", "Expired", "HasUpdatedExpiration",
    "MergeableValueDeltaRecord", "NeedsRollAndCounterSignKey",
  ]

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
  private func dictionary(_ values: [ArchivedValues.Element]) -> CodedObject {
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
