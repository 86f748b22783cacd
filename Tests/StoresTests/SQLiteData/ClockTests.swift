import KeyedArchives
import Merging
import Testing

@testable import SQLiteDataStores
@testable import StoreInterface

/// What the server's times tell of the devices' clocks.
struct ClockTests {
  private static let second: Int64 = 1_000_000_000
  private static let coffee = Demo.reminder(16)
  let folder: TestFolder
  let store: SQLiteDataStore
  let files: StoreFilesInspector

  init() throws {
    folder = try TestFolder()
    let path = try Demo.make(in: folder)
    store = try SQLiteDataStore.open(path: path, clock: { Demo.now })
    files = try StoreFilesInspector(path)
  }

  /// As if the server had saved the record at another time, counted from its newest edit.
  private func save(_ offset: Int64, _ change: (inout ArchivedRecord) -> Void = { _ in }) throws {
    let sql = "SELECT serverRecord FROM parley_inbox WHERE recordName = '\(Self.coffee)'"
    guard case .blob(let blob)? = try files.rows(sql).first?.first, let bytes = blob.bytes else {
      Issue.record("the demo's record has no archive")
      return
    }
    var record = try ArchivedRecord(decoding: bytes)
    record.modifiedAt = record.modifiedAt.map { $0 + offset }
    change(&record)
    try files.run(
      "UPDATE parley_inbox SET serverRecord = ? WHERE recordName = ?",
      [.blob(Blob(bytes: record.encoded())), .text(Self.coffee)])
  }

  private func receive(_ time: Int64) throws {
    try files.run(
      "UPDATE parley_inbox SET receivedAt = ? WHERE recordName = ?", [.integer(time), .text(Self.coffee)])
  }

  private func conflict() throws -> RecordConflict { try store.conflict(Self.coffee) }

  /// The demo's coffee: the server is newer by half an hour.
  @Test(arguments: [
    (Int64(0), Int64?.none), (60, nil), (-1, 1), (-1800, 1800), (-1801, 1801),
  ])
  func anEditLaterThanItsRecordTellsHowFarTheClockWasAhead(offset: Int64, apart: Int64?) throws {
    try save(offset * Self.second)
    let conflict = try conflict()
    #expect(conflict.details.clocksApart.map { $0 / Self.second } == apart)
    let isLeft = apart ?? 0 > 1800
    #expect(conflict["priority"]?.suggestion.certainty == (isLeft ? .yours : .byClock))
    #expect(conflict["priority"]?.suggestion.source == .server)
    #expect(conflict.details.notes.contains { $0.hasPrefix("a device's clock was ahead") } == (apart != nil))
  }

  @Test func theReasonNamesBothTimesAndTheMargin() throws {
    try save(-1801 * Self.second)
    let field = try #require(try conflict()["priority"])
    let (client, server) = try (#require(field.client?.time), #require(field.server?.time))
    #expect(
      field.suggestion.reason
        == .withinMargin(.server, client: client, server: server, margin: 1801 * Self.second))
    #expect(field.suggestion.reason.description == "server newer by 30m 00s, margin 30m 01s")
  }

  /// Dates of CloudKit have no more than milliseconds.
  @Test func lessThanAMillisecondIsNoDifference() throws {
    try save(-900_000)
    #expect(try conflict().details.clocksApart == nil)
  }

  /// What the app put into the record since was never saved with it.
  @Test func whatTheAppPutIntoTheRecordIsNoEvidence() throws {
    try save(-1801 * Self.second) { record in
      record.changedKeys = Set(record.fieldNames().map(ArchivedRecord.modificationTimeKey(of:)))
    }
    #expect(try conflict().details.clocksApart == nil)
  }

  @Test func whatNobodyConfirmedIsNoEvidence() throws {
    try save(-1801 * Self.second) { ($0.changeTag, $0.modifiedAt) = (nil, nil) }
    #expect(try conflict().details.clocksApart == nil)
  }

  @Test func aRecordReceivedBeforeItWasSavedTellsHowFarThisClockWasBehind() throws {
    try save(0)
    let field = try #require(try conflict()["priority"]?.server?.time)
    try receive(field - 2000 * Self.second)
    let conflict = try conflict()
    #expect(conflict.details.clocksApart.map { $0 / Self.second } == 2000)
    #expect(conflict["priority"]?.suggestion.certainty == .yours)
    let words = "this device's clock was behind the server's by 33m 20s"
    #expect(conflict.details.notes.contains { $0.hasPrefix(words) })
    // Nobody knows whose clock tells when an import was made.
    try files.run("UPDATE parley_inbox SET path = 'import' WHERE recordName = ?", [.text(Self.coffee)])
    #expect(try store.conflict(Self.coffee).details.clocksApart == nil)
    try files.run("UPDATE parley_inbox SET path = 'fetch' WHERE recordName = ?", [.text(Self.coffee)])
    try receive(0)
    #expect(try store.conflict(Self.coffee).details.clocksApart == nil)
  }

  /// Of the demo, whose clocks are right, nothing is doubted.
  @Test func clocksThatAreRightAreNotDoubted() throws {
    let walk = store.conflicts()
    while let page = try walk.next(limit: 100) {
      for summary in page.summaries {
        #expect(try store.conflict(summary.id).details.clocksApart == nil, "\(summary.title)")
      }
    }
  }
}
