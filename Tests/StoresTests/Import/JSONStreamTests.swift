import Merging
import Testing

@testable import SQLiteDataStores
@testable import StoreInterface

/// JSON of any length is read record by record, within bounds that are told.
struct JSONStreamTests {
  /// A text that is made as it is read: nothing holds it.
  private struct Endless {
    let head: [UInt8]
    /// Repeated so often.
    let block: [UInt8]
    let count: Int

    init(head: String, repeated: String, count: Int) {
      (self.head, block) = (Array(head.utf8), Array(String(repeating: repeated, count: 1 << 14).utf8))
      self.count = count >> 14
    }

    func bytes(_ offset: Int, _ wanted: Int) -> [UInt8] {
      if offset < head.count { return Array(head.dropFirst(offset).prefix(wanted)) }
      let (blocks, begun) = (offset - head.count).quotientAndRemainder(dividingBy: block.count)
      return blocks < count ? Array(block.dropFirst(begun).prefix(wanted)) : []
    }
  }

  private func entries(_ text: Endless) throws -> [ImportEntry] {
    var entries: [ImportEntry] = []
    let bytes: JSONSource.Bytes = { (offset, count) in text.bytes(offset, count) }
    try ImportFile.forEachPage(in: bytes) { page in if entries.count < 3 { entries += page.prefix(3) } }
    return entries
  }

  private func reason(_ entry: ImportEntry?) -> String? {
    if case .unreadable(let place, _, let reason)? = entry { "\(place ?? "-"): \(reason)" } else { nil }
  }

  @Test func aRecordLongerThanTheLimitIsRefusedWithItsPlace() throws {
    let text = Endless(
      head: "[{},\n {\"recordName\": \"", repeated: "x", count: 17 << 20)
    let found = try entries(text)
    #expect(reason(found.first) == "line 1, column 2: a record without recordName")
    #expect(reason(found.last) == "line 2, column 2: it is longer than 16 MiB, and a record never is")
  }

  @Test func aRecordOfTooManyValuesIsRefused() throws {
    let text = Endless(head: "[{\"fields\": [", repeated: "{},", count: 600_000)
    #expect(
      reason(try entries(text).first)?.hasSuffix("more than 500000 values, and a record never has as many")
        == true)
  }

  @Test func ofManyThingsThatCannotBeReadTheFirstAreTold() {
    var summary = ImportSummary()
    for number in 1...1500 {
      summary.add(ImportSummary.Unreadable(file: "a", place: "\(number)", reason: "no"))
    }
    #expect(summary.unreadable.count == 1000 && summary.moreUnreadable == 500)
    #expect(summary.unreadable.last?.place == "1000")
  }

  /// Blocks end anywhere: in a name, in a text, in a character.
  @Test func whereABlockEndsDoesNotMatter() throws {
    let record = ImportBench.json(ImportBench.milk, fields: #""title": {"value": "Gr\u00fc\u00df\"e, [{\\"}"#)
    let text = Array(
      "{\"syncToken\": \"]}\", \"records\": [\(record), \(record)], \"zoneID\": {\"zoneName\": \"z\"}}".utf8)
    for size in [1, 2, 3, 7, 64] {
      var names: [String] = []
      let bytes: JSONSource.Bytes = { (offset, count) in
        Array(text.dropFirst(offset).prefix(offset == 0 && count == 512 ? 512 : min(count, size)))
      }
      try ImportFile.forEachPage(in: bytes) { entries in
        for case .record(let incoming) in entries {
          names.append(incoming.record.recordName + " in " + incoming.record.zoneName)
          #expect(incoming.json == record && incoming.record.values["title"] == .string("Grüß\"e, [{\\"))
        }
      }
      #expect(names == Array(repeating: ImportBench.milk + " in z", count: 2), "in blocks of \(size)")
    }
  }

  /// What is JSON and cannot be kept is no damage: everybody knows where the next record begins.
  @Test(arguments: [
    "1e400", String(repeating: "9", count: 500), #"{"a": 1, "a": 2}"#, #""\ud800""#,
    String(repeating: "[", count: 90) + String(repeating: "]", count: 90),
  ])
  func aRecordThatCannotBeKeptCostsNoOther(value: String) throws {
    let records = [
      ImportBench.json(ImportBench.milk),
      ImportBench.json(ImportBench.dentist, fields: "\"estimate\": {\"value\": \(value)}"),
      ImportBench.json(ImportBench.bread),
    ]
    let list = records.joined(separator: ",\n")
    for text in ["{\"records\": [\(list)]}", "[\(list)]", records.map { "{\n" + $0.dropFirst() }.joined()] {
      let bench = try ImportBench()
      let summary = try bench.open().importRecords(from: [try bench.file(text)], isRehearsal: true)
      #expect(summary.words == "2 new, 1 unreadable, 2 withoutArchive, 2 journal", "\(text)")
      #expect(summary.unreadable.first?.reason.contains("not read") == false, "\(summary.unreadable)")
    }
  }

  @Test(arguments: [
    ("tru", "true is misspelt"), ("1.", "a digit belongs here"), ("[1 2]", "a list goes on with"),
  ])
  func whatStandsBehindDamageIsToldToBeUnread(value: String, reason: String) throws {
    let bench = try ImportBench()
    let (milk, bread) = (ImportBench.json(ImportBench.milk), ImportBench.json(ImportBench.bread))
    let file = try bench.file("[\(milk), {\"fields\": \(value)}, \(bread)]")
    let summary = try bench.open().importRecords(from: [file], isRehearsal: true)
    #expect(summary.words == "1 new, 1 unreadable, 1 withoutArchive, 1 journal")
    let told = try #require(summary.unreadable.first?.reason)
    #expect(told.hasPrefix(reason) && told.hasSuffix("; what follows was not read"), "\(told)")
  }

  @Test func whatStandsBeforeDamageIsTaken() throws {
    let bench = try ImportBench()
    let file = try bench.file(
      "[\(ImportBench.json(ImportBench.milk)), \(ImportBench.json(ImportBench.bread))")
    let summary = try bench.open().importRecords(from: [file], isRehearsal: true)
    #expect(summary.words == "2 new, 1 unreadable, 2 withoutArchive, 2 journal")
    #expect(summary.unreadable.first?.reason == "a list goes on with a comma or ends with ]")
  }
}
