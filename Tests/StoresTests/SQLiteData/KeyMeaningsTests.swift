import KeyedArchives
import Merging
import Testing

@testable import SQLiteDataStores
@testable import SQLiteFiles

/// What is remembered of the keys of many records is what is found out of each.
@Suite struct KeyMeaningsTests {
  private static let time = ArchivedRecord.modificationTimeKey
  private static let shapes = [["id", "title", "cover"], ["cover_hash", "title"], ["notes"], []].map {
    names in
    TableShape(
      name: "reminders", schema: "main",
      columns: names.map {
        TableShape.Column(
          name: $0, declaredType: "", affinity: .none, isRequired: false, keyPosition: $0 == "id" ? 1 : 0,
          isGenerated: false)
      }, foreignKeys: [])
  }

  /// Of a blob, or what an app of its own calls so.
  private static let hashes: [ArchivedValue] = [.data([1, 2, 3]), .string("a text")]

  private static func record(_ title: String, hash: ArchivedValue) -> ArchivedRecord {
    ArchivedRecord(
      recordType: "reminders", recordName: "1:reminders", zoneName: "zone", changeTag: "a",
      values: [
        "id": .string("1"), "title": .string(title), "cover_hash": hash, time: .integer(9),
        "\(time)_title": .integer(Int64(title.count)), "\(time)_cover": .integer(7),
        "\(time)_none": .integer(8),
      ])
  }

  /// More often than a layout takes to be noted.
  @Test func isWhatIsFoundOutOfEach() throws {
    for round in 0..<40 {
      let record = Self.record(String(repeating: "x", count: round), hash: Self.hashes[round % 2])
      let read = try ArchivedRecord(decoding: record.encoded())
      // Of what was set by hand nothing is remembered.
      for shape in Self.shapes + Self.shapes.reversed() {
        let (found, known) = (
          RecordFields(record, shape, otherTimes: 5), RecordFields(read, shape, otherTimes: 5)
        )
        #expect(known.fields == found.fields && known.unknown == found.unknown)
        #expect(known.newestEdit == Int64(max(round, 8)) && found.newestEdit == known.newestEdit)
      }
    }
  }

  @Test func aKeyThatIsSetOrTakenAwayHasItsOwnMeaning() throws {
    let record = Self.record("Milk", hash: .data([1]))
    let shape = Self.shapes[0]
    for _ in 0..<40 {
      var read = try ArchivedRecord(decoding: record.encoded())
      _ = RecordFields(read, shape, otherTimes: nil)
      read.values["title"] = nil
      read.values["id"] = .string("2")
      let fields = RecordFields(read, shape, otherTimes: nil).fields
      #expect(fields["title"]?.value == .null && fields["id"]?.value == .text("2"))
    }
  }
}
