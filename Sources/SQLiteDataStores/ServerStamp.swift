import KeyedArchives

/// What the server gives each version of a record, by which versions are told apart.
struct ServerStamp {
  /// Opaque; equal only to itself.
  let tag: String?
  /// Nanoseconds since 1970, by the server's clock.
  let time: Int64?

  /// Whether the server ever answered with that version.
  var isConfirmed: Bool { tag != nil || time != nil }

  /// Whether the server made this version after `other`, by its own clock. Without that clock in both: whether it is
  /// neither `other` nor the version that `other` followed.
  ///
  /// - Parameter ancestorTag: the tag of that one, if it is known.
  func isNewer(than other: ServerStamp, ancestorTag: String?) -> Bool {
    if let tag, tag == other.tag { return false }
    if let time, let otherTime = other.time { return time > otherTime }
    return tag != nil && other.tag != nil && ancestorTag != nil && tag != ancestorTag
  }
}

extension ArchivedRecord {
  var stamp: ServerStamp { ServerStamp(tag: changeTag, time: modifiedAt) }
}
