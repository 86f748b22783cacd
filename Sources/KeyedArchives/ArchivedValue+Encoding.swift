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
  package func coded(zone: CodedObject) -> CodedObject {
    if let encrypted { return encrypted }
    return switch self {
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
    case .list(let values): .array(values.map { $0.codedInList(zone: zone) })
    case .null: .object(classes: ["NSNull", "NSObject"], fields: [])
    case .opaque(let className, let bytes): .opaque(className: className, bytes: bytes)
    }
  }

  /// Elements of a plain list stay plain; only bytes have no list class of their own and are wrapped one by one.
  private func codedInList(zone: CodedObject) -> CodedObject {
    switch self {
    case .string(let text): .leaf(.string(text))
    case .integer(let integer): .leaf(.integer(integer))
    case .real(let real): .leaf(.real(real))
    case .bool(let bool): .leaf(.bool(bool))
    case .data(let data): .leaf(.data(data))
    case .date(let seconds): .date(secondsSince2001: seconds)
    case .list(let values): .array(values.map { $0.codedInList(zone: zone) })
    case .unsigned, .asset, .reference, .location, .null, .opaque: coded(zone: zone)
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
