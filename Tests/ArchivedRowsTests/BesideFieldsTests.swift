import ArchivedRows
import Foundation
import KeyedArchives
import Merging
import Testing

/// A row with all columns of its table, as GRDB has it, of which some are merged.
private struct Note: Mergeable, Decodable {
  let id: String
  var title: String
  var tags: [String]
  var photo: Data?
  var icon: Data
  var createdAt: Date
  var length: Int?

  private enum CodingKeys: String, CodingKey { case id, title, tags, photo, icon, createdAt, length }

  init(from decoder: any Decoder) throws {
    let columns = try decoder.container(keyedBy: CodingKeys.self)
    id = try columns.decode(String.self, forKey: .id)
    title = try columns.decode(String.self, forKey: .title)
    tags = try columns.decode(String.self, forKey: .tags).split(separator: ",").map(String.init)
    photo = try columns.decodeIfPresent(Data.self, forKey: .photo)
    icon = try columns.decode(Data.self, forKey: .icon)
    createdAt = try columns.decode(Date.self, forKey: .createdAt)
    length = try columns.decodeIfPresent(Int.self, forKey: .length)
  }

  var primaryKey: String { id }
  static let mergeFields: [MergeField<Note>] = [.field("title", \.title), .field("tags", \.tags)]
}

/// A UUID that is kept as a BLOB, which travels as a file, merged in the one and beside the fields in the other.
private struct Owned: Mergeable, Decodable {
  let id: String
  var title: String
  var owner: UUID
  var primaryKey: String { id }
  static let mergeFields: [MergeField<Owned>] = [.field("title", \.title)]
}

private struct Shared: Mergeable, Decodable {
  let id: String
  var owner: UUID
  var primaryKey: String { id }
  static let mergeFields: [MergeField<Shared>] = [.field("owner", \.owner)]
}

/// The database generates `length`, and nobody keeps it.
private struct Generated: Mergeable, Decodable {
  let id: String
  var title: String
  var length: Int
  var primaryKey: String { id }
  static let mergeFields: [MergeField<Generated>] = [.field("title", \.title)]
}

