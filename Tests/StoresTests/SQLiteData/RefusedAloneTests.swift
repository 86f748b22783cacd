import GRDB
import Merging
import Testing

@testable import SQLiteDataStores
@testable import StoreInterface

/// What is wrong with the table of one record is told of that record, and the others are written.
struct RefusedAloneTests {
  let folder: TestFolder
  let path: String
  static let id = Demo.reminder(13)
  static let other = "urgent:tags"

  init() throws {
    folder = try TestFolder()
    path = try Demo.make(in: folder)
  }

  /// Some statements, as an app may have run them whose SQLite has more in it.
  private func change(_ sql: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  private func changeSchema(of name: String, _ before: String, _ after: String) throws {
    try change(
      """
      PRAGMA writable_schema = 1;
      UPDATE sqlite_master SET sql = replace(sql, '\(before)', '\(after)') WHERE name = '\(name)';
      PRAGMA writable_schema = 0;
      """)
  }

  private func open(_ route: WriteRoute = .direct) throws -> SQLiteDataStore {
    try SQLiteDataStore.open(path: path, access: .writing, route: route, clock: { WriteTests.time })
  }

  /// What becomes of a record, and of another one that is written with it.
  private func outcomes(
    of id: String = Self.id, _ choices: [Subject: Choice] = [:]
  ) throws -> [CheckedWrite.Outcome] {
    let store = try open()
    let planned = [
      try #require(try plan(id, in: store, choices)), try #require(try plan(Self.other, in: store)),
    ]
    let checked = try store.check(planned).map(\.outcome)
    let written = try store.write(planned, note: nil).map(\.outcome)
    #expect(checked == written)
    return written
  }

  @Test(arguments: [("fts5", "tokenize='unicode61'"), ("fts4", "tokenize=unicode61")])
  func aTokenizerThatOnlyTheAppHasIsMissed(module: String, tokenizer: String) throws {
    try change(
      """
      CREATE VIRTUAL TABLE words USING \(module)(title, \(tokenizer));
      CREATE TRIGGER app AFTER UPDATE ON reminders BEGIN
        UPDATE words SET title = new.title WHERE rowid = new.rowid;
      END;
      """)
    try changeSchema(of: "words", "unicode61", "ofTheApp")
    let outcomes = try outcomes()
    #expect(outcomes.last == .fine)
    guard case .refused(nil, let reason)? = outcomes.first else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(reason.contains("tokenizer: ofTheApp: it is the app's own"))
    try change(ParleyTables.outbox)
    let left = try #require(try plan(Self.id, in: open(.outbox)))
    #expect(try open(.outbox).write([left], note: nil).map(\.outcome) == [.fine])
  }
}
