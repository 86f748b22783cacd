import ArchivedRows
import Foundation
import KeyedArchives
import Merging
import Testing

private struct Note: Mergeable, Decodable {
  let id: String
  var title: String
  var note: String?
  var state: String?
  var rank: Int

  var primaryKey: String { id }
  static let mergeFields: [MergeField<Note>] = [
    .field("title", \.title), .field("note", \.note, .server), .field("state", \.state),
    .field("rank", \.rank, .counter),
  ]
}

/// Read by hand, as a property wrapper reads, too: each column as what it is, be that nothing.
private struct ReadByHand: Mergeable, Decodable {
  let id: String
  var title: String?
  var rank: Int?

  private enum CodingKeys: String, CodingKey { case id, title, rank }

  init(from decoder: any Decoder) throws {
    let columns = try decoder.container(keyedBy: CodingKeys.self)
    id = try columns.decode(String.self, forKey: .id)
    title = try columns.decode(String?.self, forKey: .title)
    rank = try columns.decode(Int?.self, forKey: .rank)
  }

  var primaryKey: String { id }
  static let mergeFields: [MergeField<ReadByHand>] = [
    .field("title", \.title), .field("rank", \.rank, .counter),
  ]
}

/// A record whose columns have a time each.
private func archive(
  _ columns: [String: (value: ArchivedValue, time: Int64)], id: String = "1"
) -> [UInt8] {
  var values: [String: ArchivedValue] = ["id": .string(id)]
  for (column, (value, time)) in columns {
    (values[column], values[ArchivedRecord.modificationTimeKey(of: column)]) = (value, .integer(time))
  }
  return ArchivedRecord(recordType: "notes", recordName: "\(id):notes", zoneName: "zone", values: values)
    .encoded()
}

private func conflict(
  _ ancestor: [UInt8]?, _ row: String, at time: Int64 = 100, _ server: [UInt8]
) throws -> MergeConflict<Note> {
  try MergeConflict(
    ancestorRecord: ancestor, capturedRow: Array(row.utf8), modificationTime: time, serverRecord: server)
}

/// A conflict as `parley capture` kept it, read whole.
@Suite struct CapturedConflictTests {
  private let milk = (value: ArchivedValue.string("Milk"), time: Int64(10))
  private let three = (value: ArchivedValue.integer(3), time: Int64(10))
  private let row = #"{"id":"1","title":"Oats","note":"mine","state":"open","rank":3}"#

  @Test func eachVersionHasWhatItTakesFromTheOthers() throws {
    let read = try conflict(
      archive(["title": milk, "rank": three]), row,
      archive(["title": milk, "rank": (.integer(5), 200), "note": (.string("theirs"), 150)]))
    #expect(read.versions.server.row.state == "open" && read.versions.client.columnTimes["rank"] == 10)
    #expect(read.resolved().title == "Oats" && read.resolved().rank == 5)
  }

  /// Its DEFAULT and an edit look alike: neither is given up without a word.
  @Test(arguments: [Int64(100), 200]) func ofAColumnThatWasAddedSinceNoEditIsLost(time: Int64) throws {
    let read = try conflict(
      archive(["title": milk, "rank": three]), row, at: time,
      archive(["title": milk, "rank": three, "state": (.string("theirs"), 150)]))
    #expect(read.columns(below: .byClock) == ["state"])
  }

  @Test func aColumnThatMayNotBeNullAndWasAddedSinceIsRead() throws {
    let read = try conflict(archive(["title": milk]), row, archive(["title": milk]))
    #expect(read.resolved().rank == 3 && read.isSure())
  }

  @Test func withoutAnAncestorWhatTheServerDoesNotKnowStays() throws {
    let read = try conflict(nil, row, archive(["title": (.string("Oats"), 50), "rank": three]))
    #expect(read.resolved().note == "mine" && read.isSure())
  }

  @Test func whatIsReadAsAnOptionalHasItsValue() throws {
    let read = try MergeConflict<ReadByHand>(
      ancestorRecord: archive(["title": milk, "rank": three]),
      capturedRow: Array(#"{"id":"1","title":null,"rank":4}"#.utf8), modificationTime: 100,
      serverRecord: archive(["title": milk, "rank": (.integer(5), 200)]))
    #expect(read.versions.client.row.title == nil && read.versions.server.row.title == "Milk")
    #expect(read.resolved().rank == 6)
    let deleted = [ArchivedRecord.modificationTimeKey(of: "rank"): ArchivedValue.integer(10)]
    let record = ArchivedRecord(
      recordType: "notes", recordName: "1:notes", zoneName: "zone",
      values: deleted.merging(["id": .string("1"), "title": .string("Milk")]) { first, _ in first })
    #expect(try RowVersion<ReadByHand>(archivedRecord: record.encoded()).row.rank == nil)
  }

  @Test func versionsOfTwoRecordsAreNoConflict() {
    let other = archive(["title": milk, "rank": three], id: "A1")
    for (old, new) in [(nil, other), (other, archive(["title": milk, "rank": three]))] {
      #expect(throws: ArchivedRowError.otherRecord) { try conflict(old, row, new) }
    }
  }

  @Test func aConflictInAColumnThatIsNotMergedIsNamed() throws {
    func read(_ old: ArchivedValue, _ here: String, _ new: ArchivedValue) throws -> MergeConflict<Note> {
      let row = #"{"id":"1","title":"Oats","note":"mine","state":"open","rank":3,"colour":\#(here)}"#
      return try conflict(
        archive(["title": milk, "rank": three, "colour": (old, 10)]), row,
        archive(["title": milk, "rank": three, "colour": (new, 90)]))
    }
    let expected = ArchivedRowError.columnNotMerged(column: "colour")
    #expect(throws: expected) { try read(.string("white"), #""red""#, .string("blue")) }
    #expect(throws: expected) { try read(.bool(true), "0", .null) }
    #expect(expected.description.contains("'colour'"))
    _ = try read(.string("white"), #""white""#, .string("blue"))
    _ = try read(.string("white"), #""red""#, .string("white"))
    _ = try read(.string("white"), #""red""#, .string("red"))
    _ = try read(.bool(false), "1", .bool(true))
    _ = try read(.date(secondsSince2001: 0), #""2001-01-02 00:00:00.000""#, .date(secondsSince2001: 86_400))
  }

  /// Bytes travel as a file, which lies somewhere else in each record.
  @Test func bytesBesideTheFieldsAreComparedByTheirHash() throws {
    func record(_ path: String, _ hash: UInt8) -> [UInt8] {
      archive([
        "title": milk, "rank": three,
        "photo": (.asset(.init(signature: [1], size: 4, filePath: path)), 10),
        "photo_hash": (.data([hash]), 10),
      ])
    }
    let row =
      #"{"id":"1","title":"Oats","note":"mine","state":"open","rank":3,"photo":{"blob":"0aff"}}"#
    _ = try conflict(record("/a", 7), row, record("/b", 7))
    #expect(throws: ArchivedRowError.columnNotMerged(column: "photo")) {
      try conflict(record("/a", 7), row, record("/a", 8))
    }
  }
}
