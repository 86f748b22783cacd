import Merging

/// What a record tells of the bytes of a column, which CloudKit keeps as an asset: a row's field of this type takes them as
/// they are. Equal where the bytes are.
public struct AssetReference: Sendable, Equatable, Decodable {
  /// The column of the row, as the record names it.
  public var column: String
  /// Of the bytes; nil if nobody told.
  public var sha256: [UInt8]?
  /// The length of the file; nil if nobody told.
  public var byteCount: Int64?
  /// Where the file was on the device that archived the record; it is deleted soon after.
  public var filePath: String?

  /// What a record tells of an asset; the hash is one of 32 bytes, and what nobody told is nil.
  public init(column: String, sha256: [UInt8]?, byteCount: Int64? = nil, filePath: String? = nil) {
    (self.column, self.sha256, self.byteCount, self.filePath) = (column, sha256, byteCount, filePath)
  }

  /// Without a hash nothing is known to be equal, and a conflict of it is never sure.
  public static func == (left: AssetReference, right: AssetReference) -> Bool {
    left.sha256 != nil && left.sha256 == right.sha256
  }
}

extension AssetReference: PartlyKnown {
  package var isKnown: Bool { sha256 != nil }
}
