import Digests
import Merging
import Synchronization
import Testing

@testable import Journals
@testable import RowJournals
@testable import SQLiteFiles
@testable import StoreInterface

/// Values that a careless reader or writer loses, each as a column of SQLite may hold it.
enum HardValues {
  static let texts = [
    "", "\u{FEFF}", "\u{FEFF}My own notes", "a\u{FEFF}b", "\u{0}", "a\u{0}b\u{0}", "Caf\u{E9}", "Cafe\u{301}",
    "\u{FFFE}\u{FFFF}\u{10FFFF}", "\u{D7FF}\u{E000}", "\u{2028}\u{2029}\r\n", "\\u0000", "\"\\/",
    "\u{7F}\u{80}",
    #"{"integer":"5"}"#, "null", "👩‍👩‍👧‍👦", String(repeating: "\u{FEFF}x\u{0}", count: 200),
  ]
  static let reals: [Double] = [
    0.0, -0.0, 0.1 + 0.2, 1 / 3, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude,
    9_007_199_254_740_992,
    123_456_789_012_345_680, 9.999999999999999e127, 1e22, -1e300, .infinity, -.infinity,
  ]
  static let integers: [Int64] = [0, -1, .max, .min, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1]
  /// Half of a surrogate pair, an overlong NUL, a lone continuation byte, bytes of no text at all.
  static let brokenTexts: [[UInt8]] = [
    [0xED, 0xA0, 0x80], [0xC0, 0x80], [0x61, 0x80], [0xFF, 0x00, 0xFE, 0x41],
    Array(repeating: 0xFF, count: 300),
  ]
  static let blobs: [[UInt8]] = [
    [], [0], [0xEF, 0xBB, 0xBF], Array(0...255), Array(repeating: 7, count: 255),
    Array(repeating: 7, count: 5000),
  ]

  static let all: [Value] =
    [.null] + integers.map { .integer($0) } + reals.map { .real($0) } + texts.map { .text($0) }
    + brokenTexts.map { .opaque(kind: Value.brokenText, bytes: $0) } + blobs.map { .blob(Blob(bytes: $0)) }
}

struct EncodedRowTests {
  private func row(_ encoded: EncodedRow) throws -> RowImage {
    try RowDecoder.row(encoded.bytes) { encoded.long[$0] }
  }

  @Test(arguments: HardValues.all + [.real(.nan), .real(.signalingNaN), .real(-.nan)])
  func everyValueComesBackExactly(value: Value) throws {
    let image: RowImage = ["": value, "Café": .integer(7), "\u{FEFF}": value]
    #expect(try row(EncodedRow(image)) == image)
    let whole = try EncodedRow(image, longLength: .max)
    #expect(try row(whole) == image && whole.long.isEmpty)
    #expect(try RowJSON.decode(RowJSON.encode(["field": value]))?["field"] == value || value.isNaN)
  }

  @Test func aRowIsTheBytesThatItsFormatSays() throws {
    let bytes = try EncodedRow(["title": .text("Milk"), "id": .integer(7)]).bytes
    var expected: [UInt8] = [2, 2]
    expected += Array("id".utf8) + [1, 0, 0, 0, 0, 0, 0, 0, 7]
    expected += [5] + Array("title".utf8) + [3, 4] + Array("Milk".utf8)
    #expect(bytes == expected)
  }

  @Test func aBlobThatAnotherRowOfTheRecordHasIsHashedOnce() throws {
    let hashes = BlobHashes()
    let asked = Mutex(0)
    func cover(_ byte: UInt8) -> Value {
      .blob(
        Blob(bytes: Array(repeating: byte, count: 300)) { bytes in
          asked.withLock { $0 += 1 }
          return SHA256.of(bytes)
        })
    }
    let rows = try [1, 1, 2, 1].map { try EncodedRow(["cover": cover($0)], hashes: hashes) }
    #expect(asked.withLock(\.self) == 2)
    #expect(rows[0] == rows[1] && rows[0] == rows[3] && rows[0] != rows[2])
    #expect(try rows[0] == EncodedRow(["cover": cover(1)]))
  }

  @Test func aLongValueIsThereOnceAndAnUnchangedOneByItsHash() throws {
    let cover = Value.blob(Blob(bytes: Array(repeating: 9, count: 1 << 20)))
    let twice = try EncodedRow(["cover": cover, "copy": cover])
    #expect(twice.long.count == 1 && twice.bytes.count < 100)
    let hashed = try EncodedRow(["cover": cover], hashed: ["cover"])
    #expect(try hashed.long.isEmpty && row(hashed) == ["cover": cover])
    #expect(try row(hashed)["cover"]?.isAtHand == false)
  }

  @Test func whatNoColumnHoldsIsRefused() {
    #expect(throws: Refusal.self) { try EncodedRow(["tags": .opaque(kind: "JSON", bytes: [0x5B, 0x5D])]) }
  }

  /// Each prefix, and each byte changed: a row or an error, and no other row of the same bytes.
  @Test func whateverTheBytesAreItEndsWithARowOrAnError() throws {
    let whole = try EncodedRow([
      "a": .text("Milk"), "b": .real(2), "c": .blob(Blob(bytes: Array(repeating: 1, count: 300))), "d": .null,
    ])
    for length in whole.bytes.indices {
      #expect(throws: Damage.self) {
        try RowDecoder.row(Array(whole.bytes[..<length])) { whole.long[$0] }
      }
    }
    for place in whole.bytes.indices {
      for byte in [UInt8(0), 0x7F, 0x80, 0xFF] {
        var bytes = whole.bytes
        bytes[place] = byte
        _ = try? RowDecoder.row(bytes) { whole.long[$0] }
      }
    }
    let claims: [UInt8] = [1, 1, 0x61, 5, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]
    #expect(throws: Damage.self) { try RowDecoder.row(claims) { _ in nil } }
  }
}

extension Value {
  fileprivate var isNaN: Bool { if case .real(let real) = self { real.isNaN } else { false } }
}
