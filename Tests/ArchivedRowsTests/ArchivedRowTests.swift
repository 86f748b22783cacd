import ArchivedRows
import Foundation
import KeyedArchives
import Merging
import Testing

/// A row of an app, with a column of each kind that SQLiteData knows.
private struct Note: Mergeable, Decodable, Equatable {
  let id: UUID
  var title: String
  var isDone: Bool
  var visits: Int
  var size: Double
  var dueDate: Date?
  var tags: Set<String>
  var state: State
  var cover: AssetReference?
  var notes: String?

  enum State: Int, Codable { case open, closed }
  var primaryKey: UUID { id }

  static let mergeFields: [MergeField<Note>] = [
    .field("title", \.title), .field("isDone", \.isDone), .field("visits", \.visits, .counter),
    .field("size", \.size), .field("dueDate", \.dueDate), .field("tags", \.tags, .set),
    .field("state", \.state), .field("cover", \.cover), .field("notes", \.notes, .text),
  ]
}

private let id = UUID(uuidString: "00a11ce0-0000-4000-8000-000000000412")!  // because it is one

/// A record as SQLiteData archives it; `times` may name columns that are NULL.
private func archive(
  _ changes: [String: ArchivedValue?] = [:], times: [String: Int64] = [:], without columns: [String] = []
) -> [UInt8] {
  var values: [String: ArchivedValue] = [
    "id": .string(id.uuidString.lowercased()), "title": .string("Milk"), "isDone": .integer(1),
    "visits": .integer(3), "size": .integer(2), "dueDate": .date(secondsSince2001: 800_000_000.5),
    "tags": .string(#"["food","shop"]"#), "state": .integer(1),
    "cover": .asset(.init(signature: [1], size: 420, filePath: "/tmp/cover")),
    "cover_hash": .data([0xAB]), "notes": .string("one litre"),
  ]
  for (key, value) in changes { values[key] = value }
  for key in columns { values[key] = nil }
  for (column, time) in times { values[ArchivedRecord.modificationTimeKey(of: column)] = .integer(time) }
  return ArchivedRecord(
    recordType: "notes", recordName: "\(id.uuidString.lowercased()):notes", zoneName: "zone",
    changeTag: "a", values: values
  ).encoded()
}

@Suite struct ArchivedRowTests {
  private let whole = Note(
    id: id, title: "Milk", isDone: true, visits: 3, size: 2,
    dueDate: Date(timeIntervalSinceReferenceDate: 800_000_000.5), tags: ["food", "shop"], state: .closed,
    cover: AssetReference(column: "cover", sha256: [0xAB]), notes: "one litre")

  @Test func aRecordIsReadByTheNamesOfItsColumns() throws {
    let version = try RowVersion<Note>(archivedRecord: archive(times: ["title": 7, "visits": 9]))
    #expect(version.row == whole)
    #expect(version.row.cover?.byteCount == 420 && version.row.cover?.filePath == "/tmp/cover")
    #expect(version.columnTimes == ["title": 7, "visits": 9])
    #expect(version.modificationTime(for: \.visits) == 9)
  }

  @Test func aColumnWithATimeAndNoValueIsNull() throws {
    let version = try RowVersion<Note>(
      archivedRecord: archive(times: ["notes": 5], without: ["notes", "dueDate"]),
      known: RowVersion(row: whole, columnTimes: ["dueDate": 3]))
    #expect(version.row.notes == nil && version.modificationTime(for: \.notes) == 5)
    #expect(version.row.dueDate == whole.dueDate && version.modificationTime(for: \.dueDate) == 3)
  }

  @Test func whatTheRecordDoesNotKnowWasNotChangedThere() throws {
    let bytes = archive(without: ["title", "tags", "notes"])
    var other = whole
    (other.title, other.tags, other.notes) = ("Oat milk", ["vegan"], nil)
    let version = try RowVersion<Note>(
      archivedRecord: bytes, known: RowVersion(row: other, columnTimes: ["tags": 4]))
    #expect(version.row == other)
    #expect(version.columnTimes == ["tags": 4])
    #expect(throws: DecodingError.self) { try RowVersion<Note>(archivedRecord: bytes) }
    let nullable = try RowVersion<Note>(archivedRecord: archive(without: ["notes"]))
    #expect(nullable.row.notes == nil)
  }

  @Test(arguments: [
    ("title", ArchivedValue.integer(1)), ("visits", .string("3")), ("visits", .real(3)),
    ("size", .string("2")),
    ("dueDate", .string("tomorrow")), ("id", .string("no uuid")), ("state", .integer(7)),
    ("tags", .string("food")), ("tags", .integer(1)), ("cover", .string("?")), ("isDone", .string("yes")),
    ("id", .null), ("title", .null),
  ])
  func aValueOfAnotherTypeIsAnErrorThatDoesNotTellIt(column: String, value: ArchivedValue) throws {
    let error = #expect(throws: DecodingError.self) {
      try RowVersion<Note>(archivedRecord: archive([column: value], times: [column: 1]))
    }
    #expect(error.map { !"\($0)".contains("tomorrow") } == true)
  }

  @Test func bytesThatAreNoRecordOrHoldNoValuesAreRefused() throws {
    let slim = ArchivedRecord(
      recordType: "notes", recordName: "1:notes", zoneName: "zone", hasValueStores: false
    ).encoded()
    #expect(throws: ArchivedRowError.noFields) { try RowVersion<Note>(archivedRecord: slim) }
    for bytes in [[], Array("bplist00".utf8), Array(archive().dropLast(9))] {
      let error = #expect(throws: ArchivedRowError.self) { try RowVersion<Note>(archivedRecord: bytes) }
      guard case .unreadable? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test func threeArchivesMergeIntoADraft() throws {
    let ancestor = try RowVersion<Note>(archivedRecord: archive(times: ["title": 1, "visits": 1]))
    var row = ancestor.row
    (row.title, row.visits, row.tags) = ("Oat milk", 5, ["food", "shop", "vegan"])
    let server = try RowVersion<Note>(
      archivedRecord: archive(
        ["title": .string("Soy milk"), "visits": .integer(4), "tags": .string(#"["food"]"#)],
        times: ["title": 200, "visits": 200]), known: ancestor)
    let conflict = MergeConflict(
      ancestor: ancestor, client: RowVersion(clientRow: row, modificationTime: 100, ancestor: ancestor),
      server: server)
    let draft = conflict.resolved()
    #expect(draft.title == "Soy milk" && draft.visits == 6 && draft.tags == ["food", "vegan"])
    #expect(draft.changedColumns() == ["title", "visits", "tags"])
  }
}

/// A row that keeps the bytes of an asset itself.
private struct Picture: Mergeable, Decodable {
  let id: String
  var bytes: Data
  var primaryKey: String { id }
  static let mergeFields: [MergeField<Picture>] = [.field("bytes", \.bytes)]
}

@Suite struct ArchivedAssetTests {
  private let archive = ArchivedRecord(
    recordType: "pictures", recordName: "1:pictures", zoneName: "zone",
    values: [
      "id": .string("1"), "bytes": .asset(.init(size: 3, filePath: "/tmp/p")), "bytes_hash": .data([7]),
    ]
  ).encoded()

  @Test func theBytesOfAnAssetAreReadByTheApp() throws {
    let version = try RowVersion<Picture>(archivedRecord: archive) { asset in
      asset.filePath == "/tmp/p" && asset.byteCount == 3 ? Data([1, 2, 3]) : nil
    }
    #expect(version.row.bytes == Data([1, 2, 3]))
  }

  @Test func anAssetThatIsNotAtHandIsNamed() {
    #expect(throws: ArchivedRowError.assetNotAtHand(column: "bytes", sha256: [7])) {
      try RowVersion<Picture>(archivedRecord: archive)
    }
  }

  @Test func anAssetIsEqualToAnotherOnlyByItsHash() {
    let known = AssetReference(column: "bytes", sha256: [7])
    #expect(known == AssetReference(column: "other", sha256: [7], byteCount: 3))
    #expect(known != AssetReference(column: "bytes", sha256: [8]))
    #expect(AssetReference(column: "bytes", sha256: nil) != AssetReference(column: "bytes", sha256: nil))
  }
}
