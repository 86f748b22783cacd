import GRDB
import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// What an app does with the drafts that are left to it, by the code that it copies from `Sources/ParleyOutbox`.
@Suite struct DrainTests {
  let folder: TestFolder
  let app: PlayedApp
  static let milk = "1:notes"

  init() throws {
    folder = try TestFolder()
    app = try PlayedApp(in: folder)
    try app.capture()
    try app.receive(Self.record("a", 10, title: "Milk"), at: 100)
  }

  private static func record(_ tag: String, _ time: Int64, title: String, body: String = "1 l")
    -> ArchivedRecord
  {
    .sample(
      milk, tag: tag, serverTime: time,
      ["id": (.string("1"), 10), "title": (.string(title), time), "body": (.string(body), time)])
  }

  /// The title is another one on both sides.
  private func clash(at time: Int64 = 160) throws {
    try app.edit(at: 150, "UPDATE notes SET title = 'Milk 2%'")
    try app.receive(Self.record("b", time, title: "Oat milk", body: "2 l"), at: 200)
  }

  private enum Deleted: CaseIterable { case here, there }

  /// Deleted on one side, edited on the other.
  private func clash(deleted: Deleted) throws {
    switch deleted {
    case .here:
      try app.edit(at: 150, "DELETE FROM notes")
      try app.receive(Self.record("b", 160, title: "Oat milk"), at: 200)
    case .there:
      try app.edit(at: 150, "UPDATE notes SET title = 'Milk 2%'")
      try app.receiveDeletion(of: "notes", "true", at: 200)
    }
  }

  private func store(now: Int64 = 300) throws -> SQLiteDataStore {
    try SQLiteDataStore.open(path: app.path, access: .writing, clock: { now })
  }

  @discardableResult
  private func decide(
    _ subject: Subject, _ choice: Choice, of record: String = DrainTests.milk
  ) throws -> CheckedWrite.Outcome? {
    let store = try store()
    let planned = try #require(try plan(record, in: store, [subject: choice]))
    return try store.write([planned], note: nil).first?.outcome
  }

  /// A draft with values that were typed.
  private func decide(_ values: [(column: String, value: Value)]) throws {
    let fields = values.map { FieldDraft(name: $0.column, value: $0.value, source: .edited) }
    let store = try store()
    let planned = PlannedWrite(
      seen: try store.conflict(Self.milk), draft: Draft(id: Self.milk, action: .save(fields)))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
  }

  private func mark() throws -> Value? {
    try app.rows("SELECT _isDeleted FROM sqlitedata_icloud_metadata WHERE recordName = '1:notes'").first?
      .first
  }

  private func time() throws -> Value? {
    try app.rows("SELECT userModificationTime FROM sqlitedata_icloud_metadata").first?.first
  }

  private func isApplied() throws -> Bool {
    try app.rows("SELECT appliedAt IS NOT NULL FROM parley_outbox") == [[.integer(1)]]
  }
}

extension DrainTests {
  @Test func anEditIsAppliedAndQueuedOverTheServersRecord() throws {
    try clash()
    try decide(.field("title"), .take(.server))
    app.dequeue(Self.milk)
    try app.drainOutbox(at: 400)
    #expect(try app.rows("SELECT title, body FROM notes") == [[.text("Oat milk"), .text("2 l")]])
    #expect(app.queued == [Self.milk: .save])
    #expect(try app.lastKnown(Self.milk) == Self.record("b", 160, title: "Oat milk", body: "2 l"))
    #expect(try isApplied() && app.rows("SELECT 1 FROM parley_inbox").isEmpty)
    #expect(try summaries(of: store()).isEmpty)
  }

  /// Or it would stand in the list for ever, whatever is decided.
  @Test func whatCameInByAClockThatWasAheadIsSettledToo() throws {
    try app.edit(at: 150, "UPDATE notes SET title = 'Milk 2%'")
    try app.receive(Self.record("b", 160, title: "Oat milk"), at: 5_000)
    try decide(.field("title"), .take(.server))
    try app.drainOutbox(at: 400)
    #expect(try app.rows("SELECT 1 FROM parley_inbox").isEmpty)
    #expect(try summaries(of: store()).isEmpty)
  }

