import Foundation
import Merging
import Testing

@testable import CloudantStores
@testable import Journals
@testable import SMSyncStores
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import Samples
@testable import StoreInterface

/// `Reminders.sqlite` and `Reminders.touchdb` in one folder.
struct JournalOwnerTests {
  let folder: TestFolder
  let path: String
  var datastore: String { folder.path("Reminders.touchdb") }

  init() throws {
    folder = try TestFolder()
    path = try Demo.make(in: folder)
    let other = try TestFolder()
    let made = try Demo.makeDatastore(in: other)
    try FileManager.default.copyItem(atPath: made, toPath: folder.path("Reminders.touchdb"))
  }

  private func open() throws -> SQLiteDataStore {
    try SQLiteDataStore.open(path: path, access: .writing, clock: { WriteTests.time })
  }

  private func openDatastore() throws -> CloudantStore {
    try CloudantStore.open(path: datastore, access: .writing, clock: { WriteTests.time })
  }

  private func write(_ store: any ConflictStore, _ id: String) throws {
    let planned = try #require(try plan(id, in: store))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
  }

  private var journals: [String] {
    get throws { try folder.contents().keys.filter { $0.hasSuffix(".parley.sqlite") }.sorted() }
  }

  private static var edited: SampleFile {
    var file = SampleFile(ContainerDemoStore.uuid(1), "a.txt", version: 4)
    (file.uploads, file.download) = ([.file("here\n")], .deletion())
    return file
  }

  @Test func twoStoresOfOneStemHaveTwoJournals() throws {
    try write(open(), Demo.reminder(12))
    #expect(try openDatastore().journal.entries(limit: 9).isEmpty)
    #expect(throws: StoreError.nothingToUndo) { try openDatastore().undoLastWrite() }
    try write(openDatastore(), "book-emma")
    #expect(try journals == ["Reminders.parley.sqlite", "Reminders.touchdb.parley.sqlite"])
    #expect(try open().journal.entries(limit: 9).map(\.record) == [Demo.reminder(12)])
    #expect(try openDatastore().journal.entries(limit: 9).map(\.record) == ["book-emma"])
    #expect(try open().undoLastWrite().map(\.id) == [Demo.reminder(12)])
  }

  private func decision(_ record: String) -> Decision {
    Decision(id: record, subject: .record, choice: .take(.client), fingerprint: "00ff", decidedAt: 1)
  }

  /// What was decided while nothing could be written beside the store is not gone with what hindered.
  @Test func whatWasBegunElsewhereGoesOnThere() throws {
    let state = ["XDG_STATE_HOME": folder.path("state")]
    func journal() -> Journal {
      Journal(
        kind: "SQLiteData", database: path, environment: state, reading: .ofRows, clock: { WriteTests.time })
    }
    let places = JournalPath.places(of: path, environment: state)
    let (beside, elsewhere) = (places[0], try #require(places.last))
    #expect(journal().path == beside)
    #expect(PrivateFile.makeFolder(folderAndName(elsewhere).folder))
    PrivateFile.make(elsewhere)
    #expect(journal().path == beside, "nothing is begun there")
    try Journal(path: elsewhere, clock: { 1 }).append([decision("a:b")])
    #expect(journal().path == elsewhere && journal().notices.isEmpty)
    #expect(try journal().decisions(for: ["a:b"]).count == 1)
    // From before, or made meanwhile: it is the one that goes along with the files.
    try Journal(path: beside, clock: { 1 }).append([decision("c:d")])
    #expect(journal().path == beside)
    #expect(journal().notices == [.passedOverElsewhere(path: elsewhere, instead: beside)])
    #expect(try journal().decisions(for: ["a:b"]).isEmpty)
  }

  /// Killed in the one store, the other is opened next: its own next start still finds the intent.
  @Test func anIntentWaitsForItsOwnStore() throws {
    let store = try open()
    try write(store, Demo.reminder(12))
    try store.log.write { db in try db.run("DELETE FROM receipts") }
    store.log.close()
    let datastore = try openDatastore()
    #expect(try datastore.log.openIntents().isEmpty)
    #expect(
      try store.log.openIntents().map(\.records) == [[Intent.Record(id: Demo.reminder(12), title: "Milk 2%")]]
    )
    #expect(try open().journal.entries(limit: 1).map(\.kind) == [.interrupted])
  }

