/// A change that waits for upload, as SQLiteData keeps it in `sqlitedata_icloud_pendingRecordZoneChanges`.
///
/// ```
/// $top  {RecordName: "…:reminders", ZoneID: CKRecordZoneID, changeType: "saveRecord"}
/// ```
///
/// A CKRecordID that encoded itself straight into the coder, with one key beside it; learnt from SQLiteData's source. Only
/// changes of records are kept this way, never changes of zones.
package struct PendingZoneChange: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    case save = "saveRecord"
    case delete = "deleteRecord"
  }

  package var kind: Kind
  package var recordName: String
  package var zoneName: String
  /// `__defaultOwner__` for the user's own zones.
  package var ownerName: String

  package init(kind: Kind, recordName: String, zoneName: String, ownerName: String) {
    self.kind = kind
    self.recordName = recordName
    self.zoneName = zoneName
    self.ownerName = ownerName
  }

  /// - Throws: ``ArchiveError`` for what SQLiteData could not read either. One such row keeps it from ever finishing its
  ///   start.
  package init(decoding bytes: [UInt8]) throws(ArchiveError) {
    self = try bytes.withUnsafeBytes { bytes in
      Result { () throws(ArchiveError) in try PendingZoneChange(decoding: bytes) }
    }.get()
  }

  private init(decoding bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
    var archive = try KeyedArchive(bytes)
    let recordID = try archive.recordID(archive.top)
    let type = try archive.requiredText("changeType", of: archive.top)
    guard let kind = Kind(rawValue: type) else {
      throw ArchiveError(.unknownChangeType(type), keys: ["changeType"])
    }
    self.init(
      kind: kind, recordName: recordID.recordName, zoneName: recordID.zoneName, ownerName: recordID.ownerName)
  }

  package func encoded() -> [UInt8] {
    KeyedArchiveWriter.archive(top: [
      .init("RecordName", .text(recordName)),
      .init("ZoneID", .zoneID(zoneName, ownerName: ownerName)),
      .init("changeType", .text(kind.rawValue)),
    ])
  }
}
