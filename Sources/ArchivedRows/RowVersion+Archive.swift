import Foundation
import KeyedArchives
import Merging

/// Why an archived record gave no version of a row. Holds no value of the record.
public enum ArchivedRowError: Error, Sendable, Equatable {
  /// The bytes are no archived CKRecord, or a damaged one.
  case unreadable(String)
  /// System fields alone, as a slim acknowledgement leaves them: nothing to merge with.
  case noFields
  /// The column's bytes are an asset's, whose file the record only names; `sha256` where it tells it.
  case assetNotAtHand(column: String, sha256: [UInt8]?)
}

extension RowVersion where Row: Mergeable & Decodable {
  /// The version that a CKRecord holds which SQLiteData archived: its values, and when each column was set.
  ///
  /// The columns are read by the row's `Decodable`, under the names of its coding keys. A column of JSON is read from its
  /// text, and one of bytes from the file of its asset, if `bytes` brings it. A value is never put right: what is not of the
  /// column's type is a `DecodingError`.
  ///
  /// - Parameters:
  ///   - archive: the archived record with all its fields.
  ///   - known: what this version has in merged columns that the record does not know, since the device that made it did not:
  ///     those it did not change. The ancestor; for the ancestor itself, the client's row. Without one, such a column is a
  ///     `DecodingError` unless it can be nil.
  ///   - bytes: reads an asset; nil if it is not at hand. A field of type ``AssetReference`` never asks.
  /// - Throws: ``ArchivedRowError``, `DecodingError`, and what `bytes` throws.
  public init(
    archivedRecord archive: some Sequence<UInt8>, known: RowVersion? = nil,
    bytes: @escaping (AssetReference) throws -> Data? = { _ in nil }
  ) throws {
    let record = try Self.record(archive)
    let columns = RecordColumns(record: record, known: known.map(Self.values) ?? [:], bytes: bytes)
    let row = try Row(from: RecordDecoder(columns: columns))
    let times = Row.mergeFields.compactMap { field -> (String, Int64)? in
      let time =
        columns.knows(field.column) ? record.modificationTime(of: field.column) : known?.time(of: field)
      return time.map { (field.column, $0) }
    }
    self.init(row: row, columnTimes: Dictionary(times, uniquingKeysWith: { first, _ in first }))
  }

  private static func record(_ archive: some Sequence<UInt8>) throws(ArchivedRowError) -> ArchivedRecord {
    let record: ArchivedRecord
    do { record = try ArchivedRecord(decoding: Array(archive)) } catch { throw .unreadable("\(error)") }
    guard !record.values.isEmpty else { throw .noFields }
    return record
  }

  private static func values(of version: RowVersion) -> [String: Any] {
    let values = Row.mergeFields.map { ($0.column, $0.value(of: version.row)) }
    return Dictionary(values, uniquingKeysWith: { first, _ in first })
  }

  private func time(of field: MergeField<Row>) -> Int64? { columnTimes[field.column] }
}

/// What a record tells of the bytes of a column, which CloudKit keeps as an asset: a row's field of this type takes them as
/// they are. Equal where the bytes are.
public struct AssetReference: Sendable, Equatable, Decodable {
  public var column: String
  /// Of the bytes; nil if nobody told.
  public var sha256: [UInt8]?
  public var byteCount: Int64?
  /// Where the file was on the device that archived the record; it is deleted soon after.
  public var filePath: String?

  public init(column: String, sha256: [UInt8]?, byteCount: Int64? = nil, filePath: String? = nil) {
    (self.column, self.sha256, self.byteCount, self.filePath) = (column, sha256, byteCount, filePath)
  }

  /// Without a hash nothing is known to be equal.
  public static func == (left: AssetReference, right: AssetReference) -> Bool {
    left.sha256 != nil && left.sha256 == right.sha256
  }
}