  /// Though it came in before, by that clock.
  @Test func whatCameInBetweenIsNotSettledByAClockThatWasAhead() throws {
    try clash()
    try app.inTransaction { try $0.execute(sql: "UPDATE parley_inbox SET receivedAt = 9000") }
    try decide(.field("title"), .take(.client))
    try app.receive(Self.record("c", 350, title: "Rice milk", body: "2 l"), at: 360)
    #expect(try store().conflict(Self.milk).details.waitingSince == nil)
    try app.drainOutbox(at: 400)
    #expect(try isApplied())
    #expect(try app.rows("SELECT receivedAt FROM parley_inbox") == [[.integer(360)]])
    let conflict = try store().conflict(Self.milk)
    #expect(conflict["title"]?.change == .different)
    #expect(conflict["title"]?.server?.value == .text("Rice milk"))
  }

  @Test func anEmptyDraftIsQueuedToo() throws {
    try clash()
    try decide(.field("title"), .take(.client))
    #expect(try app.rows("SELECT draft FROM parley_outbox") == [[.text("{}")]])
    app.dequeue(Self.milk)
    try app.drainOutbox(at: 400)
    #expect(app.queued == [Self.milk: .save])
    #expect(try app.rows("SELECT title FROM notes") == [[.text("Milk 2%")]])
  }

  /// The row is as it was, and what was decided about it is still to be sent.
  @Test func whatAnEmptyDraftKeepsIsNotTakenAwayByADeletionUnseen() throws {
    try clash()
    try decide(.field("title"), .take(.client))
    try app.drainOutbox(at: 400)
    try app.receiveDeletion(of: "notes", "true", at: 500)
    #expect(try app.rows("SELECT 1 FROM notes").isEmpty)
    #expect(try store(now: 600).conflict(Self.milk).kind == .deletedOnServer)
  }

  /// A value is sent only over one that is not newer, and taken by other devices only if it is newer itself.
  @Test func aDraftIsSentAndWinsThoughTheClockOfAnotherDeviceIsAhead() throws {
    try clash(at: 10_000)
    try decide(.field("title"), .take(.client))
    try app.drainOutbox(at: 400)
    guard case .integer(let time)? = try time() else {
      Issue.record("no time")
      return
    }
    #expect((10_001...1_010_000).contains(time))
    let sent = try #require(try app.recordToSend(Self.milk, tag: "c"))
    #expect(sent.values["title"] == .string("Milk 2%"))
    #expect(sent.modificationTime(of: "title") == time)
  }

  @Test func theTimeIsThatOfTheDrainWhereItIsLater() throws {
    try clash()
    try decide(.field("title"), .take(.client))
    try app.drainOutbox(at: 40_000)
    #expect(try time() == .integer(40_000))
  }

  @Test func aDecidedDeletionIsSentAndNotTakenForAnEdit() throws {
    try clash(deleted: .here)
    try decide(.record, .take(.client))
    try app.drainOutbox(at: 400)
    #expect(app.queued == [Self.milk: .delete])
    #expect(try mark() == .integer(1) && isApplied())
    #expect(try app.send(Self.milk, tag: "c", at: 500) == nil)
    #expect(try mark() == nil && app.rows("SELECT 1 FROM notes").isEmpty)
    #expect(try summaries(of: store()).isEmpty)
  }

