import Merging
import Testing

@testable import Journals
@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import StoreInterface

/// What a write leaves in the files, sort by sort.
struct WriteTests {
  let folder: TestFolder
  let store: SQLiteDataStore
  let files: StoreFilesInspector

  static let time = Demo.now + 1_000_000_000

  init() throws {
    folder = try TestFolder()
    let path = try Demo.make(in: folder)
    store = try SQLiteDataStore.open(path: path, access: .writing, clock: { WriteTests.time })
    files = try StoreFilesInspector(path)
  }

  private func write(_ id: String, _ choices: [Subject: Choice] = [:]) throws -> CheckedWrite.Outcome? {
    let planned = try #require(try plan(id, in: store, choices))
    return try store.write([planned], note: nil).first?.outcome
  }

  private func serverRecord(_ id: String) throws -> Value {
    let sql = "SELECT serverRecord FROM parley_inbox WHERE recordName = ? ORDER BY id DESC"
    return try #require(try files.value(sql, [.text(id)]))
  }

  private func save(_ id: String) -> PendingZoneChange {
    PendingZoneChange(
      kind: .save, recordName: id, zoneName: Metadatabase.defaultZone, ownerName: "__defaultOwner__")
  }

  @Test func aMergedRecordGoesIntoRowMetadataAncestorAndQueue() throws {
    let id = Demo.reminder(42)
    let server = try serverRecord(id)
    #expect(try write(id, [.field("remindersListID"): .take(.server)]) == .fine)
    #expect(
      try files.rows(
        "SELECT title, isCompleted, priority, remindersListID FROM reminders WHERE id = ?",
        [.text(Demo.key(42))])
        == [[.text("Call Dr. Wu"), .integer(1), .integer(3), .text(Demo.key(3))]])
    #expect(
      try files.metadata(
        "lastKnownServerRecord, _lastKnownServerRecordAllFields, userModificationTime, parentRecordPrimaryKey, _isDeleted",
        id)
        == [server, server, .integer(WriteTests.time), .text(Demo.key(3)), .integer(0)])
    #expect(try files.pending(id) == [save(id)])
    #expect(try files.inboxCount(id) == .integer(0))
    #expect(throws: StoreError.noSuchRecord(id: id)) { try store.conflict(id) }
  }

  /// The app was updated, and has not started since: then that column is set to the ancestor's value, whatever is queued.
  @Test(arguments: ["title", "priority", "isCompleted"])
  func whatTheAppSetsAsItStartsIsRefused(column: String) throws {
    let id = Demo.reminder(42)
    try files.run(
      """
      UPDATE \(Metadatabase.sqlName(Metadatabase.recordTypes)) SET schema = schema || ' ',
        tableInfo = replace(tableInfo, '"name":"\(column)"', '"name":"before"') WHERE tableName = 'reminders'
      """)
    let planned = try #require(try plan(id, in: store, [.field("remindersListID"): .take(.server)]))
    let server = planned.seen.versions.server.fields?[column]?.value
    let outcome = try #require(try store.write([planned], note: nil).first?.outcome)
    if planned.draft[column] == server { return #expect(outcome == .fine) }
    #expect(outcome == .refused(field: column, WritePlan.setAtStart))
    #expect(try files.pending(id).isEmpty)
  }

  @Test func nothingIsQueuedWhereTheDraftIsTheServersVersion() throws {
    let id = Demo.reminder(13)
    #expect(try write(id) == .fine)
    #expect(
      try files.value("SELECT title FROM reminders WHERE id = ?", [.text(Demo.key(13))])
        == .text("Bread, rye"))
    #expect(try files.pending(id).isEmpty)
    let edited = Demo.now - 42 * 60_000_000_000
    #expect(try files.metadata("userModificationTime", id) == [.integer(edited)])
    #expect(store.info.writing.contains("one pending change where the server is to get something"))
  }

  /// A field is uploaded only if its time in the ancestor is not later than the row's.
  @Test func aSlowClockDoesNotKeepTheDraftFromBeingSent() throws {
    let slow = try SQLiteDataStore.open(path: store.info.path, access: .writing, clock: { 5 })
    let id = Demo.reminder(87)
    let planned = try #require(try plan(id, in: slow))
    #expect(try slow.write([planned], note: nil).map(\.outcome) == [.fine])
    guard case .integer(let time)? = try files.metadata("userModificationTime", id)?.first else {
      Issue.record("no time")
      return
    }
    let newest = Demo.now - 4 * 60_000_000_000
    #expect((newest + 1...newest + 1_000_000).contains(time))
  }

  @Test func keepingAnEditOfARecordThatTheServerDeletedCreatesItAnew() throws {
    let id = Demo.reminder(91)
    #expect(try write(id, [.record: .take(.client)]) == .fine)
    #expect(
      try files.metadata("lastKnownServerRecord, _lastKnownServerRecordAllFields, _isDeleted", id)
        == [.null, .null, .integer(0)])
    #expect(try files.pending(id) == [save(id)])
    #expect(
      try files.value("SELECT title FROM reminders WHERE id = ?", [.text(Demo.key(91))])
        == .text("Old invoice, paid"))
  }

  @Test func agreeingToADeletionLeavesNothing() throws {
    let id = Demo.reminder(91)
    #expect(try write(id, [.record: .take(.server)]) == .fine)
    #expect(try files.metadata("1", id) == nil)
    #expect(try files.rows("SELECT 1 FROM reminders WHERE id = ?", [.text(Demo.key(91))]).isEmpty)
    #expect(try files.pending(id).isEmpty)
  }

  @Test func agreeingToADeletionLeavesThatFromTheZoneThatTheRecordLeft() throws {
    let id = Demo.reminder(91)
    var (here, before) = (save(id), save(id))
    (here.kind, before.kind, before.zoneName) = (.delete, .delete, "before")
    for change in [before, here] {
      try files.run("INSERT INTO \(Metadatabase.pending) VALUES (?)", [.blob(Blob(bytes: change.encoded()))])
    }
    #expect(try write(id, [.record: .take(.server)]) == .fine)
    #expect(try files.pending(id) == [before])
  }

  @Test func takingTheServersEditBringsADeletedRowBackAndReplacesTheQueuedDeletion() throws {
    let id = Demo.reminder(92)
    let server = try serverRecord(id)
    #expect(try files.pending(id).map(\.kind) == [.delete])
    #expect(try write(id, [.record: .take(.server)]) == .fine)
    #expect(
      try files.rows("SELECT title, notes FROM reminders WHERE id = ?", [.text(Demo.key(92))])
        == [[.text("Water the tomatoes"), .text("Twice a day while it is hot")]])
    #expect(try files.metadata("_lastKnownServerRecordAllFields, _isDeleted", id) == [server, .integer(0)])
    #expect(try files.pending(id) == [save(id)])
  }

  @Test(arguments: [(Side.server, PendingZoneChange.Kind.save), (.client, .delete)])
  func oneChangeOfTheRecordStaysInTheTableAndUndoBringsBackAll(
    side: Side, kind: PendingZoneChange.Kind
  ) throws {
    let id = Demo.reminder(92)
    for kind in [.save, .delete, .save, .delete] as [PendingZoneChange.Kind] {
      var change = save(id)
      change.kind = kind
      try files.run("INSERT INTO \(Metadatabase.pending) VALUES (?)", [.blob(Blob(bytes: change.encoded()))])
    }
    let queue = "SELECT rowid, * FROM \(Metadatabase.pending) ORDER BY rowid"
    let before = (try files.rows(queue), try files.dump())
    #expect(try write(id, [.record: .take(side)]) == .fine)
    #expect(try files.pending(id).map(\.kind) == [kind])
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try files.rows(queue) == before.0)
    #expect(try files.dump() == before.1)
  }

  @Test func keepingADeletionQueuesItOnce() throws {
    let id = Demo.reminder(92)
    #expect(try write(id, [.record: .take(.client)]) == .fine)
    #expect(try files.metadata("_isDeleted", id) == [.integer(1)])
    #expect(try files.pending(id).map(\.kind) == [.delete])
    #expect(try files.inboxCount(id) == .integer(0))
  }

  /// It is sent without a tag, and the server refuses none.
  @Test func ofADeletionThatIsSentItIsToldWhatItTakes() throws {
    let note = { (id: String, side: Side) in
      try store.check([#require(try plan(id, in: store, [.record: .take(side)]))]).map(\.note)
    }
    let words = "its deletion also takes what other devices sent since the last fetch"
    #expect(try note(Demo.reminder(92), .client) == [words])
    #expect(try note(Demo.reminder(92), .server) == [nil])
    // Here nothing is sent: it is deleted there already.
    #expect(try note(Demo.reminder(91), .server) == [nil])
  }

  @Test func withoutTheServersArchiveTheAncestorStays() throws {
    let id = Demo.reminder(34)
    let before = try files.metadata("_lastKnownServerRecordAllFields", id)
    #expect(try write(id, [.record: .take(.client)]) == .fine)
    #expect(try files.metadata("_lastKnownServerRecordAllFields", id) == before)
    #expect(try files.pending(id) == [save(id)])
  }

  /// The metadata would name a parent that whoever has the record's own zone does not have.
  @Test(arguments: [Side.server, .client])
  func aParentInAnotherZoneIsLeftToTheApp(side: Side) throws {
    let id = Demo.reminder(42)
    let shared = "UPDATE \(Metadatabase.metadata) SET zoneName = 'shared' WHERE recordName = ?"
    try files.run(shared, [.text(Demo.key(3) + ":remindersLists")])
    let outcome = try write(id, [.field("remindersListID"): .take(side)])
    // The row has the client's parent already, and stays where it is.
    if side == .client { return #expect(outcome == .fine) }
    #expect(outcome == .refused(field: "remindersListID", WritePlan.parentElsewhere))
    #expect(try files.pending(id).isEmpty)
  }

  /// The app has no archive of the new zone's as long as the move is not sent.
  @Test(arguments: [("'other'", "ownerName"), ("zoneName", "'_owner'")])
  func aRecordThatHasMovedSinceGetsNoAncestorOfItsFormerZone(zone: String, owner: String) throws {
    let id = Demo.reminder(13)
    try files.run(
      """
      UPDATE \(Metadatabase.metadata) SET zoneName = \(zone), ownerName = \(owner),
        lastKnownServerRecord = NULL, _lastKnownServerRecordAllFields = NULL WHERE recordName = ?
      """, [.text(id)])
    #expect(try write(id, [.field("title"): .take(.server)]) == .fine)
    #expect(
      try files.metadata("lastKnownServerRecord, _lastKnownServerRecordAllFields", id) == [.null, .null])
    let place = try #require(try files.metadata("zoneName, ownerName", id))
    let queued = try files.pending(id)
    #expect(queued.map(\.kind) == [.save])
    #expect(queued.map { [Value.text($0.zoneName), Value.text($0.ownerName)] } == [place])
  }

  @Test func aRowThatTheEngineNeverSawGetsItsMetadata() throws {
    let id = Demo.reminder(24)
    try files.run("DELETE FROM \(Metadatabase.metadata) WHERE recordName = ?", [.text(id)])
    #expect(try write(id) == .fine)
    #expect(
      try files.metadata("zoneName, ownerName, parentRecordName", id)
        == [
          .text(Metadatabase.defaultZone), .text("__defaultOwner__"), .text(Demo.key(5) + ":remindersLists"),
        ])
  }

  /// A few bytes in the file, and the better part of a gigabyte where it is read.
  @Test func aHugeValueThatTheTableComputesIsNotRead() throws {
    try files.run("ALTER TABLE reminders ADD COLUMN huge BLOB AS (zeroblob(900000000)) VIRTUAL")
    let id = Demo.reminder(12)
    let huge = try #require(try store.conflict(id)["huge"])
    #expect(huge.client?.value == .opaque(kind: "900000000 computed bytes", bytes: []))
    #expect(try write(id) == .fine)
  }

  /// Only what of it was written is in memory at a time; the rest is in the journal, and in SQLite's own files.
  @Test func manyMegabytesAreWrittenAndTakenBackAndAFailureLeavesNothing() throws {
    let ids = [12, 13, 42].map(Demo.reminder)
    for number in [12, 13, 42] {
      try files.run(
        "UPDATE reminders SET notes = hex(zeroblob(3000000)) WHERE id = ?", [.text(Demo.key(number))])
    }
    let before = try files.dump()
    let planned = try ids.map { id in
      try #require(
        try plan(id, in: store, [.field("notes"): .edit(.text(String(repeating: "n", count: 6_000_000)))]))
    }
    #expect(try store.write(planned, note: nil).map(\.outcome) == [.fine, .fine, .fine])
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine, .fine, .fine])
    #expect(try files.dump() == before)
    try files.run(
      "CREATE TRIGGER app BEFORE UPDATE ON reminders WHEN new.id = '\(Demo.key(42))' BEGIN SELECT raise(ROLLBACK, 'no'); END"
    )
    #expect(throws: StoreError.self) { try store.write(planned, note: nil) }
    #expect(try files.dump() == before)
    #expect(try store.interruptedWrites().isEmpty)
  }

  @Test func aRecordThatIsNoLongerUnsyncedIsTakenFromTheList() throws {
    let id = Demo.reminder(24)
    try files.run(
      "INSERT INTO \(Metadatabase.unsynced) VALUES (?, ?, ?)",
      [.text(id), .text(Metadatabase.defaultZone), .text("__defaultOwner__")])
    #expect(try write(id) == .fine)
    #expect(
      try files.rows("SELECT recordName FROM \(Metadatabase.unsynced)") == [[.text(Demo.reminder(299))]])
  }

  @Test(arguments: [
    (35, "remindersListID", "there is no record \"\(Demo.key(9))\" in remindersLists"),
    (36, "title", "it must not be NULL"),
  ])
  func whatTheStoreWouldNotTakeIsRefusedByName(number: Int, field: String, reason: String) throws {
    let id = Demo.reminder(number)
    let server: [Subject: Choice] = number == 35 ? [.field(field): .take(.server)] : [:]
    let planned = try plan(id, in: store, server) ?? forced(id, field, .null, in: store)
    let before = try files.dump()
    #expect(try store.check([planned]).map(\.outcome) == [.refused(field: field, reason)])
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.refused(field: field, reason)])
    #expect(try files.dump() == before)
  }

  @Test func aListWithRemindersIsNotDeletedUnderThem() throws {
    let id = Demo.key(5) + ":remindersLists"
    try files.run(
      """
      INSERT INTO parley_inbox (recordName, zoneName, ownerName, recordType, receivedAt, path, isDeleted)
      VALUES (?, 'zone', 'owner', 'remindersLists', 1, 'probe', 1)
      """, [.text(id)])
    let outcome = try write(id, [.record: .take(.server)])
    guard case .refused(nil, let reason)? = outcome else { return #expect(outcome == nil, "refused") }
    #expect(reason.hasSuffix("records of reminders belong to it; move or delete those first"))
  }

  /// What is told to contradict is what the store refuses.
  @Test func aListThatGoesContradictsAReminderThatStays() throws {
    let (list, child) = (Demo.key(5) + ":remindersLists", Demo.reminder(87))
    try files.run(
      """
      INSERT INTO parley_inbox (recordName, zoneName, ownerName, recordType, receivedAt, path, isDeleted)
      VALUES (?, 'zone', 'owner', 'remindersLists', 1, 'probe', 1)
      """, [.text(list)])
    #expect(try store.family(of: list).map(\.id).contains(child))
    let reminder = try store.conflict(child)
    let stays = DecidedConflict(reminder, reminder.accepting(.yours, in: Resolution()))
    for side in [Side.client, .server] {
      let resolution = Resolution(choices: [.record: .take(side)])
      let decided = [DecidedConflict(try store.conflict(list), resolution), stays]
      let contradictions = Contradiction.all(among: decided.map(FamilyStanding.init))
      #expect(contradictions.map(\.child) == (side == .server ? [child] : []))
      let drafts = try decided.map { PlannedWrite(seen: $0.conflict, draft: try #require($0.draft)) }
      let isRefused = try store.check(drafts).contains {
        if case .refused = $0.outcome { true } else { false }
      }
      #expect(isRefused == !contradictions.isEmpty)
    }
  }

  /// Two records of one write, where the second has to go first.
  @Test func aChildIsWrittenAfterItsParentWhateverTheOrder() throws {
    let list = Demo.key(5) + ":remindersLists"
    let child = Demo.reminder(87)
    try files.run(
      "UPDATE reminders SET remindersListID = ? WHERE remindersListID = ?",
      [.text(Demo.key(1)), .text(Demo.key(5))])
    try files.run(
      """
      INSERT INTO parley_inbox (recordName, zoneName, ownerName, recordType, receivedAt, path, serverRecord)
      SELECT ?, 'zone', 'owner', 'remindersLists', 1, 'probe', _lastKnownServerRecordAllFields
      FROM \(Metadatabase.metadata) WHERE recordName = ?
      """, [.text(list), .text(list)])
    try files.run("DELETE FROM remindersLists WHERE id = ?", [.text(Demo.key(5))])
    let planned = [
      try #require(try plan(child, in: store, [.field("remindersListID"): .take(.server)])),
      try #require(try plan(list, in: store, [.record: .take(.server)])),
    ]
    #expect(try store.write([planned[0]], note: nil).map(\.outcome) != [.fine])
    #expect(try store.write(planned, note: nil).map(\.outcome) == [.fine, .fine])
  }

  @Test func checkingChangesNotOneByte() throws {
    let planned = try summaries(of: store).compactMap { try plan($0.id, in: store) }
    #expect(planned.count > 15)
    let before = try folder.contents()
    let outcomes = try store.check(planned)
    #expect(outcomes.count == planned.count)
    #expect(outcomes.filter { $0.outcome == .fine }.count == planned.count)
    #expect(try folder.contents() == before)
  }

  @Test func afterAWriteNothingLiesBesideTheStoreButTheJournal() throws {
    #expect(try write(Demo.reminder(12)) == .fine)
    (store.journal as? Journal)?.close()
    #expect(
      try folder.contents().keys.sorted() == [
        ".Reminders.metadata-iCloud.com.example.Reminders.sqlite", "Reminders.parley.sqlite",
        "Reminders.sqlite",
      ])
  }
}

/// What happened between seeing and writing.
struct MovedTests {
  let folder: TestFolder
  let store: SQLiteDataStore
  let files: StoreFilesInspector

  init() throws {
    folder = try TestFolder()
    let path = try Demo.make(in: folder)
    store = try SQLiteDataStore.open(path: path, access: .writing, clock: { WriteTests.time })
    files = try StoreFilesInspector(path)
  }

  @Test(arguments: [
    ("UPDATE reminders SET notes = 'Oat' WHERE id = '\(Demo.key(12))'", "notes changed on the client"),
    ("DELETE FROM reminders WHERE id = '\(Demo.key(12))'", "the record was deleted on the client"),
    (
      "UPDATE sqlitedata_icloud_metadata SET userModificationTime = 7 WHERE recordName = '\(Demo.reminder(12))'",
      "the time of the last change moved on the client"
    ),
    (
      """
      UPDATE sqlitedata_icloud_metadata SET _lastKnownServerRecordAllFields = NULL WHERE recordName = '\(Demo.reminder(12))'
      """, "the ancestor is another one now"
    ),
    (
      """
      INSERT INTO parley_inbox (recordName, zoneName, ownerName, recordType, receivedAt, path, serverRecord)
      SELECT recordName, zoneName, ownerName, recordType, receivedAt + 1, path, serverRecord FROM parley_inbox
      WHERE recordName = '\(Demo.reminder(12))'
      """, "a newer server version came in"
    ),
    ("DELETE FROM parley_inbox", "it is no longer in conflict"),
  ])
  func aRecordThatMovedIsLeftAlone(change: String, words: String) throws {
    let planned = try #require(try plan(Demo.reminder(12), in: store))
    try files.run(change)
    let before = try files.dump()
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.moved(words)])
    #expect(try files.dump() == before)
  }

  @Test func theOthersAreWritten() throws {
    let planned = try [12, 13].map { try #require(try plan(Demo.reminder($0), in: store)) }
    try files.run("UPDATE reminders SET notes = 'Oat' WHERE id = ?", [.text(Demo.key(12))])
    #expect(
      try store.write(planned, note: nil).map(\.outcome) == [.moved("notes changed on the client"), .fine])
  }
}
