/// The value of one key of an archived record.
package enum ArchivedValue: Sendable {
  case string(String)
  case integer(Int64)
  /// Only beyond `Int64.max`.
  case unsigned(UInt64)
  case real(Double)
  /// A truth value that was set as one and never went through a server, which knows only integers.
  case bool(Bool)
  case date(secondsSince2001: Double)
  case data([UInt8])
  case asset(ArchivedAsset)
  case reference(recordName: String)
  /// In degrees. Height, speed and the rest are not kept.
  case location(latitude: Double, longitude: Double)
  case list([ArchivedValue])
  /// Explicitly nothing (NSNull). Among the original values: the key did not exist.
  case null
  /// An object of a class that is not understood. The bytes are a keyed archive of this object alone, written in one
  /// fixed way: equal objects give equal bytes, however they lay in the archive they came from.
  case opaque(className: String, bytes: [UInt8])
}

/// What an archive knows of an asset. Its file is not in the archive; its keys and tokens are never read.
package struct ArchivedAsset: Sendable, Hashable {
  /// CloudKit's own fingerprint of the contents; no SHA-256.
  package var signature: [UInt8]?
  /// In bytes.
  package var size: Int64?
  package var uuid: String?
  /// Where the file was on the device that made the archive.
  package var filePath: String?

  package init(signature: [UInt8]? = nil, size: Int64? = nil, uuid: String? = nil, filePath: String? = nil) {
    (self.signature, self.size, self.uuid, self.filePath) = (signature, size, uuid, filePath)
  }
}

extension ArchivedValue: Equatable {
  /// Numbers are equal by their bits, so that NaN equals itself; texts by their bytes, since String's own equality would
  /// hide a change of the normal form.
  package static func == (left: ArchivedValue, right: ArchivedValue) -> Bool {
    switch left {
    case .string(let left):
      if case .string(let right) = right { left.utf8.elementsEqual(right.utf8) } else { false }
    case .integer(let left): if case .integer(let right) = right { left == right } else { false }
    case .unsigned(let left): if case .unsigned(let right) = right { left == right } else { false }
    case .real(let left):
      if case .real(let right) = right { left.bitPattern == right.bitPattern } else { false }
    case .bool(let left): if case .bool(let right) = right { left == right } else { false }
    case .date(let left):
      if case .date(let right) = right { left.bitPattern == right.bitPattern } else { false }
    case .data(let left): if case .data(let right) = right { left == right } else { false }
    case .asset(let left): if case .asset(let right) = right { left == right } else { false }
    case .reference(let left):
      if case .reference(let right) = right { left.utf8.elementsEqual(right.utf8) } else { false }
    case .location(let latitude, let longitude):
      if case .location(let otherLatitude, let otherLongitude) = right {
        latitude.bitPattern == otherLatitude.bitPattern && longitude.bitPattern == otherLongitude.bitPattern
      } else {
        false
      }
    case .list(let left): if case .list(let right) = right { left == right } else { false }
    case .null: if case .null = right { true } else { false }
    case .opaque(let className, let left):
      if case .opaque(className, let right) = right { left == right } else { false }
    }
  }
}

/// Which of a record's two stores a value goes to.
package enum ArchivedValueStore {
  case plain, encrypted
}

extension ArchivedValue {
  /// Where SQLiteData puts it: `encryptedValues` for all that CloudKit encrypts, the record itself for the rest.
  package var store: ArchivedValueStore {
    switch self {
    case .string, .integer, .real, .bool, .date, .data: .encrypted
    case .list(let values): Self.encryptedList(values) == nil ? .plain : .encrypted
    case .opaque(let className, _): className.hasPrefix("CKEncrypted") ? .encrypted : .plain
    case .unsigned, .asset, .reference, .location, .null: .plain
    }
  }

  /// The wrapper with the value's payload, or the plain object for a value of the plain store.
  ///
  /// A truth value becomes an integer, as CloudKit has no other, and a reference gets the record's own zone.
  package func coded(zone: CodedObject) -> CodedObject { encrypted ?? plain(zone: zone) }

  /// Elements of a plain list stay plain.
  private func plain(zone: CodedObject) -> CodedObject {
    switch self {
    case .string(let text): .leaf(.string(text))
    case .integer(let integer): .leaf(.integer(integer))
    case .unsigned(let unsigned): .leaf(.unsigned(unsigned))
    case .real(let real): .leaf(.real(real))
    case .bool(let bool): .leaf(.bool(bool))
    case .data(let data): .leaf(.data(data))
    case .date(let seconds): .date(secondsSince2001: seconds)
    case .asset(let asset): .asset(asset)
    case .reference(let recordName): .reference(to: .recordID(recordName, zone: zone))
    case .location(let latitude, let longitude): .location(latitude: latitude, longitude: longitude)
    case .list(let values): .array(values.map { $0.plain(zone: zone) })
    case .null: .object(classes: ["NSNull", "NSObject"], fields: [])
    case .opaque(let className, let bytes): .opaque(className: className, bytes: bytes)
    }
  }

  private var encrypted: CodedObject? {
    switch self {
    case .string(let text): .encrypted("CKEncryptedString", .init(6, text))
    case .integer(let integer): .encrypted("CKEncryptedLongLong", .init(3, integer))
    case .bool(let bool): .encrypted("CKEncryptedLongLong", .init(3, Int64(bool ? 1 : 0)))
    case .real(let real): .encrypted("CKEncryptedDouble", .init(4, real))
    case .date(let seconds): .encrypted("CKEncryptedDate", .init(5, ProtobufMessage(1, seconds).bytes))
    case .data(let data): .encrypted(data)
    case .list(let values): Self.encryptedList(values)
    case .unsigned, .asset, .reference, .location, .null, .opaque: nil
    }
  }

  /// nil if CloudKit has no list class for these values together.
  private static func encryptedList(_ values: [ArchivedValue]) -> CodedObject? {
    guard let first = values.first else { return .encrypted("CKEncryptedEmptyArray", .init()) }
    guard let kind = first.encryptedListKind else { return nil }
    var message = ProtobufMessage()
    for value in values {
      guard value.encryptedListKind?.number == kind.number else { return nil }
      value.append(to: &message, number: kind.number)
    }
    return .encrypted(kind.className, message)
  }

  private var encryptedListKind: (className: String, number: UInt64)? {
    switch self {
    case .integer: ("CKEncryptedLongLongArray", 10)
    case .real: ("CKEncryptedDoubleArray", 11)
    case .date: ("CKEncryptedDateArray", 12)
    case .string: ("CKEncryptedStringArray", 13)
    case .unsigned, .bool, .data, .asset, .reference, .location, .list, .null, .opaque: nil
    }
  }

  private func append(to message: inout ProtobufMessage, number: UInt64) {
    switch self {
    case .integer(let integer): message.append(number, integer)
    case .real(let real): message.append(number, real)
    case .date(let seconds): message.append(number, ProtobufMessage(1, seconds).bytes)
    case .string(let text): message.append(number, Array(text.utf8))
    case .unsigned, .bool, .data, .asset, .reference, .location, .list, .null, .opaque: break
    }
  }
}