  /// The app would delete the record all the same.
  @Test func whatHasADraftThatWaitsIsNotMended() throws {
    try clash(deleted: .here)
    let finding = "deletion-over-row:" + Self.milk
    #expect(try findings(of: store()).map(\.id).contains(finding))
    #expect(try decide(.record, .take(.client)) == .fine)
    let before = try app.rows("SELECT * FROM sqlitedata_icloud_metadata")
    try app.close()
    // Nor is that offered.
    let told = try #require(try findings(of: store()).first { $0.id == finding })
    #expect(told.canBeMended == nil && told.takesServer == nil && !told.takesSide)
    #expect(told.remedy.hasPrefix("A draft of it waits for the app"), "\(told.remedy)")
    let mended = try store().mend([finding], note: nil).map(\.outcome)
    guard case .refused(nil, let reason)? = mended.first, reason.hasPrefix("a draft of it waits for the app")
    else {
      Issue.record("\(mended)")
      return
    }
    #expect(try PlayedApp(path: app.path).rows("SELECT * FROM sqlitedata_icloud_metadata") == before)
  }

  @Test func aKeptRecordCanBeDeletedAgain() throws {
    try clash(deleted: .here)
    try decide(.record, .take(.server))
    try app.drainOutbox(at: 400)
    #expect(app.queued == [Self.milk: .save])
    #expect(try mark() == .integer(0))
    try app.edit(at: 500, "DELETE FROM notes")
    #expect(app.queued == [Self.milk: .delete])
  }

  @Test func aRecordThatTheServerDeletedIsMadeAgain() throws {
    try clash(deleted: .there)
    try decide(.record, .take(.client))
    try app.drainOutbox(at: 400)
    #expect(try app.rows("SELECT id, title FROM notes") == [[.text("1"), .text("Milk 2%")]])
    #expect(app.queued == [Self.milk: .save])
    #expect(try mark() == .integer(0) && app.lastKnown(Self.milk) == nil)
  }

  /// With the ancestor of before the upload would be one of a record that the server does not know.
  @Test func aDeletionThatWasImportedLeavesNoAncestor() throws {
    try app.edit(at: 150, "UPDATE notes SET title = 'Milk 2%'")
    try bring("isDeleted", .integer(1))
    try decide(.record, .take(.client))
    try app.drainOutbox(at: 400)
    #expect(app.queued == [Self.milk: .save])
    #expect(try app.lastKnown(Self.milk) == nil)
  }

  @Test func theDeletionOfARowThatIsGoneIsQueued() throws {
    try app.edit(at: 150, "DELETE FROM notes")
    app.dequeue(Self.milk)
    try bring("serverRecord", .blob(Blob(bytes: Self.record("b", 160, title: "Oat milk").encoded())))
    try decide(.record, .take(.client))
    #expect(try app.rows("SELECT seenRow, action FROM parley_outbox") == [[.null, .text("delete")]])
    try app.drainOutbox(at: 400)
    #expect(app.queued == [Self.milk: .delete])
    #expect(try mark() == .integer(1))
  }

  @Test func aRowThatChangedSinceIsLeftAlone() throws {
    try clash()
    try decide(.field("title"), .take(.server))
    try app.edit(at: 350, "UPDATE notes SET rank = 5")
    try app.drainOutbox(at: 400)
    #expect(try app.rows("SELECT title FROM notes") == [[.text("Milk 2%")]])
    #expect(try app.rows("SELECT 1 FROM parley_outbox").isEmpty)
    #expect(try summaries(of: store()).map(\.id) == [Self.milk])
  }

  @Test func anAncestorThatTheEngineReplacedSinceStays() throws {
    try clash()
    try decide(.field("title"), .take(.server))
    try app.acknowledge(Self.record("c", 260, title: "Milk 2%", body: "2 l"), at: 350)
    try app.drainOutbox(at: 400)
    #expect(try app.rows("SELECT title FROM notes") == [[.text("Oat milk")]])
    #expect(try app.lastKnown(Self.milk)?.changeTag == "c")
  }

