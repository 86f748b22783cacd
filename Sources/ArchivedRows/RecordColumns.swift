import Foundation
import KeyedArchives
import Merging
import StoreInterface

/// The columns that a record or a captured row has, and how each becomes a value of a type.
struct RecordColumns {
  let values: [String: ArchivedValue]
  /// What tells more of its columns; a captured row has none.
  let record: ArchivedRecord?
  /// The values of columns that the record does not know, and the ancestor's of a captured row.
  let known: [String: Any]
  /// What other versions have of such columns as it is stored, and what the captured row has beside the fields.
  var stored = StoredColumns()
  let fields: MergedColumns
  let bytes: (AssetReference) throws -> Data?
  let asked = AskedColumns()

  /// A column with a time and no value was set to NULL; one with neither was not known to the device.
  func knows(_ column: String) -> Bool {
    values[column] != nil || record?.modificationTime(of: column) != nil
  }

  /// nil for NULL.
  func value(of column: String) -> ArchivedValue? {
    let value = values[column]
    return value == .null ? nil : value
  }

  /// Whether it or another version that it takes columns from has this one.
  func contains(_ column: String) -> Bool {
    knows(column) || stored[column] != nil || known[column] != nil
  }

  /// Whether nothing is at hand of it but another version's value, which the type's decoding has been through already.
  func isOnlyKnown(_ column: String) -> Bool {
    !knows(column) && stored[column] == nil && known[column] != nil
  }

  func isNull(_ column: String) -> Bool {
    if knows(column) { return value(of: column) == nil }
    if let stored = stored[column] { return stored == .null }
    guard let known = known[column] else { return true }
    return Mirror(reflecting: known).displayStyle == .optional && Mirror(reflecting: known).children.isEmpty
  }

  func decode<Result: Decodable>(_ type: Result.Type, _ path: [any CodingKey]) throws -> Result {
    let column = path.last?.stringValue ?? ""
    if knows(column) { return try decode(type, own: column, path) }
    if let value = stored[column] { return try decode(type, orNull: value, path) }
    if let known = known[column], let value = known as? Result { return value }
    guard fields.columns.contains(column) else {
      throw ArchivedRowError.columnNotAtHand(column: column, type: fields.type)
    }
    throw DecodingError.keyNotFound(path.last ?? Column(column), noValue(path))
  }

  /// Bytes that are no field are nobody's to merge: where they are not at hand, those of the captured row stand for them.
  private func decode<Result: Decodable>(
    _ type: Result.Type, own column: String, _ path: [any CodingKey]
  ) throws -> Result {
    do {
      return try decode(type, orNull: values[column] ?? .null, path)
    } catch {
      guard case .asset = values[column], !fields.columns.contains(column), let value = stored[column],
        let result = try? decode(type, orNull: value, path)
      else { throw error }
      return result
    }
  }

  /// Of NULL can be made what may be nil itself, and what says so in its own decoding.
  private func decode<Result: Decodable>(
    _ type: Result.Type, orNull value: ArchivedValue, _ path: [any CodingKey]
  ) throws -> Result {
    if value != .null { return try decode(type, value, path) }
    if let null = Any?.none as? Result { return null }
    do {
      return try Result(from: ValueDecoder(columns: self, value: .null, codingPath: path))
    } catch is IsJSON {} catch DecodingError.typeMismatch {}
    throw DecodingError.valueNotFound(type, noValue(path))
  }

  private func noValue(_ path: [any CodingKey]) -> DecodingError.Context {
    let column = path.last?.stringValue ?? ""
    return .init(codingPath: path, debugDescription: "this version has no value of the column '\(column)'")
  }

