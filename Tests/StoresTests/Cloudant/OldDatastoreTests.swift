import Foundation
import Merging
import Testing

@testable import CloudantStores
@testable import SQLiteFiles
@testable import StoreInterface

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Datastores of old schemas and in unusual states: read, written or refused, with the reason.
@Suite struct OldDatastoreTests {
  static let book = AttachmentWriteTests.book
  static let cover = AttachmentWriteTests.cover

  /// What each schema version had not yet (Sources/CloudantStores/FORMAT.md, "Schema").
  private static func downgrade(to version: Int) -> String {
    let steps = [
      (200, "DROP TABLE attachments_key_filename"),
      (5, "ALTER TABLE attachments DROP COLUMN encoding; ALTER TABLE attachments DROP COLUMN encoded_length"),
      (4, "DROP TABLE info"), (3, "DROP TABLE localdocs"), (2, "ALTER TABLE attachments DROP COLUMN revpos"),
    ]
    return steps.filter { version < $0.0 }.map { $0.1 + ";" }.joined() + "PRAGMA user_version = \(version)"
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 6, 7, 99, 100, 199, 200])
  func everySchemaUpToTheNewestIsReadAndWritten(version: Int) throws {
    let datastore = try Datastore([("book", Self.book)])
    try datastore.sql(Self.downgrade(to: version))
    let store = try datastore.open()
    #expect((store.schema.version, store.access()) == (version, .writable))
    #expect(try summaries(of: store).map(\.id) == ["book"])
    #expect(try findings(of: store).isEmpty)
    #expect(try store.resolve("book", [.field(Self.cover): .take(.server)]) == .fine)
    #expect(try summaries(of: store).isEmpty)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try summaries(of: store).map(\.id) == ["book"])
    #expect(try datastore.integrity() == "ok")
  }

  /// On Android a version means other things: 100 brought the names of files, 200 that no row comes twice.
  @Test(arguments: [6, 100, 200])
  func everySchemaOfAndroidIsReadAndWritten(version: Int) throws {
    let datastore = try Datastore([("book", Self.book)], platform: .android)
    let names = version < 100 ? "DROP TABLE attachments_key_filename;" : ""
    let unique = version < 200 ? "DROP INDEX attachments_unique;" : ""
    try datastore.sql(names + unique + "PRAGMA user_version = \(version)")
    let store = try datastore.open()
    #expect((store.schema.version, store.schema.platform) == (version, .android))
    #expect(try store.resolve("book", [.field(Self.cover): .take(.server)]) == .fine)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try summaries(of: store).map(\.id) == ["book"])
  }

  @Test(arguments: [201, 250, 299])
  func whatNobodyHasSeenIsReadAndNotWritten(version: Int) throws {
    let datastore = try Datastore([("book", Self.book)])
    try datastore.sql("PRAGMA user_version = \(version)")
    let store = try datastore.open()
    let reason = "its schema \(version) is newer than any that is known here"
    #expect(store.access() == .tooNew(reason: reason))
    // Neither waiting nor a copy would help.
    let error = StoreError.tooNewToWrite(path: datastore.path, reason: reason)
    #expect(throws: error) { try store.resolve("book") }
    #expect(throws: error) {
      try store.mend(["spurious:book"], note: nil)
    }
    #expect(try summaries(of: store).map(\.id) == ["book"])
  }

  @Test(arguments: [300, 301, 2_000_000_000])
  func whatTheLibraryRefusesIsRefused(version: Int) throws {
    let datastore = try Datastore([("book", Self.book)])
    try datastore.sql("PRAGMA user_version = \(version)")
    #expect(throws: StoreError.storeTooNew(path: datastore.path, version: version)) { try datastore.open() }
  }

  @Test func whatIsNoDatabaseIsRefusedWithTheReason() throws {
    let folder = try TestFolder()
    let path = folder.path("shop.touchdb")
    let files: [(Data, String)] = [
      (Data(), "it is empty"),
      (
        Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }),
        "it does not begin like one; it may be encrypted, or another kind of file"
      ),
    ]
    for (bytes, detail) in files {
      try bytes.write(to: URL(filePath: path))
      #expect(CloudantStore.recognises(path))
      #expect(throws: StoreError.notADatabase(path: path, detail: detail)) {
        try CloudantStore.open(path: path)
      }
    }
    #expect(throws: StoreError.notFound(path: folder.path("b.touchdb"))) {
      try CloudantStore.open(path: folder.path("b.touchdb"))
    }
  }

  @Test func aFolderThatIsCalledLikeADatastoreIsLookedInto() throws {
    let folder = try TestFolder()
    let path = folder.path("shop.touchdb")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let detail = "the folder holds no NAME.touchdb and no db.sync"
    #expect(throws: StoreError.notAStore(path: path, detail: detail)) { try CloudantStore.open(path: path) }
  }

  @Test func aLinkLeadsToTheFileWithItsAttachments() throws {
    let datastore = try Datastore([("book", Self.book)])
    let elsewhere = try TestFolder()
    try FileManager.default.createSymbolicLink(
      atPath: elsewhere.path("linked.touchdb"), withDestinationPath: datastore.path)
    for path in [elsewhere.path("linked.touchdb"), elsewhere.path] {
      let store = try CloudantStore.open(path: path, access: .writing)
      #expect(store.info.path == FileStatus.resolved(elsewhere.path("linked.touchdb")))
      let planned = try #require(try plan("book", in: store, [.field(Self.cover): .take(.server)]))
      #expect(try store.check([planned]).map(\.outcome) == [.fine])
    }
  }

  @Test(
    .enabled(if: geteuid() != 0, "root may write everywhere"),
    arguments: [0o555, 0o755])
  func whatMayNotBeWrittenIsReadOnly(mode: Int) throws {
    let datastore = try Datastore([("book", Self.book)])
    let (folder, file) = (datastore.folder.path, datastore.path)
    try FileManager.default.setAttributes(
      [.posixPermissions: mode == 0o555 ? 0o644 : 0o444], ofItemAtPath: file)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder) }
    let store = try datastore.open()
    let what = mode == 0o555 ? "the folder \(folder)" : file
    #expect(store.access() == .readOnly(reason: "this user may not write \(what)"))
    #expect(try summaries(of: store).map(\.id) == ["book"])
  }
}

