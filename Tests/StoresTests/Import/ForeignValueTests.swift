import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores

/// Values that CloudKit has and SQLite has not: understood where that can be, and never the end of the program.
struct ForeignValueTests {
  static let milk = ImportBench.milk
  let bench: ImportBench
  let store: SQLiteDataStore

  init() throws {
    bench = try ImportBench()
    store = try bench.open()
  }

  private func bring(_ value: String, _ type: String) throws -> RecordConflict {
    let field = "\"remindersListID\": {\"value\": \(value), \"type\": \"\(type)\"}"
    let file = try bench.file(ImportBench.json(Self.milk, fields: field))
    #expect(try store.importRecords(from: [file], isRehearsal: false).new == 1)
    return try store.conflict(Self.milk)
  }

  @Test(arguments: ["remindersLists", "REMINDERSLISTS"])
  func aReferenceInAForeignKeyIsTheKeyOfItsRecord(table: String) throws {
    let conflict = try bring(#"{"recordName": "\#(Demo.key(1)):\#(table)", "action": "NONE"}"#, "REFERENCE")
    let field = try #require(conflict["remindersListID"])
    #expect(field.server?.value == .text(Demo.key(1)) && field.change == .onlyServer)
    #expect(conflict.details.references["remindersListID"]?[.text(Demo.key(1))]?.isEmpty == false)
    let planned = try #require(try plan(Self.milk, in: store))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    #expect(
      try bench.files.value("SELECT remindersListID FROM reminders WHERE id = ?", [.text(Demo.key(12))])
        == .text(Demo.key(1)))
  }

  @Test func soItIsInAnArchive() throws {
    let archive = try bench.archive(Self.milk) {
      $0.values["remindersListID"] = .reference(recordName: Demo.key(1) + ":remindersLists")
    }
    #expect(try store.importRecords(from: [bench.file(archive)], isRehearsal: false).new == 1)
    #expect(try store.conflict(Self.milk)["remindersListID"]?.server?.value == .text(Demo.key(1)))
  }

  @Test(
    arguments: [
      (#"{"recordName": "x:tags"}"#, "REFERENCE"), (#"{"recordName": "x"}"#, "REFERENCE"),
      (#"{"latitude": 1, "longitude": 2}"#, "LOCATION"), (#"{"fileChecksum": "AbCd", "size": 9}"#, "ASSETID"),
      (#"["a"]"#, "STRING_LIST"), (#"{"a": 1}"#, "NEW_TYPE"),
    ])
  func whatNoColumnTakesIsShownAndRefused(value: String, type: String) throws {
    let conflict = try bring(value, type)
    guard case .opaque? = conflict["remindersListID"]?.server?.value else {
      Issue.record("\(conflict.fields)")
      return
    }
    let planned = try #require(
      try plan(Self.milk, in: store, [.field("remindersListID"): .take(.server)]))
    for checked in try store.check([planned]) + store.write([planned], note: nil) {
      guard case .refused("remindersListID", _) = checked.outcome else {
        Issue.record("\(checked.outcome)")
        continue
      }
    }
  }

  /// Every kind of value in every field, the key and the fields' times among them.
  @Test(
    arguments: [
      .integer(.min), .integer(.max), .unsigned(.max), .real(.nan), .real(.infinity), .real(-0.0),
      .bool(true),
      .date(secondsSince2001: .nan), .date(secondsSince2001: 1e300), .data([]), .data([0xFF, 0]), .null,
      .asset(ArchivedAsset()), .asset(ArchivedAsset(signature: [1], size: .min)),
      .asset(ArchivedAsset(size: .max)),
      .reference(recordName: ""), .reference(recordName: ":"), .location(latitude: .nan, longitude: 200),
      .list([]), .list([.list([.null])]), .opaque(className: "", bytes: []), .string("\u{FEFF}"),
    ] as [ArchivedValue])
  func noValueEndsTheProgram(value: ArchivedValue) throws {
    let archive = try bench.archive(Self.milk) { record in
      for name in record.values.map(\.key) { record.values[name] = value }
    }
    _ = try store.importRecords(from: [bench.file(archive)], isRehearsal: false)
    try walk()
    let times = try bench.archive(Self.milk) { record in
      record.changeTag = "zz"
      record.modifiedAt = (record.modifiedAt ?? 0) + 1_000_000_000
      for name in record.values.map(\.key) where name.contains("Time") { record.values[name] = value }
    }
    _ = try bench.open(at: WriteTests.time + 1).importRecords(from: [bench.file(times)], isRehearsal: false)
    try walk()
  }

  private func walk() throws {
    let store = try bench.open(at: WriteTests.time + 2)
    _ = try findings(of: store)
    for id in try summaries(of: store).map(\.id) {
      for side in [Side.client, .server] {
        let conflict = try store.conflict(id)
        let subjects = conflict.subjects.map { ($0, Choice.take(side)) }
        let planned = try plan(id, in: store, Dictionary(subjects) { $1 })
        _ = try planned.map { try store.check([$0]) }
      }
    }
  }
}
