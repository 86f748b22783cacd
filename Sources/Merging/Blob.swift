import Crypto

/// Bytes, known by their SHA-256. The bytes themselves are at hand only on the side whose row is here.
public struct Blob: Sendable, Hashable {
  /// 32 bytes.
  public let sha256: [UInt8]
  /// The length in bytes, where known.
  public let count: Int?
  /// The bytes, where they are at hand.
  public let bytes: [UInt8]?

  public init(bytes: [UInt8]) {
    sha256 = Array(SHA256.hash(data: bytes))
    count = bytes.count
    self.bytes = bytes
  }

  /// A blob of which only the hash is known.
  public init(sha256: [UInt8], count: Int? = nil) {
    self.sha256 = sha256
    self.count = count
    bytes = nil
  }

  public static func == (left: Blob, right: Blob) -> Bool { left.sha256 == right.sha256 }
  public func hash(into hasher: inout Hasher) { hasher.combine(sha256) }
}
