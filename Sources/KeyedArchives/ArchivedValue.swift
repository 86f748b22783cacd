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

  package init(
    signature: [UInt8]? = nil, size: Int64? = nil, uuid: String? = nil, filePath: String? = nil
  ) {
    self.signature = signature
    self.size = size
    self.uuid = uuid
    self.filePath = filePath
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
