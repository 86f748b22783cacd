import Merging
import StoreInterface
import Testing

@Suite struct ValueEqualityTests {
  private static let nan = Double.nan
  private static let otherNaN = Double(nan: 7, signaling: false)

  /// Every value differs from every other.
  static let different: [Value] = [
    .null, .text(""), .text("1"), .text(" "), .text("\u{E9}"), .text("e\u{301}"), .text("\0"),
    // The bytes of other values below: what differs only in its type.
    .text("\u{1}"), .text("\u{1}\0\0\0\0\0\0\0"), .real(Double(bitPattern: 1)),
    .blob(Blob(sha256: [1, 0, 0, 0, 0, 0, 0, 0])),
    .integer(1), .integer(0), .integer(.min), .integer(.max),
    .real(1), .real(0), .real(-0.0), .real(nan), .real(otherNaN), .real(.infinity),
    .blob(Blob(bytes: [])), .blob(Blob(bytes: [1])), .blob(Blob(sha256: [1])),
    .opaque(kind: "CKReference", bytes: []), .opaque(kind: "CKReference", bytes: [1]),
    .opaque(kind: "CLLocation", bytes: [1]),
  ]

  @Test func aValueEqualsItselfAndNoOther() {
    for (index, left) in Self.different.enumerated() {
      for (other, right) in Self.different.enumerated() {
        #expect((left == right) == (index == other), "\(left) against \(right)")
      }
    }
  }

  @Test func equalValuesHashAlike() {
    #expect(Set(Self.different + Self.different).count == Self.different.count)
  }

  @Test func aBlobEqualsItsHashWithoutBytes() {
    let bytes = Blob(bytes: [1, 2, 3])
    let hash = Blob(sha256: bytes.sha256)
    #expect(bytes == hash)
    #expect(Set([bytes, hash]).count == 1)
    #expect(Value.blob(bytes).isAtHand)
    #expect(!Value.blob(hash).isAtHand)
  }

  @Test func aBlobIsHashedBySHA256() {
    // The digest of no bytes, from FIPS 180-4's test vectors.
    let digest = Blob(bytes: []).sha256.map { String($0, radix: 16) }.joined()
    #expect(digest == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }

  @Test(arguments: [
    (Value.text("\u{E9}"), Value.text("e\u{301}")), (.null, .text("")), (.integer(1), .real(1)),
    (.integer(1), .text("1")), (.real(0), .real(-0.0)),
  ])
  func whatIsStoredDifferentlyIsAChange(ancestor: Value, client: Value) {
    let versions = fieldVersions(ancestor, client, ancestor)
    #expect(versions.map(\.value).change == .onlyClient)
    let suggestion = MergePolicy.latest().suggestion(for: versions)
    #expect(suggestion.value == client)
    #expect(suggestion.source == .client)
  }

  @Test func aNaNIsUnchanged() {
    #expect(fieldVersions(Value.real(.nan), .real(.nan), .real(.nan)).map(\.value).change == .unchanged)
  }

  @Test func timesAloneAreNoChange() {
    let versions = fieldVersions("a", "a", "a", clientTime: 7, serverTime: nil)
    #expect(versions.map(\.value).change == .unchanged)
  }
}
