import GRDB
import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import StoreInterface

/// What clashes as it is sent, where the engine keeps neither side's values, nor that there was a deletion.
@Suite struct SendingTests {
  let folder: TestFolder
  let app: PlayedApp
  static let milk = "1:notes"
  static let start = UnsentTests.start

  init() throws {
    folder = try TestFolder()
    app = try PlayedApp(in: folder)
    try app.capture()
  }

  private static func record(_ tag: String, _ time: Int64, title: String, body: String = "1 l")
    -> ArchivedRecord
  {
    .sample(
      milk, tag: tag, serverTime: (start + time) / 1_000_000,
      [
        "id": (.string("1"), start), "title": (.string(title), start + time),
        "body": (.string(body), start + time),
      ])
  }

  private func edit(_ time: Int64, _ sql: String) throws { try app.edit(at: Self.start + time, sql) }

  private func make(_ time: Int64) throws {
    try edit(time, "INSERT INTO notes (id, title, body) VALUES ('1', 'Milk', 'ours')")
  }

  @discardableResult
  private func send(_ tag: String, _ time: Int64) throws -> ArchivedRecord? {
    try app.send(Self.milk, tag: tag, at: Self.start + time)
  }

  private func acknowledge(_ record: ArchivedRecord?, _ time: Int64) throws {
    try app.acknowledge(try #require(record), at: Self.start + time)
  }

  private func clash(_ record: ArchivedRecord, _ time: Int64) throws {
    try app.clash(record, at: Self.start + time)
  }

  private func inbox() throws -> [InboxRow] {
    try SQLiteDataStore.open(path: app.path).read { try InboxRow.page(before: .max, limit: 100, in: $0) }
  }

  private func conflict() throws -> RecordConflict {
    try SQLiteDataStore.open(path: app.path).conflict(Self.milk)
  }

  private func isUnsent() throws -> Bool { try !app.rows("SELECT 1 FROM parley_unsent").isEmpty }

  private func notes() throws -> Int { try app.rows("SELECT 1 FROM parley_sending").count }
}

/// Both devices made the record.
extension SendingTests {
  /// Where ours is newer it is put back into the server's record, and where theirs is newer it overwrites the row.
  @Test(arguments: [10, 90]) func whatBothMadeIsKeptThoughSendingCameFirst(theirs: Int64) throws {
    try make(50)
    try send("b", 60)
    try clash(Self.record("a", theirs, title: "Milk", body: "theirs"), 100)
    let rows = try inbox()
    try #require(rows.count == 1)
    #expect(rows[0].path == "send" && rows[0].ancestorRecord == nil)
    let conflict = try conflict()
    #expect(conflict.kind == .noAncestor && conflict.details.isMetOnSend)
    let body = try #require(conflict["body"])
    #expect(body.client == FieldVersion(.text("ours"), time: Self.start + 50))
    #expect(body.server == FieldVersion(.text("theirs"), time: Self.start + theirs))
    #expect(body.suggestion.value == .text(theirs > 50 ? "theirs" : "ours"))
    #expect(conflict["title"]?.change == .same)
  }

  @Test func whatBothMadeIsKeptOnce() throws {
    try make(50)
    try send("b", 60)
    try clash(Self.record("a", 10, title: "Milk", body: "theirs"), 100)
    let sent = try send("c", 110)
    #expect(sent?.values["body"] == .string("ours"))
    try acknowledge(sent, 120)
    #expect(try inbox().count == 1 && notes() == 0)
  }

  @Test func anUploadThatWasTriedAgainIsStillInFlight() throws {
    try make(50)
    try send("b", 60)
    try edit(70, "UPDATE notes SET rank = 1")
    try send("b", 80)
    #expect(try isUnsent() && notes() == 1)
    try clash(Self.record("a", 90, title: "Milk", body: "theirs"), 100)
    #expect(try inbox().map(\.path) == ["send"])
  }

  @Test func aFirstUploadThatIsSavedLeavesNothing() throws {
    try make(50)
    let sent = try send("b", 60)
    #expect(try isUnsent())
    try acknowledge(sent, 70)
    #expect(try inbox().isEmpty && notes() == 0 && !isUnsent())
  }

