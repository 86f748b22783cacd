import TerminalTestSupport
import Testing

@testable import KeyedArchives

/// Archives with a few bytes changed. None may crash or hang the reader, and what it does read it must be able to write.
@Suite struct ArchiveFuzzTests {
  @Test func damagedArchivesAreReadOrRefused() {
    var (tries, refused) = (0, 0)
    let samples = Self.samples
    let failures = Attack("formats", short: 4500).failures { random in
      tries += 1
      let bytes = Self.mutated(random.oneOf(samples), using: &random)
      guard let record = try? ArchivedRecord(decoding: bytes) else {
        refused += 1
        return
      }
      let again = try ArchivedRecord(decoding: record.encoded())
      try hold(again == Self.withoutTruthValues(record), "\(bytes)")
    }
    #expect(failures == [])
    #expect(tries < 100 || (1..<tries).contains(refused), "a run in which all are alike tests nothing")
  }

  @Test func damagedPendingChangesAreReadOrRefused() {
    let sample = PendingZoneChange(
      kind: .save, recordName: "1:reminders", zoneName: "zone", ownerName: "__defaultOwner__"
    ).encoded()
    let failures = Attack("formats", short: 1000, seed: 4).failures { random in
      let bytes = Self.mutated(sample, using: &random)
      guard let change = try? PendingZoneChange(decoding: bytes) else { return }
      try hold(PendingZoneChange(decoding: change.encoded()) == change, "\(bytes)")
    }
    #expect(failures == [])
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
    record.values = ArchivedValues(record.values.dictionary.mapValues(integer))
    record.originalValues = ArchivedValues(record.originalValues.dictionary.mapValues(integer))
    return record
  }
}
