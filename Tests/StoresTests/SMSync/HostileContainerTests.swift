import ExactJSON
import Foundation
import GRDB
import KeyedArchives
import Merging
import TerminalTestSupport
import Testing

@testable import SMSyncStores
@testable import Samples
@testable import StoreInterface

/// Containers that anybody may have made: models of other versions, paths that lead out, bytes that were changed. Each is an error or a
/// finding; nothing outside is read, and nothing crashes.
@Suite("Hostile containers") struct HostileContainerTests {
  private static let secret = "what lies outside of the container"

  private func id(_ number: Int) -> String { ContainerDemoStore.uuid(number) }

  private func container(upload path: String) throws -> TestContainer {
    var file = SampleFile(id(1), "file.txt", version: 4)
    file.uploads = [.file("", path: path)]
    file.download = .file(4, Array("there\n".utf8))
    let container = try TestContainer([file])
    try Data(Self.secret.utf8).write(to: URL(filePath: container.folder.path("secret.txt")))
    return container
  }

  @Test(arguments: [
    "../secret.txt", "../../secret.txt", "Temporary/../../../secret.txt", "/etc/passwd", "/", "", ".", "..",
    "Temporary//a",
    "Temporary/./a", "Temporary/a\0b", "Temporary", "Temporary/link", "linked/secret.txt", "Temporary/pipe",
  ])
  func aPathThatLeadsOutIsNotFollowed(path: String) throws {
    let container = try container(upload: path)
    let (folder, documents) = (container.folder.path, container.documents)
    #expect(symlink(folder + "/secret.txt", documents + "/Temporary/link") == 0)
    #expect(symlink(folder, documents + "/linked") == 0)
    #expect(mkfifo(documents + "/Temporary/pipe", 0o600) == 0)
    let store = try container.open()
    let conflict = try store.conflict(id(1))
    #expect(conflict.versions.client.isUnknown, "\(conflict.versions.client)")
    #expect(try findings(of: store).map(\.what) == ["a file cannot be read"])
    let draft = try #require(conflict.draft(Resolution(choices: [.record: .alternative("server")])))
    #expect(
      try store.write([PlannedWrite(seen: conflict, draft: draft)], note: nil).map(\.outcome) == [.fine])
    #expect(try !String(contentsOfFile: store.outboxPath, encoding: .utf8).contains(Self.secret))
  }

  /// URLs of other kinds than those of Documents.
  @Test(arguments: [1, 2, 7, -1])
  func noOtherKindOfArchivedPathIsFollowed(type: Int64) throws {
    let container = try container(upload: "Temporary/none")
    let inside = "Temporary/SMSyncServer.000001.dat"
    func archive(_ type: Int64) -> Value {
      .blob(
        Blob(
          bytes: KeyedArchiveWriter.archive(
            root: .object(
              classes: ["SMCoreLib.SMRelativeLocalURL", "NSURL", "NSObject"],
              fields: [
                .init("localBaseURLType", .inline(.integer(type))), .init("relativePath", .text(inside)),
              ]))))
    }
    for (kind, isRead) in [(0, true), (type, false)] {
      try container.run("UPDATE ZSMUPLOADOPERATION SET ZINTERNALRELATIVELOCALURL = ?", [archive(kind)])
      #expect(try container.open().conflict(id(1)).versions.client.isPresent == isRead)
    }
  }

  @Test func noTextOfAnAncestorIsTakenFromElsewhere() throws {
    let container = try container(upload: "Temporary/none")
    let folder = container.folder.path("earlier")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(symlink(container.folder.path("secret.txt"), folder + "/" + id(1)) == 0)
    for name in ["../secret.txt", "..", ".", "", id(1)] {
      try container.run("UPDATE ZSMLOCALFILE SET ZREMOTEFILENAME = ?", [.text(name)])
      #expect(try container.open().conflict(id(1)).versions.ancestor?.isUnknown == true, "\(name)")
    }
  }

  @Test func aLinkInTheContainersOwnPlaceIsRefused() throws {
    let (container, other) = (try TestContainer(), try TestFolder())
    try FileManager.default.createDirectory(atPath: other.path("Library"), withIntermediateDirectories: true)
    #expect(symlink(container.documents, other.path("Documents")) == 0)
    #expect(throws: StoreError.self) { try SMSyncStore.open(path: other.path) }
  }

  @Test func whatIsNoFileIsNotCopied() throws {
    let container = try container(upload: "Temporary/link")
    #expect(symlink(container.folder.path("secret.txt"), container.documents + "/Temporary/link") == 0)
    #expect(symlink(container.folder.path, container.documents + "/linked") == 0)
    #expect(mkfifo(container.documents + "/link-to-a-pipe", 0o600) == 0)
    try ContainerCopy.make(of: container.path, in: container.copy)
    let names = try FileManager.default.subpathsOfDirectory(atPath: container.copy)
    #expect(
      names.contains { $0.hasSuffix("SMSyncServerModel.sqlite") } && !names.contains { $0.contains("link") })
  }

  @Test(arguments: [
    (
      "ALTER TABLE ZSMLOCALFILE DROP COLUMN ZINTERNALAPPMETADATA",
      "ZSMLOCALFILE has no column ZINTERNALAPPMETADATA"
    ),
    ("ALTER TABLE ZSMLOCALFILE ADD COLUMN ZCHECKSUM VARCHAR", "ZSMLOCALFILE has a column ZCHECKSUM"),
    ("DROP TABLE ZSMUPLOADBLOCK", "it has no table ZSMUPLOADBLOCK"),
    ("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'SMQueues'", "it has no entity SMQueues"),
    ("INSERT INTO Z_PRIMARYKEY VALUES (16, 'SMSharing', 0, 0)", "it has an entity SMSharing"),
    ("INSERT INTO Z_PRIMARYKEY VALUES (16, 'SMQueues', 0, 0)", "it has the entity SMQueues twice"),
    ("UPDATE Z_PRIMARYKEY SET Z_SUPER = 7 WHERE Z_NAME = 'SMUploadFile'", "SMUploadFile has another parent"),
    (
      "CREATE TRIGGER more AFTER DELETE ON ZSMUPLOADOPERATION BEGIN DELETE FROM ZSMLOCALFILE; END",
      "it has a trigger more"
    ),
    ("CREATE VIEW shown AS SELECT 1", "it has a view shown"),
    ("DROP TABLE Z_PRIMARYKEY", "it has no table Z_PRIMARYKEY, so Core Data did not make it"),
  ])
  func anotherModelIsRefusedWithWhatDiffers(sql: String, difference: String) throws {
    let container = try TestContainer()
    try container.run(sql)
    let error = #expect(throws: StoreError.self) { try container.open() }
    guard case .notAStore(_, let detail)? = error, detail.hasSuffix(difference) else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// By SQLite, to which its schema is malformed, or where one reads that, by us.
  @Test func aTriggerThatIsCalledATableIsRefused() throws {
    let container = try TestContainer()
    let queue = try DatabaseQueue(path: container.database)
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          CREATE TRIGGER more AFTER DELETE ON ZSMUPLOADOPERATION BEGIN DELETE FROM ZSMLOCALFILE; END;
          PRAGMA writable_schema = ON;
          UPDATE sqlite_master SET type = 'table' WHERE name = 'more'
          """)
    }
    try queue.close()
    #expect(throws: StoreError.self) { try container.open() }
  }

  /// Core Data gives numbers in the order of all names: another model has others.
  @Test func entitiesAreKnownByTheirNames() throws {
    let container = try TestContainer()
    let before = try summaries(of: container.open()).map(\.id)
    for table in ["Z_PRIMARYKEY"] + SyncModel.Entity.roots.map(\.table) {
      try container.run("UPDATE \(table) SET Z_ENT = Z_ENT + 100")
    }
    try container.run("UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_SUPER + 100 WHERE Z_SUPER > 0")
    #expect(try summaries(of: container.open()).map(\.id) == before)
  }

  /// Which of the two columns a kind of row has follows from an order that was not seen.
  @Test func bothColumnsOfAConflictAreRead() throws {
    let container = try TestContainer()
    let before = try summaries(of: container.open())
    try container.run(
      """
      UPDATE ZSMDOWNLOADOPERATION SET
        ZINTERNALCONFLICTTYPE = ZINTERNALCONFLICTTYPE1, ZINTERNALCONFLICTTYPE1 = ZINTERNALCONFLICTTYPE
      """)
    #expect(try summaries(of: container.open()) == before)
  }

  @Test func twoFilesOfOneNameAreLeftAlone() throws {
    let container = try TestContainer()
    try container.run("UPDATE ZSMLOCALFILE SET ZUUID = ? WHERE ZUUID = ?", [.text(id(1)), .text(id(2))])
    let store = try container.open()
    #expect(try !summaries(of: store).contains { $0.id == id(1) })
    #expect(throws: StoreError.noSuchRecord(id: id(1))) { try store.conflict(id(1)) }
    #expect(try findings(of: store).contains { $0.what == "files without a name of their own" })
  }

  @Test(arguments: [
    "", "x", "[", "{}", #"{"ServerFileIndex":[{}]}"#, #"{"fileId":"a","fileVersion":1.5,"deleted":false}"#,
    #"{"fileId":"a","fileVersion":1,"deleted":false}{"fileId":"a","fileVersion":2,"deleted":false}"#,
    #"{"fileId":"a","fileVersion":99999999999999999999,"deleted":false}"#, "[1]", "null",
  ])
  func anIndexThatIsNoneIsNamed(text: String) throws {
    let container = try TestContainer()
    let path = container.folder.path("FileIndex.json")
    try Data(text.utf8).write(to: URL(filePath: path))
    let error = #expect(throws: StoreError.self) { try container.open(isIndexed: true) }
    guard case .indexUnusable(path, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// What is committed and not yet in the database, and no file beside it afterwards.
  @Test func whatLiesInTheWALIsReadWithoutATrace() throws {
    let container = try TestContainer()
    let writer = try DatabaseQueue(path: container.database)
    try writer.write {
      try $0.run("UPDATE ZSMLOCALFILE SET ZREMOTEFILENAME = 'in the wal' WHERE ZUUID = ?", [.text(id(1))])
    }
    let held = try TestFolder()
    let documents = held.path("Documents")
    try FileManager.default.createDirectory(atPath: documents, withIntermediateDirectories: true)
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: container.database + suffix, toPath: documents + "/" + ContainerFiles.databaseName + suffix)
    }
    try writer.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: documents).sorted()
    #expect(names.count == 2)
    do {
      let store = try SMSyncStore.open(path: held.path)
      #expect(try store.conflict(id(1)).title == "in the wal")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: documents).sorted() == names)
  }
}

/// The same in each run.
extension HostileContainerTests {
  @Test func whateverLiesInTheRowsIsReadWrittenOrRefused() {
    let failures = Attack("formats", short: 6).failures { random in
      let container = try TestContainer()
      for _ in 0..<random.oneOf([1, 4]) {
        try damageRows(of: container, using: &random)
        let before = try container.contents()
        try useEverything(of: container)
        try hold(container.contents() == before, "the container changed")
      }
      do {
        try ContainerCopy.make(of: container.path, in: container.copy)
        let store = try container.openCopy()
        _ = try store.mend(findings(of: store, limit: 100).map(\.id), note: nil)
        try writeEverything(in: store)
      } catch is StoreError {}
    }
    #expect(failures == [])
  }

  @Test func whateverLiesInTheFileIsReadOrRefused() throws {
    let container = try TestContainer()
    let whole = try Data(contentsOf: URL(filePath: container.database))
    var (tries, refused) = (0, 0)
    let failures = Attack("formats", short: 64).failures { random in
      tries += 1
      // The first 16 bytes say that it is a database at all. Half of the runs leave the schema alone too.
      let sound = random.oneOf([16, 16_384])
      let rest = random.damaged(Array(whole.dropFirst(sound)), changes: 40)
      try (whole.prefix(sound) + Data(rest)).write(to: URL(filePath: container.database))
      refused += try useEverything(of: container) ? 0 : 1
    }
    #expect(failures == [])
    #expect(tries < 16 || (1..<tries).contains(refused), "a run in which all are alike tests nothing")
  }

  @Test func whateverAnArchiveOrAnIndexHoldsIsReadOrRefused() {
    let archive = LocalURL.archive(documents: "Temporary/SMSyncServer.000001.dat")
    let preferences = ContainerBuilder.preferences(operation: "57B3")
    let index = Array(
      #"{"ServerResult":0,"ServerFileIndex":[{"fileId":"a","fileVersion":4,"deleted":false}]}"#.utf8)
    let failures = Attack("formats", short: 2000).failures { random in
      _ = try? LocalURL(archive: random.damaged(archive, changes: 4))
      _ = try? RoundState.stored(in: random.damaged(preferences, changes: 4))
      _ = try? ServerIndex(path: "index", bytes: random.damaged(index, changes: 4))
    }
    #expect(failures == [])
  }

  private func damageRows(of container: TestContainer, using random: inout FixedRandom) throws {
    let queue = try DatabaseQueue(path: container.database)
    try queue.write { db in
      for root in SyncModel.Entity.roots {
        let columns = try db.rows("SELECT name FROM pragma_table_info(?)", [.text(root.table)]) { $0.text(0) }
        for key in try db.rows("SELECT Z_PK FROM \(root.table)", [], { $0.integer(0) })
        where UInt8.random(in: 0..<4, using: &random) == 0 {
          guard let column = columns.dropFirst().randomElement(using: &random) else { continue }
          let old = try db.firstRow(
            "SELECT CAST(\(column) AS BLOB) FROM \(root.table) WHERE Z_PK = ?", [.integer(key)]
          ) { $0.bytes(0) }
          let values: [Value] = [
            .null, .integer(0), .integer(1), .integer(.max), .integer(.min), .real(0.5), .text("FileUpload"),
            .text(""),
            .blob(Blob(bytes: random.damaged(old ?? [1], changes: 3))),
            .opaque(kind: Value.brokenText, bytes: random.damaged(old ?? [0xFF], changes: 3)),
          ]
          try db.run(
            "UPDATE \(root.table) SET \(column) = ? WHERE Z_PK = ?",
            [values.randomElement(using: &random) ?? .null, .integer(key)])
        }
      }
    }
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    try queue.close()
  }

  /// false if the container was refused in words.
  @discardableResult private func useEverything(of container: TestContainer) throws -> Bool {
    do {
      for isIndexed in [false, true] {
        let store = try container.open(isIndexed: isIndexed)
        _ = try findings(of: store, limit: 100)
        _ = try store.uploadQueue(limit: 100)
        try writeEverything(in: store)
      }
      return true
    } catch is StoreError {
      return false
    }
  }

  private func writeEverything(in store: SMSyncStore) throws {
    let planned = try summaries(of: store, limit: 100).compactMap { summary in
      (try? plan(summary.id, in: store)).flatMap(\.self)
    }
    _ = try store.check(planned)
    _ = try store.write(planned, note: nil)
    do { _ = try store.undoLastWrite() } catch StoreError.nothingToUndo {}
  }
}
