import ExactJSON
import Synchronization

/// Bytes, known by their SHA-256. The bytes themselves are at hand only on the side whose row is here.
public struct Blob: Sendable, Hashable {
  // In one piece of memory, as a value is as large as the largest of what it may be.
  private let storage: Storage

  private final class Storage: Sendable {
    let count: Int?
    let bytes: [UInt8]?
    let areHere: Bool
    let sha256: Mutex<[UInt8]?>
    let digest: @Sendable ([UInt8]) -> [UInt8]

    init(
      _ bytes: [UInt8]?, count: Int?, sha256: [UInt8]?, areHere: Bool? = nil,
      _ digest: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
      (self.bytes, self.count, self.digest) = (bytes, count, digest)
      self.areHere = areHere ?? (bytes != nil)
      self.sha256 = Mutex(sha256)
    }
  }

  /// - Parameters:
  ///   - bytes: all of them.
  ///   - digest: SHA-256, of whichever library the app has: the model needs none of its own.
  public init(bytes: [UInt8], digest: @escaping @Sendable ([UInt8]) -> [UInt8]) {
    storage = Storage(bytes, count: bytes.count, sha256: nil, digest)
  }

  /// A blob of which only the hash is known.
  public init(sha256: [UInt8], count: Int? = nil) {
    storage = Storage(nil, count: count, sha256: sha256) { _ in sha256 }
  }

  /// The same without its bytes, for showing it: they are where they were.
  package init(leavingOutBytesOf blob: Blob) {
    let sha256 = blob.sha256
    storage = Storage(nil, count: blob.count, sha256: sha256, areHere: blob.areHere) { _ in sha256 }
  }

  /// Whether whoever made it had the bytes.
  package var areHere: Bool { storage.areHere }

  /// The length in bytes, where known.
  public var count: Int? { storage.count }
  /// The bytes, where they are at hand.
  public var bytes: [UInt8]? { storage.bytes }

  /// 32 bytes. Found out when somebody asks, and once for all copies: most of what is read is never compared with a hash.
  public var sha256: [UInt8] {
    storage.sha256.withLock { known in
      let sha256 = known ?? storage.digest(bytes ?? [])
      known = sha256
      return sha256
    }
  }

  public static func == (left: Blob, right: Blob) -> Bool {
    if let left = left.bytes, let right = right.bytes { return left.hasSameBytes(as: right) }
    return left.sha256 == right.sha256
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(sha256) }
}
