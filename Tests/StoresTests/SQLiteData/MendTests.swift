import Foundation
import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import StoreInterface

/// Crashes between intent and receipt: each database has all of the changes or none, for itself.
struct MendTests {
  static let database = "Reminders.sqlite"
  static let metadatabase = ".Reminders.metadata-iCloud.com.example.Reminders.sqlite"
  static let ids = [42, 91, 92, 13].map(Demo.reminder)

  let folder: TestFolder
  let before: [String: Data]
  let after: [String: Data]
  let dumps: (before: [String], after: [String])
  var path: String { folder.path(MendTests.database) }

  /// Writes, and then takes the receipts away, as if Parley had died just before them.
  init() throws {
    folder = try TestFolder()
    let path = try Demo.make(in: folder)
    let store = try SQLiteDataStore.open(path: path, access: .writing, clock: { WriteTests.time })
    let files = try StoreFilesInspector(path)
    (before, dumps.before) = (try folder.contents(), try files.dump())
    let planned = try MendTests.ids.map { try #require(try plan($0, in: store, [.record: .take(.server)])) }
    #expect(try store.write(planned, note: "all of these").allSatisfy { $0.outcome == .fine })
    try store.log.write { db in try db.run("DELETE FROM receipts") }
    store.log.close()
    (after, dumps.after) = (try folder.contents(), try files.dump())
  }

  private func restore(_ name: String, from contents: [String: Data]) throws {
    try #require(contents[name]).write(to: URL(filePath: folder.path(name)))
  }

  private func open() throws -> SQLiteDataStore {
    try SQLiteDataStore.open(path: path, access: .writing, clock: { WriteTests.time + 1 })
  }

  /// What became of the records, without their titles.
  private func outcomes(_ store: SQLiteDataStore) throws -> Set<String> {
    let entries = try store.journal.entries(limit: 10).filter { $0.kind == .interrupted }
    return Set(
      entries.map { $0.text.split(separator: ": ").enumerated().filter { $0.offset != 1 }.map(\.element) }.map
      { $0.joined(separator: ": ") })
  }

  @Test(arguments: [database, metadatabase])
  func theHalfThatIsMissingIsWritten(lost: String) throws {
    try restore(lost, from: before)
    let store = try open()
    #expect(try StoreFilesInspector(path).dump() == dumps.after)
    #expect(try outcomes(store) == ["interrupted write, completed"])
    #expect(try store.undoLastWrite().allSatisfy { $0.outcome == .fine })
    #expect(try StoreFilesInspector(path).dump() == dumps.before)
  }

  @Test func whatWasNeverWrittenIsRolledBack() throws {
    try restore(MendTests.database, from: before)
    try restore(MendTests.metadatabase, from: before)
    let store = try open()
    #expect(try StoreFilesInspector(path).dump() == dumps.before)
    #expect(try outcomes(store) == ["interrupted write, rolled back: nothing was written"])
    #expect(throws: StoreError.nothingToUndo) { try store.undoLastWrite() }
  }

  @Test func whatWasWrittenCompletelyOnlyGetsItsReceipt() throws {
    let store = try open()
    #expect(try StoreFilesInspector(path).dump() == dumps.after)
    #expect(try outcomes(store) == ["interrupted write, completed"])
  }

  @Test func aRowThatNoLongerFitsIsTakenBackFromTheOtherFile() throws {
    try restore(MendTests.database, from: before)
    try StoreFilesInspector(path).run(
      "CREATE TRIGGER keep BEFORE UPDATE ON reminders BEGIN SELECT raise(ABORT, 'kept as it is'); END")
    let store = try open()
    #expect(try outcomes(store).contains("interrupted write, rolled back: kept as it is"))
    let metadata = { (lines: [String]) in lines.filter { $0.contains(Demo.reminder(42)) } }
    #expect(try metadata(StoreFilesInspector(path).dump()) == metadata(dumps.before))
  }

  @Test func whatSomebodyElseChangedIsLeftAlone() throws {
    try StoreFilesInspector(path).run(
      "UPDATE reminders SET title = 'mine' WHERE id = ?", [.text(Demo.key(42))])
    let store = try open()
    #expect(try outcomes(store).contains("interrupted write, left alone: somebody else changed it since"))
  }

  /// The row was written and its inbox emptied, the metadata were not, and then the app edited what had been written.
  @Test func whatWasLeftIsInTheLogWithItsValuesAndCanBeTakenUpAgain() throws {
    let id = Demo.reminder(42)
    let files = try StoreFilesInspector(path)
    try restore(MendTests.metadatabase, from: before)
    let row = { (column: String) in
      try files.value("SELECT \(column) FROM reminders WHERE id = ?", [.text(Demo.key(42))])
    }
    try files.run("UPDATE reminders SET title = 'edited by the app' WHERE id = ?", [.text(Demo.key(42))])
    let store = try open()
    let entry = try #require(try store.journal.entries(limit: 10).first { $0.record == id })
    let left = try #require(entry.left)
    #expect(entry.kind == .interrupted && !left.isTakenUp && !left.fields.isEmpty)
    let written = try #require(left.fields.first { $0.name != "title" && $0.before != nil })
    #expect(try row(written.name) == written.after)
    #expect(try !summaries(of: store).contains { $0.id == id })

    #expect(try store.undo(.record(id)).map(\.outcome) == [.fine])
    #expect(try row("title") == .text("edited by the app") && row(written.name) == written.before)
    #expect(try summaries(of: store).contains { $0.id == id })
    #expect(try store.journal.entries(limit: 10).first { $0.left != nil }?.left?.isTakenUp == true)
    #expect(throws: StoreError.nothingToUndo) { try store.undo(.record(id)) }
    let planned = try #require(try plan(id, in: store, [.record: .take(.server)]))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
  }

  /// The app may have been started over a store that was half written.
  @Test(arguments: [database, metadatabase])
  func anEditOfAnotherColumnMeanwhileIsKeptAndHindersNothing(lost: String) throws {
    try restore(lost, from: before)
    let edit = "UPDATE reminders SET estimate = 7.5 WHERE id = ?"
    try StoreFilesInspector(path).run(edit, [.text(Demo.key(42))])
    let store = try open()
    #expect(try outcomes(store) == ["interrupted write, completed"])
    let files = try StoreFilesInspector(path)
    #expect(
      try files.rows("SELECT title, estimate FROM reminders WHERE id = ?", [.text(Demo.key(42))])
        == [[.text("Call Dr. Wu"), .real(7.5)]])
    let others = { (lines: [String]) in lines.filter { !$0.hasPrefix("reminders: '\(Demo.key(42))'") } }
    #expect(try others(files.dump()) == others(dumps.after))
  }

