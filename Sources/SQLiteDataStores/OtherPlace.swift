import KeyedArchives

/// Where a record lies, if that is not where another one of its name does, or the metadata have it.
///
/// One in another zone is another record, and the archive of another account names its owner as that account does. Neither may be the
/// ancestor here: the engine would send the row as that record, to where it is not, and be refused each time.
enum OtherPlace: Equatable {
  case zone(String, here: String)
  case owner(String, here: String)
}

extension ArchivedRecord {
  /// nil where it lies there, as far as both tell: CloudKit's JSON may tell no zone, and tells no owner.
  func place(otherThan here: PendingZoneChange.Zone) -> OtherPlace? {
    func differ(_ one: String, _ other: String) -> Bool { !one.isEmpty && !other.isEmpty && one != other }
    if differ(zoneName, here.name) { return .zone(zoneName, here: here.name) }
    return differ(ownerName, here.owner) ? .owner(ownerName, here: here.owner) : nil
  }

  /// Whether they lie in one place, as far as both tell.
  func isInPlace(of other: ArchivedRecord) -> Bool {
    place(otherThan: (other.zoneName, other.ownerName)) == nil
  }
}

extension MetadataRow {
  /// nil where they lie in one place.
  func otherPlace(of record: ArchivedRecord) -> OtherPlace? { record.place(otherThan: zone) }

  /// Whether what the app has for the ancestor is of another place, as after a write of an older Parley.
  var hasAncestorOfOtherPlace: Bool {
    guard let record = allFields.flatMap({ try? ArchivedRecord(decoding: $0) }) else { return false }
    return otherPlace(of: record) != nil
  }
}