  @Test func valuesAreComparedAndAppliedExactly() throws {
    try app.edit(
      at: 140, "UPDATE notes SET size = ?, rank = ?, picture = ?, body = ?",
      [
        .real(0.1 + 0.2), .integer(9_007_199_254_740_993), .blob(Blob(bytes: [0, 255])),
        .text("a\"b\\\n\u{1F6D2}"),
      ])
    try clash()
    let choices: [(column: String, value: Value)] = [
      ("size", .real(2)), ("rank", .integer(.min)), ("picture", .blob(Blob(bytes: []))),
      ("title", .text("it's")),
    ]
    try decide(choices)
    try app.drainOutbox(at: 400)
    #expect(try app.rows("SELECT size, rank, picture, title FROM notes") == [choices.map(\.value)])
  }

  @Test(arguments: ["\u{FEFF}notes", "\u{FEFF}", "\u{2028}\u{7F}\u{1}"])
  func textsAreComparedAndAppliedExactly(_ text: String) throws {
    try app.edit(at: 140, "UPDATE notes SET body = ?", [.text(text)])
    try clash()
    try decide([("title", .text("so " + text))])
    try app.drainOutbox(at: 400)
    #expect(try app.rows("SELECT title FROM notes") == [[.text("so " + text)]])
    #expect(try isApplied())
  }

  /// Or the draft would wait for ever: an app cannot read such a text.
  @Test(arguments: [Value.opaque(kind: Value.brokenText, bytes: [0x61, 0xFF]), .text("a\u{0}b")])
  func textThatAnAppCannotReadIsRefusedWithTheWayOut(_ broken: Value) throws {
    try app.edit(at: 140, "UPDATE notes SET body = ?", [broken])
    try clash()
    #expect(try store().conflict(Self.milk)["body"]?.client?.value == broken)
    guard case .refused("body", let reason)? = try decide(.field("title"), .take(.server)) else {
      Issue.record("it was written")
      return
    }
    #expect(reason.contains("--direct"))
    #expect(try app.rows("SELECT 1 FROM parley_outbox").isEmpty)
  }

  /// Or it would wait for ever: the app's next version has no place for what was decided.
  @Test(arguments: [
    "ALTER TABLE notes DROP COLUMN picture",
    """
    ALTER TABLE notes DROP COLUMN picture;
    ALTER TABLE notes ADD COLUMN picture BLOB GENERATED ALWAYS AS (NULL) VIRTUAL
    """,
    "DROP TABLE notes",
  ])
  func aDraftThatTheTableHasNoPlaceForIsDropped(migration: String) throws {
    try clash()
    try decide([("title", .text("so")), ("picture", .blob(Blob(bytes: [1])))])
    try app.close()
    let updated = try PlayedApp(path: app.path)
    try updated.inTransaction { try $0.execute(sql: migration) }
    try updated.drainOutbox(at: 400)
    #expect(try updated.rows("SELECT 1 FROM parley_outbox").isEmpty)
    #expect(try summaries(of: store()).map(\.id) == [Self.milk])
  }

  /// One that it does not set is gone, or one that it sets is written in other letters, which to SQLite is the same.
  @Test(arguments: ["DROP COLUMN picture", "RENAME COLUMN title TO Title"])
  func aDraftIsAppliedWhereThereIsAPlaceForAllThatItSets(change: String) throws {
    try clash()
    try decide(.field("title"), .take(.server))
    try app.close()
    let updated = try PlayedApp(path: app.path)
    try updated.inTransaction { try $0.execute(sql: "ALTER TABLE notes \(change)") }
    try updated.drainOutbox(at: 400)
    #expect(try updated.rows("SELECT title FROM notes") == [[.text("Oat milk")]])
  }

