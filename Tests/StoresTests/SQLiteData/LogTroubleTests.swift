import Foundation
import GRDB
import Testing

@testable import SQLiteFiles

/// A `-wal` that SQLite itself left is sound, however it ended; one of which it silently reads less is not.
@Suite("Damaged -wal") struct LogTroubleTests {
  private let folder: TestFolder
  private let path: String

  init() throws {
    folder = try TestFolder()
    path = folder.path("lists.sqlite")
  }

  /// While the database is open, with three commits in its log.
  private func withLists<Result>(_ body: (Database) throws -> Result) throws -> Result {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA page_size = 512; PRAGMA journal_mode = wal; PRAGMA cache_size = 1; PRAGMA wal_autocheckpoint = 0;
          CREATE TABLE lists (title, filling);
          INSERT INTO lists VALUES ('milk', hex(zeroblob(2000)));
          INSERT INTO lists VALUES ('bread', hex(zeroblob(2000)))
          """)
      return try body(db)
    }
  }

  private func log() throws -> Data { try Data(contentsOf: URL(filePath: path + "-wal")) }

  /// A transaction that does not fit into memory is in the log before it is committed, and stays there if it never is.
  @Test func oneThatSQLiteLeavesIsSound() throws {
    #expect(LogTrouble(beside: path) == nil)
    try withLists { db in
      for step in [
        "BEGIN", "UPDATE lists SET filling = hex(zeroblob(9000))", "ROLLBACK",
        "DELETE FROM lists WHERE title = 'milk'", "PRAGMA wal_checkpoint(PASSIVE)",
        "UPDATE lists SET title = 'rye'", "PRAGMA wal_checkpoint(TRUNCATE)",
      ] {
        try db.execute(sql: step)
        #expect(LogTrouble(beside: path) == nil, "\(step)")
      }
    }
  }

  /// It has begun anew at its start, and the rest is what was there before.
  @Test func whatIsLeftOfAnOlderLogIsNone() throws {
    try withLists { db in
      let before = try log()
      try db.execute(
        sql: "PRAGMA wal_checkpoint(PASSIVE); CREATE TABLE more (title); INSERT INTO more VALUES ('rye')")
      let after = try log()
      #expect(before.count == after.count && before.prefix(32) != after.prefix(32))
      #expect(before.suffix(536) == after.suffix(536))
      #expect(LogTrouble(beside: path) == nil)
    }
  }

  /// Apple's SQLite cuts a log that begins anew to 32 KiB, which end within a frame of the older one.
  @Test func oneThatIsCutToItsLimitIsSoundUnlessAFrameOfItsOwnIsCut() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA page_size = 4096; PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0;
          PRAGMA journal_size_limit = 32768; CREATE TABLE lists (title); INSERT INTO lists VALUES ('milk')
          """)
      for number in 1...20 { try db.execute(sql: "UPDATE lists SET title = \(number)") }
      try db.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)")
      for number in 21...27 {
        try db.execute(sql: "UPDATE lists SET title = \(number)")
        #expect(try log().count == 32768)
        #expect(LogTrouble(beside: path) == nil, "\(number)")
      }
      let whole = try log()
      for count in [1, 8, 9, 16, 24, 4119] {
        try whole.prefix(32 + 3 * 4120 + count).write(to: URL(filePath: folder.path("cut-wal")))
        #expect(LogTrouble(beside: folder.path("cut")) == .cut, "\(count)")
      }
    }
    try queue.close()
  }

  /// Whichever byte of it is another, but for the head of the last commit, which then looks like none.
  @Test func aByteThatIsAnotherIsFound() throws {
    let whole = try withLists { _ in try log() }
    let copy = folder.path("copy")
    let inside = Array(stride(from: 56, to: whole.count - 536, by: 31))
    for offset in Array(0..<56) + inside + [whole.count - 1] {
      var bytes = whole
      bytes[offset] ^= 1
      try bytes.write(to: URL(filePath: copy + "-wal"))
      #expect(LogTrouble(beside: copy) == (offset < 32 ? .garbage : .broken), "\(offset)")
    }
  }

  @Test func whatIsNoneIsGarbage() throws {
    for bytes in [Data([7]), Data(repeating: 7, count: 5000), Data(repeating: 0, count: 32)] {
      try bytes.write(to: URL(filePath: path + "-wal"))
      #expect(LogTrouble(beside: path) == .garbage)
    }
    try Data().write(to: URL(filePath: path + "-wal"))
    #expect(LogTrouble(beside: path) == nil)
  }
}
