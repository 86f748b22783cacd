import GRDB
import Testing

@testable import SQLiteFiles

/// Who finds a database busy lets go of all, and tries again.
@Suite struct LockTakingTests {
  private let busy = DatabaseError(resultCode: .SQLITE_BUSY)

  @Test func whatIsBusyIsTakenOnceItIsNot() throws {
    var tries = 0
    let taken = try LockProbe.taking([]) {
      tries += 1
      if tries < 3 { throw busy }
      return tries
    }
    #expect(taken == 3)
  }

  @Test func anotherErrorIsToldAtOnce() {
    var tries = 0
    #expect(throws: DatabaseError.self) {
      try LockProbe.taking([]) {
        tries += 1
        throw DatabaseError(resultCode: .SQLITE_FULL)
      }
    }
    #expect(tries == 1)
  }

  /// Nobody comes in between from the moment it is opened.
  @Test(arguments: ["WAL", "DELETE"]) func whoWritesAloneHasTheLockFromTheBeginning(mode: String) throws {
    let folder = try TestFolder()
    let path = folder.path("a.sqlite")
    try DatabaseQueue(path: path).inDatabase { db in
      _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = \(mode)")
      try db.execute(sql: "CREATE TABLE t (a)")
    }
    let writer = try SQLiteWriter(path)
    #expect(throws: DatabaseError.self) { try Self.write(path) }
    writer.close()
    try Self.write(path)
  }

  /// A commit of nothing would wait for who reads, and GRDB ends a program whose transaction stays open.
  @Test func whoReadsIsNoReasonNotToBegin() throws {
    let folder = try TestFolder()
    let path = folder.path("a.sqlite")
    try Self.write(path)
    let reader = try DatabaseQueue(path: path)
    try reader.inDatabase { db in
      try db.execute(sql: "CREATE TABLE t (a)")
      try db.execute(sql: "BEGIN; SELECT * FROM t")
      defer { try? db.execute(sql: "ROLLBACK") }
      let writer = try SQLiteWriter(path)
      #expect(throws: DatabaseError.self) { try Self.write(path) }
      writer.close()
    }
  }

  private static func write(_ path: String) throws {
    try DatabaseQueue(path: path).inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE; COMMIT") }
  }
}
