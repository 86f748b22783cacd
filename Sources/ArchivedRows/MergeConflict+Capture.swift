import Foundation
import KeyedArchives
import Merging
import StoreInterface

extension MergeConflict where Row: Mergeable & Decodable {
  /// The conflict that `parley capture` kept as a row of `parley_inbox`, read whole: each version needs something of another one.
  ///
  /// A column that the server's device did not know has what the ancestor has, or else this row: nobody changed it there. Of one that the
  /// ancestor's did not know, as it was added since, it is not known who changed it: where the sides differ, a person decides.
  ///
  /// A column that is no field, and that a record does not know or has as an asset whose bytes are not to be had, has what this row has:
  /// nobody merges it. A generated column is in none of them, and its property has to be Optional, or to have no coding key.
  ///
  /// - Parameters:
  ///   - ancestorRecord: the column of this name; nil for NULL.
  ///   - capturedRow: `clientRow`.
  ///   - modificationTime: `clientTime`, in nanoseconds since 1970.
  ///   - serverRecord: the column of this name.
  ///   - bytes: reads an asset; nil if it is not at hand.
  /// - Throws: ``ArchivedRowError``, also where a column is in conflict that `mergeFields` does not have, or the versions are of two
  ///   records; `DecodingError`, and what `bytes` throws of a field.
  public init(
    ancestorRecord: (some Sequence<UInt8>)?, capturedRow: some Sequence<UInt8>, modificationTime: Int64,
    serverRecord: some Sequence<UInt8>, bytes: @escaping (AssetReference) throws -> Data? = { _ in nil }
  ) throws {
    let captured = try RowVersion<Row>.captured(capturedRow)
    let (old, new) = (
      try ancestorRecord.map { try RowVersion<Row>.record($0) }, try RowVersion<Row>.record(serverRecord)
    )
    let here = try Self.here(captured, records: [old, new].compactMap(\.self))
    let ancestor = try old.map {
      try RowVersion<Row>(record: $0, known: here, stored: StoredColumns(values: captured), bytes: bytes)
    }
    let client = try RowVersion<Row>(
      captured: captured, modificationTime: modificationTime, ancestor: ancestor)
    let server = try RowVersion<Row>(
      record: new, known: ancestor ?? here, stored: Self.stored(captured, ancestor: old), bytes: bytes)
    self.init(ancestor: ancestor, client: client, server: server)
    guard isOfOneRecord, old.map({ $0.recordName == new.recordName }) ?? true else {
      throw ArchivedRowError.otherRecord
    }
    if let column = Self.columnNotMerged(captured, ancestor: old, server: new) {
      throw ArchivedRowError.columnNotMerged(column: column)
    }
  }

  /// The captured row. What it has is not known to be older: hence no times, and nothing that an ancestor could tell.
  private static func here(
    _ captured: [String: ArchivedValue], records: [ArchivedRecord]
  ) throws -> RowVersion<Row> {
    do {
      let read = try RowVersion<Row>(captured: captured, modificationTime: 0, ancestor: nil)
      var here = RowVersion(row: read.row, modificationTimes: [:])
      here.unknownColumns = Row.mergeFields.map(\.column)
      return here
    } catch ArchivedRowError.columnNotAtHand(let column, _)
      where records.contains(where: { $0.tells(of: column) })
    {
      throw ArchivedRowError.columnNotCaptured(column: column)
    }
  }

  /// What the server's record does not know: of a field what the ancestor has, if that knows it, and all else as this row has it.
  private static func stored(
    _ captured: [String: ArchivedValue], ancestor: ArchivedRecord?
  ) -> StoredColumns {
    var stored = StoredColumns(values: captured, record: ancestor)
    guard let ancestor else { return stored }
    for column in Row.mergeFields.map(\.column) where ancestor.tells(of: column) {
      stored.values[column] = ancestor.values[column] ?? .null
    }
    return stored
  }

  /// A column beside the fields in which neither side is known to have what the ancestor has, or the other side.
  private static func columnNotMerged(
    _ captured: [String: ArchivedValue], ancestor: ArchivedRecord?, server: ArchivedRecord
  ) -> String? {
    let merged = Set(Row.mergeFields.map(\.column))
    return captured.keys.sorted().first { column in
      guard !merged.contains(column), let here = captured[column], server.tells(of: column) else {
        return false
      }
      if server.isKnown(to: here, in: column) { return false }
      guard let ancestor, ancestor.tells(of: column) else { return true }
      return !ancestor.isKnown(to: here, in: column) && !ancestor.isKnown(toBe: server, in: column)
    }
  }
}

extension ArchivedRecord {
  fileprivate func tells(of column: String) -> Bool {
    values[column] != nil || modificationTime(of: column) != nil
  }

  /// Whether it is known to have what another has. Where the file of an asset lay says nothing.
  fileprivate func isKnown(toBe other: ArchivedRecord, in column: String) -> Bool {
    guard case (.asset, .asset) = (values[column], other.values[column]) else {
      return values[column] == other.values[column]
    }
    return assetHash(of: column).map { $0 == other.assetHash(of: column) } ?? false
  }

  /// Whether it is known to have what a row has. SQLite keeps some values otherwise than a record does.
  fileprivate func isKnown(to row: ArchivedValue, in column: String) -> Bool {
    switch (values[column] ?? .null, row) {
    case (.null, .null): true
    case (.bool(let bool), .integer(let integer)): integer == (bool ? 1 : 0)
    case (.integer(let integer), .real(let real)): Double(integer) == real
    case (.date(let seconds), .string(let text)):
      StoredDate.text(secondsSince2001: seconds).map { $0 == StoredDate.rewritten(text) } ?? false
    case (.asset, .data(let bytes)): assetHash(of: column).map { $0 == Blob(bytes: bytes).sha256 } ?? false
    case (let value, let row): value == row
    }
  }
}
