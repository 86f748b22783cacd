import Foundation
import Merging
import Testing

@testable import SQLiteDataStores
@testable import StoreInterface

/// Two devices with the same records. The other one has taken in what the server had, and so knows it as its ancestors.
struct OtherDeviceTests {
  let here: ImportBench
  let there: ImportBench
  /// What differs between both: what the other device wrote.
  let written: Set<String>

  init() throws {
    here = try ImportBench()
    there = try ImportBench(inbox: .kept)
    let store = try there.open()
    let planned = try summaries(of: store).compactMap {
      try plan($0.id, in: store, [.record: .take(.server)])
    }
    let outcomes = try store.write(planned, note: nil)
    let deleted = Demo.reminder(91)
    written = Set(outcomes.filter { $0.outcome == .fine && $0.id != deleted }.map(\.id))
    #expect(written.count > 10)
  }

  @Test func itsAncestorsAreTheServersState() throws {
    let store = try here.open()
    let summary = try store.importRecords(from: [there.path], isRehearsal: false)
    let found = Set(try summaries(of: store).map(\.id))
    #expect(found.count == summary.new && found.isSubset(of: written) && found.contains(ImportBench.milk))
    // Where client and server agree with each other and with nobody's ancestor changed, nothing is in conflict.
    #expect(written.subtracting(found).allSatisfy { $0 != ImportBench.dentist })
    #expect(summary.unknownTables == ["boards": 1])
    #expect(
      summary.unreadable == [
        ImportSummary.Unreadable(
          file: there.path, place: Demo.reminder(205), title: "Season tickets",
          reason: "its archive cannot be read: not a property list"),
        ImportSummary.Unreadable(
          file: there.path, place: Demo.reminder(206), title: "Thank-you cards",
          reason: "the acknowledgement carried no fields"),
      ])
    #expect(try store.importRecords(from: [there.path], isRehearsal: false).new == 0)
  }

  @Test func theMetadatabaseAloneIsEnoughWhateverItsName() throws {
    let copy = here.folder.path("files") + "/copy.db"
    _ = try here.file("x")
    try FileManager.default.copyItem(atPath: there.files.files.metadatabase, toPath: copy)
    let alone = try here.open().importRecords(from: [copy], isRehearsal: true)
    let whole = try here.open().importRecords(from: [there.path], isRehearsal: true)
    #expect(alone.new == whole.new && alone.unchanged == whole.unchanged && alone.new > 10)
  }

  @Test func theOtherDevicesFilesStayAsTheyWere() throws {
    let before = try there.folder.contents()
    _ = try here.open().importRecords(from: [there.path], isRehearsal: false)
    #expect(try there.folder.contents() == before)
  }

  @Test func anAppDatabaseWithoutItsMetadatabaseIsToldWithTheWayOut() throws {
    let copy = here.folder.path("files") + "/Reminders.sqlite"
    _ = try here.file("x")
    try FileManager.default.copyItem(atPath: there.path, toPath: copy)
    let summary = try here.open().importRecords(from: [copy], isRehearsal: false)
    #expect(summary.words == "1 unreadable")
    #expect(
      summary.unreadable.first?.reason.contains("Copy that file too, with its -wal; it is hidden") == true)
  }

  /// Another app may have the same tables, even the same keys: what its server has is no version of a record here.
  @Test func anotherAppsDatabaseIsRefusedByItsContainer() throws {
    let (folder, other) = (here.folder.path("files"), ".Reminders.metadata-iCloud.org.other.App.sqlite")
    _ = try here.file("x")
    for (from, to) in [(there.path, "Reminders.sqlite"), (there.files.files.metadatabase, other)] {
      try FileManager.default.copyItem(atPath: from, toPath: folder + "/" + to)
    }
    for path in [folder + "/Reminders.sqlite", folder + "/" + other] {
      let summary = try here.open().importRecords(from: [path], isRehearsal: true)
      #expect(summary.words == "1 unreadable" && summary.unreadable.first?.place == nil)
      let reason = summary.unreadable.first?.reason ?? ""
      let containers = "iCloud.org.other.App, and this store of iCloud.com.example.Reminders,"
      #expect(reason.hasPrefix("it is of the container \(containers)"), "\(reason)")
    }
    // Whoever knows better gives it another name.
    try FileManager.default.moveItem(atPath: folder + "/" + other, toPath: folder + "/known.db")
    #expect(try here.open().importRecords(from: [folder + "/known.db"], isRehearsal: true).new > 10)
  }

  /// Import, decide, write, undo: in the app's inbox and in the journal.
  @Test(arguments: [ImportBench.Inbox.empty, .none])
  func theRoundTripEndsWhereItBegan(inbox: ImportBench.Inbox) throws {
    let here = try ImportBench(inbox: inbox)
    let store = try here.open()
    _ = try store.importRecords(from: [there.path], isRehearsal: false)
    let (before, list) = (try here.files.dump(), try summaries(of: store))
    let planned = try list.compactMap { try plan($0.id, in: store, [.record: .take(.server)]) }
    let outcomes = try store.write(planned, note: nil)
    let fine = outcomes.filter { $0.outcome == .fine }.map(\.id)
    #expect(fine.count > 10)
    #expect(Set(try summaries(of: store).map(\.id)) == Set(list.map(\.id)).subtracting(fine))
    for id in fine { try expectAncestorOfThere(id, here) }
    // What was written is known: the same import has nothing new.
    #expect(try store.importRecords(from: [there.path], isRehearsal: true).new == 0)
    #expect(try store.undoLastWrite().allSatisfy { $0.outcome == .fine })
    #expect(try here.files.dump() == before)
    #expect(try summaries(of: store) == list)
    #expect(try summaries(of: try here.open(.reading)) == list)
  }

  private func expectAncestorOfThere(_ id: String, _ here: ImportBench) throws {
    let column = "_lastKnownServerRecordAllFields"
    #expect(try here.files.metadata(column, id) == there.files.metadata(column, id), "\(id)")
  }

  /// Killed between intent and receipt, the next start settles the import with the rest.
  @Test func anInterruptedWriteIsMendedInTheJournalToo() throws {
    let here = try ImportBench(inbox: .none)
    let store = try here.open()
    _ = try store.importRecords(from: [there.path], isRehearsal: false)
    let count = try summaries(of: store).count
    _ = try store.write([try #require(try plan(ImportBench.milk, in: store))], note: nil)
    try store.log.write { db in
      try db.run("DELETE FROM receipts WHERE intent IN (SELECT id FROM intents WHERE act = 'write')")
    }
    // Without a receipt the import waits, and the intent is found again.
    #expect(try store.log.newestImport(of: ImportBench.milk) != nil)
    store.log.close()
    let next = try here.open()
    #expect(try summaries(of: next).count == count - 1)
    #expect(try next.journal.entries(limit: 1).map(\.kind) == [.interrupted])
    #expect(try next.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try summaries(of: next).count == count)
  }
}
