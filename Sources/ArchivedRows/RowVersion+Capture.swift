import KeyedArchives
import Merging
import StoreInterface

extension RowVersion where Row: Mergeable & Decodable {
  /// The client's version that `parley capture` kept: `clientRow` of `parley_inbox`, the row as it was before the merge.
  ///
  /// It is read as a record is, with what a row has in SQLite's types: a Bool from 0 and 1, a Date from SQLiteData's text in UTC, bytes
  /// from a BLOB, whose hash and length a field of type ``AssetReference`` takes. A Date that a type keeps as a number is a
  /// `DecodingError`. A time is given to the columns that differ from the ancestor's, as to any client's row.
  ///
  /// - Parameters:
  ///   - json: the column's text.
  ///   - modificationTime: `clientTime`, in nanoseconds since 1970.
  ///   - ancestor: what both sides knew, if somebody does.
  /// - Throws: ``ArchivedRowError`` and `DecodingError`.
  public init(
    capturedRow json: some Sequence<UInt8>, modificationTime: Int64, ancestor: RowVersion?
  ) throws {
    try self.init(
      captured: Self.captured(json), modificationTime: modificationTime, ancestor: ancestor)
  }

  init(captured values: [String: ArchivedValue], modificationTime: Int64, ancestor: RowVersion?) throws {
    if let missing = Row.mergeFields.first(where: { values[$0.column] == nil }) {
      throw ArchivedRowError.columnNotCaptured(column: missing.column)
    }
    let known = ancestor.map(Self.values) ?? [:]
    let columns = RecordColumns(
      values: values, record: nil, known: known, fields: MergedColumns(of: Row.self)
    ) { _ in nil }
    self.init(clientRow: try Self.row(columns), modificationTime: modificationTime, ancestor: ancestor)
  }

  static func captured(_ json: some Sequence<UInt8>) throws(ArchivedRowError) -> [String: ArchivedValue] {
    let row: RowImage?
    do { row = try RowJSON.decode(Array(json)) } catch { throw .unreadable("\(error)") }
    guard let row else { throw .noFields }
    return row.mapValues(ArchivedValue.init)
  }
}

extension ArchivedValue {
  /// What a row has, as a record would have it.
  fileprivate init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    case .text(let text): self = .string(text)
    case .blob(let blob): self = .init(blob)
    case .opaque(let kind, let bytes): self = .opaque(className: kind, bytes: bytes)
    }
  }

  private init(_ blob: Blob) {
    let unknown = ArchivedValue.opaque(className: "blob that is not at hand", bytes: blob.sha256)
    self = blob.bytes.map(ArchivedValue.data) ?? unknown
  }
}