  /// What the engine makes of a record's metadata as it takes in a record: the time is then, also in the archive.
  private func takeIn(_ id: String, at time: Int64, tag: String? = nil) throws {
    let files = try StoreFilesInspector(path)
    let column = "_lastKnownServerRecordAllFields"
    guard case .blob(let archive)? = try files.metadata(column, id)?.first else { throw Missing() }
    var record = try ArchivedRecord(decoding: try #require(archive.bytes))
    record.values["sqlitedata_icloud_userModificationTime"] = .integer(time)
    if let tag { record.changeTag = tag }
    try files.run(
      "UPDATE \(Metadatabase.metadata) SET userModificationTime = ?, \(column) = ? WHERE recordName = ?",
      [.integer(time), .blob(Blob(bytes: record.encoded())), .text(id)])
  }

  private struct Missing: Error {}

  /// The app was started over the store, and fetched what it had itself.
  @Test(arguments: [database, metadatabase, nil])
  func whatTheEngineTookInOnceMoreHindersNothing(lost: String?) throws {
    if let lost { try restore(lost, from: before) }
    let (id, later) = (MendTests.ids[0], WriteTests.time + 1_000)
    try takeIn(id, at: later)
    let store = try open()
    #expect(try outcomes(store) == ["interrupted write, completed"])
    let files = try StoreFilesInspector(path)
    let others = { (lines: [String]) in
      lines.filter { !($0.hasPrefix(Metadatabase.metadata) && $0.contains(Demo.key(42))) }
    }
    #expect(try others(files.dump()) == others(dumps.after))
    #expect(try files.metadata("userModificationTime", id) == [.integer(later)])
  }

  @Test func whatTheServerHasSaidSinceIsLeftAlone() throws {
    try restore(MendTests.metadatabase, from: before)
    try takeIn(MendTests.ids[0], at: WriteTests.time + 1_000, tag: "another")
    #expect(
      try outcomes(open()).contains("interrupted write, left alone: somebody else changed it since"))
  }

