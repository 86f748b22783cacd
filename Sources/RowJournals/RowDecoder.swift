import Journals
import Merging
import SQLiteFiles
import StoreInterface

/// Reads what ``EncodedRow`` makes of a row. Whatever the bytes are, this ends with a row or an error.
package struct RowDecoder {
  private let bytes: [UInt8]
  private let long: (_ sha256: [UInt8]) throws -> [UInt8]?
  private var position = 0

  /// - Parameter long: the bytes that lie in a place of their own; nil if they are not there.
  package static func row(
    _ bytes: [UInt8], before: RowImage = [:], long: @escaping ([UInt8]) throws -> [UInt8]?
  ) throws -> RowImage {
    var decoder = RowDecoder(bytes: bytes, long: long)
    let row = try decoder.row(before)
    guard decoder.position == bytes.count else { throw Damage("something follows a row") }
    return row
  }

  private init(bytes: [UInt8], long: @escaping ([UInt8]) throws -> [UInt8]?) {
    self.bytes = bytes
    self.long = long
  }

  /// What ``RecordIntent/init(_:hashing:)`` makes of changes.
  static func changes(_ bytes: [UInt8], long: @escaping ([UInt8]) throws -> [UInt8]?) throws -> [StoredChange]
  {
    var decoder = RowDecoder(bytes: bytes, long: long)
    var changes: [StoredChange] = []
    while decoder.position < bytes.count { changes.append(try decoder.change()) }
    return changes
  }

  private mutating func change() throws -> StoredChange {
    guard let file = StoredChange.File(rawValue: try text(try content())) else {
      throw Damage("an unknown file")
    }
    let table = try text(try content())
    let key = try RowDecoder.row(try content(), long: long)
    let before = try optionalContent().map { try RowDecoder.row($0, long: long) }
    let after = try optionalContent().map { try RowDecoder.row($0, before: before ?? [:], long: long) }
    return StoredChange(file: file, table: table, key: key, before: before, after: after)
  }

  private mutating func optionalContent() throws -> [UInt8]? { try take(1)[0] == 0 ? nil : try content() }

  private mutating func row(_ before: RowImage) throws -> RowImage {
    var row: RowImage = [:]
    // No room is made for a count that is only claimed.
    for _ in 0..<(try count()) {
      let name = try text(try content())
      guard row.updateValue(try value(before[name]), forKey: name) == nil else {
        throw Damage("a column comes twice")
      }
    }
    return row
  }

  private mutating func value(_ before: Value?) throws -> Value {
    guard let tag = EncodedRow.Tag(rawValue: try take(1)[0]) else {
      throw Damage("an unknown kind of value")
    }
    if tag == .same, before == nil { throw Damage("nothing is there before it") }
    return switch tag {
    case .null: .null
    case .integer: .integer(Int64(bitPattern: try number()))
    case .real: .real(Double(bitPattern: try number()))
    case .text: .text(try text(try content()))
    case .brokenText: .opaque(kind: Value.brokenText, bytes: try content())
    case .blob: .blob(Blob(bytes: try content()))
    case .longText: .text(try text(try longContent()))
    case .longBrokenText: .opaque(kind: Value.brokenText, bytes: try longContent())
    case .longBlob: .blob(Blob(bytes: try longContent()))
    case .hash: .blob(try hash())
    case .same: before ?? .null
    }
  }

  private mutating func hash() throws -> Blob {
    let sha256 = try take(32)
    let count = try count()
    return Blob(sha256: sha256, count: count == 0 ? nil : count - 1)
  }

  private mutating func longContent() throws -> [UInt8] {
    guard let content = try long(try take(32)) else {
      throw Damage("the bytes of a long value are gone, or others")
    }
    return content
  }

  private func text(_ utf8: [UInt8]) throws -> String {
    guard let text = String(validating: utf8, as: UTF8.self) else {
      throw Damage("text that is not UTF-8")
    }
    return text
  }

  private mutating func number() throws -> UInt64 { try take(8).reduce(0) { $0 << 8 | UInt64($1) } }

  private mutating func content() throws -> [UInt8] { try take(try count()) }

  private mutating func take(_ count: Int) throws -> [UInt8] {
    guard count <= bytes.count - position else { throw Damage("a row ends in its middle") }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  private mutating func count() throws -> Int {
    var count = 0
    for shift in stride(from: 0, to: 56, by: 7) {
      let byte = try take(1)[0]
      count |= Int(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return count }
    }
    throw Damage("a length beyond all bounds")
  }
}
