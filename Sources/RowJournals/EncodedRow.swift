import Digests
import ExactJSON
import Journals
import Merging
import StoreInterface

/// A row as bytes, exactly and without detours: what the journal keeps of it.
///
///     row      count, then each column's name and value, in the order of the names' bytes
///     name     length, UTF-8
///     value    one byte that says what follows
///                0  NULL
///                1  integer           8 bytes, the highest first
///                2  real              the 8 bytes of its bits: -0.0 stays itself
///                3  text              length, UTF-8: U+FEFF and NUL are characters like others
///                4  broken text       length, bytes that are not UTF-8
///                5  blob              length, bytes
///                6  long text         SHA-256 of bytes that lie in the table `blobs`, each there once
///                7  long broken text  the same
///                8  long blob         the same
///                9  a blob's hash     SHA-256, length + 1 or 0: bytes that are not kept, as nothing changes them
///               10  the same          as in the row before, which lies beside this one
///
/// Counts and lengths have seven bits in a byte, the lowest first; the eighth says that more follow.
///
///     {"id": 7, "title": "Milk"}    02  02 69 64  01 00 00 00 00 00 00 00 07  05 74 69 74 6c 65  03 04 4d 69 6c 6b
package struct EncodedRow: Sendable, Equatable {
  package enum Tag: UInt8 {
    case null, integer, real, text, brokenText, blob, longText, longBrokenText, longBlob, hash, same
  }

  package static let longLength = 256

  private let longLength: Int
  package private(set) var bytes: [UInt8] = []
  /// The long values, by their SHA-256.
  package private(set) var long: [[UInt8]: [UInt8]] = [:]

  /// - Parameters:
  ///   - before: the row that lies beside this one: what is equal in it is not kept once more.
  ///   - hashed: the columns of which the hash of a long blob is enough.
  ///   - longLength: from which length on a value lies in a place of its own.
  ///   - hashes: those that are known of the record's other rows.
  /// - Throws: ``Refusal`` for what no column can hold.
  package init(
    _ row: RowImage, before: RowImage = [:], hashed: Set<String> = [],
    longLength: Int = EncodedRow.longLength,
    hashes: BlobHashes = BlobHashes()
  ) throws {
    self.longLength = longLength
    // As of most rows, so that they do not grow by and by.
    bytes.reserveCapacity(512)
    bytes.append(count: row.count)
    for (name, value) in row.inOrder {
      bytes.append(counted: name.utf8)
      if let known = before[name], known.isSame(as: value) {
        append(.same)
      } else if case .blob(let blob) = value, blob.bytes == nil || blob.isLong && hashed.contains(name) {
        append(hashes.sha256(of: blob), of: blob)
      } else {
        try append(value, name, hashes)
      }
    }
  }

  private mutating func append(_ value: Value, _ name: String, _ hashes: BlobHashes) throws {
    switch value {
    case .null: append(.null)
    case .integer(let integer): append(.integer, UInt64(bitPattern: integer))
    case .real(let real): append(.real, real.bitPattern)
    case .text(let text) where text.utf8.count < longLength:
      append(.text)
      bytes.append(counted: text.utf8)
    case .text(let text): append(Array(text.utf8), .text, .longText)
    case .blob(let blob): append(blob.bytes ?? [], .blob, .longBlob, sha256: hashes.sha256(of: blob))
    case .opaque(Value.brokenText, let bytes): append(bytes, .brokenText, .longBrokenText)
    case .opaque(let kind, _): throw Refusal(name, "a value of the kind \(kind) is none of a column")
    }
  }

  private mutating func append(_ tag: Tag) { bytes.append(tag.rawValue) }

  private mutating func append(_ tag: Tag, _ number: UInt64) {
    append(tag)
    withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
  }

  private mutating func append(
    _ content: [UInt8], _ short: Tag, _ long: Tag, sha256: @autoclosure () -> [UInt8]? = nil
  ) {
    guard content.count >= longLength else {
      append(short)
      return bytes.append(counted: content)
    }
    let hash = sha256() ?? SHA256.of(content)
    append(long)
    bytes += hash
    self.long[hash] = content
  }

  private mutating func append(_ sha256: [UInt8], of blob: Blob) {
    append(.hash)
    bytes += sha256
    bytes.append(count: blob.count.map { $0 + 1 } ?? 0)
  }
}

/// The blobs of the rows that a write changes for one record. The server's archive lies in several of them: what is the same bytes is
/// hashed once.
package final class BlobHashes {
  private var hashed: [Blob] = []

  package init() {}

  func sha256(of blob: Blob) -> [UInt8] {
    if let same = hashed.first(where: { $0 == blob }) { return same.sha256 }
    hashed.append(blob)
    return blob.sha256
  }
}

