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
  package var values: [String: ArchivedValue]
  /// What the server last had of each changed key, of both stores; ``ArchivedValue/null`` if it had nothing.
  package var originalValues: [String: ArchivedValue]
  /// The keys that were set or unset since the server was last heard, of both stores.
  package var changedKeys: Set<String>
  /// false for an archive of system fields only.
  package var hasValueStores: Bool

  package init(
    recordType: String, recordName: String, zoneName: String, ownerName: String = "__defaultOwner__",
    changeTag: String? = nil, createdAt: Int64? = nil, modifiedAt: Int64? = nil,
    modifiedByDevice: String? = nil,
    parentRecordName: String? = nil, values: [String: ArchivedValue] = [:],
    originalValues: [String: ArchivedValue] = [:], changedKeys: Set<String> = [], hasValueStores: Bool = true
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
    self.values = values
    self.originalValues = originalValues
    self.changedKeys = changedKeys
    self.hasValueStores = hasValueStores
  }
}
