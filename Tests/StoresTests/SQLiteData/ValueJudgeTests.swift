import GRDB
import Merging
import Testing

@testable import SQLiteDataStores
@testable import StoreInterface

/// What is refused while it is typed is what the write would refuse.
@Suite struct ValueJudgeTests {
  private let folder: TestFolder
  private let store: SQLiteDataStore
  private let files: StoreFilesInspector
  private let id = Demo.reminder(42)

  init() throws {
    folder = try TestFolder()
    let path = try Demo.make(in: folder)
    store = try SQLiteDataStore.open(path: path, access: .writing, clock: { Demo.now })
    files = try StoreFilesInspector(path)
  }

  private func verdict(_ field: String, _ value: Value) throws -> ValueVerdict {
    try store.judge(field, in: planned(field, value))
  }

  private func planned(_ field: String, _ value: Value) throws -> PlannedWrite {
    let conflict = try store.conflict(id)
    let accepted = conflict.accepting(.yours, in: Resolution())
    return PlannedWrite(seen: conflict, draft: conflict.draft(typing: value, for: field, in: accepted))
  }

  /// Whether the write refuses this field, by the words it has for it.
  private func refusal(_ field: String, _ value: Value) throws -> String? {
    guard case .refused(_, let words)? = try store.check([planned(field, value)]).first?.outcome else {
      return nil
    }
    return words
  }

  @Test func aForeignKeyToNothingIsRefused() throws {
    let words = "there is no record \"nowhere\" in remindersLists"
    #expect(try verdict("remindersListID", .text("nowhere")) == .refused(words))
    #expect(try refusal("remindersListID", .text("nowhere")) == words)
  }

  @Test func nullWhereItIsNotAllowedIsRefused() throws {
    guard case .refused = try verdict("title", .null) else {
      Issue.record("\(try verdict("title", .null))")
      return
    }
    #expect(try refusal("title", .null) != nil)
  }

  @Test func whatFitsFits() throws {
    #expect(try verdict("title", .text("Call the vet")) == .fits)
    #expect(try refusal("title", .text("Call the vet")) == nil)
  }

  @Test(arguments: ["", "2026-11-24", "tomorrow"])
  func aDateInAnotherFormThanInEveryOtherRowIsOdd(text: String) throws {
    guard case .odd(let words) = try verdict("dueDate", .text(text)) else {
      Issue.record("\(try verdict("dueDate", .text(text)))")
      return
    }
    #expect(words.hasPrefix("everywhere else it looks like 20"))
    #expect(try verdict("dueDate", .text("2026-12-24 08:00:00.000")) == .fits)
  }

  @Test func whatAnotherRowHasIsRefusedWhereItMustBeUnique() throws {
    try files.run("CREATE UNIQUE INDEX everyTitleOnce ON reminders(title)")
    let bread = try store.conflict(Demo.reminder(13)).title
    #expect(try verdict("title", .text(bread)) == .refused("another row has this title already"))
    #expect(try refusal("title", .text(bread)) != nil)
    #expect(try verdict("title", .text("Nobody else has this")) == .fits)
  }

  /// An index compares by its own collation, whatever the column's is.
  @Test func whatIsTheSameIsTheIndexsToSay() throws {
    try files.run("CREATE UNIQUE INDEX everyTitleOnce ON reminders(title COLLATE NOCASE)")
    let bread = Value.text(try store.conflict(Demo.reminder(13)).title.uppercased())
    #expect(try verdict("title", bread) == .refused("another row has this title already"))
    #expect(try refusal("title", bread) != nil)
    for sql in [
      "ALTER TABLE reminders ADD COLUMN label TEXT COLLATE NOCASE",
      "CREATE UNIQUE INDEX everyLabelOnce ON reminders(label COLLATE BINARY)",
      "UPDATE reminders SET label = 'Coffee' WHERE id = '\(Demo.key(13))'",
    ] { try files.run(sql) }
    #expect(try verdict("label", .text("COFFEE")) == .fits)
    #expect(try refusal("label", .text("COFFEE")) == nil)
    #expect(try verdict("label", .text("Coffee")) == .refused("another row has this label already"))
  }

