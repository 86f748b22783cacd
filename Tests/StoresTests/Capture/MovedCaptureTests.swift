import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import StoreInterface

/// A record comes in from another zone than the one in which this device knows it: another device has moved it, and the engine, which takes
/// away what it knows of the former zone, the whole row.
@Suite struct MovedCaptureTests {
  private let app: PlayedApp
  private let folder: TestFolder
  private static let milk = "1:notes"

  init() throws {
    folder = try TestFolder()
    app = try PlayedApp(in: folder)
    try app.captureAll()
    try app.receive(Self.record("a", 10, title: ("Milk", 10), body: ("1 l", 10)), at: 100)
  }

  private static func record(
    _ tag: String, _ time: Int64, zone: String = Metadatabase.defaultZone, title: (String, Int64),
    body: (String, Int64)
  ) -> ArchivedRecord {
    var record = ArchivedRecord.milk(tag, time, title: title, body: body)
    record.zoneName = zone
    return record
  }

  private static let moved = record(
    "b", 160, zone: "shared", title: ("Oat milk", 160), body: ("1 l", 10))

  private static func list(_ tag: String, _ time: Int64, zone: String) -> ArchivedRecord {
    var record = ArchivedRecord.sample(
      "1:lists", tag: tag, serverTime: time,
      ["id": (.string("1"), 10), "title": (.string("Groceries"), 10)])
    record.zoneName = zone
    return record
  }

  private static func item(_ tag: String, _ time: Int64, zone: String, _ title: String) -> ArchivedRecord {
    var record = ArchivedRecord.sample(
      "1:items", tag: tag, serverTime: time,
      ["id": (.string("1"), 10), "title": (.string(title), time), "listID": (.string("1"), 10)])
    (record.zoneName, record.parentRecordName) = (zone, "1:lists")
    return record
  }

  private func inbox() throws -> [InboxRow] {
    try SQLiteDataStore.open(path: app.path).read { try InboxRow.page(before: .max, limit: 9, in: $0) }
  }

  @Test func anEditThatAMoveOverwroteIsKept() throws {
    try app.edit(at: 150, "UPDATE notes SET title = 'Milk 2%'")
    try app.receive(Self.moved, at: 200)
    #expect(try app.rows("SELECT title FROM notes") == [[.text("Oat milk")]])
    let rows = try inbox()
    #expect(rows.map(\.zoneName) == ["shared"] && rows.map(\.ancestorTag) == ["a"])
    let title = try #require(try SQLiteDataStore.open(path: app.path).conflict(Self.milk)["title"])
    #expect(title.client?.value == .text("Milk 2%") && title.server?.value == .text("Oat milk"))
    #expect(try app.rows("SELECT count(*) FROM parley_unsent") == [[.integer(0)]])
  }

  /// By the server's time of its making it is another record than the one before.
  @Test func aMoveIsNotToldAsADeletion() throws {
    var moved = Self.moved
    moved.createdAt = moved.modifiedAt
    try app.edit(at: 150, "UPDATE notes SET title = 'Milk 2%'")
    try app.receive(moved, at: 200)
    let conflict = try SQLiteDataStore.open(path: app.path).conflict(Self.milk)
    let title = try #require(conflict["title"])
    #expect(title.client?.value == .text("Milk 2%") && title.server?.value == .text("Oat milk"))
    #expect(title.suggestion.certainty != .sure)
    #expect(conflict.details.notes.contains("ancestor not known: " + AnotherRecord.elsewhere.words))
    #expect(!conflict.details.notes.contains { $0.contains("was deleted in between") })
  }

  /// As into a list that is shared with many.
  @Test func aMoveWithoutAnEditLeavesNone() throws {
    try app.receive(Self.moved, at: 200)
    #expect(try app.rows("SELECT title FROM notes") == [[.text("Oat milk")]])
    #expect(try inbox().isEmpty)
  }

  /// A list that is shared by another device takes its items with it, of which the engine forgets what it knew before they come in.
  @Test(arguments: [false, true]) func aMoveOfAListLeavesOfItsItemsThoseWithAnEdit(isEdited: Bool) throws {
    try app.receive(Self.list("a", 10, zone: Metadatabase.defaultZone), at: 100)
    try app.receive(Self.item("a", 10, zone: Metadatabase.defaultZone, "Milk"), at: 100)
    if isEdited { try app.edit(at: 150, "UPDATE items SET title = 'Milk 2%'") }
    try app.receive(Self.list("b", 160, zone: "shared"), at: 200)
    let sql = "SELECT zoneName, lastKnownServerRecord FROM sqlitedata_icloud_metadata"
    #expect(try app.rows(sql + " WHERE recordType = 'items'") == [[.text("shared"), .null]])
    try app.receive(Self.item("b", 160, zone: "shared", "Oat milk"), at: 200)
    #expect(try app.rows("SELECT title FROM items") == [[.text("Oat milk")]])
    let rows = try inbox()
    #expect(rows.map(\.recordName) == (isEdited ? ["1:items"] : []))
    #expect(rows.allSatisfy { $0.zoneName == "shared" && $0.ancestorRecord == nil })
    #expect(rows.allSatisfy { String(decoding: $0.clientRow ?? [], as: UTF8.self).contains("Milk 2%") })
    guard isEdited else { return }
    let notes = try SQLiteDataStore.open(path: app.path).conflict("1:items").details.notes
    #expect(notes.contains { $0.hasSuffix("or it came to another zone with the one that it belongs to") })
  }

  /// Nor is anything known of it here.
  @Test func whatBothDevicesMadeIsKept() throws {
    try app.edit(at: 150, "INSERT INTO lists (id, title) VALUES ('2', 'Food')")
    var list = Self.list("b", 160, zone: Metadatabase.defaultZone)
    list.recordName = "2:lists"
    list.values["id"] = .string("2")
    try app.receive(list, at: 200)
    #expect(try inbox().map(\.recordName) == ["2:lists"])
  }

  /// Its own move was not sent.
  @Test func anEditThatTheFormerZonesRecordOverwroteIsKept() throws {
    try app.edit(at: 150, "UPDATE notes SET title = 'Milk 2%'")
    try app.edit(at: 151, "UPDATE sqlitedata_icloud_metadata SET zoneName = 'mine'")
    try app.receive(Self.record("b", 160, title: ("Milk", 10), body: ("2 l", 160)), at: 200)
    #expect(try app.rows("SELECT title, body FROM notes") == [[.text("Milk"), .text("2 l")]])
    let rows = try inbox().map { String(decoding: $0.clientRow ?? [], as: UTF8.self) }
    #expect(rows.count == 1 && rows.allSatisfy { $0.contains("Milk 2%") })
  }

  /// Without a merge it is a save that was refused for good, or a record that the server does not know.
  @Test func whatTheEngineForgetsInTheSameZoneIsStillNoted() throws {
    try app.edit(at: 150, "UPDATE notes SET title = 'Milk 2%'")
    try app.synchronizing(at: 160) {
      try $0.execute(
        sql: """
          UPDATE sqlitedata_icloud_metadata SET lastKnownServerRecord = NULL, _lastKnownServerRecordAllFields = NULL
          """)
    }
    #expect(try app.rows("SELECT ancestorRecord IS NOT NULL FROM parley_sending") == [[.integer(1)]])
  }
}