  /// Both were opened before either had written.
  @Test func aJournalThatBecameAnothersIsRefusedWithAWord() throws {
    let (first, second) = (try openDatastore(), try open())
    try write(first, "book-emma")
    let error = StoreError.journalOfAnother(
      path: folder.path("Reminders.parley.sqlite"), store: "Reminders.touchdb")
    #expect(throws: error) { try write(second, Demo.reminder(12)) }
    #expect(throws: error) { try second.journal.entries(limit: 1) }
    try write(open(), Demo.reminder(12))
  }

  /// A folder has no extension that could tell two journals apart.
  @Test(arguments: ["Notes2", "Notes.xcappdata", "Notes"])
  func aContainerThatIsCopiedBesideItselfHasAJournalOfItsOwn(
    name: String
  ) throws {
    let original = name == "Notes" ? "Notes.xcappdata" : "Notes"
    let container = try TestContainer([Self.edited], name: original)
    let store = try container.open()
    try write(store, Self.edited.uuid)
    store.log.close()
    let copy = container.folder.path(name)
    try FileManager.default.copyItem(atPath: container.path, toPath: copy)
    if name == "Notes2" {
      try FileManager.default.copyItem(
        atPath: store.log.path, toPath: container.folder.path("Notes2.parley.sqlite"))
    }
    let opened = try SMSyncStore.open(path: copy, access: .writing)
    #expect(try opened.journal.entries(limit: 9).isEmpty)
    #expect(try summaries(of: opened).map(\.id) == [Self.edited.uuid])
    try write(opened, Self.edited.uuid)
    #expect(opened.log.path != store.log.path && opened.outboxPath != store.outboxPath)
    let brought = container.folder.path("Notes2.parley.sqlite")
    let notice = JournalNotice.ofAnother(path: brought, store: "Notes", instead: opened.log.path)
    #expect(opened.log.notices == (name == "Notes2" ? [notice] : []))
    #expect(try container.open().log.notices.isEmpty)
    if name == "Notes2" {
      // As the notice says.
      let elsewhere = try TestFolder()
      for (from, to) in [(copy, "Notes2"), (brought, "Notes2.parley.sqlite")] {
        try FileManager.default.copyItem(atPath: from, toPath: elsewhere.path(to))
      }
      let alone = try SMSyncStore.open(path: elsewhere.path("Notes2"))
      #expect(try alone.journal.entries(limit: 9).count == 1 && alone.log.notices.isEmpty)
    }
    #expect(try SMSyncStore.open(path: copy).journal.entries(limit: 9).count == 1)
    #expect(try container.open().journal.entries(limit: 9).count == 1)
  }

  @Test func aCopyBringsItsJournalAlong() throws {
    try write(open(), Demo.reminder(12))
    let copy = try TestFolder()
    try copy.copyContents(of: folder.path)
    let store = try SQLiteDataStore.open(
      path: copy.path("Reminders.sqlite"), access: .writing, clock: { WriteTests.time })
    #expect(try store.undoLastWrite().map(\.id) == [Demo.reminder(12)])
  }

  @Test func aStoreThatWasRenamedWithItsJournalTakesItOver() throws {
    try write(open(), Demo.reminder(12))
    for (old, new) in [
      ("Reminders.sqlite", "Customer.db"), ("Reminders.parley.sqlite", "Customer.parley.sqlite"),
      (MendTests.metadatabase, ".Customer.metadata-iCloud.com.example.Reminders.sqlite"),
    ] {
      try FileManager.default.moveItem(atPath: folder.path(old), toPath: folder.path(new))
    }
    let store = try SQLiteDataStore.open(
      path: folder.path("Customer.db"), access: .writing, clock: { WriteTests.time })
    #expect(try store.undoLastWrite().map(\.id) == [Demo.reminder(12)])
    #expect(store.log.path == folder.path("Customer.parley.sqlite"))
  }

  @Test func aCopyBesideTheDatabaseGetsAJournalOfItsOwn() throws {
    try write(open(), Demo.reminder(12))
    try FileManager.default.copyItem(atPath: path, toPath: folder.path("Reminders.db"))
    let store = try SQLiteDataStore.open(
      path: folder.path("Reminders.db"), metadatabase: folder.path(MendTests.metadatabase), access: .writing)
    #expect(store.log.path == folder.path("Reminders.db.parley.sqlite"))
    #expect(throws: StoreError.nothingToUndo) { try store.undoLastWrite() }
  }
}