  func decode<Result: Decodable>(
    _ type: Result.Type, _ value: ArchivedValue, _ path: [any CodingKey]
  ) throws -> Result {
    // Not by `as? Result` alone: where that may be nil itself, nothing special would be taken for a NULL.
    if let special = try special(type, value, path), let result = special as? Result { return result }
    do {
      return try Result(from: ValueDecoder(columns: self, value: value, codingPath: path))
    } catch is IsJSON {
      guard case .string(let text) = value else { throw mismatch(type, value, path) }
      do { return try Self.json.decode(type, from: Data(text.utf8)) } catch let error as DecodingError {
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: path,
            debugDescription: "the column '\(path.last?.stringValue ?? "")' holds no such JSON",
            underlyingError: error))
      }
    }
  }

  /// SQLiteData's own JSON has dates as its columns do; Foundation's, unless it is told otherwise, as seconds.
  private static let json: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let value = try decoder.singleValueContainer()
      guard let text = try? value.decode(String.self) else {
        return Date(timeIntervalSinceReferenceDate: try value.decode(Double.self))
      }
      guard let date = Date(stored: text) else {
        throw DecodingError.dataCorruptedError(in: value, debugDescription: "a text that is no date")
      }
      return date
    }
    return decoder
  }()

  /// Values of types that are kept in one way and coded in another.
  private func special<Result>(
    _ type: Result.Type, _ value: ArchivedValue, _ path: [any CodingKey]
  ) throws -> Any? {
    switch (type, value) {
    case (is Data.Type, _): try data(value, path)
    case (is [UInt8].Type, _): try Array(data(value, path))
    case (is AssetReference.Type, .asset(let asset)): reference(asset, path.last?.stringValue ?? "")
    case (is AssetReference.Type, .data(let bytes)):
      AssetReference(
        column: path.last?.stringValue ?? "", sha256: Blob(bytes: bytes).sha256,
        byteCount: Int64(bytes.count))
    case (is Date.Type, .date(let seconds)): date(seconds, path)
    case (is Date.Type, .string(let text)): try date(text, path)
    case (is UUID.Type, .string(let text)): try UUID(uuidString: text) ?? mismatched(type, value, path)
    case (is UUID.Type, .data), (is UUID.Type, .asset):
      try UUID(bytes: data(value, path)) ?? mismatched(type, value, path)
    case (is Decimal.Type, .integer(let integer)): Decimal(integer)
    case (is Decimal.Type, .real(let real)):
      try Decimal(string: "\(real)", locale: nil) ?? mismatched(type, value, path)
    case (is URL.Type, .string(let text)): try URL(string: text) ?? mismatched(type, value, path)
    case (is Date.Type, _), (is UUID.Type, _), (is URL.Type, _), (is AssetReference.Type, _):
      throw mismatch(type, value, path)
    default: nil
    }
  }

  /// As SQLiteData keeps a date in TEXT, to the millisecond. What is known may have it finer: where a text is that of the known date,
  /// it is that date, so that nobody seems to have changed it.
  private func date(_ text: String, _ path: [any CodingKey]) throws -> Date {
    guard let date = Date(stored: text) else { throw mismatch(Date.self, .string(text), path) }
    return known(as: date, path) ?? date
  }

  /// A record may have a date finer than the row that the engine wrote of it: to the millisecond they are one.
  private func date(_ seconds: Double, _ path: [any CodingKey]) -> Date {
    let text = StoredDate.text(secondsSince2001: seconds)
    let date = text.flatMap(Date.init(stored:)) ?? Date(timeIntervalSinceReferenceDate: seconds)
    return known(as: date, path) ?? date
  }

  private func known(as date: Date, _ path: [any CodingKey]) -> Date? {
    guard let known = known[path.last?.stringValue ?? ""] as? Date, known.isStored(as: date) else {
      return nil
    }
    return known
  }

  private func data(_ value: ArchivedValue, _ path: [any CodingKey]) throws -> Data {
    switch value {
    case .data(let bytes): return Data(bytes)
    case .asset(let asset):
      let reference = reference(asset, path.last?.stringValue ?? "")
      guard let data = try bytes(reference) else {
        throw ArchivedRowError.assetNotAtHand(column: reference.column, sha256: reference.sha256)
      }
      return data
    default: throw mismatch(Data.self, value, path)
    }
  }

  private func reference(_ asset: ArchivedAsset, _ column: String) -> AssetReference {
    AssetReference(
      column: column, sha256: (knows(column) ? record : stored.record)?.assetHash(of: column),
      byteCount: asset.size, filePath: asset.filePath)
  }

  /// Without the value itself: an error may be logged.
  func mismatch(_ type: Any.Type, _ value: ArchivedValue, _ path: [any CodingKey]) -> DecodingError {
    let kind = Mirror(reflecting: value).children.first?.label ?? "null"
    let column = path.last?.stringValue ?? ""
    return .typeMismatch(
      type,
      .init(
        codingPath: path,
        debugDescription: "the column '\(column)' holds a value of kind \(kind) that is no \(type)"))
  }

  private func mismatched<Result>(
    _ type: Any.Type, _ value: ArchivedValue, _ path: [any CodingKey]
  ) throws -> Result { throw mismatch(type, value, path) }
}

/// The columns that a type merges, and the name of the type.
struct MergedColumns {
  let columns: Set<String>
  let type: String

  init<Row: Mergeable>(of type: Row.Type) {
    (columns, self.type) = (Set(type.mergeFields.map(\.column)), "\(type)")
  }
}

/// The columns that a row's `Decodable` asked for, whether it got a value or none.
final class AskedColumns {
  private(set) var names: Set<String> = []
  /// Whether it listed the record's keys: then it takes what it finds there, and asks for nothing by name.
  private(set) var listed = false
  /// Why a column gave nothing when it was asked for last.
  private(set) var failures: [String: any Error] = [:]

  func insert(_ column: String) { names.insert(column) }
  func list() { listed = true }
  func answer(_ column: String, failure: (any Error)? = nil) { failures[column] = failure }
}

/// Columns as they are stored.
struct StoredColumns {
  var values: [String: ArchivedValue] = [:]
  /// Whose assets are among them, for it has their hashes.
  var record: ArchivedRecord?

  subscript(column: String) -> ArchivedValue? { values[column] }
}

extension Date {
  /// A text of SQLiteData, or one that it reads, as SQLite's CURRENT_TIMESTAMP writes it.
  fileprivate init?(stored text: String) {
    guard let written = StoredDate.rewritten(text), let seconds = StoredDate.secondsSince2001(written) else {
      return nil
    }
    self.init(timeIntervalSinceReferenceDate: seconds)
  }

  fileprivate func isStored(as other: Date) -> Bool {
    let text = StoredDate.text(secondsSince2001: timeIntervalSinceReferenceDate)
    return text != nil && text == StoredDate.text(secondsSince2001: other.timeIntervalSinceReferenceDate)
  }
}

extension UUID {
  fileprivate init?(bytes: Data) {
    guard bytes.count == 16 else { return nil }
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

/// Thrown where a type wants elements or members: then its column holds JSON.
struct IsJSON: Error {}

/// A column as a coding key.
struct Column: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
