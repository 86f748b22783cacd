// Digests that formats name, by the library that every system has: CryptoKit on a Mac, elsewhere OpenSSL's libcrypto. A package
// that brings its own was half of all the time that a clean build took.

#if canImport(CryptoKit)
  import CryptoKit

  package struct SHA256: Sendable {
    private var hash = CryptoKit.SHA256()
    package init() {}
    package mutating func update(_ bytes: [UInt8]) { hash.update(data: bytes) }
    package func finish() -> [UInt8] { Array(hash.finalize()) }
  }

  package struct SHA1: Sendable {
    private var hash = Insecure.SHA1()
    package init() {}
    package mutating func update(_ bytes: [UInt8]) { hash.update(data: bytes) }
    package func finish() -> [UInt8] { Array(hash.finalize()) }
  }

  package func md5(_ bytes: [UInt8]) -> [UInt8] { Array(Insecure.MD5.hash(data: bytes)) }
#else
  import CCrypto

  package struct SHA256: Sendable {
    private var state = SHA256_CTX()
    package init() { SHA256_Init(&state) }
    package mutating func update(_ bytes: [UInt8]) { SHA256_Update(&state, bytes, bytes.count) }

    package func finish() -> [UInt8] {
      var state = state
      return filled(SHA256_DIGEST_LENGTH) { SHA256_Final($0, &state) }
    }
  }

  package struct SHA1: Sendable {
    private var state = SHA_CTX()
    package init() { SHA1_Init(&state) }
    package mutating func update(_ bytes: [UInt8]) { SHA1_Update(&state, bytes, bytes.count) }

    package func finish() -> [UInt8] {
      var state = state
      return filled(SHA_DIGEST_LENGTH) { SHA1_Final($0, &state) }
    }
  }

  package func md5(_ bytes: [UInt8]) -> [UInt8] {
    var state = MD5_CTX()
    MD5_Init(&state)
    MD5_Update(&state, bytes, bytes.count)
    return filled(MD5_DIGEST_LENGTH) { MD5_Final($0, &state) }
  }

  private func filled(_ count: Int32, _ fill: (UnsafeMutablePointer<UInt8>?) -> Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
      _ = fill(buffer.baseAddress)
      filled = Int(count)
    }
  }
#endif

extension SHA256 {
  /// 32 bytes.
  package static func of(_ bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }

  /// HMAC-SHA-256 (RFC 2104): 32 bytes that nobody can make, or hold a guess against, who does not have `key`.
  ///
  /// - Parameter key: of 64 bytes at most.
  package static func of(_ bytes: [UInt8], keyedBy key: [UInt8]) -> [UInt8] {
    precondition(key.count <= 64, "because a longer key would have to be hashed first, and none of ours is")
    func padded(_ pad: UInt8) -> [UInt8] {
      key.map { $0 ^ pad } + [UInt8](repeating: pad, count: 64 - key.count)
    }
    return of(padded(0x5C) + of(padded(0x36) + bytes))
  }
}
