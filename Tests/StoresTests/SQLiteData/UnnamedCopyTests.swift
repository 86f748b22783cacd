import Foundation
import GRDB
import Merging
import StoreInterface
import TerminalTestSupport
import Testing

@testable import SQLiteFiles

/// A copy is what SQLite itself would make of the files.
struct UnnamedCopyTests {
  let folder: TestFolder
  let path: String

  init() throws {
    folder = try TestFolder()
    path = folder.path("lists.sqlite")
  }

  /// Copies the files while `sql` is under way, and reads the copy. Rows of several pages, in several commits.
  private func titles(after sql: [String], mode: String, rollingBack: Bool) throws -> [String] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    let copies = try TestFolder()
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: "PRAGMA journal_mode = \(mode); PRAGMA cache_size = 1; PRAGMA wal_autocheckpoint = 0")
      try db.execute(sql: "CREATE TABLE lists (title, filling)")
      for title in ["milk", "bread"] {
        try db.execute(sql: "INSERT INTO lists VALUES (?, hex(zeroblob(30000)))", arguments: [title])
      }
      for statement in sql { try db.execute(sql: statement) }
      try copies.copyContents(of: folder.path)
      if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
    }
    let copy = try UnnamedCopy(of: copies.path("lists.sqlite"), rollingBack: rollingBack)
    return try titles(of: copy)
  }

  private func titles(of copy: UnnamedCopy) throws -> [String] {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: ":memory:", configuration: configuration)
    defer { try? queue.close() }
    return try queue.inDatabase { db in
      try copy.open(as: "main", in: db)
      #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
      return try String.fetchAll(db, sql: "SELECT title FROM lists ORDER BY title")
    }
  }

  private static let unfinished = [
    "BEGIN", "UPDATE lists SET title = 'half', filling = hex(zeroblob(40000))",
    "INSERT INTO lists VALUES ('half', hex(zeroblob(90000)))",
  ]

  /// As a journal of Parley's is for a moment while it is made.
  @Test func whatWasOnlyJustBegunIsEmpty() throws {
    let queue = try DatabaseQueue(path: path)
    let copies = try TestFolder()
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA cache_size = 1; BEGIN")
      try db.execute(sql: "CREATE TABLE lists (title, filling)")
      try db.execute(sql: "INSERT INTO lists VALUES ('milk', hex(zeroblob(90000)))")
      try copies.copyContents(of: folder.path)
      try db.execute(sql: "ROLLBACK")
    }
    try queue.close()
    #expect(try copies.contents().values.allSatisfy { !$0.isEmpty })
    let copy = try UnnamedCopy(of: copies.path("lists.sqlite"), rollingBack: true)
    let read = try DatabaseQueue()
    try read.inDatabase { db in
      try copy.open(as: "main", in: db)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0)
    }
  }

  @Test(arguments: ["delete", "truncate", "persist"])
  func aTransactionThatIsNotCommittedIsTakenBack(mode: String) throws {
    #expect(try titles(after: Self.unfinished, mode: mode, rollingBack: true) == ["bread", "milk"])
  }

  @Test func whatIsCommittedInTheWALIsReadAndNothingElse() throws {
    let committed = [
      "UPDATE lists SET title = 'rye' WHERE title = 'bread'", "DELETE FROM lists WHERE title = 'milk'",
    ]
    #expect(try titles(after: committed + Self.unfinished, mode: "wal", rollingBack: false) == ["rye"])
  }

  /// Of a page that was not written wholly nothing is taken.
  @Test func aJournalMayBeLargerThanAllMemory() throws {
    _ = try titles(after: [], mode: "delete", rollingBack: true)
    let pageCount = UInt8(try Data(contentsOf: URL(filePath: path)).count / 4096)
    // Its pages are all that fit into it, and the database had as many as it has.
    let header = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, pageCount, 0, 0, 2, 0, 0, 0, 16, 0]
    try Data(RollbackJournal.magic + header).write(to: URL(filePath: path + "-journal"))
    #expect(truncate(path + "-journal", 1 << 40) == 0)
    #expect(try titles(of: UnnamedCopy(of: path, rollingBack: true)) == ["bread", "milk"])
  }

  /// At the end of each file's own stands the name of the journal that they share.
  @Test(arguments: [false, true])
  func aTransactionOverSeveralFilesWasCommittedOnceTheirJournalIsGone(isGone: Bool) throws {
    let name = Array(folder.path("lists.sqlite-mj").utf8)
    let sum = name.reduce(0) { $0 + Int($1) }
    let numbers = [0, 0, 0, UInt8(name.count), 0, 0, UInt8(sum >> 8), UInt8(sum & 0xFF)]
    try Data(name + numbers + RollbackJournal.magic).write(to: URL(filePath: path + "-journal"))
    if !isGone { try Data().write(to: URL(filePath: path + "-mj")) }
    let journal = try RollbackJournal(beside: path)
    #expect((journal == nil) == isGone)
  }

  /// The temporary folder has no part in it.
  @Test func aFileThatCannotBeReadIsToldAsThat() {
    #expect(throws: StoreError.fileMissing(path: path)) { try UnnamedCopy(of: path, rollingBack: false) }
    #expect(throws: StoreError.notAFile(path: folder.path, kind: "a folder")) {
      try UnnamedCopy(of: folder.path, rollingBack: false)
    }
    #if os(Linux)
      // Nothing is ever at the beginning of a process's memory.
      let memory = "/proc/self/mem"
      #expect(throws: StoreError.cannotRead(path: memory, detail: "Input/output error")) {
        try UnnamedCopy(of: memory, rollingBack: false)
      }
    #endif
  }

  /// Whatever stands in journal and `-wal`, it is an error or a database, and no crash.
  @Test func damagedCompanionsAreNoCrash() throws {
    var random = FixedRandom(state: 9)
    _ = try titles(after: [], mode: "delete", rollingBack: true)
    for suffix in ["-journal", "-wal"] {
      for magic in [RollbackJournal.magic, [0x37, 0x7F, 0x06, 0x82, 0, 0x2D, 0xE2, 0x18]] {
        for _ in 1...50 {
          let rest = (0..<600).map { _ in UInt8.random(in: 0...255, using: &random) }
          try Data(magic + rest).write(to: URL(filePath: path + suffix))
          _ = try? UnnamedCopy(of: path, rollingBack: suffix == "-journal")
        }
        try FileManager.default.removeItem(atPath: path + suffix)
      }
    }
  }
}
