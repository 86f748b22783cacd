import Foundation
import GRDB
import Merging
import StoreInterface
import Testing

@testable import SQLiteDataStores
@testable import parley

/// Of all that is decided nothing is read before it is written. What is told, and what is done, is as where it was read: as of records that
/// are named.
struct UnreadWriteTests {
  @Test func allIsToldAndDoneAsWhereItWasReadBefore() throws {
    let unread = try Written { _ in [] }
    let read = try Written { $0 }
    #expect(unread.lines == read.lines)
    #expect(unread.status == read.status)
    #expect(unread.left == read.left)
    #expect(unread.rows == read.rows)
    #expect(unread.undone == read.undone)
  }

  @Test func eachIsToldWithItsTitleAndWhatIsNotReadyIsNotTold() throws {
    let lines = try Written { _ in [] }.lines
    #expect(lines.contains("written: \(Written.name(31))  Letter to the landlord"), "\(lines)")
    #expect(lines.contains { $0.hasPrefix("\(Written.name(26)) was refused: not this one") }, "\(lines)")
    #expect(lines.contains { $0.contains(Written.name(12)) && $0.contains("no longer holds") }, "\(lines)")
    #expect(lines.contains { $0.contains(Written.name(16)) && $0.contains("no longer holds") }, "\(lines)")
    for number in [13, 20, 42] { #expect(!lines.contains { $0.contains(Written.name(number)) }, "\(lines)") }
  }

  @Test func whereNothingTurnsOutToBeReadyNothingIsWritten() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      Live.run("resolve", path, Written.name(20), "--set", "title=client")
      let written = Live.run("write", path, "--yes")
      let told = Live.run("write", path, "--dry-run")
      #expect(written.output.hasPrefix("Nothing to write: ") && written.output == told.output, "\(written)")
      #expect(written.status == .left && told.status == .left)
      #expect(Live.run("undo", path, "--yes").status == .refused)
    }
  }

  /// As `list` tells it: to write again would not help. The one page is met with the first record, the other before.
  @Test(arguments: ["sqlitedata_icloud_metadata", "sqlite_autoindex_sqlitedata_icloud_recordTypes_1"])
  func aDamagedPageIsToldAsWhoeverReadsItIs(of name: String) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      Live.run("resolve", path, "--accept", "all")
      // Of the others some are undecided, or came in more than once, and are read before.
      try DatabaseQueue(path: path).write { db in
        try db.execute(sql: "DELETE FROM parley_inbox WHERE recordName <> ?", arguments: [Written.name(13)])
      }
      try Written.damage(name, beside: path)
      let (listed, written) = (Live.run("list", path), Live.run("write", path, "--yes"))
      #expect(listed.status == .cannotOpen && listed.errors.contains("is damaged: "), "\(listed)")
      #expect(written.status == listed.status && written.errors == listed.errors, "\(written)")
    }
  }

  /// The app is this process. Nobody has to close it to learn that nothing is ready.
  @Test func whereNothingCanBeWrittenWhatIsReadyIsReadBefore() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      Live.run("resolve", path, Written.name(20), "--set", "title=client")
      let app = try DatabaseQueue(path: path)
      _ = try app.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM reminders") }
      let result = try Binary.run(["write", path, "--yes"])
      #expect(result.output.hasPrefix("Nothing to write: "), "\(result)")
      try app.close()
    }
  }
}

/// What became of a sample of which each record is in another state.
private struct Written {
  let lines: [String]
  let status: Status
  let left: [String]
  let rows: [String]
  let undone: [String]

  static func name(_ number: Int) -> String { "5eed0000-0000-4000-8000-0000000000\(number):reminders" }