/// Columns that are no fields: nobody merges or writes them, and a type of the whole row has them all the same.
@Suite struct BesideFieldsTests {
  private static let photo = ArchivedValue.asset(.init(signature: [1], size: 2, filePath: "/gone"))
  private static let row = #"""
    {"id":"1","title":"Oats","tags":"a,b","photo":{"blob":"0aff"},"icon":{"blob":"01"},\#
    "createdAt":"2026-05-09 14:13:20.000"}
    """#

  private func archive(
    _ changes: [String: ArchivedValue] = [:], without columns: [String] = [], at time: Int64 = 10
  ) -> [UInt8] {
    var values: [String: ArchivedValue] = [
      "id": .string("1"), "title": .string("Milk"), "tags": .string("a"), "photo": Self.photo,
      "icon": Self.photo, "createdAt": .date(secondsSince2001: 800_028_800),
    ]
    for (column, value) in changes { values[column] = value }
    for column in columns { values[column] = nil }
    for column in values.keys { values[ArchivedRecord.modificationTimeKey(of: column)] = .integer(time) }
    values["photo_hash"] = .data([7])
    values["icon_hash"] = .data([7])
    return ArchivedRecord(recordType: "notes", recordName: "1:notes", zoneName: "zone", values: values)
      .encoded()
  }

  private func conflict(
    _ ancestor: [UInt8]?, row: String = row, _ server: [UInt8]
  ) throws -> MergeConflict<Note> {
    try MergeConflict(
      ancestorRecord: ancestor, capturedRow: Array(row.utf8), modificationTime: 100, serverRecord: server)
  }

  @Test func bytesThatAreNotAtHandAreThoseOfTheRow() throws {
    let read = try conflict(archive(), archive(["title": .string("Soy")], at: 50))
    for row in [read.versions.ancestor?.row, read.versions.client.row, read.versions.server.row] {
      #expect(row?.photo == Data([0x0A, 0xFF]) && row?.icon == Data([1]))
    }
    #expect(read.resolved().title == "Oats")
  }

  @Test func bytesThatCannotBeReadAreThoseOfTheRowToo() throws {
    let read = try MergeConflict<Note>(
      ancestorRecord: archive(), capturedRow: Array(Self.row.utf8), modificationTime: 100,
      serverRecord: archive()
    ) { _ in throw CocoaError(.fileReadNoPermission) }
    #expect(read.versions.server.row.photo == Data([0x0A, 0xFF]))
    #expect(throws: CocoaError.self) {
      try RowVersion<Note>(archivedRecord: archive()) { _ in throw CocoaError(.fileReadNoPermission) }
    }
  }

  @Test func aUUIDInAFileIsTheRowsOrAsksForTheBytes() throws {
    let bytes = [UInt8](repeating: 0xA1, count: 16)
    let record = archive(["owner": Self.photo, "owner_hash": .data([7])])
    let row = #"{"id":"1","title":"Oats","owner":{"blob":"\#(String(repeating: "a1", count: 16))"}}"#
    let beside = try MergeConflict<Owned>(
      ancestorRecord: record, capturedRow: Array(row.utf8), modificationTime: 100, serverRecord: record)
    let id = UUID(uuidString: "A1A1A1A1-A1A1-A1A1-A1A1-A1A1A1A1A1A1")
    #expect(beside.versions.server.row.owner == id && beside.versions.ancestor?.row.owner == id)
    let merged = try RowVersion<Shared>(archivedRecord: record) { _ in Data(bytes) }
    #expect(merged.row.owner == id)
    #expect(throws: ArchivedRowError.assetNotAtHand(column: "owner", sha256: [7])) {
      try RowVersion<Shared>(archivedRecord: record)
    }
    #expect(throws: DecodingError.self) { try RowVersion<Shared>(archivedRecord: record) { _ in Data([1]) } }
  }

  @Test func whereTheRowHasNoneThereAreNone() throws {
    let row = Self.row.replacing(#"{"blob":"0aff"}"#, with: "null")
    let read = try conflict(archive(), row: row, archive())
    #expect(read.versions.server.row.photo == nil && read.versions.server.row.icon == Data([1]))
  }

  /// A record alone has no row beside it.
  @Test func withoutARowTheBytesAreNamed() {
    let expected = ArchivedRowError.assetNotAtHand(column: "photo", sha256: [7])
    #expect(throws: expected) { try RowVersion<Note>(archivedRecord: archive()) }
    #expect(expected.description.contains("'photo'") && expected.description.contains("AssetReference"))
  }

  @Test func aColumnThatTheOtherDeviceDoesNotKnowIsTheRows() throws {
    let old = archive(without: ["createdAt", "photo", "icon"])
    let read = try conflict(old, old)
    #expect(read.versions.server.row.createdAt == Date(timeIntervalSinceReferenceDate: 800_028_800))
    #expect(read.versions.ancestor?.row.photo == Data([0x0A, 0xFF]))
    #expect(try conflict(nil, old).versions.server.row.icon == Data([1]))
  }

  /// It is read from what is stored, which is another type than the field's.
  @Test func aFieldThatTheTypeConvertsIsTheAncestorsWhereTheOtherDeviceDoesNotKnowIt() throws {
    let read = try conflict(archive(), archive(without: ["tags"]))
    #expect(read.versions.server.row.tags == ["a"] && read.versions.client.row.tags == ["a", "b"])
    #expect(read.resolved().tags == ["a", "b"])
    let unknown = try conflict(archive(without: ["tags"]), archive(without: ["tags"]))
    #expect(unknown.versions.server.row.tags == ["a", "b"])
  }

  @Test func aColumnThatNobodyHasIsNamedWithTheWayOut() {
    let expected = ArchivedRowError.columnNotAtHand(column: "length", type: "Generated")
    #expect(throws: expected) {
      try MergeConflict<Generated>(
        ancestorRecord: archive(), capturedRow: Array(Self.row.utf8), modificationTime: 1,
        serverRecord: archive())
    }
    #expect(throws: expected) { try RowVersion<Generated>(archivedRecord: archive()) }
    #expect(expected.description.contains("'length'") && expected.description.contains("Optional"))
  }

  /// By triggers of before the column: it is none that the database generates.
  @Test func aColumnThatTheRecordsHaveAndTheRowLacksIsOneThatWasNotCaptured() {
    let expected = ArchivedRowError.columnNotCaptured(column: "createdAt")
    let row = Self.row.replacing(#","createdAt":"2026-05-09 14:13:20.000""#, with: "")
    for records in [(archive(), archive()), (archive(without: ["createdAt"]), archive())] {
      #expect(throws: expected) { try conflict(records.0, row: row, records.1) }
    }
    #expect(throws: expected) { try conflict(nil, row: row, archive()) }
    #expect(expected.description.contains("`parley capture`"))
    #expect(!expected.description.contains("mergeFields"))
  }
}
