/// The keys that SQLiteData adds to a record's values: a time for each column, one for the row, and the SHA-256 of what an
/// asset holds.
extension ArchivedRecord {
  package static let modificationTimeKey = "sqlitedata_icloud_userModificationTime"

  package static func modificationTimeKey(of column: String) -> String { timePrefix + column }
  private static let timePrefix = modificationTimeKey + "_"

  /// The column that a key, in bytes, tells the time of; nil if it tells none.
  package static func timedField(_ key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    let prefix = timePrefixBytes
    guard key.count >= prefix.utf8CodeUnitCount, key[prefix.utf8CodeUnitCount - 1] == UInt8(ascii: "_"),
      UnsafeRawBufferPointer(rebasing: key[..<prefix.utf8CodeUnitCount]).equals(prefix.utf8Start)
    else { return nil }
    return UnsafeRawBufferPointer(rebasing: key[prefix.utf8CodeUnitCount...])
  }
  private static var timePrefixBytes: StaticString { "sqlitedata_icloud_userModificationTime_" }

  /// Whether a key is that of the whole row's time.
  package static func isModificationTime(_ key: UnsafeRawBufferPointer) -> Bool {
    key.count == timePrefixBytes.utf8CodeUnitCount - 1 && key.equals(timePrefixBytes.utf8Start)
  }

  package static let hashSuffix = "_hash"
  package static func assetHashKey(of column: String) -> String { column + hashSuffix }

  /// The field whose blob's SHA-256 lies under a key, in bytes, where data does; nil if that is of none.
  package static func hashedField(_ key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    let suffix = hashSuffix.utf8
    guard key.count >= suffix.count, key.suffix(suffix.count).elementsEqual(suffix) else { return nil }
    return UnsafeRawBufferPointer(rebasing: key.dropLast(suffix.count))
  }

  /// When the row was last changed, in nanoseconds since 1970.
  package var modificationTime: Int64? { integer(Self.modificationTimeKey) }

  /// When `column` was last set, in nanoseconds since 1970. nil if no device that knows the column has set it.
  package func modificationTime(of column: String) -> Int64? { integer(Self.modificationTimeKey(of: column)) }

  /// The SHA-256 of the blob that the asset under `column` holds. A hash alone tells nothing: where a blob is set to NULL, the
  /// engine removes the asset and leaves its hash behind.
  package func assetHash(of column: String) -> [UInt8]? {
    guard case .asset? = values[column], case .data(let hash)? = values[Self.assetHashKey(of: column)]
    else { return nil }
    return hash
  }

  private func integer(_ key: String) -> Int64? {
    if case .integer(let integer)? = values[key] { integer } else { nil }
  }
}