  /// - Parameter records: of all that are in conflict, those that the command line names.
  init(naming records: ([String]) -> [String]) throws {
    var written: Written?
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      try Written.bringIntoAllStates(path)
      let before = try Written.names(path)
      #expect(!before.contains(Written.name(13)) && !before.contains(Written.name(20)))
      let run = Live.run(["write", path, "--yes"] + records(before))
      #expect(run.errors.isEmpty)
      written = Written(
        lines: Written.lines(run, folder), status: run.status, left: try Written.names(path),
        rows: try Written.rows(path), undone: Written.lines(Live.run("undo", path, "--yes"), folder))
    }
    self = try #require(written)
  }

  private init(lines: [String], status: Status, left: [String], rows: [String], undone: [String]) {
    (self.lines, self.status, self.left, self.rows, self.undone) = (lines, status, left, rows, undone)
  }

  private static func lines(_ run: Run, _ folder: String) -> [String] {
    run.output.replacing(folder, with: "").split(separator: "\n").map(String.init)
  }

  private static func names(_ path: String) throws -> [String] {
    try Live.run("list", path, "--json").objects().compactMap { $0["id"] as? String }
  }

  private static func rows(_ path: String) throws -> [String] {
    try DatabaseQueue(path: path).read { db in
      try String.fetchAll(
        db, sql: "SELECT id || quote(title) || quote(notes) || quote(priority) FROM reminders")
        + String.fetchAll(db, sql: "SELECT id || recordName FROM parley_inbox")
    }
  }

  /// The first page of a table or an index of the metadatabase.
  static func damage(_ name: String, beside path: String) throws {
    let metadatabase = try StoreFiles(path: path, metadatabase: nil).metadatabase
    let page = try DatabaseQueue(path: metadatabase).read { db in
      let sql = "SELECT rootpage FROM sqlite_master WHERE name = ?"
      return (
        try Int.fetchOne(db, sql: sql, arguments: [name]), try Int.fetchOne(db, sql: "PRAGMA page_size")
      )
    }
    let (number, size) = (try #require(page.0), try #require(page.1))
    var bytes = try Data(contentsOf: URL(filePath: metadatabase))
    bytes.replaceSubrange((number - 1) * size..<number * size, with: repeatElement(0xEE, count: size))
    try bytes.write(to: URL(filePath: metadatabase))
  }

  private static func bringIntoAllStates(_ path: String) throws {
    Live.run("resolve", path, "--accept", "all")
    // In part.
    Live.run("resolve", path, name(42), "--forget")
    Live.run("resolve", path, name(42), "--set", "title=client")
    try DatabaseQueue(path: path).writeWithoutTransaction { db in
      // What was decided about its title would be dropped.
      try db.execute(sql: "UPDATE reminders SET title = 'Milk' WHERE title = 'Milk 2%'")
      // Moved.
      try db.execute(sql: "UPDATE reminders SET priority = 77 WHERE title = 'Coffee'")
      // No longer in conflict: of the one nothing came in, of the other what both sides had before.
      try db.execute(sql: "DELETE FROM parley_inbox WHERE recordName = ?", arguments: [name(20)])
      try takeBackOnServer(name(13), beside: path, db)
      // Two rows about one record, which moved, too.
      try db.execute(sql: "UPDATE reminders SET title = 'Other keys', notes = 'x' WHERE title = 'Spare keys'")
      try db.execute(
        sql: """
          INSERT INTO parley_inbox (
            id, recordName, zoneName, ownerName, recordType, receivedAt, path, serverRecord)
          SELECT -id, recordName, zoneName, ownerName, recordType, receivedAt, path, serverRecord FROM parley_inbox
          WHERE recordName = ?
          """, arguments: [name(25)])
      // The store refuses it.
      try db.execute(
        sql: """
          CREATE TRIGGER nobody BEFORE UPDATE ON reminders WHEN old.id || ':reminders' = '\(name(26))'
          BEGIN SELECT RAISE(ABORT, 'not this one'); END
          """)
    }
  }

  private static func takeBackOnServer(_ name: String, beside path: String, _ db: Database) throws {
    let files = try StoreFiles(path: path, metadatabase: nil)
    try db.execute(sql: "ATTACH ? AS metadata", arguments: [files.metadatabase])
    try db.execute(
      sql: """
        UPDATE main.parley_inbox SET serverRecord = (
          SELECT _lastKnownServerRecordAllFields FROM metadata.sqlitedata_icloud_metadata
          WHERE recordName = main.parley_inbox.recordName)
        WHERE recordName = ?
        """, arguments: [name])
    try db.execute(sql: "DETACH metadata")
  }
}
