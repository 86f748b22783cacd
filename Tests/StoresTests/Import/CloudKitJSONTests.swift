import Merging
import Testing

@testable import ExactJSON
@testable import KeyedArchives
@testable import SQLiteDataStores

struct CloudKitJSONTests {
  private func node(_ text: String) throws -> JSONNode {
    var reader = JSONReader(Array(text.utf8))
    return try reader.single()
  }

  private func value(_ type: String?, _ json: String) throws -> ArchivedValue {
    try CloudKitValue(type: type).value(try node(json))
  }

  @Test(
    arguments: [
      ("STRING", "\"Milk\"", ArchivedValue.string("Milk")), ("stringType", "\"\"", .string("")),
      ("INT64", "9007199254740993", .integer(9_007_199_254_740_993)), ("int64Type", "-5", .integer(-5)),
      ("INT64", "\"9223372036854775807\"", .integer(.max)), ("INT64", "5.0", .integer(5)),
      ("NUMBER_INT64", "7", .integer(7)), ("NUMBER_DOUBLE", "7", .real(7)),
      ("NUMBER_INT64_LIST", "[7]", .list([.integer(7)])), ("INT64", "true", .integer(1)),
      ("DOUBLE", "5", .real(5)), ("doubleType", "\"0.25\"", .real(0.25)),
      ("BYTES", "\"AAH/\"", .data([0, 1, 255])), ("bytesType", "\"\"", .data([])),
      ("ENCRYPTED_BYTES", "\"AAH/\"", .data([0, 1, 255])),
      ("TIMESTAMP", "978307200500", .date(secondsSince2001: 0.5)),
      ("TIMESTAMP", "\"978307200500\"", .date(secondsSince2001: 0.5)),
      ("timestampType", "\"2001-01-01T00:00:00.500Z\"", .date(secondsSince2001: 0.5)),
      ("REFERENCE", "{\"recordName\": \"1:lists\", \"action\": \"NONE\"}", .reference(recordName: "1:lists")),
      ("LOCATION", "{\"latitude\": 52.5, \"longitude\": 13}", .location(latitude: 52.5, longitude: 13)),
      (
        "ASSETID", "{\"fileChecksum\": \"AQID\", \"size\": 420, \"downloadURL\": \"https://x\"}",
        .asset(ArchivedAsset(signature: [1, 2, 3], size: 420))
      ),
      ("assetType", "{\"size\": 1}", .asset(ArchivedAsset(size: 1))),
      ("INT64_LIST", "[1, 2]", .list([.integer(1), .integer(2)])),
      ("stringListType", "[\"a\"]", .list([.string("a")])), ("EMPTY_LIST", "[]", .list([])),
      ("UNKNOWN_LIST", "[1, \"a\"]", .list([.integer(1), .string("a")])),
      ("STRING", "null", .null), (nil, "\"a\"", .string("a")), (nil, "5", .integer(5)),
      (nil, "5.0", .real(5)),
      (nil, "false", .integer(0)), (nil, "[]", .list([])),
      (nil, "{\"recordName\": \"1:lists\"}", .reference(recordName: "1:lists")),
      (
        "MYSTERY", "{\"b\": [1, \"x\"], \"a\": null}",
        .opaque(className: "CloudKit MYSTERY", bytes: Array("{\"a\":null,\"b\":[1,\"x\"]}".utf8))
      ),
    ] as [(String?, String, ArchivedValue)])
  func aValueIsReadByItsTypeHoweverThatIsSpelt(type: String?, json: String, value: ArchivedValue) throws {
    #expect(try self.value(type, json) == value)
  }

  @Test(arguments: [
    ("INT64", "9223372036854775808", "no whole number that 64 bits hold"),
    ("INT64", "1.5", "no whole number that 64 bits hold"),
    ("INT64", "1e20", "no whole number that 64 bits hold"),
    ("INT64", "{}", "an object where a whole number belongs"),
    ("NUMBER_INT64", "\"xyz\"", "no whole number that 64 bits hold"),
    ("STRING", "5", "a number where a string belongs"), ("BYTES", "\"?\"", "no base64"),
    ("DOUBLE", "\"inf\"", "no number that can be kept"),
    ("TIMESTAMP", "\"2026-02-29T00:00:00Z\"", "a timestamp is milliseconds since 1970 or ISO 8601"),
    ("TIMESTAMP", "\"2026-01-01T00:00:00\"", "a timestamp is milliseconds since 1970 or ISO 8601"),
    ("TIMESTAMP", "1e300", "a timestamp is milliseconds since 1970 or ISO 8601"),
    ("LOCATION", "{\"latitude\": 1}", "an object where a longitude belongs"),
    ("STRING_LIST", "[\"a\", 5]", "a number where a string belongs"),
    ("ASSET", "\"x\"", "a string where an asset belongs"),
  ])
  func aValueOfAnotherKindIsRefused(type: String, json: String, reason: String) throws {
    let problem = try #require(throws: JSONProblem.self) { try value(type, json) }
    #expect(problem.reason == reason)
  }

  @Test(arguments: [
    ("\"1970-01-01T00:00:00Z\"", 0), ("\"1875-09-12T21:12:42Z\"", -2_975_885_238_000_000_000),
    ("\"2026-08-26T13:38:31.942Z\"", 1_787_751_511_942_000_000),
    ("\"2026-08-26T15:38:31.942+02:00\"", 1_787_751_511_942_000_000),
    ("\"2026-08-26T08:08:31-05:30\"", 1_787_751_511_000_000_000),
    ("\"2024-02-29T00:00:00.123456789Z\"", 1_709_164_800_123_456_789),
    ("1787751511942", 1_787_751_511_942_000_000), ("-1000", -1_000_000_000), ("1.5e3", 1_500_000_000),
  ])
  func aTimeIsMillisecondsOrISO8601(json: String, time: Int64) throws {
    #expect(TimestampText.nanoseconds(try node(json)) == time)
  }