  @Test(arguments: [
    ([], InterruptedWrite.State.complete), ([database], .half), ([database, metadatabase], .untouched),
  ])
  func readingTellsWhatTheStoreShowsOfEachRecord(lost: [String], state: InterruptedWrite.State) throws {
    for name in lost { try restore(name, from: before) }
    let files = try folder.contents()
    let store = try SQLiteDataStore.open(path: path)
    let told = try store.interruptedWrites()
    #expect(told.map(\.act) == [.write])
    #expect(Set(told.flatMap(\.records).map(\.id)) == Set(MendTests.ids))
    #expect(told.flatMap(\.records).contains { $0.state == state })
    let found = try findings(of: store)
    #expect(found.filter { $0.what == "interrupted write" }.count == MendTests.ids.count)
    #expect(try folder.contents() == files)
    _ = try open()
    #expect(try store.interruptedWrites().isEmpty)
  }

  /// As an update of the app may do; that column was never meant.
  @Test func aColumnThatIsGoneOrNewHidesNothingAndHindersNothing() throws {
    let files = try StoreFilesInspector(path)
    for sql in ["DROP COLUMN estimate", "ADD COLUMN colour TEXT DEFAULT 'red'"] {
      try files.run("ALTER TABLE reminders \(sql)")
    }
    let reading = try SQLiteDataStore.open(path: path)
    #expect(try reading.interruptedWrites().flatMap(\.records).allSatisfy { $0.state == .complete })
    let store = try open()
    #expect(try outcomes(store) == ["interrupted write, completed"])
    let changed = MendTests.ids[0]
    #expect(try store.undo(.record(changed)).map(\.outcome) == [.fine])
    #expect(try summaries(of: store).contains { $0.id == changed })
  }

  @Test func aMeantColumnThatIsGoneIsToldAndNamed() throws {
    let files = try StoreFilesInspector(path)
    try files.run("ALTER TABLE reminders DROP COLUMN priority")
    let told = try SQLiteDataStore.open(path: path).interruptedWrites().flatMap(\.records)
    #expect(told.contains { $0.state == .notKnown } && told.count == MendTests.ids.count)
    #expect(
      try outcomes(open()).contains(
        #"interrupted write, left alone: the table reminders has no column "priority" any more"#))
  }

  @Test func whatTheJournalHoldsDamagedIsNotToldAsUntouched() throws {
    let journal = try open().log
    try journal.write { db in
      try db.run("DELETE FROM receipts")
      try db.run("UPDATE records SET payload = x'ff'")
    }
    journal.close()
    let told = try SQLiteDataStore.open(path: path).interruptedWrites().flatMap(\.records)
    #expect(!told.contains { $0.state == .untouched } && told.contains { $0.state == .notKnown })
  }

  @Test func anIntentWithoutRecordsIsNotTold() throws {
    let journal = try open().log
    try journal.write { db in try db.run("INSERT INTO intents (act, startedAt) VALUES ('write', 5)") }
    journal.close()
    #expect(try SQLiteDataStore.open(path: path).interruptedWrites().isEmpty)
  }

  @Test func aStoreOpenedForReadingMendsNothing() throws {
    try restore(MendTests.database, from: before)
    let files = try folder.contents()
    _ = try SQLiteDataStore.open(path: path)
    #expect(try folder.contents() == files)
  }
}
