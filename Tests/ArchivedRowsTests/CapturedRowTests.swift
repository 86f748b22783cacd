import ArchivedRows
import Foundation
import KeyedArchives
import Merging
import Testing

/// A row with a column of each kind that SQLite keeps otherwise than Swift does.
private struct Note: Mergeable, Decodable, Equatable {
  let id: UUID
  var title: String
  var isDone: Bool
  var visits: Int64
  var size: Double
  var dueDate: Date?
  var tags: Set<String>
  var cover: Data?
  var icon: AssetReference?

  var primaryKey: UUID { id }
  static let mergeFields: [MergeField<Note>] = [
    .field("title", \.title), .field("isDone", \.isDone), .field("visits", \.visits, .counter),
    .field("size", \.size), .field("dueDate", \.dueDate), .field("tags", \.tags, .set),
    .field("cover", \.cover), .field("icon", \.icon),
  ]
}

private let id = UUID(uuidString: "00a11ce0-0000-4000-8000-000000000412")!  // because it is one

/// What `parley capture` keeps of a row, with some columns as another JSON.
private func json(_ changes: [String: String?] = [:]) -> Data {
  var columns = [
    "id": "\"\(id.uuidString.lowercased())\"", "title": #""Milk""#, "isDone": "1",
    "visits": #"{"integer":"9007199254740993"}"#, "size": "2.0", "dueDate": #""2026-05-09 14:13:20.123""#,
    "tags": #""[\"food\"]""#, "cover": #"{"blob":"0aff"}"#, "icon": #"{"blob":"0aff"}"#,
  ]
  for (column, value) in changes { columns[column] = value }
  return Data(("{" + columns.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}").utf8)
}

private func version(_ json: Data, ancestor: RowVersion<Note>? = nil) throws -> RowVersion<Note> {
  try RowVersion(capturedRow: json, modificationTime: 7, ancestor: ancestor)
}

@Suite struct CapturedRowTests {
  @Test func aRowIsReadAsSQLiteKeepsIt() throws {
    let read = try version(json())
    #expect(read.row.id == id && read.row.title == "Milk" && read.row.isDone && read.row.tags == ["food"])
    #expect(read.row.visits == 9_007_199_254_740_993 && read.row.size == 2)
    #expect(read.row.dueDate == Date(timeIntervalSinceReferenceDate: 800_028_800.123))
    #expect(read.row.cover == Data([0x0A, 0xFF]) && read.row.icon?.byteCount == 2)
    #expect(read.row.icon?.sha256?.count == 32 && read.row.icon?.column == "icon")
    #expect(read.columnTimes.count == Note.mergeFields.count && read.columnTimes["title"] == 7)
  }

  @Test func aDateWithoutMillisecondsIsRead() throws {
    let read = try version(json(["dueDate": #""2026-05-09 14:13:20""#]))
    #expect(read.row.dueDate == Date(timeIntervalSinceReferenceDate: 800_028_800))
  }

  @Test func nullIsNil() throws {
    let read = try version(json(["dueDate": "null", "cover": "null", "icon": "null"]))
    #expect(read.row.dueDate == nil && read.row.cover == nil && read.row.icon == nil)
  }

  /// The record has the date as it was made; the row has it to the millisecond.
  @Test func aDateThatIsTheAncestorsWasNotChanged() throws {
    var ancestor = try version(json())
    ancestor.row.dueDate = Date(timeIntervalSinceReferenceDate: 800_028_800.123_4)
    let read = try version(json(["title": #""Oat milk""#]), ancestor: ancestor)
    #expect(read.row.dueDate == ancestor.row.dueDate)
    let conflict = MergeConflict(ancestor: ancestor, client: read, server: ancestor)
    #expect(conflict.resolved().changedColumns(since: .ancestor) == ["title"])
  }

  @Test(arguments: [
    ("dueDate", #""tomorrow""#), ("dueDate", #""2026-13-09 14:13:20.123""#), ("dueDate", "1700000000"),
    ("isDone", #""yes""#), ("isDone", "2"), ("size", #"{"integer":"9007199254740993"}"#), ("isDone", "null"),
    ("cover", #""text""#), ("visits", "1.5"), ("tags", #""food""#),
    ("cover", #"{"opaque":"00","kind":"CKReference"}"#),
  ])
  func aValueOfAnotherTypeIsAnErrorThatDoesNotTellIt(column: String, value: String) throws {
    let error = #expect(throws: DecodingError.self) { try version(json([column: value])) }
    #expect(error.map { !"\($0)".contains("tomorrow") } == true)
  }

  @Test func aColumnThatTheRowDoesNotHaveIsNamed() {
    let error = #expect(throws: ArchivedRowError.self) { try version(json(["dueDate": nil])) }
    #expect(error == .columnNotCaptured(column: "dueDate"))
    #expect(error?.description.contains("no column 'dueDate'") == true)
  }

  @Test func whatIsNoRowIsRefused() {
    #expect(throws: ArchivedRowError.noFields) { try version(Data("null".utf8)) }
    for text in ["", "[]", "{", #"{"title":true}"#, #"{"a":1,"a":2}"#] {
      let error = #expect(throws: ArchivedRowError.self) { try version(Data(text.utf8)) }
      guard case .unreadable? = error else {
        Issue.record("\(text): \(String(describing: error))")
        continue
      }
    }
  }
}

/// The column is called as `@Column("is_done")` calls it, and the coding key as the property.
private struct Renamed: Mergeable, Decodable {
  let id: String
  var title: String
  var isDone: Bool?
  var primaryKey: String { id }
  static let mergeFields: [MergeField<Renamed>] = [.field("title", \.title), .field("is_done", \.isDone)]
}

/// Both names are the column's.
private struct Named: Mergeable, Decodable {
  let id: String
  var isDone: Bool?
  enum CodingKeys: String, CodingKey {
    case id
    case isDone = "is_done"
  }
  var primaryKey: String { id }
  static let mergeFields: [MergeField<Named>] = [.field("is_done", \.isDone)]
}

/// Its columns are known only when it is read.
private struct Listing: Mergeable, Decodable {
  var texts: [String: String]
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    let found = try container.allKeys.map { ($0.stringValue, try container.decode(String.self, forKey: $0)) }
    texts = Dictionary(uniqueKeysWithValues: found)
  }
  var primaryKey: String { texts["id", default: ""] }
  static let mergeFields: [MergeField<Listing>] = [.field("title", \.texts["title"])]
}

private struct AnyKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

@Suite struct CodingKeyTests {
  private let archive = ArchivedRecord(
    recordType: "notes", recordName: "1:notes", zoneName: "zone",
    values: ["id": .string("1"), "title": .string("Milk"), "is_done": .integer(1)]
  ).encoded()
  private let captured = Array(#"{"id":"1","title":"Milk","is_done":1}"#.utf8)

  @Test func aColumnThatTheTypeNeverDecodesIsNamedAndNotReadAsNull() throws {
    let expected = ArchivedRowError.columnNotDecoded(column: "is_done", type: "Renamed")
    #expect(throws: expected) { try RowVersion<Renamed>(archivedRecord: archive) }
    #expect(throws: expected) {
      try RowVersion<Renamed>(capturedRow: captured, modificationTime: 1, ancestor: nil)
    }
    #expect(
      expected.description
        == "Renamed merges the column 'is_done' and never decodes it: its coding key and mergeFields need the same name"
    )
  }

  @Test func codingKeysThatAreTheColumnsNamesAreRead() throws {
    #expect(try RowVersion<Named>(archivedRecord: archive).row.isDone == true)
    let client = try RowVersion<Named>(capturedRow: captured, modificationTime: 1, ancestor: nil)
    #expect(client.row.isDone == true)
  }

  @Test func aTypeThatListsTheKeysTakesWhatIsThere() throws {
    let record = ArchivedRecord(
      recordType: "notes", recordName: "1:notes", zoneName: "zone", values: ["id": .string("1")])
    #expect(try RowVersion<Listing>(archivedRecord: record.encoded()).row.texts == ["id": "1"])
  }
}
