import GRDB
import GRDBSQLite
import Merging
import Testing

@testable import SQLiteFiles

/// What SQLite is asked for and does not tell: an error, and neither nothing nor a crash.
struct UntoldTests {
  /// As where there is no memory left for it.
  private static func hook() throws -> RowHook {
    let found = try #require(RowHook.found)
    return RowHook(
      set: found.set, old: { _, _, _ in SQLITE_NOMEM }, new: { _, _, _ in SQLITE_NOMEM }, depth: found.depth)
  }

  @Test(arguments: ["INSERT INTO lists VALUES ('milk')", "DELETE FROM lists"])
  func theKeyOfARowThatIsChanged(sql: String) throws {
    let queue = try DatabaseQueue()
    try queue.inDatabase { db in
      try db.execute(sql: "CREATE TABLE lists (title PRIMARY KEY) WITHOUT ROWID")
      try db.execute(sql: "INSERT INTO lists VALUES ('bread')")
      let watch = try RowWatch(["main"], in: db, hook: Self.hook())
      try db.execute(sql: sql)
      let error = #expect(throws: DatabaseError.self) { try watch.noticed() }
      #expect(error?.resultCode == .SQLITE_NOMEM)
      watch.forget()
      #expect(try watch.noticed().isEmpty)
    }
  }

  @Test func howManyForeignKeysLeadNowhere() throws {
    let queue = try DatabaseQueue()
    try queue.inDatabase { db in
      let isAnyOpen = try db.hasOpenForeignKey()
      #expect(!isAnyOpen)
      let error = #expect(throws: DatabaseError.self) { try db.status(of: -1) }
      #expect(error?.resultCode == .SQLITE_ERROR)
    }
  }
}
