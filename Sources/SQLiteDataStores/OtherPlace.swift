import KeyedArchives

/// Where a record lies, if that is not where the metadata have the record of its name.
///
/// One in another zone is another record, and the archive of another account names its owner as that account does. Neither may be the
/// ancestor here: the engine would send the row as that record, to where it is not, and be refused each time.
enum OtherPlace: Equatable {
  case zone(String, here: String)
  case owner(String, here: String)
}

extension MetadataRow {
  /// nil where they lie in one place. CloudKit's JSON may tell no zone.
  func otherPlace(of record: ArchivedRecord) -> OtherPlace? {
    if !record.zoneName.isEmpty, record.zoneName != zoneName { return .zone(record.zoneName, here: zoneName) }
    return record.ownerName == ownerName ? nil : .owner(record.ownerName, here: ownerName)
  }

  /// Whether what the app has for the ancestor is of another place, as after a write of an older Parley.
  var hasAncestorOfOtherPlace: Bool {
    guard let record = allFields.flatMap({ try? ArchivedRecord(decoding: $0) }) else { return false }
    return otherPlace(of: record) != nil
  }
}
