import Foundation
import GRDB
import Merging
import Testing

@testable import Stores

struct JournalTests {
  let folder: TestFolder
  let journal: Journal

  init() throws {
    folder = try TestFolder()
    journal = Journal(path: folder.path("Reminders.parley.sqlite"), clock: { Demo.now })
  }

  @Test(arguments: [
    (ResultCode.SQLITE_FULL, "the disk is full"), (.SQLITE_CANTOPEN, "permissions"),
    (.SQLITE_READONLY, "permissions"),
    (.SQLITE_CORRUPT, "a new one"), (.SQLITE_BUSY, "Close that program"),
  ])
  func theWayOutFitsTheCause(code: ResultCode, words: String) {
    let error = StoreError.journal("j", DatabaseError(resultCode: code))
    #expect(error.words.contains(words))
    #expect(error.words.contains("move it away") == (code == .SQLITE_CORRUPT))
  }

  /// What is left where the disk was full when it was made.
  @Test(arguments: ["", "CREATE TABLE begun (at); DROP TABLE begun"])
  func aJournalThatWasNeverBegunIsNone(sql: String) throws {
    try Data().write(to: URL(filePath: journal.path))
    let queue = try DatabaseQueue(path: journal.path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
    #expect(try journal.decisions(for: ["a:b"]).isEmpty && journal.entries(limit: 1).isEmpty)
    let decision = Decision(
      id: "a:b", subject: .record, choice: .take(.client), fingerprint: "00ff", decidedAt: 1)
    try journal.append([decision])
    #expect(try journal.decisions(for: ["a:b"]) == [decision])
  }

  @Test func readingMakesNoFile() throws {
    #expect(try journal.decisions(for: ["a:b"]).isEmpty)
    #expect(try journal.entries(limit: 5).isEmpty)
    #expect(try folder.contents().isEmpty)
  }

  @Test func whatAnotherProgramDecidedIsHeardOnceAndNothingOfOnesOwn() throws {
    let other = Journal(path: journal.path, clock: { Demo.now })
    let decision = { (record: String) in
      Decision(id: record, subject: .record, choice: .take(.client), fingerprint: "00ff", decidedAt: 1)
    }
    // Nothing is there yet, then something is that was there before anybody listened.
    #expect(try journal.decisionsOfOthers().isEmpty)
    try other.append([decision("a:b")])
    let late = Journal(path: journal.path, clock: { Demo.now })
    #expect(try late.decisionsOfOthers().isEmpty)
    #expect(try journal.decisionsOfOthers().map(\.id) == ["a:b"])

    try journal.append([decision("own:b")])
    try other.append([decision("c:b"), decision("d:b")])
    try journal.append([decision("own:c")])
    #expect(try journal.decisionsOfOthers().map(\.id) == ["c:b", "d:b"])
    #expect(try journal.decisionsOfOthers().isEmpty)
    #expect(try late.decisionsOfOthers().map(\.id) == ["own:b", "c:b", "d:b", "own:c"])
  }

  @Test(arguments: [
    Value.null, .integer(.max), .integer(.min), .integer(9_007_199_254_740_993), .real(0.1), .real(1e300),
    .real(3),
    .text(""), .text("Caf\u{E9}"), .text("Cafe\u{301}"), .text("null \u{0} inside, \"quoted\" \u{1B}[31m"),
    .text("買い物 👩‍👩‍👧‍👦"), .blob(Blob(bytes: [])), .blob(Blob(bytes: [0, 255, 7])),
    .blob(Blob(sha256: Array(repeating: 7, count: 32))), .opaque(kind: "CLLocation", bytes: [1, 2]),
  ])
  func aDecisionComesBackExactly(value: Value) throws {
    let decisions = [Choice.edit(value), .merged(value)].enumerated().map { index, choice in
      Decision(
        id: "a:b", subject: .field("field \(index)"), choice: choice, fingerprint: "00ff",
        decidedAt: .max - Int64(index))
    }
    try journal.append(decisions)
    journal.close()
    #expect(try journal.decisions(for: ["a:b"]) == decisions)
    #expect(value == (try RowJSON.decode(RowJSON.encode(["field": value]))?["field"]))
  }

  @Test func closedItIsOneFileInWALMode() throws {
    try journal.append([Decision(id: "a:b", subject: .record, choice: nil, fingerprint: "", decidedAt: 1)])
    journal.close()
    let contents = try folder.contents()
    #expect(contents.keys.sorted() == ["Reminders.parley.sqlite"])
    #expect(contents.values.first.map { $0[18] } == 2)
    _ = try journal.entries(limit: 5)
    #expect(try folder.contents() == contents)
  }

  @Test func aJournalOfANewerParleyIsRefused() throws {
    try journal.append([Decision(id: "a:b", subject: .record, choice: nil, fingerprint: "", decidedAt: 1)])
    try journal.write { db in try db.run("PRAGMA user_version = 99") }
    journal.close()
    let error = StoreError.journalTooNew(path: journal.path, version: 99)
    #expect(throws: error) { try journal.entries(limit: 1) }
    #expect(throws: error) {
      try journal.append([Decision(id: "a:b", subject: .record, choice: nil, fingerprint: "", decidedAt: 1)])
    }
  }

  @Test func somethingElseOfItsNameIsNotTouched() throws {
    let text = Data("my shopping list, not a database at all".utf8)
    try text.write(to: URL(filePath: journal.path))
    #expect(throws: StoreError.self) {
      try journal.append([Decision(id: "a:b", subject: .record, choice: nil, fingerprint: "", decidedAt: 1)])
    }
    #expect(try Data(contentsOf: URL(filePath: journal.path)) == text)
  }

  @Test func itLiesBesideTheDatabaseOrWhereTheUserKeepsState() throws {
    let database = folder.path("My.App.db")
    #expect(JournalPath.beside(database) == folder.path("My.App.parley.sqlite"))
    let elsewhere = JournalPath.beside(
      "/proc/nowhere/Reminders.sqlite", environment: ["XDG_STATE_HOME": "/state"])
    #expect(elsewhere.hasPrefix("/state/parley/Reminders-"))
    let other = JournalPath.beside(
      "/proc/elsewhere/Reminders.sqlite", environment: ["XDG_STATE_HOME": "/state"])
    #expect(other != elsewhere)
    #expect(
      JournalPath.beside("/proc/nowhere/R.db", environment: ["HOME": "/home/blob"])
        .hasPrefix("/home/blob/.local/state/parley/R-"))
  }
}
