import GRDB
import Merging
import Testing

@testable import SQLiteFiles
@testable import StoreInterface

/// A file that is read as one that does not change, and does.
struct ChangingFileTests {
  let folder: TestFolder
  let path: String

  init() throws {
    folder = try TestFolder()
    path = folder.path("lists.sqlite")
    try edit("PRAGMA journal_mode = WAL; CREATE TABLE lists (n); INSERT INTO lists VALUES (1)")
  }

  /// Opened, written and closed: nobody is seen to hold it afterwards.
  private func edit(_ sql: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  private func reader() throws -> SQLiteReader {
    let probe = try FileStatus.checkDatabase(path)
    return SQLiteReader(files: [SQLiteReader.File(path: path, schema: "main", probe: probe)])
  }

  @Test(arguments: [false, true])
  func itIsReadAgainAlsoWhereItLookedDamaged(fails: Bool) throws {
    var rounds = 0
    let read = try reader().read { db in
      rounds += 1
      let n = try db.firstRow("SELECT n FROM lists") { $0.integer(0) }
      if rounds == 1 {
        try edit("UPDATE lists SET n = 2; VACUUM")
        if fails { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
      }
      return n
    }
    #expect(read == 2)
    #expect(rounds == 2)
  }

  /// Of what lies in its `-wal` SQLite holds a lock for as long as it is open.
  @Test func whoWaitsLetsGoOfItAndReadsItAgain() throws {
    let other = try DatabaseQueue(path: path)
    try other.writeWithoutTransaction { try $0.execute(sql: "UPDATE lists SET n = 2") }
    let probe = try FileStatus.checkDatabase(path)
    let reader = SQLiteReader(files: [SQLiteReader.File(path: path, schema: "main", probe: probe)])
    func read() throws -> Int64? {
      try reader.read { try $0.firstRow("SELECT n FROM lists") { $0.integer(0) } }
    }
    func isHeld() -> Bool {
      var isHeld = true
      probe.whileUnused { isHeld = false }
      return isHeld
    }
    #expect(try read() == 2)
    // It goes without a checkpoint, as who is killed.
    try other.close()
    #expect(isHeld())
    reader.letGo()
    #expect(!isHeld())
    #expect(try read() == 2)
  }

  @Test func oneThatNeverRestsIsToldAsBeingWritten() throws {
    #expect(throws: StoreError.beingWritten(path: path)) {
      try reader().read { _ in try edit("UPDATE lists SET n = n + 1") }
    }
  }

  @Test func damageThatStaysIsToldAsDamage() throws {
    #expect(throws: DatabaseError.self) {
      try reader().read { _ in throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
    }
  }
}
