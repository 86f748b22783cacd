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
    (self.kind, self.recordName, self.zoneName, self.ownerName) = (kind, recordName, zoneName, ownerName)
  }

  /// - Throws: ``ArchiveError`` for what SQLiteData could not read either. One such row keeps it from ever finishing its
  ///   start.
  package init(decoding bytes: [UInt8]) throws(ArchiveError) {
    self = try bytes.inPlace(Self.init(decoding:))
  }

  private init(decoding bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
    var archive = try KeyedArchive(bytes)
    let recordID = try archive.recordID(archive.top)
    // What a damaged archive has in its place may be anything, such as a record's name.
    guard let kind = Kind(rawValue: try archive.requiredText("changeType", of: archive.top)) else {
      throw ArchiveError(.unknownChangeType, keys: ["changeType"])
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

/// The state that CKSyncEngine keeps of itself, as far as it tells what waits for upload.
///
/// ```
/// {"data": "YnBsaXN0MDD…"}                    JSON around base64 around a keyed archive; its root is a CKSyncEngineState:
/// pendingRecordModifications                  a collection of CKSyncEnginePendingRecordZoneChange {type, recordID}
/// inFlightRecordModifications                 the same, being sent when the state was written
/// pendingZoneChanges                          a collection
/// needsToFetchDatabaseChanges                 true or false
/// ```
///
/// A collection has its members under the keys `NS.object.0`, `NS.object.1`, …, or in a list `NS.objects`. The type is 0 for a
/// save; any other is a deletion. Learnt from what others measured on devices; not one such archive was at hand here, so
/// what is missing or of another kind is passed over, and a member that cannot be read is counted.
///
/// A state can be large: 45 MB for 120,000 changes. It is read where it lies, in one pass.
package struct EngineState: Sendable {
  package private(set) var pending: [PendingZoneChange] = []
  package private(set) var inFlight: [PendingZoneChange] = []
  package private(set) var zoneChanges = 0
  package private(set) var unreadable = 0
  package private(set) var mustFetch: Bool?

  /// - Throws: ``ArchiveError`` if there is no state of an engine at all.
  package init(decoding bytes: [UInt8]) throws(ArchiveError) {
    self = try bytes.inPlace(Self.init(decoding:))
  }

  private init(decoding bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
    var archive = try KeyedArchive(bytes)
    let root = try archive.object(try archive.entry("root", of: archive.top))
    for position in 0..<root.count {
      let (key, index) = try archive.entry(position, of: root)
      switch key {
      case "pendingRecordModifications": pending = try changes(at: index, in: &archive)
      case "inFlightRecordModifications": inFlight = try changes(at: index, in: &archive)
      case "pendingZoneChanges": zoneChanges = try archive.members(at: index).count
      case "needsToFetchDatabaseChanges": mustFetch = try? archive.bool(index)
      default: break
      }
    }
  }

  private mutating func changes(
    at index: Int, in archive: inout KeyedArchive
  ) throws(ArchiveError) -> [PendingZoneChange] {
    var changes: [PendingZoneChange] = []
    var zones = ZoneNames()
    for member in try archive.members(at: index) {
      do throws(ArchiveError) {
        changes.append(try archive.engineChange(member, &zones))
      } catch {
        unreadable += 1
      }
    }
    return changes
  }
}

/// The zone of the last change: most lie in the same one, so its names are read once.
private struct ZoneNames {
  var index = -1
  var names = (zone: "", owner: "")
}

extension KeyedArchive {
  /// The members of a collection; none of nil.
  fileprivate mutating func members(at index: Int) throws(ArchiveError) -> [Int] {
    guard case .dictionary(let collection) = try target(of: index) else { return [] }
    var members: [Int] = []
    for position in 0..<collection.count {
      let (key, value) = try entry(position, of: collection)
      if key.starts(with: "NS.object.") {
        members.append(value)
      } else if "NS.objects" ~= key, case .array(let elements) = try list.node(value) {
        for position in 0..<elements.count { members.append(try list.element(position, of: elements)) }
      }
    }
    return members
  }

  fileprivate mutating func engineChange(
    _ index: Int, _ zones: inout ZoneNames
  ) throws(ArchiveError) -> PendingZoneChange {
    let change = try object(index)
    let type = try entry("type", of: change)
    let recordID = try object(try entry("recordID", of: change))
    let recordName = try requiredText("RecordName", of: recordID)
    let names = try zoneNames(try entry("ZoneID", of: recordID), &zones)
    guard let type else { throw ArchiveError(.missing, keys: ["type"]) }
    return PendingZoneChange(
      kind: try integer(type) == 0 ? .save : .delete, recordName: recordName, zoneName: names.zone,
      ownerName: names.owner)
  }

  private mutating func zoneNames(
    _ index: Int?, _ zones: inout ZoneNames
  ) throws(ArchiveError) -> (zone: String, owner: String) {
    if let index, index == zones.index { return zones.names }
    let zone = try object(index)
    let names = (try requiredText("ZoneName", of: zone), try requiredText("ownerName", of: zone))
    zones = ZoneNames(index: index ?? -1, names: names)
    return names
  }
}

extension EngineState {
  /// The archive in the JSON; nil if it is anything else.
  package static func archive(inJSON json: UnsafeRawBufferPointer) -> [UInt8]? {
    let quote = UInt8(ascii: "\"")
    var texts: [Range<Int>] = []
    var rest = json.startIndex
    // An object with one member: two texts, and nothing in them that would end them early.
    while let start = json[rest...].firstIndex(of: quote) {
      guard texts.count < 2, let end = json[(start + 1)...].firstIndex(of: quote) else { return nil }
      texts.append(start + 1..<end)
      rest = end + 1
    }
    guard texts.count == 2, json[texts[0]].elementsEqual("data".utf8) else { return nil }
    return Base64.bytes(UnsafeRawBufferPointer(rebasing: json[texts[1]]))
  }
}
