/// CKRecordID with its zone: {RecordName, ZoneID: {ZoneName, ownerName, …}}. All three are always there and never empty.
package struct ArchivedRecordID {
  package var recordName: String
  package var zoneName: String
  package var ownerName: String
}

extension KeyedArchive {
  package mutating func recordID(_ index: Int) throws(ArchiveError) -> ArchivedRecordID {
    try recordID(try object(index))
  }

  package mutating func recordID(_ fields: Extent) throws(ArchiveError) -> ArchivedRecordID {
    let recordName = try requiredText("RecordName", of: fields)
    let zone = try entry("ZoneID", of: fields)
    return try within("ZoneID") { () throws(ArchiveError) in
      let zone = try object(zone)
      return ArchivedRecordID(
        recordName: recordName,
        zoneName: try requiredText("ZoneName", of: zone),
        ownerName: try requiredText("ownerName", of: zone))
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
