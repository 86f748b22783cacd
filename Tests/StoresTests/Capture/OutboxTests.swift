import GRDB
import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import StoreInterface

/// Drafts that are left to an app, which runs all the while.
@Suite struct OutboxTests {
  let folder: TestFolder
  let app: PlayedApp
  static let milk = "1:notes"

  /// The title was changed on both sides, the body on the server.
  init() throws {
    folder = try TestFolder()
    app = try PlayedApp(in: folder)
    try app.capture()
    try app.receive(Self.record("a", 10, title: "Milk", body: "1 l"), at: 100)
    try app.edit(at: 150, "UPDATE notes SET title = 'Milk 2%'")
    try app.receive(Self.record("b", 160, title: "Oat milk", body: "2 l"), at: 200)
  }

  private static func record(_ tag: String, _ time: Int64, title: String, body: String) -> ArchivedRecord {
    .sample(
      milk, tag: tag, serverTime: time,
      ["id": (.string("1"), 10), "title": (.string(title), time), "body": (.string(body), time)])
  }

  private func open(
    _ route: WriteRoute? = nil, access: SQLiteDataStore.Access = .writing, now: Int64 = 300
  ) throws -> SQLiteDataStore {
    try SQLiteDataStore.open(path: app.path, access: access, route: route, clock: { now })
  }

  private func write(_ title: Choice = .take(.server), in store: SQLiteDataStore) throws -> [CheckedWrite
    .Outcome]
  {
    let planned = try #require(try plan(Self.milk, in: store, [.field("title"): title]))
    return try store.write([planned], note: "for Blob").map(\.outcome)
  }

  private func outbox() throws -> [[Value]] {
    try app.rows(
      "SELECT recordName, recordType, primaryKey, decidedAt, action, draft, note, appliedAt FROM parley_outbox"
    )
  }