  @Test func aDraftForATableWithAQuotationMarkInItsNameIsApplied() throws {
    let name = "7:" + PlayedApp.odd
    let (table, column) = (quoted(PlayedApp.odd), quoted(PlayedApp.oddColumn))
    func record(_ tag: String, _ text: String, _ time: Int64) -> ArchivedRecord {
      .sample(
        name, tag: tag, serverTime: time,
        ["number": (.integer(7), 1), PlayedApp.oddColumn: (.string(text), time)])
    }
    try app.receive(record("a", "one", 10), at: 100)
    try app.edit(at: 150, "UPDATE \(table) SET \(column) = 'two'")
    try app.receive(record("b", "three", 160), at: 200)
    try decide(.field(PlayedApp.oddColumn), .take(.server), of: name)
    try app.drainOutbox(at: 400)
    #expect(try app.rows("SELECT \(column) FROM \(table)") == [[.text("three")]])
    #expect(try isApplied())
  }

  @Test func aDraftThatIsRefusedHoldsBackNoOther() throws {
    try clash()
    try app.receive(.sample("2:notes", tag: "a", serverTime: 9, ["title": (.string("Bread"), 9)]), at: 210)
    try app.edit(at: 220, "UPDATE notes SET title = 'Rye' WHERE id = '2'")
    try app.receive(.sample("2:notes", tag: "b", serverTime: 230, ["title": (.string("Roll"), 230)]), at: 240)
    let store = try store()
    let planned = try [Self.milk, "2:notes"].map {
      try #require(try plan($0, in: store, [.field("title"): .take(.server)]))
    }
    #expect(try store.write(planned, note: nil).map(\.outcome) == [.fine, .fine])
    try app.inTransaction {
      try $0.execute(
        sql:
          "CREATE TEMP TRIGGER no BEFORE UPDATE ON notes WHEN NEW.id = '1' BEGIN SELECT RAISE(ABORT, 'no'); END"
      )
    }
    try app.drainOutbox(at: 400)
    #expect(try app.rows("SELECT title FROM notes ORDER BY id") == [[.text("Milk 2%")], [.text("Roll")]])
    #expect(
      try app.rows("SELECT recordName FROM parley_outbox WHERE appliedAt IS NULL") == [[.text(Self.milk)]])
    #expect(try mark() == .integer(0))
  }

  /// The list was deleted on the server, and its item with it; both had been edited here.
  private func deleteTheFamily() throws -> [PlannedWrite] {
    let times: (String) -> (ArchivedValue?, Int64) = { (.string($0), 9) }
    try app.receive(
      .sample("l:lists", tag: "a", serverTime: 9, ["id": times("l"), "title": times("Home")]), at: 210)
    try app.receive(
      .sample(
        "i:items", tag: "a", serverTime: 9,
        ["id": times("i"), "title": times("Bread"), "listID": times("l")]), at: 220)
    for table in ["lists", "items"] { try app.edit(at: 230, "UPDATE \(table) SET title = 'Rye'") }
    try app.receiveDeletion(of: "lists", "true", at: 240)
    #expect(try app.rows("SELECT 1 FROM items").isEmpty)
    let store = try store()
    return try ["i:items", "l:lists"].map {
      try #require(try plan($0, in: store, [.record: .take(.client)]))
    }
  }

  /// Whatever the order in which they were left.
  @Test(arguments: [0, 10]) func aChildIsMadeAgainWithItsParent(offset: Int) throws {
    let family = try deleteTheFamily()
    #expect(try store().check(family).map(\.outcome) == [.fine, .fine])
    #expect(try store().write(family, note: nil).map(\.outcome) == [.fine, .fine])
    try app.inTransaction {
      try $0.execute(
        sql: "UPDATE parley_outbox SET id = id + ? WHERE recordType = 'lists'", arguments: [offset])
    }
    try app.drainOutbox(at: 400)
    #expect(try app.rows("SELECT title, listID FROM items") == [[.text("Rye"), .text("l")]])
    #expect(try app.rows("SELECT 1 FROM parley_outbox WHERE appliedAt IS NULL").isEmpty)
  }

  @Test func aChildAloneIsRefused() throws {
    let family = try deleteTheFamily()
    guard case .refused("listID", let reason)? = try store().write([family[0]], note: nil).first?.outcome
    else {
      Issue.record("it was written")
      return
    }
    #expect(reason.contains("there is no record") && reason.contains("lists"))
  }

  private func keep(_ write: PlannedWrite, in store: SQLiteDataStore) throws {
    let resolution = Resolution(choices: [.record: .take(.client)])
    try store.journal.append(write.seen.decisions(about: [.record], in: resolution, at: 1))
  }

  /// As a write says, which takes both.
  @Test func aChildFitsBesideItsParentThatIsReady() throws {
    let family = try deleteTheFamily()
    let store = try store()
    #expect(try store.checkBesideReady([family[0]]).first?.outcome.refusal?.field == "listID")
    try keep(family[1], in: store)
    #expect(try store.checkBesideReady([family[0]]).map(\.outcome) == [.fine])
    try keep(family[0], in: store)
    #expect(try store.checkDecided([family[0]]).first?.outcome == .fine)
    #expect(try store.journal.decided([family[0].seen]).map(\.refusal) == [nil])
  }

  @Test func aChildThatWasDecidedBeforeItsParentIsRefusedUntilThatIsReady() throws {
    let family = try deleteTheFamily()
    let store = try store()
    try keep(family[0], in: store)
    #expect(try store.checkDecided([family[0]]).first?.outcome.refusal?.field == "listID")
    #expect(try store.journal.decided([family[0].seen]).first?.refusal?.field == "listID")
    try keep(family[1], in: store)
    #expect(try store.checkDecided([family[1]]).map(\.outcome) == [.fine, .fine])
    #expect(try store.journal.decided([family[0].seen]).map(\.refusal) == [nil])
  }

  /// Into the inbox, as a probe or an import does.
  private func bring(_ column: String, _ value: Value) throws {
    try app.inTransaction { db in
      try db.run(
        """
        INSERT INTO parley_inbox (recordName, zoneName, ownerName, recordType, receivedAt, path, \(column))
        VALUES ('1:notes', ?, ?, 'notes', 200, 'import', ?)
        """, [.text(Metadatabase.defaultZone), .text(Metadatabase.defaultOwner), value])
    }
  }
}

