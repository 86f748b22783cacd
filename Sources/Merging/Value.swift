import ExactJSON

/// What a field holds, as a store keeps it.
///
/// Two values are equal if the same bytes of the same storage class are stored: NULL is not empty text, 1 is not 1.0
/// is not "1", 0.0 is not -0.0, and two texts that differ only in their Unicode normal form differ.
public enum Value: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Blob)
  /// Something a decoder does not understand. Shown as such, equal only to the same bytes, carried through unharmed.
  ///
  /// Apart from the value, which would be larger by half for the sake of what few fields are.
  indirect case opaque(kind: String, bytes: [UInt8])
}

extension Value {
  /// The kind under which text that is not UTF-8 travels through ``opaque(kind:bytes:)``.
  package static let brokenText = "text that is not UTF-8"

  /// nil of what is no text.
  package var text: String? { if case .text(let text) = self { text } else { nil } }

  package var isBlob: Bool { if case .blob = self { true } else { false } }

  /// Whether the bytes are known. Only a blob of another side can lack them: an archive has its hash, not the file.
  public var isAtHand: Bool {
    if case .blob(let blob) = self { blob.bytes != nil } else { true }
  }
}

extension Value: Hashable {
  public static func == (left: Value, right: Value) -> Bool {
    // One after the other: to look at both at once copies both.
    switch left {
    case .null: if case .null = right { return true }
    case .integer(let left): if case .integer(let right) = right { return left == right }
    // By bits, so that a NaN equals itself and equality stays an equivalence.
    case .real(let left): if case .real(let right) = right { return left.bitPattern == right.bitPattern }
    case .text(let left): if case .text(let right) = right { return left.hasSameBytes(as: right) }
    case .blob(let left): if case .blob(let right) = right { return left == right }
    case .opaque(let leftKind, let left):
      if case .opaque(let rightKind, let right) = right {
        return leftKind == rightKind && left.hasSameBytes(as: right)
      }
    }
    return false
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let integer): hasher.combine(integer)
    case .real(let real): hasher.combine(real.bitPattern)
    case .text(let text): hasher.combine(bytesOf: text)
    case .blob(let blob): hasher.combine(blob)
    case .opaque(_, let bytes): hasher.combine(bytes)
    }
  }
}
