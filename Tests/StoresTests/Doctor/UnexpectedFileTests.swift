import Foundation
import GRDB
import Merging
import Telling
import TerminalTestSupport
import Testing

@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files that are not as they should be: each is read as far as that goes, or refused with an error that says the way out.
struct UnexpectedFileTests {
  private let bench: DoctorBench
  private var metadatabase: String { bench.files.files.metadatabase }
  private var journal: String { bench.folder.path("Doctor.parley.sqlite") }

  init() throws { bench = try DoctorBench(Array(1...40)) }

  private func error(_ body: () throws -> Void) -> StoreError? {
    do {
      try body()
      return nil
    } catch {
      if !(error is StoreError) { Issue.record("\(error)") }
      return error as? StoreError
    }
  }

  private func readAll() throws {
    let store = try bench.open()
    _ = try summaries(of: store)
    _ = try findings(of: store)
    _ = try store.uploadQueue(limit: 5)
  }

  @Test(arguments: ["app", "metadatabase"])
  func aDamagedPageIsToldWithBothFilesAndNoByteChanges(which: String) throws {
    let path = which == "app" ? bench.path : metadatabase
    var bytes = try Data(contentsOf: URL(filePath: path))
    // The first page holds the schema; all others are spoilt.
    for index in 4096..<bytes.count { bytes[index] = 0xEE }
    try bytes.write(to: URL(filePath: path))
    let before = try bench.folder.contents()
    let error = error { try readAll() }
    guard case .damaged(_, let detail)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(detail.contains(".Doctor.metadata-") || which == "metadatabase")
    #expect(error?.words.contains("fresh copy") == true)
    #expect(try bench.folder.contents() == before)
  }

  /// A search in such a tree comes back to where it was: without a check the walk would never end.
  @Test(arguments: [
    ("sqlite_autoindex_reminders_1", "app"), ("sqlitedata_icloud_metadata", "metadatabase"),
  ])
  func aTreeInDisorderIsTold(tree: String, which: String) throws {
    let path = which == "app" ? bench.path : metadatabase
    try TreeOfPages(path).disorder(tree)
    let error = error { try readAll() }
    guard case .damaged(_, let detail)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(detail.contains("not in the order of their keys"))
  }

  @Test(.timeLimit(.minutes(1))) func anInboxInDisorderIsTold() throws {
    let path = try Demo.make(in: bench.folder)
    try TreeOfPages(path).disorder("parley_inbox")
    let store = try SQLiteDataStore.open(path: path)
    guard case .damaged? = error({ _ = try summaries(of: store) }) else {
      Issue.record("the walk ended")
      return
    }
  }

