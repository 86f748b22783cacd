import ExactJSON
import Synchronization

/// Bytes, known by their SHA-256. The bytes themselves are at hand only on the side whose row is here.
public struct Blob: Sendable, Hashable {
  /// The length in bytes, where known.
  public let count: Int?
  /// The bytes, where they are at hand.
  public let bytes: [UInt8]?
  private let hash: Hash

  /// - Parameters:
  ///   - bytes: all of them.
  ///   - digest: SHA-256, of whichever library the app has: the model needs none of its own.
  public init(bytes: [UInt8], digest: @escaping @Sendable ([UInt8]) -> [UInt8]) {
    count = bytes.count
    self.bytes = bytes
    hash = Hash(nil, digest)
  }

  /// A blob of which only the hash is known.
  public init(sha256: [UInt8], count: Int? = nil) {
    self.count = count
    bytes = nil
    hash = Hash(sha256) { _ in sha256 }
  }

  /// 32 bytes. Found out when somebody asks, and once for all copies: most of what is read is never compared with a hash.
  public var sha256: [UInt8] {
    hash.value.withLock { known in
      let sha256 = known ?? hash.digest(bytes ?? [])
      known = sha256
      return sha256
    }
  }

  private final class Hash: Sendable {
    let value: Mutex<[UInt8]?>
    let digest: @Sendable ([UInt8]) -> [UInt8]

    init(_ known: [UInt8]?, _ digest: @escaping @Sendable ([UInt8]) -> [UInt8]) {
      value = Mutex(known)
      self.digest = digest
    }
  }

  public static func == (left: Blob, right: Blob) -> Bool {
    if let left = left.bytes, let right = right.bytes { return left.hasSameBytes(as: right) }
    return left.sha256 == right.sha256
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(sha256) }
}