  @Test func whatOnlyTheAppCanCompareIsNotKnown() throws {
    try files.run("CREATE UNIQUE INDEX everyTitleOnce ON reminders(title)")
    let queue = try DatabaseQueue(path: store.info.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA writable_schema = 1")
      try db.execute(
        sql: """
          UPDATE sqlite_master SET sql = replace(sql, '(title)', '(title COLLATE ofTheApp)')
          WHERE name = 'everyTitleOnce'
          """)
    }
    try queue.close()
    guard case .notKnown(let words) = try verdict("title", .text("Call the vet")) else {
      Issue.record("\(try verdict("title", .text("Call the vet")))")
      return
    }
    #expect(words.hasPrefix("no such collation sequence: ofTheApp: it is the app's own"))
  }

  @Test func aCheckIsAskedAsItStands() throws {
    let odd = try OddTableTests()
    let conflict = try odd.store.conflict("-5:" + OddTableTests.name)
    let accepted = conflict.accepting(.yours, in: Resolution())
    func verdict(_ text: String) throws -> ValueVerdict {
      try odd.store.judge(
        "order",
        in: PlannedWrite(
          seen: conflict, draft: conflict.draft(typing: .text(text), for: "order", in: accepted)))
    }
    #expect(try verdict("first") == .fits)
    guard case .refused(let words) = try verdict("last") else {
      Issue.record("\(try verdict("last"))")
      return
    }
    #expect(words.hasPrefix("CHECK constraint failed"))
  }

  /// A column of truth values, or of prices, takes words, and no app reads them; where texts and numbers are mixed already, nobody knows.
  /// And of a truth value there are two.
  @Test func aWordAmongNumbersIsOdd() throws {
    let odd = try OddTableTests()
    let conflict = try odd.store.conflict("-5:" + OddTableTests.name)
    let accepted = conflict.accepting(.yours, in: Resolution())
    func verdict(_ field: String, _ value: Value) throws -> ValueVerdict {
      try odd.store.judge(
        field,
        in: PlannedWrite(
          seen: conflict, draft: conflict.draft(typing: value, for: field, in: accepted)))
    }
    for value in [Value.text("yes"), .blob(Blob(bytes: [0]))] {
      #expect(try verdict("flag", value) == .odd("its other versions are numbers"))
    }
    for value in [Value.integer(0), .integer(1), .null] { #expect(try verdict("flag", value) == .fits) }
    for value in [Value.integer(7), .integer(-1), .real(0.3)] {
      #expect(try verdict("flag", value) == .odd("it is declared as BOOLEAN, of which apps read 0 and 1"))
    }
    #expect(try verdict("anything", .text("yes")) == .fits)
  }

  /// A schema is text in a file, and of each entry SQLite reads the first statement alone.
  @Test func whatFollowsTheStatementOfATableIsNotRun() throws {
    let victim = folder.path("victim.sqlite")
    let other = try DatabaseQueue(path: victim)
    try other.write { try $0.execute(sql: "CREATE TABLE precious (a); INSERT INTO precious VALUES (1)") }
    let queue = try DatabaseQueue(path: store.info.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA writable_schema = 1")
      try db.execute(
        sql: "UPDATE sqlite_master SET sql = sql || ? WHERE name = 'reminders'",
        arguments: ["; ATTACH '\(victim)' AS v; DELETE FROM v.precious"])
    }
    try queue.close()
    #expect(try verdict("title", .text("Call the vet")) == .fits)
    let left = try other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM precious") }
    #expect(left == 1)
  }

  @Test func judgingLeavesNoTrace() throws {
    let before = store.traces()
    _ = try verdict("title", .text("Call the vet"))
    #expect(store.traces() == before)
  }

  @Test func aFormIsWhatAllHaveInCommon() {
    #expect(TextForm.common(to: ["2026-11-20 00:00", "1999-01-01 12:30"]) == "9999-99-99 99:99")
    #expect(TextForm.common(to: ["2026-11-20"]) == nil)
    #expect(TextForm.common(to: ["Bread", "Toast"]) == nil)
    #expect(TextForm.common(to: ["12", "13"]) == nil)
    #expect(TextForm.common(to: ["2026-11-20", "soon"]) == nil)
  }
}