  @Test func aFirstUploadIntoAZoneThatIsStillToBeMadeLeavesNothing() throws {
    try make(50)
    try send("b", 60)
    try app.refuse(Self.milk, .unknownItem, at: Self.start + 70)
    try acknowledge(try send("c", 80), 90)
    #expect(try inbox().isEmpty && notes() == 0)
  }

  @Test func aRowThatWasDeletedHereIsNoLongerInFlight() throws {
    try make(50)
    try send("b", 60)
    try edit(70, "DELETE FROM notes")
    #expect(try notes() == 0)
  }
}

/// The record was deleted on the server, and edited here.
extension SendingTests {
  private func beginEdited() throws {
    try app.receive(Self.record("a", 1, title: "Milk"), at: Self.start + 10)
    try edit(20, "UPDATE notes SET title = 'Milk 2%'")
    try send("b", 30)
  }

  private func undoDeletion() throws {
    try beginEdited()
    try app.refuse(Self.milk, .unknownItem, at: Self.start + 40)
    try acknowledge(try send("c", 50), 60)
  }

  @Test func aDeletionThatTheNextUploadUndidIsKept() throws {
    try undoDeletion()
    let rows = try inbox()
    try #require(rows.count == 1)
    #expect(rows[0].isDeleted && rows[0].path == "send")
    let conflict = try conflict()
    #expect(conflict.kind == .deletedOnServer && conflict.details.isMetOnSend)
    #expect(conflict["title"]?.ancestor?.value == .text("Milk"))
    #expect(conflict["title"]?.client == FieldVersion(.text("Milk 2%"), time: Self.start + 20))
    #expect(conflict.details.notes.contains { $0.hasPrefix("the server has the record again since") })
    #expect(try notes() == 0 && !isUnsent())
  }

  /// In somebody else's zone, too, the server has taken in what this device has made there again: that was permitted.
  @Test func ofADeletionThatTheAppsSaveHasUndoneItIsKnownWhatItWas() throws {
    try undoDeletion()
    try app.inTransaction { try $0.run("UPDATE parley_inbox SET ownerName = '_owner'") }
    #expect(try inbox().map(\.isOfOthers) == [true])
    let conflict = try conflict()
    #expect(conflict.kind == .deletedOnServer && !conflict.details.notes.contains(InboxRow.ofOthers))
  }

  /// Another device has set it since, and the edit is in the inbox alone: the row was told as what this one had edited.
  @Test func anEditThatGaveWayAfterThatIsTheClients() throws {
    try undoDeletion()
    try app.receive(Self.record("d", 90, title: "Oat milk"), at: Self.start + 100)
    #expect(try app.rows("SELECT title FROM notes") == [[.text("Oat milk")]])
    let conflict = try conflict()
    #expect(conflict.kind == .edit && conflict.alternative(.delete) != nil)
    let title = try #require(conflict["title"])
    #expect(title.client == FieldVersion(.text("Milk 2%"), time: Self.start + 20))
    #expect(title.server?.value == .text("Oat milk") && title.ancestor == nil)
    #expect(title.suggestion.certainty != .sure)
    #expect(conflict.details.notes.contains { $0.contains("the app's save of this edit has made it again") })
  }

  @Test func whatThisDeviceHasEditedAndSentAfterThatIsTheClients() throws {
    try undoDeletion()
    try edit(70, "UPDATE notes SET title = 'Milk 3%'")
    try acknowledge(try send("d", 80), 90)
    let conflict = try conflict()
    #expect(conflict.kind == .deletedOnServer && conflict["title"]?.client?.value == .text("Milk 3%"))
  }

  @Test func nothingIsKeptBeforeTheServerHasTakenItIn() throws {
    try beginEdited()
    try app.refuse(Self.milk, .unknownItem, at: Self.start + 40)
    try send("c", 50)
    #expect(try inbox().isEmpty && isUnsent())
  }

