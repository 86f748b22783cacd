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
    _ choices: [Subject: Choice] = [:], of id: String = Self.id
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

  private func refusal(_ outcome: CheckedWrite.Outcome?) -> String? {
    if case .refused(let field, let reason)? = outcome { "\(field ?? "-"): \(reason)" } else { nil }
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
    let words = "tokenizer: ofTheApp: it is the app's own"
    #expect(refusal(outcomes.first)?.contains(words) == true, "\(outcomes)")
    try change(ParleyTables.outbox)
    let left = try #require(try plan(Self.id, in: open(.outbox)))
    #expect(try open(.outbox).write([left], note: nil).map(\.outcome) == [.fine])
  }

  /// A row goes without its triggers for new ones, and without its checks.
  @Test func aDeletionThatOnlyTheAppCouldTakeBackIsRefused() throws {
    let words = "an undo could not take it back: unknown function: appOnly(): it is the app's own"
    try changeSchema(
      of: "reminders", #""notes" TEXT"#, #""notes" TEXT CHECK (appOnly("notes") IS NOT 1)"#)
    let told = try refusal(deletion())
    #expect(told?.hasPrefix("-: " + words) == true, "\(told ?? "-")")
    try changeSchema(of: "reminders", #" CHECK (appOnly("notes") IS NOT 1)"#, "")
    try change("CREATE TRIGGER app AFTER INSERT ON reminders BEGIN SELECT appOnly(new.title); END")
    let reason = try refusal(deletion())
    #expect(reason?.contains("an undo could not take it back: ") == true, "\(reason ?? "-")")
    #expect(reason?.contains(" function: appOnly") == true, "\(reason ?? "-")")
    try change("DROP TRIGGER app")
    #expect(try deletion() == .fine)
  }

  /// What becomes of a record that the server deleted.
  private func deletion() throws -> CheckedWrite.Outcome? {
    let store = try open()
    let planned = try #require(try plan(Demo.reminder(91), in: store, [.record: .take(.server)]))
    return try store.write([planned], note: nil).first?.outcome
  }

  /// Nearly every table of such an app has it for its key, and an INSERT would not compile without.
  @Test func theLibrarysOwnDefaultKeepsNothingFromBeingWrittenAndTakenBack() throws {
    try changeSchema(of: "reminders", #""notes" TEXT"#, #""notes" TEXT DEFAULT (uuid())"#)
    #expect(try deletion() == .fine)
    #expect(try open().undoLastWrite().map(\.outcome) == [.fine])
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

  @Test(arguments: [
    ("nowhere", "(id)", "no such table: main.nowhere"), ("nowhere", "", "no such table: main.nowhere"),
    ("remindersLists", "(missing)", "no such column: "),
    ("mergeModels", "(title)", #"foreign key mismatch - "reminders" referencing "mergeModels""#),
  ])
  func aForeignKeyThatLeadsNowhereIsOfItsField(table: String, column: String, message: String) throws {
    try change("UPDATE mergeModels SET title = 'Groceries'")
    try changeSchema(of: "reminders", #""notes" TEXT"#, #""notes" TEXT REFERENCES "# + table + column)
    let words = "its foreign key to \(table) leads nowhere: \(message)"
    let outcomes = try outcomes([.field("notes"): .edit(.text("Groceries"))])
    #expect(outcomes.last == .fine)
    #expect(refusal(outcomes.first)?.hasPrefix("notes: " + words) == true, "\(outcomes)")
    let other = try #require(try plan(Self.id, in: open()))
    #expect(try open().write([other], note: nil).map(\.outcome) == [.fine])
  }

  @Test(arguments: [Value.integer(2), .null])
  func aForeignKeyThatLeadsNowhereIsToldWhileItIsTyped(value: Value) throws {
    try change("UPDATE reminders SET priority = 1")
    try changeSchema(of: "reminders", #""priority" INTEGER"#, #""priority" INTEGER REFERENCES nowhere"#)
    let store = try open()
    let planned = try #require(try plan(Self.id, in: store, [.field("priority"): .edit(value)]))
    #expect(
      try store.judge("priority", in: planned)
        == .refused("its foreign key to nowhere leads nowhere: no such table: main.nowhere"))
  }

  /// What else is wrong with its table: a trigger that is older than the tables it speaks of, or what it computes of one row.
  @Test(arguments: ["DELETE FROM gone", "SELECT json(new.title)"])
  func aTriggerThatFailsIsOfTheRecord(statement: String) throws {
    try change("CREATE TRIGGER app AFTER UPDATE ON reminders BEGIN \(statement); END")
    let outcomes = try outcomes()
    #expect(outcomes.last == .fine)
    #expect(refusal(outcomes.first)?.hasPrefix("-: what the table reminders does") == true, "\(outcomes)")
  }

  /// SQLite judges a key that is deferred with the commit, for all records at once.
  @Test func aDeferredKeyIsOfTheRecordThatLeavesItOpen() throws {
    let list = Demo.key(4)
    try change(
      """
      UPDATE remindersLists SET color = rowid WHERE id <> '\(list)';
      CREATE UNIQUE INDEX colors ON remindersLists(color);
      CREATE TABLE swatches (
        color INTEGER REFERENCES remindersLists(color) DEFERRABLE INITIALLY DEFERRED
      );
      INSERT INTO swatches SELECT color FROM remindersLists WHERE id = '\(list)';
      """)
    let choices: [Subject: Choice] = [.field("color"): .take(.server)]
    let refused = CheckedWrite.Outcome.refused(
      field: "color", "1 record of swatches belongs to it; move or delete those first")
    #expect(try outcomes(choices, of: list + ":remindersLists") == [refused, .fine])
    try change(ParleyTables.outbox)
    let left = try #require(try plan(list + ":remindersLists", in: open(.outbox), choices))
    #expect(try open(.outbox).write([left], note: nil).map(\.outcome) == [refused])
  }

  @Test func aDeferredKeyThatATriggerLeavesOpenIsOfTheRecord() throws {
    try change(
      """
      CREATE TABLE searches (title TEXT REFERENCES tags(title) DEFERRABLE INITIALLY DEFERRED);
      CREATE TRIGGER app AFTER UPDATE ON reminders BEGIN INSERT INTO searches VALUES ('nobody'); END;
      """)
    let words = "it leaves a foreign key that leads nowhere: FOREIGN KEY constraint failed"
    #expect(try outcomes() == [.refused(field: nil, words), .fine])
  }

  @Test func theKeyOfAParentIsFoundInWhateverCaseItIsNamed() throws {
    try changeSchema(
      of: "reminders", #"("id") ON DELETE CASCADE"#, #"("ID") DEFERRABLE INITIALLY DEFERRED"#)
    let outcomes = try outcomes(
      [.record: .alternative("delete")], of: Demo.key(4) + ":remindersLists")
    #expect(outcomes.last == .fine)
    #expect(refusal(outcomes.first)?.hasSuffix("belong to it; move or delete those first") == true)
  }

  /// What a table computes as it is read, by a function of the app's own, is unknown here; all else of it is read.
  @Test func aColumnThatOnlyTheAppComputesKeepsNothingFromBeingRead() throws {
    let ids = try summaries(of: open()).map(\.id)
    try changeSchema(of: "reminders", #"AS (length("title"))"#, #"AS (ofTheApp("title"))"#)
    let store = try open()
    #expect(try summaries(of: store).map(\.id) == ids)
    let computed = try #require(try store.conflict(Self.id)["titleLength"])
    #expect(computed.field.isGenerated)
    #expect(computed.client?.value == .opaque(kind: "a value that only the app can compute", bytes: []))
    let outcomes = try outcomes()
    #expect(outcomes.last == .fine)
    let words = "-: unknown function: ofTheApp(): it is the app's own"
    #expect(refusal(outcomes.first)?.hasPrefix(words) == true, "\(outcomes)")
    // An undo would have to make the row again.
    let gone = try #require(try plan(Demo.reminder(91), in: open(), [.record: .take(.server)]))
    let deletion = try open().write([gone], note: nil).first?.outcome
    #expect(refusal(deletion)?.hasPrefix("-: an undo could not take it back: unknown function") == true)
  }
}