/// The outbox of an app that has the SQL and the code of before.
extension DrainTests {
  private func makeOld() throws {
    for column in ["settles", "seenAncestor", "modificationTime"] {
      try app.inTransaction { try $0.execute(sql: "ALTER TABLE parley_outbox DROP COLUMN \(column)") }
    }
  }

  @Test func anOutboxOfBeforeGoesOnAndIsUpgraded() throws {
    try clash()
    try makeOld()
    #expect(try decide(.field("title"), .take(.server)) == .fine)
    try app.drainOutbox(at: 400)
    #expect(try app.rows("SELECT title FROM notes") == [[.text("Oat milk")]])
    #expect(
      try store().capture().upgrade == [
        #"ALTER TABLE "parley_outbox" ADD COLUMN "modificationTime" INTEGER;"#,
        #"ALTER TABLE "parley_outbox" ADD COLUMN "seenAncestor" BLOB;"#,
        #"ALTER TABLE "parley_outbox" ADD COLUMN "settles" TEXT;"#,
      ])
    try app.capture()
    #expect(try store().capture().upgrade.isEmpty)
  }

  @Test func whatAnOutboxOfBeforeWouldLoseIsRefusedWithTheWayOut() throws {
    try clash(at: 10_000)
    try makeOld()
    guard case .refused(nil, let reason)? = try decide(.field("title"), .take(.client)) else {
      Issue.record("it was written")
      return
    }
    #expect(reason.contains("parley_outbox is of an older form") && reason.contains("parley capture"))
    #expect(try app.rows("SELECT 1 FROM parley_outbox").isEmpty)
  }

  @Test func aMarkOfDeletionIsNotLeftToAnAppOfBefore() throws {
    try clash(deleted: .here)
    try makeOld()
    guard case .refused? = try decide(.record, .take(.client)) else {
      Issue.record("it was written")
      return
    }
  }
}
