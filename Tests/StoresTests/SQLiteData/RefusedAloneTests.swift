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
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA writable_schema = 1")
      try db.execute(
        sql: "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = ?",
        arguments: [before, after, name])
    }
    try queue.close()
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

  @Test(arguments: [
    "ask the owner before, and tell why in notes", "UNIQUE constraint failed: reminders.notes",
  ])
  func whatATriggerSaysNamesNoField(words: String) throws {
    try change(
      """
      CREATE TRIGGER app BEFORE UPDATE ON reminders WHEN new.title = 'Bread, rye' BEGIN
        SELECT raise(ABORT, '\(words)');
      END;
      """)
    #expect(try outcomes() == [.refused(field: nil, words), .fine])
  }

  @Test(
    arguments: [
      (#"CONSTRAINT "ask in notes" CHECK ("title" <> 'Bread, rye')"#, "ask in notes", nil),
      ("CHECK (length(Title) < 6)", "length(Title) < 6", "title"),
      ("CHECK (title <> 'Bread, rye' OR 'notes' = '')", "title <> 'Bread, rye' OR 'notes' = ''", "title"),
      ("CHECK (title = 'Bread' OR notes IS NOT NULL)", "title = 'Bread' OR notes IS NOT NULL", nil),
    ] as [(String, String, String?)])
  func aCheckNamesTheOnlyColumnOfItsExpression(check: String, words: String, field: String?) throws {
    try changeSchema(of: "reminders", #""notes" TEXT"#, #""notes" TEXT "# + check)
    #expect(
      try outcomes() == [.refused(field: field, "CHECK constraint failed: \(words)"), .fine])
  }
}
