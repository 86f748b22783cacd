import Foundation
import KeyedArchives
import Merging

extension RowVersion where Row: Mergeable & Decodable {
  /// The version that a CKRecord holds which SQLiteData archived: its values, and when each column was set.
  ///
  /// The columns are read by the row's `Decodable`: its coding keys have to be the names that `mergeFields` has for the columns,
  /// or the error names the column. A column of JSON is read from its text, whose dates are SQLiteData's or Foundation's, and
  /// one of bytes from the file of its asset, if `bytes` brings it. A date is read to the millisecond, as the engine writes it into the row.
  /// A value is never put right: what is not of the column's type is a `DecodingError`.
  ///
  /// A column that neither the record nor `known` has is nil where it can be nil, since a record keeps no NULL: a name that the
  /// table does not have at all is found by ``init(capturedRow:modificationTime:ancestor:)`` alone.
  ///
  /// - Parameters:
  ///   - archive: the archived record with all its fields.
  ///   - known: what this version has in merged columns that the record does not know, since the device that made it did not:
  ///     those it did not change. The ancestor, for the server's record. Without one, such a column is a `DecodingError` unless it can be
  ///     nil, and an ancestor tells nothing of it. It has the type's values, not what is stored: of a column that the type's own decoding
  ///     makes into another type, such as a list out of a text, it tells nothing.
  ///     ``Merging/MergeConflict/init(ancestorRecord:capturedRow:modificationTime:serverRecord:bytes:)`` goes by what is stored, and
  ///     reads all three versions in the order that they need of one another.
  ///   - bytes: reads an asset; nil if it is not at hand. A field of type ``AssetReference`` never asks.
  /// - Throws: ``ArchivedRowError``, `DecodingError`, and what `bytes` throws.
  public init(
    archivedRecord archive: some Sequence<UInt8>, known: RowVersion? = nil,
    bytes: @escaping (AssetReference) throws -> Data? = { _ in nil }
  ) throws {
    try self.init(record: Self.record(archive), known: known, bytes: bytes)
  }

  /// - Parameter stored: what `known` has, as it is stored, and what the captured row has beside the fields.
  init(
    record: ArchivedRecord, known: RowVersion?, stored: StoredColumns = StoredColumns(),
    bytes: @escaping (AssetReference) throws -> Data?
  ) throws {
    let columns = RecordColumns(
      values: record.values.dictionary, record: record, known: known.map(Self.values) ?? [:], stored: stored,
      fields: MergedColumns(of: Row.self), bytes: bytes)
    var row = try Self.row(columns)
    // The type's decoding may have converted what it had converted before.
    for field in Row.mergeFields where columns.isOnlyKnown(field.column) {
      if let known { field.copy(known.row, &row) }
    }
    let times = Row.mergeFields.compactMap { field -> (String, Int64)? in
      let time =
        columns.knows(field.column) ? record.modificationTime(of: field.column) : known?.time(of: field)
      return time.map { (field.column, $0) }
    }
    self.init(row: row, columnTimes: Dictionary(times, uniquingKeysWith: { first, _ in first }))
    unknownColumns = Row.mergeFields.map(\.column).filter {
      !columns.knows($0) && known?.unknownColumns.contains($0) != false
    }
  }

  static func record(_ archive: some Sequence<UInt8>) throws(ArchivedRowError) -> ArchivedRecord {
    let record: ArchivedRecord
    do { record = try ArchivedRecord(decoding: Array(archive)) } catch { throw .unreadable("\(error)") }
    guard !record.values.isEmpty else { throw .noFields }
    return record
  }

  /// A type that never asks for a column it merges would have its own default there, in all three versions, and nobody would see it. One
  /// that passes over the error of such a column would have it in one of them.
  static func row(_ columns: RecordColumns) throws -> Row {
    let row = try Row(from: RecordDecoder(columns: columns))
    let fields = Row.mergeFields.map(\.column)
    if let failure = fields.compactMap({ columns.asked.failures[$0] }).first { throw failure }
    let unread = fields.first { !columns.asked.names.contains($0) }
    if let unread, !columns.asked.listed {
      throw ArchivedRowError.columnNotDecoded(column: unread, type: "\(Row.self)")
    }
    return row
  }

  static func values(of version: RowVersion) -> [String: Any] {
    let values = Row.mergeFields.map { ($0.column, $0.value(of: version.row)) }
    return Dictionary(values, uniquingKeysWith: { first, _ in first })
  }

  private func time(of field: MergeField<Row>) -> Int64? { columnTimes[field.column] }
}
