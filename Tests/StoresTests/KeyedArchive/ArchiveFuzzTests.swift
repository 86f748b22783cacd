import Testing

@testable import KeyedArchives

/// Archives with a few bytes changed. None may crash or hang the reader, and what it does read it must be able to write.
@Suite struct ArchiveFuzzTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func damagedArchivesAreReadOrRefused(seed: UInt64) throws {
    var random = FixedRandom(state: seed)
    var refused = 0
    let samples = Self.samples
    for _ in 0..<1500 {
      let bytes = Self.mutated(samples.randomElement(using: &random) ?? [], using: &random)
      guard let record = try? ArchivedRecord(decoding: bytes) else {
        refused += 1
        continue
      }
      let again = try ArchivedRecord(decoding: record.encoded())
      try #require(again == Self.withoutTruthValues(record), "\(bytes)")
    }
    #expect((1..<1500).contains(refused), "a run in which all are alike tests nothing")
  }

  @Test func damagedPendingChangesAreReadOrRefused() throws {
    var random = FixedRandom(state: 4)
    let sample = PendingZoneChange(
      kind: .save, recordName: "1:reminders", zoneName: "zone", ownerName: "__defaultOwner__"
    ).encoded()
    for _ in 0..<1000 {
      guard let change = try? PendingZoneChange(decoding: Self.mutated(sample, using: &random)) else {
        continue
      }
      #expect(try PendingZoneChange(decoding: change.encoded()) == change)
    }
  }

  private static let samples: [[UInt8]] = [
    ArchivedRecord.dentist.encoded(),
    ArchivedRecord.dentist.encodedSystemFields(),
    ArchivedRecord.archive(
      plain: (ArchivedValueTests.foundation + ArchivedValueTests.cloudKit).map {
        .init($0.testDescription, $0.object)
      },
      encrypted: ArchivedValueTests.encrypted.map { .init($0.testDescription, $0.object) }),
    ArchivedRecord.archive(plain: [
      .init(
        "paint",
        .plain("AppPaint", [.init("name", .text("Föhn")), .init("list", .references([.text("a"), .null]))]))
    ]),
  ]

  private static func mutated(_ sample: [UInt8], using random: inout FixedRandom) -> [UInt8] {
    var bytes = sample
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      guard let place = bytes.indices.randomElement(using: &random) else { break }
      switch UInt8.random(in: 0..<10, using: &random) {
      case 0: bytes.removeSubrange(place...)
      case 1: bytes.insert(.random(in: 0...255, using: &random), at: place)
      case 2: bytes[place] = [0, 0x7F, 0x80, 0xFF, 0x0F, 0xDF].randomElement(using: &random) ?? 0
      case 3: bytes[place] = bytes[bytes.indices.randomElement(using: &random) ?? place]
      default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
    }
    return bytes
  }

  /// The writer makes integers of them, where they are not in a list.
  private static func withoutTruthValues(_ record: ArchivedRecord) -> ArchivedRecord {
    var record = record
    let integer = { (value: ArchivedValue) in
      if case .bool(let bool) = value { ArchivedValue.integer(bool ? 1 : 0) } else { value }
    }
    record.values = record.values.mapValues(integer)
    record.originalValues = record.originalValues.mapValues(integer)
    return record
  }
}