  @Test(arguments: [
    "\"\"", "\"yesterday\"", "\"2026-13-01T00:00:00Z\"", "\"2026-00-01T00:00:00Z\"",
    "\"2026-01-00T00:00:00Z\"",
    "\"2026-04-31T00:00:00Z\"", "\"2026-01-01T24:00:00Z\"", "\"2026-01-01T00:60:00Z\"", "\"2026-1-1T0:0:0Z\"",
    "\"2026-01-01 00:00:00Z\"", "\"2026-01-01T00:00:00.Z\"", "\"2026-01-01T00:00:00+2\"",
    "\"9999-01-01T00:00:00Z\"", "99999999999999999", "null", "true",
  ])
  func whatIsNoTimeIsNone(json: String) throws {
    #expect(TimestampText.nanoseconds(try node(json)) == nil)
  }

  static let record = """
    {"recordName": "1:reminders", "recordType": "reminders", "recordChangeTag": "c00d",
     "created": {"timestamp": 1000, "userRecordName": "_a", "deviceID": "Mac"},
     "modified": {"timestamp": "1970-01-01T00:00:02Z", "deviceId": "iPad"},
     "zoneID": {"zoneName": "zone", "ownerRecordName": "_b"}, "parent": {"recordName": "2:lists"},
     "fields": {"title": {"value": "Milk", "type": "STRING"}, "priority": {"value": 3}}, "pluginFields": {}}
    """

  @Test func aRecordHasNameTagTimesZoneAndFields() throws {
    let read = try CloudKitJSON.record(Self.record)
    #expect(
      read.record
        == ArchivedRecord(
          recordType: "reminders", recordName: "1:reminders", zoneName: "zone", ownerName: "",
          changeTag: "c00d", createdAt: 1_000_000_000, modifiedAt: 2_000_000_000, modifiedByDevice: "iPad",
          parentRecordName: "2:lists", values: ["title": .string("Milk"), "priority": .integer(3)]))
    #expect(!read.isDeleted)
    #expect(try CloudKitJSON.record("{\"recordName\": \"1:reminders\", \"deleted\": true}").isDeleted)
  }

  /// Names of the records, and places and reasons of what is none.
  private func entries(_ text: String) -> [String] {
    ImportFile.entries(Array(text.utf8)).map { entry in
      switch entry {
      case .record(let incoming): incoming.record.recordName
      case .unreadable(let place, _, let reason): "\(place ?? "-"): \(reason)"
      }
    }
  }

  private func named(_ name: String) -> String {
    "{\"recordName\": \"\(name)\", \"recordType\": \"reminders\", \"fields\": {}}"
  }

  @Test func aFileHoldsOneRecordOrManyInAnyForm() {
    #expect(entries(named("1:reminders")) == ["1:reminders"])
    #expect(entries("[\(named("1:reminders")), \(named("2:reminders"))]") == ["1:reminders", "2:reminders"])
    #expect(
      entries("{\"records\": [\(named("1:reminders"))], \"continuationToken\": \"x\"}") == ["1:reminders"])
    #expect(entries("{\"records\": []}").isEmpty)
    #expect(
      entries("\u{FEFF}\n\(named("1:reminders"))\r\n\r\n\(named("2:reminders"))\n") == [
        "1:reminders", "2:reminders",
      ])
    let page = "{\n\"records\": [\n\(named("1:reminders"))\n]\n}\n"
    #expect(entries(page + page) == ["1:reminders", "1:reminders"])
    #expect(entries(Self.record) == ["1:reminders"])
  }

  @Test func aDamagedLineCostsNoOther() {
    let lines = [named("1:reminders"), "{\"recordName\": 1e400}", "garbage", named("2:reminders")]
    #expect(
      entries(lines.joined(separator: "\n")) == [
        "1:reminders", "line 2, column 16: a number too large to be kept",
        "line 3, column 1: no value begins like this", "2:reminders",
      ])
  }

  @Test func aDamagedTextIsToldOnce() {
    #expect(
      entries("{\n\"records\": [\n\(named("1:reminders")),\n]}") == [
        "1:reminders", "line 4, column 1: no value begins like this",
      ])
  }

  @Test func whatIsNoRecordIsToldWithItsReason() {
    let errors = """
      {"records": [
        {"recordName": "1:reminders", "reason": "Record not found", "serverErrorCode": "NOT_FOUND"},
        {"recordType": "reminders"}, {"recordName": "2:reminders"}, 5,
        {"recordName": "3:reminders", "recordType": "reminders", "fields": {"title": "Milk"}},
        {"recordName": "4:reminders", "recordType": "reminders", "modified": {"timestamp": "now"}}
      ]}
      """
    #expect(
      entries(errors) == [
        "line 2, column 3: the server answered NOT_FOUND: Record not found",
        "line 3, column 3: a record without recordName", "line 3, column 32: a record without recordType",
        "line 3, column 63: a number where a record belongs",
        "line 4, column 80: title: a field is an object with a value",
        "line 5, column 86: a timestamp is milliseconds since 1970 or ISO 8601",
      ])
  }

  @Test(arguments: [("", "it is empty"), ("hello", "it is no archived record, no JSON and no database")])
  func anythingElseIsNoImport(text: String, reason: String) {
    #expect(entries(text) == ["-: \(reason)"])
  }
}
