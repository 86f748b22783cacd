import Merging
import Testing

@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// What a captured row and the row as it is now say together.
struct VersionsTests {
  let folder: TestFolder
  let store: SQLiteDataStore
  let files: StoreFilesInspector

  init() throws {
    folder = try TestFolder()
    let path = try Demo.make(in: folder)
    store = try SQLiteDataStore.open(path: path)
    files = try StoreFilesInspector(path)
  }

  private func coffee() throws -> FieldConflict {
    try #require(try store.conflict(Demo.reminder(16))["priority"])
  }

  /// The row had 2 when the server's 3 came in.
  @Test func aValueThatTheEngineAppliedIsNotTheClients() throws {
    try files.run("UPDATE reminders SET priority = 3 WHERE id = ?", [.text(Demo.key(16))])
    #expect(try coffee().client?.value == .integer(2))
    #expect(try coffee().change == .different)
  }

  @Test func aLaterEditCountsAndIsTold() throws {
    try files.run("UPDATE reminders SET priority = 7 WHERE id = ?", [.text(Demo.key(16))])
    #expect(try coffee().client?.value == .integer(7))
    #expect(
      try store.conflict(Demo.reminder(16)).details.notes == ["the row was edited after this record came in"])
  }

  @Test func theCapturedAncestorCountsThoughTheMetadataIsAhead() throws {
    try files.run(
      """
      UPDATE sqlitedata_icloud_metadata SET _lastKnownServerRecordAllFields =
        (SELECT serverRecord FROM parley_inbox WHERE recordName = '\(Demo.reminder(16))')
      WHERE recordName = '\(Demo.reminder(16))'
      """)
    #expect(try coffee().ancestor?.value == .integer(1))
  }

  @Test func aRowThatTheEngineRemovedForTheServerIsStillTheClients() throws {
    try files.run("DELETE FROM reminders WHERE id = ?", [.text(Demo.key(91))])
    try files.run("DELETE FROM sqlitedata_icloud_metadata WHERE recordName = ?", [.text(Demo.reminder(91))])
    let conflict = try store.conflict(Demo.reminder(91))
    #expect(conflict.kind == .deletedOnServer)
    #expect(conflict["title"]?.client?.value == .text("Old invoice, paid"))
  }

  /// Triggers that are older than a column do not keep it, and an edit of that one alone may have been the reason to keep the row.
  @Test func ofADeletedRowWhatWasNotCapturedMayHaveBeenEdited() throws {
    let record = Demo.reminder(91)
    let ancestor = try #require(try store.conflict(record).versions.ancestor?.fields)
    var row = ancestor.mapValues(\.value)
    func capture() throws {
      try files.run(
        "UPDATE parley_inbox SET clientRow = ? WHERE recordName = ?",
        [.text(RowJSON.encode(row)), .text(record)])
    }
    try files.run("DELETE FROM reminders WHERE id = ?", [.text(Demo.key(91))])
    try capture()
    #expect(throws: StoreError.noSuchRecord(id: record)) { try store.conflict(record) }
    row["title"] = nil
    try capture()
    #expect(try store.conflict(record).kind == .deletedOnServer)
    row["title"] = ancestor["title"]?.value
    try capture()
    try files.run("ALTER TABLE reminders ADD COLUMN colour TEXT")
    #expect(try store.conflict(record).kind == .deletedOnServer)
  }

  @Test func aRowThatTheEngineBroughtBackIsStillDeletedHere() throws {
    try files.run(
      """
      INSERT INTO reminders (id, title, notes, remindersListID)
      VALUES ('\(Demo.key(92))', 'Water the tomatoes', 'Twice a day while it is hot', '\(Demo.key(5))')
      """)
    try files.run(
      "UPDATE sqlitedata_icloud_metadata SET _isDeleted = 0 WHERE recordName = ?", [.text(Demo.reminder(92))])
    #expect(try store.conflict(Demo.reminder(92)).kind == .deletedOnClient)
  }

  @Test func withoutACaptureTheMetadataKnowsTheAncestor() throws {
    let milk = try store.conflict(Demo.reminder(12))
    #expect(milk["title"]?.ancestor?.value == .text("Milk"))
    try files.run("UPDATE sqlitedata_icloud_metadata SET _lastKnownServerRecordAllFields = NULL")
    #expect(try store.conflict(Demo.reminder(12)).kind == .noAncestor)
  }

  @Test(arguments: [
    ("UPDATE parley_inbox SET serverRecord = x'00'", "its archive cannot be read"),
    ("UPDATE parley_inbox SET serverRecord = NULL", "the server's record was not kept"),
    (
      "UPDATE parley_inbox SET serverRecord = (SELECT lastKnownServerRecord FROM sqlitedata_icloud_metadata LIMIT 1)",
      ArchivedVersion.noFields
    ),
  ])
  func aServerThatCannotBeReadIsThatRecordsMatterAlone(change: String, reason: String) throws {
    try files.run(change + " WHERE recordName = '\(Demo.reminder(16))'")
    let conflict = try store.conflict(Demo.reminder(16))
    guard case .unknown(let why) = conflict.versions.server else {
      Issue.record("\(conflict.versions.server)")
      return
    }
    #expect(why.hasPrefix(reason))
    #expect(conflict.details.ancestorNotChoosable != nil)
    #expect(try summaries(of: store).count == 25)
  }

  @Test func aTableThatIsNotHereCanBeSeenAndNotWritten() throws {
    try files.run(
      "UPDATE parley_inbox SET recordName = '7:boards' WHERE recordName = ?", [.text(Demo.reminder(16))])
    let conflict = try store.conflict("7:boards")
    #expect(conflict.details.notWritable == "the app database has no table for it; a newer app may")
    #expect(conflict["title"]?.server?.value == .text("Coffee"))
  }

  @Test func aStoreWithoutAnInboxHasFindingsOnly() throws {
    try files.run("DROP TABLE parley_inbox")
    #expect(try store.estimatedCount() == 0)
    #expect(try summaries(of: store).isEmpty)
    #expect(throws: StoreError.noSuchRecord(id: "a:b")) { try store.conflict("a:b") }
    #expect(try findings(of: store).count > 11)
  }

  @Test(arguments: [
    (Affinity.real, Value.integer(2), Value.real(2)), (.integer, .real(3), .integer(3)),
    (.integer, .real(3.5), .real(3.5)), (.real, .real(-0.0), .real(0)), (.real, .real(.nan), .null),
    (.none, .real(-0.0), .real(-0.0)), (.blob, .real(-0.0), .real(-0.0)), (.none, .real(.nan), .null),
    (.text, .integer(7), .text("7")), (.none, .real(3), .real(3)), (.numeric, .real(1e300), .real(1e300)),
    (.blob, .text("x"), .text("x")),
  ])
  func valuesAreComparedAsTheColumnKeepsThem(affinity: Affinity, value: Value, stored: Value) {
    #expect(affinity.stored(value) == stored)
  }

  @Test(arguments: [
    (0.0, "2001-01-01 00:00:00.000"), (-978_307_200.0, "1970-01-01 00:00:00.000"),
    (816_782_940.123, "2026-11-19 12:09:00.123"), (-3_155_760_000.0, "1901-01-01 00:00:00.000"),
    (5_184_000.9996, "2001-03-02 00:00:01.000"), (94_607_999.0, "2003-12-31 23:59:59.000"),
    (99_705_600.0, "2004-02-29 00:00:00.000"),
  ])
  func datesAreTextInUTC(seconds: Double, text: String) {
    #expect(StoredDate.text(secondsSince2001: seconds) == text)
    #expect(StoredDate.secondsSince2001(text).map { abs($0 - seconds) < 0.001 } == true)
  }
}
