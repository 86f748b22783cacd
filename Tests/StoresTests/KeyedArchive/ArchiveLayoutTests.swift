import TerminalTestSupport
import Testing

@testable import KeyedArchives

/// What is read by a layout is what is read without one, or nothing.
@Suite struct ArchiveLayoutTests {
  private let layout: ArchiveLayout

  init() throws { layout = try #require(try Self.layout(of: ArchivedRecord.dentist)) }

  @Test func otherValuesLieInTheSameLayout() throws {
    var record = ArchivedRecord.dentist
    record.changeTag = "a longer tag"
    record.recordName = "1:reminders"
    record.values["title"] = .string("Zähne")
    record.values["priority"] = .integer(.max)
    record.values["thumbnail"] = .data(Array(repeating: 7, count: 1000))
    #expect(try Self.byLayout(layout, record.encoded()) == record)
  }

  @Test func otherKeysClassesAndKindsDoNot() throws {
    for (key, value) in [
      ("titel", ArchivedValue.string("Call dentist")), ("title", .integer(1)), ("title", .null),
    ] {
      var record = ArchivedRecord.dentist
      record.values["title"] = nil
      record.values[key] = value
      #expect(try Self.byLayout(layout, record.encoded()) == nil, "\(key): \(value)")
    }
  }

  @Test func noneIsKeptOfWhatWasChangedHere() throws {
    var record = ArchivedRecord.dentist
    record.changedKeys = ["title"]
    #expect(try Self.layout(of: record) == nil)
  }

  @Test func itHoldsNoValues() {
    let bytes = String(decoding: layout.bytes, as: UTF8.self)
    #expect(bytes.contains("CKEncryptedString") && bytes.contains("isCompleted"))
    for value in ["Call", "dent", "412", "Tester", "a00b"] { #expect(!bytes.contains(value), "\(value)") }
  }

  @Test func damagedArchivesAreReadAsWithoutItOrNotAtAll() {
    let sample = ArchivedRecord.dentist.encoded()
    var read = 0
    let failures = Attack("formats", short: 4500, seed: 15).failures { random in
      var bytes = sample
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        guard let place = bytes.indices.randomElement(using: &random) else { break }
        bytes[place] =
          Bool.random(using: &random)
          ? bytes[place] ^ 1 << UInt8.random(in: 0..<8, using: &random)
          : bytes[bytes.indices.randomElement(using: &random) ?? place]
      }
      guard let record = try Self.byLayout(layout, bytes) else { return }
      read += 1
      try hold(record == Self.whole(bytes).record, "\(bytes)")
    }
    #expect(failures == [])
    #expect(read > 0, "a run in which none is read tests nothing")
  }

  private static func whole(_ bytes: [UInt8]) throws -> (record: ArchivedRecord, layout: ArchiveLayout?) {
    try bytes.inPlace { place throws(ArchiveError) in
      var archive = try KeyedArchive(place)
      var record = ArchivedRecord()
      try archive.read(into: &record)
      record.values.keep(bytes, archive.made)
      record.originalValues.keep(bytes, archive.made)
      return (record, ArchiveLayout(archive, of: record))
    }
  }

  private static func layout(of record: ArchivedRecord) throws -> ArchiveLayout? {
    try whole(record.encoded()).layout
  }

  private static func byLayout(_ layout: ArchiveLayout, _ bytes: [UInt8]) throws -> ArchivedRecord? {
    try? bytes.inPlace { place throws(ArchiveError) in
      var archive = try KeyedArchive(place)
      var record = ArchivedRecord()
      guard layout.fits(archive.list), archive.read(layout, into: &record) else { return nil }
      record.values.keep(bytes, archive.made)
      return record
    }
  }
}