  @Test func aSaveThatWasRefusedForGoodIsNoDeletion() throws {
    try beginEdited()
    try app.refuse(Self.milk, .serverRejectedRequest, at: Self.start + 40)
    try edit(50, "UPDATE notes SET title = 'Milk 3%'")
    try send("c", 60)
    try clash(Self.record("b", 55, title: "Milk", body: "2 l"), 70)
    let rows = try inbox()
    #expect(rows.map(\.isDeleted) == [false])
    // The engine had no ancestor, and so the server's title; as well somebody may have set it.
    #expect(try conflict()["title"]?.change == .different)
    #expect(try conflict()["title"]?.client?.value == .text("Milk 3%"))
    #expect(try conflict()["body"]?.change == .onlyServer)
  }

  private static func counted(_ tag: String, _ time: Int64, _ rank: Int64) -> ArchivedRecord {
    var record = Self.record(tag, time, title: "Milk")
    record.values["rank"] = .integer(rank)
    record.values[ArchivedRecord.modificationTimeKey(of: "rank")] = .integer(start + time)
    return record
  }

  /// The engine takes the server's over the edit then, and the next one is made upon that: it is no edit of the ancestor beside it, to which a
  /// counter would add the server's once more.
  @Test(arguments: [true, false]) func whatIsMadeUponWhatTookAnEditsPlaceIsNoPolicys(isRefused: Bool) throws {
    try app.receive(Self.counted("a", 1, 100), at: Self.start + 10)
    try edit(20, "UPDATE notes SET rank = 110")
    if isRefused { try app.refuse(Self.milk, .serverRejectedRequest, at: Self.start + 30) }
    try app.receive(Self.counted("b", 40, 105), at: Self.start + 50)
    #expect(try app.rows("SELECT rank FROM notes") == [[.integer(isRefused ? 105 : 110)]])
    try edit(60, "UPDATE notes SET rank = rank + 3")
    let store = try SQLiteDataStore.open(path: app.path, rules: MergeRules(defaultRule: .counter))
    let rank = try #require(try store.conflict(Self.milk)["rank"])
    #expect(rank.change == .different && rank.suggestion.value == .integer(isRefused ? 108 : 118))
    #expect((rank.suggestion.reason == .policy("counter")) == !isRefused)
  }

  @Test func aRecordThatMovedToAnotherZoneIsNoDeletion() throws {
    try beginEdited()
    try app.synchronizing(at: Self.start + 40) {
      try $0.execute(
        sql: """
          UPDATE sqlitedata_icloud_metadata
          SET zoneName = 'other', lastKnownServerRecord = NULL, _lastKnownServerRecordAllFields = NULL
          """)
    }
    app.enqueue(Self.milk)
    try acknowledge(try send("c", 50), 60)
    #expect(try inbox().isEmpty)
  }

  @Test func theRecordThatIsOnTheServerAgainIsDeletedThereToo() throws {
    try undoDeletion()
    #expect(try decide(.take(.server)) == [.fine])
    let files = try StoreFilesInspector(app.path)
    #expect(try files.rows("SELECT 1 FROM notes").isEmpty)
    #expect(try files.metadata("_isDeleted", Self.milk) == [.integer(1)])
    #expect(try files.pending(Self.milk).map(\.kind) == [.delete])
  }

  @Test func theRecordThatIsOnTheServerAgainKeepsItsAncestor() throws {
    try undoDeletion()
    #expect(try decide(.take(.client)) == [.fine])
    let files = try StoreFilesInspector(app.path)
    #expect(try files.rows("SELECT title FROM notes") == [[.text("Milk 2%")]])
    #expect(try files.metadata("lastKnownServerRecord IS NOT NULL", Self.milk) == [.integer(1)])
    #expect(try files.pending(Self.milk).isEmpty)
    #expect(try files.inboxCount(Self.milk) == .integer(0))
  }

  private func decide(_ choice: Choice) throws -> [CheckedWrite.Outcome] {
    try app.close()
    let store = try SQLiteDataStore.open(
      path: app.path, access: .writing, route: .direct, clock: { Self.start + 100 })
    let planned = try #require(try plan(Self.milk, in: store, [.record: choice]))
    return try store.write([planned], note: nil).map(\.outcome)
  }
}
