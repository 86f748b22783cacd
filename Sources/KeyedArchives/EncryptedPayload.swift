/// What the class of an encrypted value says its payload is: a protobuf message with one field of this number.
///
/// An app's process archives encrypted values in the clear, under the key EncryptedData; only CloudKit's own daemon
/// encrypts them. So the values can be read here, and a file that holds them is as private as the record is.
///
/// Numbers 3, 5 and 6 and the inner messages agree with a public description of CloudKit's protocol (the .proto file of
/// OpenBubbles/rustpush); 4, 7, 8 and 10 to 14 come from one source only, and no public archive holds any of them
/// (FORMAT.md, "Encrypted values").
package enum EncryptedPayload: UInt64 {
  case integer = 3
  case real, date, string, location, reference
  case integers = 10
  case reals, dates, strings, locations
  // Without a field:
  case emptyList
  /// CKEncryptedData: no protobuf, the bytes themselves.
  case bytes = 0

  package init?(className: ArchiveKey) {
    switch className {
    case "CKEncryptedLongLong": self = .integer
    case "CKEncryptedString": self = .string
    case "CKEncryptedDouble": self = .real
    case "CKEncryptedDate": self = .date
    case "CKEncryptedData", "CKInternalEncryptedData": self = .bytes
    case "CKEncryptedLocation": self = .location
    case "CKEncryptedReference": self = .reference
    case "CKEncryptedLongLongArray": self = .integers
    case "CKEncryptedDoubleArray": self = .reals
    case "CKEncryptedDateArray": self = .dates
    case "CKEncryptedStringArray": self = .strings
    case "CKEncryptedLocationArray": self = .locations
    case "CKEncryptedEmptyArray": self = .emptyList
    default: return nil
    }
  }

  package var isList: Bool { rawValue >= Self.integers.rawValue }

  /// A value where it lies in its payload.
  enum Single {
    case integer(Int64)
    case real(Double)
    /// UTF-8.
    case text(UnsafeRawBufferPointer)
    case date(secondsSince2001: Double)
    case made(ArchivedValue)
  }

  /// The value, or nil if the payload is sound and does not hold it. As protobuf wants it, the last one of several counts.
  func last(_ payload: UnsafeRawBufferPointer) throws(ArchiveError) -> Single? {
    var value: Single?
    var message = Protobuf(payload)
    while let (number, contents) = try message.next() {
      if number == rawValue { value = try single(contents) }
    }
    return value
  }

  func values(_ payload: UnsafeRawBufferPointer) throws(ArchiveError) -> [ArchivedValue] {
    var values: [ArchivedValue] = []
    var message = Protobuf(payload)
    while let (number, contents) = try message.next() {
      if number == rawValue { try append(contents, to: &values) }
    }
    return values
  }

  /// Numbers of a list come packed, as one run of bytes, or one by one.
  private func append(_ contents: Protobuf.Contents, to values: inout [ArchivedValue]) throws(ArchiveError) {
    switch (self, contents) {
    case (.integers, .bytes(let run)):
      var packed = Protobuf(run)
      while !packed.isAtEnd { values.append(.integer(Int64(bitPattern: try packed.varint()))) }
    case (.reals, .bytes(let run)):
      var packed = Protobuf(run)
      while !packed.isAtEnd { values.append(.real(Double(bitPattern: try packed.eightBytes()))) }
    default: if let value = try single(contents) { values.append(value.value) }
    }
  }

  /// One value, alone or of a list.
  @inline(__always)
  private func single(_ contents: Protobuf.Contents) throws(ArchiveError) -> Single? {
    switch self {
    case .integer, .integers: .integer(try contents.integer())
    case .real, .reals: .real(try contents.real())
    case .string, .strings: .text(try Self.text(try contents.message()))
    case .date, .dates: try Self.date(try contents.message())
    case .location, .locations: .made(try Self.location(try contents.message()))
    case .reference: try Self.recordName(try contents.message()).map { .made($0) }
    case .bytes, .emptyList: nil
    }
  }

  private static func text(
    _ bytes: UnsafeRawBufferPointer
  ) throws(ArchiveError) -> UnsafeRawBufferPointer {
    guard bytes.isUTF8 else { throw ArchiveError(.invalidText(encoding: "UTF-8")) }
    return bytes
  }

  /// {1: seconds since 2001}
  private static func date(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) -> Single {
    .date(secondsSince2001: try field(1, of: bytes)?.real() ?? 0)
  }

  /// {1: latitude, 2: longitude, …}
  private static func location(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) -> ArchivedValue {
    .location(latitude: try field(1, of: bytes)?.real() ?? 0, longitude: try field(2, of: bytes)?.real() ?? 0)
  }

  /// {1: type, 2: {1: {1: name}}}
  private static func recordName(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) -> ArchivedValue? {
    guard let record = try field(2, of: bytes)?.message(),
      let identifier = try field(1, of: record)?.message(),
      let name = try field(1, of: identifier)?.message()
    else { return nil }
    return .reference(recordName: String(decoding: try text(name), as: UTF8.self))
  }

  private static func field(
    _ wanted: UInt64, of bytes: UnsafeRawBufferPointer
  ) throws(ArchiveError) -> Protobuf.Contents? {
    var found: Protobuf.Contents?
    var message = Protobuf(bytes)
    while let (number, contents) = try message.next() {
      if number == wanted { found = contents }
    }
    return found
  }
}

extension EncryptedPayload.Single {
  var value: ArchivedValue {
    switch self {
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .text(let utf8): .string(String(decoding: utf8, as: UTF8.self))
    case .date(let seconds): .date(secondsSince2001: seconds)
    case .made(let value): value
    }
  }
}