  @Test func aPipeIsRefusedAndNotWaitedFor() throws {
    let pipe = bench.folder.path("pipe.sqlite")
    #expect(mkfifo(pipe, 0o600) == 0)
    let refused = StoreError.notADatabase(path: pipe, detail: "it is a pipe")
    #expect(throws: refused) { try SQLiteDataStore.open(path: pipe, metadatabase: metadatabase) }
    #expect(throws: StoreError.notAFile(path: pipe, kind: "a pipe")) {
      try SQLiteDataStore.open(path: bench.path, metadatabase: pipe)
    }
  }

  @Test func aPipeInPlaceOfTheJournalIsRefusedAndNotWaitedFor() throws {
    #expect(mkfifo(journal, 0o600) == 0)
    try bench.run("UPDATE reminders SET title = 'Oat milk'")
    #expect(try findings(of: bench.open()).count == 40)
    let refused = StoreError.journalUnusable(path: journal, detail: "it is a pipe")
    #expect(throws: refused) { try bench.open(.writing) }
    #expect(throws: refused) { try bench.open().journal.entries(limit: 1) }
  }

  @Test func aLinkLeadsToTheFileWithItsCompanions() throws {
    let elsewhere = try TestFolder()
    let link = elsewhere.path("Linked.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: bench.path)
    let store = try SQLiteDataStore.open(path: link)
    #expect(store.info.path == FileStatus.resolved(link))
    #expect(try findings(of: store).isEmpty)
    #expect(try elsewhere.contents().keys.sorted() == ["Linked.sqlite"])
    try FileManager.default.removeItem(atPath: bench.path)
    #expect(throws: StoreError.notFound(path: link)) { try SQLiteDataStore.open(path: link) }
  }

  @Test func aDamagedJournalIsNamedAndFindingsAreStillThere() throws {
    try Data("SQLite format 3\0 and then nothing of the kind".utf8).write(to: URL(filePath: journal))
    try bench.run("UPDATE reminders SET title = 'Oat milk' WHERE id = 'r1'")
    let store = try bench.open(.reading)
    #expect(try findings(of: store).count == 1)
    let error = error { _ = try store.journal.entries(limit: 1) }
    guard case .journalUnusable(journal, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.words.contains("move it away") == true)
  }

  @Test func anEncryptedOrOtherFileIsToldApart() throws {
    let path = bench.folder.path("Encrypted.sqlite")
    var random = FixedRandom(state: 1)
    try Data((0..<8192).map { _ in UInt8.random(in: 0...255, using: &random) }).write(to: URL(filePath: path))
    let error = error { _ = try SQLiteDataStore.open(path: path, metadatabase: metadatabase) }
    #expect(error?.words.contains("not encrypted") == true)
  }

  /// What the app wrote last lies in the `-wal`: without it the files are older, and still whole.
  @Test func aCopyWithoutItsWALShowsWhatTheFileHas() throws {
    let queue = try DatabaseQueue(path: bench.path)
    defer { try? queue.close() }
    try queue.inDatabase { db in
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
      try db.execute(sql: "UPDATE reminders SET title = 'Oat milk' WHERE id = 'r1'")
    }
    let copy = try TestFolder()
    try copy.copyContents(of: bench.folder.path)
    let whole = try findings(of: SQLiteDataStore.open(path: copy.path("Doctor.sqlite")))
    #expect(whole.map(\.what) == ["same time"])
    for name in try copy.contents().keys where name.hasSuffix("-wal") || name.hasSuffix("-shm") {
      try FileManager.default.removeItem(atPath: copy.path(name))
    }
    #expect(try findings(of: SQLiteDataStore.open(path: copy.path("Doctor.sqlite"))).isEmpty)
  }

  @Test func aMetadatabaseOfWhichAllLayInTheWALSaysSo() throws {
    try FileManager.default.removeItem(atPath: metadatabase)
    let queue = try DatabaseQueue(path: metadatabase)
    try queue.inDatabase { try $0.execute(sql: "CREATE TABLE a (b); DROP TABLE a") }
    try queue.close()
    let error = error { _ = try bench.open() }
    #expect(error?.words.contains("copied without its -wal") == true)
  }

  @Test func aMetadatabaseOfAnotherShapeNamesTheColumn() throws {
    try bench.run("ALTER TABLE \(Metadatabase.metadata) RENAME COLUMN _isDeleted TO deleted")
    #expect(
      throws: StoreError.notAStore(
        path: metadatabase, detail: "the table \(Metadatabase.metadata) has no column _isDeleted")
    ) { try bench.open() }
  }

  @Test func columnsTablesAndViewsThatNobodyKnowsChangeNothing() throws {
    try bench.run("ALTER TABLE \(Metadatabase.metadata) ADD COLUMN serverUserModificationTime INTEGER")
    try bench.run("CREATE TABLE sqlitedata_icloud.sqlitedata_icloud_somethingNew (a)")
    try bench.run("CREATE VIEW main.everything AS SELECT * FROM reminders")
    try bench.run("CREATE TABLE main.\"it's \"\"new\"\" here\" (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID")
    try bench.run(
      "INSERT INTO \(Metadatabase.recordTypes) SELECT name, sql, '[]' FROM main.sqlite_master WHERE name LIKE 'it%'"
    )
    try bench.run("INSERT INTO main.\"it's \"\"new\"\" here\" VALUES (1, 2)")
    #expect(try bench.found().isEmpty)
  }

  /// Each page is looked up by a key, so the first one costs the same in a store of any size.
  @Test func noPageScansATable() throws {
    for sql in [
      "SELECT rowid FROM \(Metadatabase.metadata) WHERE rowid > 1 ORDER BY rowid LIMIT 1",
      "SELECT id, EXISTS (SELECT 1 FROM \(Metadatabase.metadata) WHERE recordPrimaryKey = CAST(main.reminders.id AS TEXT) "
        + "AND recordType = 'reminders') FROM main.reminders WHERE id > 'r' ORDER BY id LIMIT 1",
      "SELECT recordType FROM \(Metadatabase.metadata) WHERE parentRecordName = 'home:lists' LIMIT 1",
    ] {
      let plan = try bench.files.rows("EXPLAIN QUERY PLAN \(sql)").compactMap { row in
        if case .text(let text)? = row.last { text } else { nil }
      }
      #expect(!plan.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
    }
  }
}
