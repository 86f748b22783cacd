import Foundation
import Merging
import Testing

@testable import CloudantStores
@testable import Samples
@testable import StoreInterface

@Suite struct OpenDatastoreTests {
  static let plain = [("milk", [SampleRevision("a", #"{"title":"Milk"}"#)])]
  static let inConflict = [
    (
      "milk",
      [
        SampleRevision("a", #"{"title":"Milk"}"#), SampleRevision("b", on: "a", #"{"title":"Oat milk"}"#),
        SampleRevision("c", on: "a", #"{"title":"Soy milk"}"#),
      ]
    )
  ]

  @Test func aFolderWithOneDatastoreIsThatOne() throws {
    let datastore = try Datastore(Self.plain)
    let store = try CloudantStore.open(path: datastore.folder.path)
    #expect(store.info.path == datastore.path)
    #expect(store.info.name == "shop.touchdb")
    #expect(store.info.kind == "Cloudant Sync")
  }

  @Test func aFolderWithSeveralTellsThem() throws {
    let folder = try TestFolder()
    for name in ["b", "a"] { try DatastoreBuilder(folder: folder.path, name: name).close() }
    let names = [folder.path("a.touchdb"), folder.path("b.touchdb")]
    #expect(throws: StoreError.severalStores(path: folder.path, names: names)) {
      try CloudantStore.open(path: folder.path)
    }
  }

  /// Both names would be told as a store each, and neither folder be opened.
  @Test(arguments: [DatastoreSchema.Platform.ios, .android])
  func aLinkIsNoStoreBesideItsTarget(platform: DatastoreSchema.Platform) throws {
    let datastore = try Datastore(Self.inConflict, platform: platform)
    let (folder, name) = (datastore.folder.path, platform == .ios ? "shop.touchdb" : "shop")
    for link in platform == .ios ? ["a.touchdb", "z.touchdb"] : ["a", "z"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/" + link, withDestinationPath: folder + "/" + name)
    }
    #expect(try CloudantStore.stores(in: folder) == [datastore.path])
    #expect(try CloudantStore.open(path: folder).info.path == datastore.path)
  }

  @Test func androidsFoldersAreFoundOneDeeper() throws {
    let datastore = try Datastore(Self.inConflict, platform: .android)
    for path in [datastore.folder.path, datastore.folder.path("shop"), datastore.path] {
      let store = try CloudantStore.open(path: path)
      #expect((store.info.kind, store.info.name) == ("Cloudant Sync (Android)", "shop"))
      #expect(try summaries(of: store).map(\.id) == ["milk"])
    }
  }

  @Test func anEmptyFolderIsNoDatastore() throws {
    let folder = try TestFolder()
    let detail = "the folder holds no NAME.touchdb and no db.sync"
    #expect(throws: StoreError.notAStore(path: folder.path, detail: detail)) {
      try CloudantStore.open(path: folder.path)
    }
  }

  @Test func aDatastoreIsRecognisedByItsColumnsWhateverItsName() throws {
    let datastore = try Datastore(Self.plain)
    let copy = datastore.folder.path("customer.sqlite")
    try FileManager.default.copyItem(atPath: datastore.path, toPath: copy)
    #expect(CloudantStore.recognises(copy))
    let other = try TestFolder()
    #expect(!CloudantStore.recognises(try Demo.make(in: other)))
    #expect(!CloudantStore.recognises(other.path("nothing.sqlite")))
  }

  @Test func aSchemaThatTheLibraryRefusesIsRefused() throws {
    let datastore = try Datastore(Self.plain)
    try datastore.sql("PRAGMA user_version = 300")
    #expect(throws: StoreError.storeTooNew(path: datastore.path, version: 300)) { try datastore.open() }
  }

  @Test func aSchemaThatNobodyHasSeenIsReadAndNotWritten() throws {
    let datastore = try Datastore(Self.inConflict)
    try datastore.sql("PRAGMA user_version = 201")
    let store = try datastore.open()
    #expect(store.access() == .tooNew(reason: "its schema 201 is newer than any that is known here"))
    #expect(try summaries(of: store).count == 1)
  }

  @Test func aDamagedFileIsRefusedWithTheReason() throws {
    let datastore = try Datastore(Self.plain)
    let file = try FileHandle(forUpdating: URL(filePath: datastore.path))
    try file.seek(toOffset: 100)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 4000))
    try file.close()
    #expect { try datastore.open() } throws: { error in
      if case StoreError.damaged(datastore.path, _) = error { true } else { false }
    }
  }

  @Test func anotherDatabaseIsNoDatastore() throws {
    let folder = try TestFolder()
    let path = try Demo.make(in: folder)
    #expect(throws: StoreError.notAStore(path: path, detail: "it has no tables docs and revs")) {
      try CloudantStore.open(path: path)
    }
  }

  @Test func readingLeavesTheFolderAsItWas() throws {
    let datastore = try Datastore(Self.inConflict)
    let before = try datastore.folder.contents()
    let store = try datastore.open(.reading)
    _ = try summaries(of: store)
    _ = try findings(of: store)
    _ = try store.tree("milk")
    #expect(try datastore.folder.contents() == before)
  }

  /// A journal with its magic number in front is what a writer leaves that died in the middle of a transaction.
  @Test(.enabled(if: OtherProcess.shell != nil, "needs the sqlite3 shell"))
  func aHotJournalIsRolledBackInACopy() throws {
    let datastore = try Datastore(Self.inConflict)
    let copies = try TestFolder()
    let writer = try OtherProcess(datastore.path)
    writer.run("PRAGMA cache_size = 1; BEGIN; UPDATE docs SET docid = 'oat' WHERE docid = 'milk';")
    writer.run("CREATE TABLE filling (a); INSERT INTO filling SELECT zeroblob(100000);")
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(
        atPath: datastore.path + suffix, toPath: copies.path("shop.touchdb" + suffix))
    }
    writer.end()
    let before = try copies.contents()
    let store = try CloudantStore.open(path: copies.path("shop.touchdb"))
    #expect(try summaries(of: store).map(\.id) == ["milk"])
    #expect(try copies.contents() == before)
  }

  @Test func aWALIsRead() throws {
    let datastore = try Datastore(Self.inConflict)
    try datastore.sql("PRAGMA user_version = 200")
    let copies = try TestFolder()
    try datastore.inWAL { path in
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: copies.path("shop.touchdb" + suffix))
      }
    }
    let store = try CloudantStore.open(path: copies.path("shop.touchdb"))
    #expect(try store.readDocuments { try $0.db.firstRow("SELECT docid FROM docs") { $0.text(0) } } == "oat")
  }
}
