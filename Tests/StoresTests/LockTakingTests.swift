import GRDB
import StoreInterface
import Synchronization
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

  @Test func anotherOfUsIsWaitedForAndNobodyElse() {
    var answers = [StoreAccess.inUse(reason: "parley"), .inUse(reason: "process 7"), .writable]
    #expect(LockProbe.patient { answers.removeFirst() } == .writable)
    answers = [.readOnly(reason: "its app"), .writable]
    #expect(LockProbe.patient { answers.removeFirst() } == .readOnly(reason: "its app"))
  }

  /// What it is refused for then is told by nobody: it was stopped.
  @Test func whoIsStoppedWaitsForNobody() {
    var looks = 0
    let held = StoreAccess.inUse(reason: "parley")
    StoreCall(isWanted: { false }).answered {
      let answer = LockProbe.patient {
        looks += 1
        return held
      }
      #expect(looks == 1 && answer == held)
      #expect(throws: StoreError.stopped(path: "s")) { try held.check("s") }
    }
    #expect(throws: StoreError.readOnly(path: "s", reason: "parley")) { try held.check("s") }
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

  /// Whoever reads a database with a rollback journal would hinder each page of the write that is to go to its place, and the commit.
  @Test func whoReadsIsWaitedForBeforeAnythingIsBegun() throws {
    let folder = try TestFolder()
    let path = folder.path("a.sqlite")
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let reader = try DatabaseQueue(path: path, configuration: configuration)
    try reader.inDatabase { try $0.execute(sql: "CREATE TABLE t (a); BEGIN; SELECT * FROM t") }
    let tries = Mutex(0)
    let writer = try SQLiteWriter(path) { _ in
      let number = tries.withLock { tries in
        tries += 1
        return tries
      }
      if number == 3 { try reader.inDatabase { try $0.execute(sql: "ROLLBACK") } }
    }
    #expect(tries.withLock(\.self) == 3)
    #expect(throws: DatabaseError.self) {
      try reader.inDatabase { try $0.execute(sql: "SELECT * FROM t") }
    }
    writer.close()
  }

  private static func write(_ path: String) throws {
    try DatabaseQueue(path: path).inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE; COMMIT") }
  }
}