  @Test func aDraftGoesToTheRunningApp() throws {
    let store = try open()
    #expect(store.access() == .writable)
    #expect(store.info.can.contains(.leaveToApp))
    let before = try app.rows("SELECT * FROM notes") + app.rows("SELECT * FROM sqlitedata_icloud_metadata")
    #expect(try write(in: store) == [.fine])
    #expect(
      try outbox() == [
        [
          .text(Self.milk), .text("notes"), .text("1"), .integer(300), .text("save"),
          .text(#"{"title":"Oat milk"}"#), .text("for Blob"), .null,
        ]
      ])
    #expect(
      try app.rows("SELECT * FROM notes") + app.rows("SELECT * FROM sqlitedata_icloud_metadata") == before)
    let archive = try app.rows("SELECT serverRecord FROM parley_outbox")[0][0]
    #expect(archive == .blob(Blob(bytes: Self.record("b", 160, title: "Oat milk", body: "2 l").encoded())))
  }

  /// The app keeps what it has for the ancestor then: none, as long as the move is not sent.
  @Test func anArchiveOfTheFormerZoneIsNotGivenToTheApp() throws {
    try app.edit(
      at: 250,
      """
      UPDATE sqlitedata_icloud_metadata SET zoneName = 'mine', lastKnownServerRecord = NULL,
        _lastKnownServerRecordAllFields = NULL WHERE recordName = '\(Self.milk)'
      """)
    #expect(try write(in: open()) == [.fine])
    #expect(try app.rows("SELECT serverRecord FROM parley_outbox") == [[.null]])
    try app.drainOutbox(at: 400)
    let known = try app.rows("SELECT _lastKnownServerRecordAllFields FROM sqlitedata_icloud_metadata")
    #expect(known == [[.null]])
    #expect(try app.rows("SELECT title FROM notes") == [[.text("Oat milk")]])
  }

  @Test func aDraftWaitsUntilTheAppHasAppliedIt() throws {
    let store = try open()
    #expect(try write(in: store) == [.fine])
    let summary = try #require(try summaries(of: store).first)
    #expect(summary.waitingSince == 300)
    #expect(!summary.isReady)
    let waiting = try store.conflict(Self.milk)
    #expect(waiting.refusal(of: .take(.client), for: .field("title")) == .waiting)
    #expect(waiting.draft(waiting.accepting(.yours, in: Resolution())) == nil)

    try app.drainOutbox(at: 400)
    #expect(try app.rows("SELECT title, body FROM notes") == [[.text("Oat milk"), .text("2 l")]])
    #expect(try summaries(of: store).isEmpty)
    #expect(throws: StoreError.noSuchRecord(id: Self.milk)) { try store.conflict(Self.milk) }
  }

  @Test func whatComesInAfterwardsIsAConflictAgain() throws {
    let store = try open()
    #expect(try write(in: store) == [.fine])
    try app.drainOutbox(at: 400)
    try app.edit(at: 450, "UPDATE notes SET title = 'Soy milk'")
    try app.receive(Self.record("c", 460, title: "Rice milk", body: "2 l"), at: 500)
    let conflict = try store.conflict(Self.milk)
    #expect(conflict.details.waitingSince == nil)
    #expect(conflict["title"]?.server?.value == .text("Rice milk"))
    #expect(conflict["title"]?.ancestor?.value == .text("Oat milk"))
  }

  @Test func aDraftCanBeTakenBackWhileItWaits() throws {
    let store = try open()
    #expect(try write(in: store) == [.fine])
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try outbox().isEmpty)
    #expect(try store.conflict(Self.milk).details.waitingSince == nil)
    #expect(try write(.take(.client), in: store) == [.fine])
    #expect(try outbox().first?[5] == .text("{}"))
  }

  @Test func whatTheAppHasAppliedIsNotTakenBack() throws {
    let store = try open()
    #expect(try write(in: store) == [.fine])
    try app.drainOutbox(at: 400)
    #expect(try store.undoLastWrite().map(\.outcome) == [.moved("the app has applied the draft")])
    #expect(try outbox().count == 1)
  }

  @Test func aSecondDraftIsNotLeftWhileOneWaits() throws {
    let store = try open()
    let planned = try #require(try plan(Self.milk, in: store))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    #expect(
      try store.write([planned], note: nil).map(\.outcome) == [.moved("a draft of it waits for the app")])
    #expect(try outbox().count == 1)
  }

  @Test func anOlderDraftIsReplacedOnceSomethingNewCameIn() throws {
    let store = try open()
    #expect(try write(in: store) == [.fine])
    try app.receive(Self.record("c", 460, title: "Rice milk", body: "2 l"), at: 500)
    let conflict = try store.conflict(Self.milk)
    #expect(conflict.details.waitingSince == nil)
    #expect(conflict.details.notes.contains { $0.hasPrefix("an older draft of it waits") })
    let later = try open(now: 600)
    #expect(try write(in: later) == [.fine])
    #expect(try outbox().map { $0[5] } == [.text(#"{"title":"Rice milk"}"#)])
  }

  @Test func aRowThatChangedSinceIsLeftAloneByTheAppAndIsBackInTheList() throws {
    let store = try open()
    #expect(try write(in: store) == [.fine])
    try app.edit(at: 350, "UPDATE notes SET rank = 5")
    try app.drainOutbox(at: 400)
    #expect(try app.rows("SELECT title FROM notes") == [[.text("Milk 2%")]])
    #expect(try store.conflict(Self.milk).details.waitingSince == nil)
  }

  @Test func theAppIsNotAskedToDoWhatTheTableRefuses() throws {
    let store = try open()
    let conflict = try store.conflict(Self.milk)
    let draft = Draft(
      id: Self.milk, action: .save([FieldDraft(name: "title", value: .null, source: .server)]))
    #expect(
      try store.write([PlannedWrite(seen: conflict, draft: draft)], note: nil).map(\.outcome)
        == [.refused(field: "title", "it must not be NULL")])
    #expect(try outbox().isEmpty)
  }

  @Test func checkingLeavesNothingInTheOutbox() throws {
    let store = try open()
    let planned = try #require(try plan(Self.milk, in: store))
    #expect(try store.check([planned]).map(\.outcome) == [.fine])
    #expect(try outbox().isEmpty)
    #expect(try app.rows("SELECT title FROM notes") == [[.text("Milk 2%")]])
  }

  @Test func aDeletionIsAnAction() throws {
    try app.receiveDeletion(of: "notes", "true", at: 250)
    let store = try open()
    let planned = try #require(try plan(Self.milk, in: store, [.record: .take(.server)]))
    let written = try store.write([planned], note: nil)
    #expect(written.map(\.outcome) == [.fine] && written.map(\.upload) == [.notNeeded])
    #expect(try outbox().map { Array($0[4...5]) } == [[.text("delete"), .null]])
    try app.drainOutbox(at: 400)
    #expect(try summaries(of: store).isEmpty)
  }

  /// Of another version of the app, to which this device's would send the record anew.
  @Test func whatAKeptEditDoesNotBringBackIsTold() throws {
    var record = Self.record("c", 260, title: "Milk 2%", body: "2 l")
    record.values["motto"] = .string("Fresh")
    try app.acknowledge(record, at: 270)
    try app.edit(at: 280, "UPDATE notes SET title = 'Milk 3%'")
    try app.receiveDeletion(of: "notes", "true", at: 290)
    let notes = try open().conflict(Self.milk).details.notes
    #expect(
      notes.contains {
        $0.hasPrefix("the record had fields that this table has not") && $0.hasSuffix(": motto")
      })
  }

  @Test func aRecordThatTheServerDeletedIsInsertedAgain() throws {
    try app.receiveDeletion(of: "notes", "true", at: 250)
    let store = try open()
    let planned = try #require(try plan(Self.milk, in: store, [.record: .take(.client)]))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    #expect(
      try app.rows("SELECT seenRow, serverRecord FROM parley_outbox") == [[.null, .blob(Blob(bytes: []))]])
    try app.drainOutbox(at: 400)
    #expect(try app.rows("SELECT id, title FROM notes") == [[.text("1"), .text("Milk 2%")]])
  }

  @Test func anOlderServerRecordNeverBecomesTheAncestor() throws {
    // The upload of the client's value was acknowledged since: the ancestor is newer than the record in the inbox.
    try app.acknowledge(Self.record("c", 260, title: "Milk 2%", body: "2 l"), at: 270)
    let store = try open()
    #expect(
      try store.conflict(Self.milk).details.notes.contains { $0.contains("that one stays the ancestor") })
    #expect(try write(in: store) == [.fine])
    #expect(try app.rows("SELECT serverRecord FROM parley_outbox") == [[.null]])
  }

  @Test func anAppThatIsWritingJustNowIsTold() throws {
    let store = try open()
    let planned = try #require(try plan(Self.milk, in: store))
    try app.inTransaction { _ in
      let error = #expect(throws: StoreError.self) { try store.write([planned], note: nil) }
      guard case .writeFailed(_, let detail)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(detail.hasSuffix("writes to it just now"))
    }
    #expect(try outbox().isEmpty)
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
  }

  @Test func theRouteCanBeChosen() throws {
    let direct = try open(.direct)
    #expect(!direct.info.can.contains(.leaveToApp))
    try app.close()
    #expect(direct.access() == .writable)
    #expect(try write(in: direct) == [.fine])
    let files = try StoreFilesInspector(app.path)
    #expect(try files.value("SELECT title FROM notes") == .text("Oat milk"))
    #expect(try files.value("SELECT count(*) FROM parley_outbox") == .integer(0))
    #expect(try files.inboxCount(Self.milk) == .integer(0))
  }

  @Test func withoutATableThereIsNoOutbox() throws {
    try app.inTransaction { try $0.execute(sql: "DROP TABLE parley_outbox") }
    #expect(try !open().info.can.contains(.leaveToApp))
    let store = try open(.outbox)
    guard case .readOnly(let reason) = store.access() else {
      Issue.record("it can be written")
      return
    }
    #expect(reason.contains("parley_outbox"))
  }

  @Test func whatWasLeftToTheAppIsTakenBackTheSameWay() throws {
    #expect(try write(in: open()) == [.fine])
    // Opened for direct writes, which the running app does not allow; the outbox it does.
    #expect(try open(.direct).undoLastWrite().map(\.outcome) == [.fine])
    #expect(try outbox().isEmpty)
  }
}