/// A `-wal`, a journal of a writer that died, an app that runs.
@Suite struct DatastoreInUseTests {
  @Test func aDatastoreInWALModeIsWrittenAndStaysInIt() throws {
    let datastore = try Datastore([("milk", DocumentWriteTests.milk)])
    try datastore.sql("PRAGMA user_version = 200")
    try datastore.inWAL { _ in }
    #expect(try datastore.journalMode() == "wal")
    let store = try datastore.open()
    #expect(try store.resolve("oat") == .fine)
    #expect(try summaries(of: store).isEmpty)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try datastore.journalMode() == "wal")
    #expect(try datastore.integrity() == "ok")
  }

  /// What was only in the `-wal` is not there, and nothing tells that it ever was.
  @Test func aCopyWithoutItsWALIsReadAsFarAsItGoes() throws {
    let datastore = try Datastore([("milk", DocumentWriteTests.milk)])
    let copies = try TestFolder()
    let copy = copies.path("shop.touchdb")
    try datastore.inWAL { try FileManager.default.copyItem(atPath: $0, toPath: copy) }
    let before = try copies.contents()
    let store = try CloudantStore.open(path: copy, access: .writing)
    #expect(try summaries(of: store).map(\.id) == ["milk"])
    #expect(try copies.contents() == before)
    #expect(try store.resolve("milk") == .fine)
    #expect(try summaries(of: store).isEmpty)
  }