extension RowImage {
  /// By the bytes of the names. Their places are sorted, as to move a value costs more than to compare two names.
  fileprivate var inOrder: some Sequence<Element> {
    let columns = Array(self)
    return columns.indices.sorted { columns[$0].key.precedesInBytes(columns[$1].key) }.lazy.map {
      columns[$0]
    }
  }
}

extension [UInt8] {
  mutating func append(counted content: some Collection<UInt8>) {
    append(count: content.count)
    append(contentsOf: content)
  }

  fileprivate mutating func append(count: Int) {
    var rest = UInt(count)
    while rest > 0x7F {
      append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}

extension Value {
  var isLongBlob: Bool { if case .blob(let blob) = self { blob.isLong } else { false } }

  /// To the last bit: -0.0 is not 0.0, and a NaN is the same NaN.
  fileprivate func isSame(as other: Value) -> Bool {
    if case .real(let real) = self, case .real(let otherReal) = other {
      return real.bitPattern == otherReal.bitPattern
    }
    return self == other
  }
}

extension Blob {
  fileprivate var isLong: Bool { count ?? 0 >= EncodedRow.longLength }
}

/// Reads what ``EncodedRow`` makes of a row, where it lies. Whatever the bytes are, this ends with a row or an error.
package struct RowDecoder {
  private var rest: ArraySlice<UInt8>
  private let long: (_ sha256: [UInt8]) throws -> [UInt8]?

  /// - Parameter long: the bytes that lie in a place of their own; nil if they are not there.
  package static func row(
    _ bytes: [UInt8], long: @escaping ([UInt8]) throws -> [UInt8]?
  ) throws -> RowImage {
    try row(bytes[...], long: long)
  }

  private static func row(
    _ bytes: ArraySlice<UInt8>, before: RowImage = [:], long: @escaping ([UInt8]) throws -> [UInt8]?
  ) throws -> RowImage {
    var decoder = RowDecoder(rest: bytes, long: long)
    let row = try decoder.row(before)
    guard decoder.rest.isEmpty else { throw Damage("something follows a row") }
    return row
  }

  private init(rest: ArraySlice<UInt8>, long: @escaping ([UInt8]) throws -> [UInt8]?) {
    (self.rest, self.long) = (rest, long)
  }

  /// What ``RecordIntent/init(_:hashing:)`` makes of changes.
  static func changes(_ bytes: [UInt8], long: @escaping ([UInt8]) throws -> [UInt8]?) throws -> [StoredChange]
  {
    var decoder = RowDecoder(rest: bytes[...], long: long)
    var changes: [StoredChange] = []
    while !decoder.rest.isEmpty { changes.append(try decoder.change()) }
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

  private mutating func optionalContent() throws -> ArraySlice<UInt8>? {
    try byte() == 0 ? nil : try content()
  }

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
    guard let tag = EncodedRow.Tag(rawValue: try byte()) else { throw Damage("an unknown kind of value") }
    if tag == .same, before == nil { throw Damage("nothing is there before it") }
    return switch tag {
    case .null: .null
    case .integer: .integer(Int64(bitPattern: try number()))
    case .real: .real(Double(bitPattern: try number()))
    case .text: .text(try text(try content()))
    case .brokenText: .opaque(kind: Value.brokenText, bytes: Array(try content()))
    case .blob: .blob(Blob(bytes: Array(try content())))
    case .longText: .text(try text(try longContent()[...]))
    case .longBrokenText: .opaque(kind: Value.brokenText, bytes: try longContent())
    case .longBlob: .blob(Blob(bytes: try longContent()))
    case .hash: .blob(try hash())
    case .same: before ?? .null
    }
  }

  private mutating func hash() throws -> Blob {
    let sha256 = Array(try take(32))
    let count = try count()
    return Blob(sha256: sha256, count: count == 0 ? nil : count - 1)
  }

  private mutating func longContent() throws -> [UInt8] {
    guard let content = try long(Array(try take(32))) else {
      throw Damage("the bytes of a long value are gone, or others")
    }
    return content
  }

  private func text(_ utf8: ArraySlice<UInt8>) throws -> String {
    guard let text = String(exactly: utf8) else { throw Damage("text that is not UTF-8") }
    return text
  }

  private mutating func number() throws -> UInt64 { try take(8).reduce(0) { $0 << 8 | UInt64($1) } }

  private mutating func content() throws -> ArraySlice<UInt8> { try take(try count()) }

  private mutating func byte() throws -> UInt8 {
    guard let byte = rest.popFirst() else { throw Damage.cut }
    return byte
  }

  private mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw Damage.cut }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private mutating func count() throws -> Int {
    var count = 0
    for shift in stride(from: 0, to: 56, by: 7) {
      let byte = try byte()
      count |= Int(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return count }
    }
    throw Damage("a length beyond all bounds")
  }
}

extension Damage {
  fileprivate static let cut = Damage("a row ends in its middle")
}