  @Test(.enabled(if: OtherProcess.shell != nil, "needs the sqlite3 shell"))
  func aHotJournalIsRolledBackBeforeAWrite() throws {
    let datastore = try Datastore([("milk", DocumentWriteTests.milk)])
    let copies = try TestFolder()
    let copy = copies.path("shop.touchdb")
    let writer = try OtherProcess(datastore.path)
    writer.run("PRAGMA cache_size = 1; BEGIN; UPDATE docs SET docid = 'oat' WHERE docid = 'milk';")
    writer.run("CREATE TABLE filling (a); INSERT INTO filling SELECT zeroblob(100000);")
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: datastore.path + suffix, toPath: copy + suffix)
    }
    writer.end()
    let store = try CloudantStore.open(path: copy, access: .writing)
    #expect(try store.resolve("milk") == .fine)
    #expect(try summaries(of: store).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: copy + "-journal"))
  }

  @Test(.enabled(if: OtherProcess.shell != nil, "needs the sqlite3 shell"))
  func aDatastoreThatAnAppHoldsIsReadOnly() throws {
    let datastore = try Datastore([("milk", DocumentWriteTests.milk)])
    let store = try datastore.open()
    let app = try OtherProcess(datastore.path)
    app.run("BEGIN IMMEDIATE;")
    guard case .readOnly(let reason) = store.access() else {
      Issue.record("it is writable")
      return
    }
    #expect(reason.hasPrefix("sqlite3 (process") || reason.hasPrefix("process"))
    #expect(throws: StoreError.readOnly(path: datastore.path, reason: reason)) { try store.resolve("milk") }
    #expect(try summaries(of: store).map(\.id) == ["milk"])
    app.end()
    #expect(try store.resolve("milk") == .fine)
  }
}

/// A datastore has a rollback journal, and its idle connection no lock: who has it open is seen by the open file alone.
@Suite(
  .enabled(if: OtherProcess.shell != nil, "needs the sqlite3 shell"),
  .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "needs Linux"))
struct IdleAppTests {
  @Test func anAppThatIsIdleIsSeenByItsOpenFile() throws {
    let datastore = try Datastore([("milk", DocumentWriteTests.milk)])
    let store = try datastore.open()
    let app = try OtherProcess(datastore.path)
    app.run("SELECT count(*) FROM docs;")
    let reason = "sqlite3 (process \(app.process)) has it open; it can be written once that is closed"
    #expect(store.access() == .readOnly(reason: reason))
    #expect(throws: StoreError.readOnly(path: datastore.path, reason: reason)) { try store.resolve("milk") }
    #expect(try summaries(of: store).map(\.id) == ["milk"])
    app.end()
    #expect(try store.resolve("milk") == .fine)
  }

  @Test func anAppThatKnowsTheFileByAnotherNameIsSeenToo() throws {
    let datastore = try Datastore([("milk", DocumentWriteTests.milk)])
    let link = datastore.path + ".linked"
    try FileManager.default.linkItem(atPath: datastore.path, toPath: link)
    let store = try datastore.open()
    let app = try OtherProcess(link)
    app.run("SELECT count(*) FROM docs;")
    let reason = "sqlite3 (process \(app.process)) has it open; it can be written once that is closed"
    #expect(store.access() == .readOnly(reason: reason))
    app.end()
    #expect(store.access() == .writable)
  }

  @Test func whoOnlyReadsIsInNobodysWay() throws {
    let datastore = try Datastore([("milk", DocumentWriteTests.milk)])
    let reader = try OtherProcess(databaseURI(datastore.path, query: "mode=ro"))
    reader.run("SELECT count(*) FROM docs;")
    #expect(try datastore.open().resolve("milk") == .fine)
    reader.end()
  }

  @Test func anotherFileOfTheSameNameIsAnotherFile() throws {
    let (mine, theirs) = (
      try Datastore([("milk", DocumentWriteTests.milk)]), try Datastore([("milk", DocumentWriteTests.milk)])
    )
    let app = try OtherProcess(theirs.path)
    app.run("SELECT count(*) FROM docs;")
    #expect(try mine.open().access() == .writable)
    app.end()
  }
}

extension Datastore {
  fileprivate func journalMode() throws -> String {
    try database { try $0.firstRow("PRAGMA journal_mode") { $0.text(0) } ?? "" }
  }
}
