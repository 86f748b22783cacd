import Merging
import Testing

@testable import SQLiteDataStores
@testable import StoreInterface

/// What the app's own triggers make of a write: what was drafted is there afterwards, or the record is refused.
struct TriggerTests {
  let folder: TestFolder
  let store: SQLiteDataStore
  let files: StoreFilesInspector
  static let id = Demo.reminder(42)
  static let key = Demo.key(42)

  init() throws {
    folder = try TestFolder()
    let path = try Demo.make(in: folder)
    store = try SQLiteDataStore.open(
      path: path, access: .writing, clock: { WriteTests.time }, timeLimit: .zero)
    files = try StoreFilesInspector(path)
  }

  private func add(_ trigger: String, _ others: [String] = []) throws {
    for sql in others + ["CREATE TRIGGER app \(trigger) END"] { try files.run(sql) }
  }

  /// The title and the list differ from the row's.
  private func planned(_ id: String = Self.id) throws -> PlannedWrite {
    try #require(try plan(id, in: store, [.field("title"): .edit(.text("Call Dr. Wu, twice"))]))
  }

  private func outcome(_ id: String = Self.id) throws -> CheckedWrite.Outcome? {
    try store.write([planned(id)], note: nil).first?.outcome
  }

  private func refusal(_ outcome: CheckedWrite.Outcome?) -> String? {
    if case .refused(let field, let reason)? = outcome { "\(field ?? "-"): \(reason)" } else { nil }
  }

  @Test(arguments: [
    ("BEFORE UPDATE ON reminders BEGIN SELECT raise(IGNORE);", "keeps its old value"),
    (
      "AFTER UPDATE ON reminders BEGIN UPDATE reminders SET title = old.title WHERE id = new.id;",
      "keeps its old value"
    ),
    (
      "AFTER UPDATE ON reminders BEGIN UPDATE reminders SET title = upper(new.title) WHERE id = new.id;",
      "makes another value of it"
    ),
    ("AFTER UPDATE ON reminders BEGIN DELETE FROM reminders WHERE id = new.id;", "deletes the row"),
    (
      "AFTER UPDATE ON reminders BEGIN DELETE FROM reminders WHERE id = '\(Demo.key(12))';",
      "deletes another record"
    ),
    (
      "AFTER UPDATE ON reminders BEGIN UPDATE reminders SET id = id || 'x' WHERE id = '\(Demo.key(12))';",
      "changes another record"
    ),
    ("AFTER UPDATE ON reminders BEGIN DELETE FROM tags;", "deletes another record"),
    ("AFTER UPDATE ON reminders BEGIN INSERT INTO tags VALUES ('new', 1);", "adds another record"),
    ("AFTER UPDATE ON reminders BEGIN DELETE FROM parley_inbox;", "only the app's engine and Parley may"),
  ])
  func aTriggerThatChangesTheDraftOrAnotherRecordIsRefused(trigger: String, words: String) throws {
    try add(trigger)
    let before = try files.dump()
    #expect(try refusal(outcome())?.contains(words) == true)
    #expect(try files.dump() == before)
    #expect(throws: StoreError.nothingToUndo) { try store.undoLastWrite() }
  }

  @Test func whatIsRefusedHoldsUpNoOtherRecord() throws {
    try add(
      "BEFORE UPDATE ON reminders WHEN new.id = '\(Self.key)' BEGIN SELECT raise(IGNORE);")
    let outcomes = try store.write([planned(), planned(Demo.reminder(12))], note: nil).map(\.outcome)
    #expect(refusal(outcomes[0]) != nil)
    #expect(outcomes[1] == .fine)
  }

  @Test func aDeletionThatDoesNotHappenIsRefused() throws {
    try add("BEFORE DELETE ON reminders BEGIN SELECT raise(IGNORE);")
    let deletion = try #require(try plan(Demo.reminder(91), in: store, [.record: .take(.server)]))
    let outcome = try store.write([deletion], note: nil).first?.outcome
    #expect(refusal(outcome)?.contains("keeps the row, which was to be deleted") == true)
  }

  /// In a column that the draft leaves alone, in a log, in a full-text index, in a table of words.
  @Test func whatAppsDoInTriggersCanBeWrittenAndTakenBack() throws {
    try add(
      """
      AFTER UPDATE OF title ON reminders BEGIN
        UPDATE reminders SET estimate = coalesce(estimate, 0) + 1 WHERE id = new.id;
        INSERT INTO audit (what) VALUES (new.title);
        UPDATE words SET text = new.title WHERE id = new.id;
        UPDATE counters SET n = n + 1;
        INSERT INTO found (found, rowid, title) VALUES ('delete', old.rowid, old.title);
        INSERT INTO found (rowid, title) VALUES (new.rowid, new.title);
      """,
      [
        "CREATE TABLE audit (id INTEGER PRIMARY KEY, what TEXT)",
        "CREATE TABLE words (id TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID",
        "INSERT INTO words SELECT id, title FROM reminders",
        "CREATE TABLE counters (n)", "INSERT INTO counters VALUES (5)",
        "CREATE VIRTUAL TABLE found USING fts5(title, content='reminders', content_rowid='rowid')",
        "INSERT INTO found (found) VALUES ('rebuild')",
      ])
    let watched = ["reminders", "words", "counters"]
    let before = try files.dump().filter { line in watched.contains { line.hasPrefix($0 + ": ") } }
    #expect(try outcome() == .fine)
    let words = "SELECT text FROM words WHERE id = ?"
    #expect(try files.value(words, [.text(Self.key)]) == .text("Call Dr. Wu, twice"))
    #expect(try files.value("SELECT count(*) FROM found WHERE found MATCH 'twice'") == .integer(1))

    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try files.dump().filter { line in watched.contains { line.hasPrefix($0 + ": ") } } == before)
    #expect(try files.value("SELECT count(*) FROM found WHERE found MATCH 'twice'") == .integer(0))
    #expect(try files.value("SELECT count(*) FROM audit WHERE what = 'Call Dr. Wu, twice'") == .integer(1))
  }

  /// Else it is an edit that is never sent, of a row that is said to be the server's.
  @Test func whatATriggerSetsBesideIsSentAsWell() throws {
    let server = Dictionary(
      uniqueKeysWithValues: try store.conflict(Self.id).subjects.map { ($0, Choice.take(.server)) })
    let draft = try #require(try plan(Self.id, in: store, server))
    let before = try files.dump()
    let told = try #require(try store.check([draft]).first)
    #expect(told.upload == .notNeeded && told.note == nil)
    try add(
      "AFTER UPDATE OF title ON reminders BEGIN UPDATE reminders SET estimate = 99 WHERE id = new.id;")
    let checked = try #require(try store.write([draft], note: nil).first)
    #expect(checked.outcome == .fine && checked.upload == .atNextLaunch)
    #expect(checked.note == "a trigger changes estimate, too")
    #expect(try findings(of: store).filter { $0.record == Self.id }.isEmpty)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    try files.run("DROP TRIGGER app")
    #expect(try files.dump() == before)
  }

  /// A count of the edits, or the time of the last one: set back, it is set again.
  /// To SQLite it is the same table, and no other record is changed.
  @Test func aTableMayBeMadeInAnotherCaseThanItSyncs() throws {
    for (from, to) in [("reminders", "other"), ("other", "Reminders")] {
      try files.run("ALTER TABLE \(from) RENAME TO \(to)")
    }
    let planned = try #require(try plan(Demo.reminder(12), in: store))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try !findings(of: store).contains { $0.what == "table is missing" })
    #expect(try store.judge("title", in: forced(Self.id, "title", .null, in: store)) != .fits)
  }

  @Test func whatATriggerKeepsFromComingBackIsTold() throws {
    try add(
      "AFTER UPDATE ON reminders BEGIN UPDATE reminders SET edits = edits + 1 WHERE id = new.id;",
      ["ALTER TABLE reminders ADD COLUMN edits INTEGER NOT NULL DEFAULT 0"])
    #expect(try outcome() == .fine)
    let told = "a trigger keeps edits from coming back"
    let preview = try #require(try store.checkUndo(.lastWrite).first)
    #expect(preview.checked.outcome == .fine && preview.checked.note == told)
    #expect(preview.checked.notBack == NotBack(fields: ["edits"]))
    let fields = Set(preview.changes.fields.map(\.name))
    #expect(fields.contains("title") && !fields.contains("edits"))
    #expect(try store.undoLastWrite() == [preview.checked])
    #expect(try files.value("SELECT edits FROM reminders WHERE id = ?", [.text(Self.key)]) == .integer(1))
    let entry = try #require(try store.journal.history(of: Self.id).first)
    #expect(entry.event == .ended(.undo, detail: told))
    #expect(Set(entry.changes.fields.map(\.name)) == fields)
  }

  /// Of a trigger that is newer than the write.
  @Test func whatATriggerSetsWhileAWriteIsTakenBackIsTold() throws {
    #expect(try outcome() == .fine)
    try add("AFTER UPDATE ON reminders BEGIN UPDATE reminders SET estimate = 99 WHERE id = new.id;")
    let undone = try #require(try store.undoLastWrite().first)
    #expect(undone.outcome == .fine && undone.notBack.isEmpty)
    #expect(undone.note == "a trigger changes estimate, too")
    let entry = try #require(try store.journal.history(of: Self.id).first)
    #expect(entry.changes.fields.contains { $0.name == "estimate" && $0.after == .real(99) })
  }

  private static let counters = [
    "CREATE TABLE counters (id INTEGER PRIMARY KEY, n)", "INSERT INTO counters VALUES (1, 5)",
  ]
  private static let left = "what triggers had changed in"
  private static let changed = "as it is taken back, triggers or foreign keys change or add other rows in"

  @Test func aCounterThatWentOnSinceHoldsUpNoUndo() throws {
    try add(
      "AFTER UPDATE ON reminders BEGIN UPDATE counters SET n = n + 1;", Self.counters)
    #expect(try outcome() == .fine)
    try files.run("UPDATE counters SET n = 100")
    let preview = try #require(try store.checkUndo(.lastWrite).first).checked
    #expect(preview.note == "\(Self.left) counters is left to them; \(Self.changed) counters")
    #expect(try store.undoLastWrite() == [preview] && preview.outcome == .fine)
    #expect(try files.value("SELECT n FROM counters") == .integer(101))
    #expect(
      try files.value("SELECT title FROM reminders WHERE id = ?", [.text(Self.key)])
        != .text("Call Dr. Wu, twice"))
  }

  /// A trigger that finds all as it would make it, and tables that are called otherwise by now, or are no more.
  @Test(arguments: [
    ("n = max(n, 6)", ["UPDATE counters SET n = 100"], ""),
    ("n = n + 1", ["ALTER TABLE counters RENAME TO tallies"], "; \(changed) tallies"),
    ("n = n + 1", ["DROP TRIGGER app", "DROP TABLE counters"], ""),
  ])
  func whatBecomesOfATableThatIsLeftIsTold(sets: String, since: [String], others: String) throws {
    try add("AFTER UPDATE ON reminders BEGIN UPDATE counters SET \(sets);", Self.counters)
    #expect(try outcome() == .fine)
    for sql in since { try files.run(sql) }
    let preview = try #require(try store.checkUndo(.lastWrite).first).checked
    #expect(preview.note == "\(Self.left) counters is left to them\(others)")
    #expect(try store.undoLastWrite() == [preview] && preview.outcome == .fine)
  }

  /// The trigger changes all rows that it finds, and this one was not there when it ran for the write.
  @Test func aRowThatSomebodyAddedSinceIsToldWhereAnUndoChangesIt() throws {
    try add("AFTER UPDATE ON reminders BEGIN UPDATE counters SET n = n + 1;", Self.counters)
    #expect(try outcome() == .fine)
    #expect(try store.checkUndo(.lastWrite).map(\.checked.note) == [nil])
    try files.run("INSERT INTO counters VALUES (2, 7)")
    let preview = try #require(try store.checkUndo(.lastWrite).first).checked
    #expect(preview.note == "\(Self.changed) counters" && preview.notBack.isEmpty)
    #expect(try store.undoLastWrite() == [preview] && preview.outcome == .fine)
    #expect(try files.rows("SELECT n FROM counters ORDER BY id") == [[.integer(5)], [.integer(8)]])
  }

  /// A list of words: where its row was the last one, the new one takes its place in the write, and another one in the undo.
  @Test func aRowThatATriggerAddsAnewIsThereOnceAfterAnUndo() throws {
    try add(
      """
      AFTER UPDATE ON reminders BEGIN
        DELETE FROM found WHERE id = new.id;
        INSERT INTO found VALUES (new.id, new.title);
      """,
      [
        "CREATE TABLE found (id, title)",
        "INSERT INTO found SELECT id, title FROM reminders WHERE id = '\(Self.key)'",
      ])
    let before = try files.rows("SELECT rowid, id, title FROM found")
    #expect(try outcome() == .fine)
    try files.run("INSERT INTO found VALUES ('another', '')")
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try files.rows("SELECT rowid, id, title FROM found WHERE id <> 'another'") == before)
  }

  /// A column of the same name may be the record's, and a line that an undo adds is no row of the write.
  @Test func whatIsBesideTheRecordIsToldByItsTable() throws {
    try add(
      "AFTER UPDATE ON reminders BEGIN UPDATE counters SET n = n + 1; INSERT INTO audit (what) VALUES (new.title);",
      Self.counters + ["CREATE TABLE audit (id INTEGER PRIMARY KEY, what)"])
    #expect(try outcome() == .fine)
    let preview = try #require(try store.checkUndo(.lastWrite).first)
    #expect(preview.changes.fields.filter(\.isBeside).map(\.label) == ["counters.n"])
    #expect(preview.changes.fields.filter { !$0.isBeside }.map(\.label).contains("title"))
    #expect(preview.checked.note == "\(Self.changed) audit")
    #expect(try store.undoLastWrite() == [preview.checked])
    let undone = try #require(try store.journal.history(of: Self.id).first)
    #expect(undone.changes.fields.filter(\.isBeside).map(\.label) == ["counters.n"])
  }

  @Test func anUndoThatATriggerKeepsFromHappeningIsNotToldAsDone() throws {
    #expect(try outcome() == .fine)
    try add("BEFORE UPDATE ON reminders BEGIN SELECT raise(IGNORE);")
    let before = try files.dump()
    let outcome = try store.undoLastWrite().first?.outcome
    #expect(refusal(outcome)?.contains("lets nothing of the row come back") == true)
    #expect(try files.dump() == before)
  }

  /// A text that a column of numbers takes as one, and what a column without a type keeps.
  @Test func aValueThatItsColumnConvertsIsAsDrafted() throws {
    let planned = try forced(Self.id, "priority", .text("3"), in: store)
    #expect(try store.check([planned]).map(\.outcome) == [.fine])
  }

  @Test(arguments: [
    "BEFORE UPDATE ON reminders WHEN \(endless) BEGIN SELECT 1;",
    "AFTER UPDATE ON reminders BEGIN INSERT INTO audit SELECT \(endless);",
  ])
  func anEndlessTriggerIsRefusedByRecordAndTable(trigger: String) throws {
    try add(trigger, ["CREATE TABLE audit (n)"])
    let before = try files.dump()
    let planned = try [planned(Demo.reminder(12)), planned()]
    let error = #expect(throws: StoreError.self) { try store.write(planned, note: nil) }
    guard case .refused(Demo.reminder(12), nil, let detail)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(detail.contains("the table reminders computes, in a trigger or a column, takes too long"))
    #expect(try files.dump() == before)
  }

  private static let endless =
    "(WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c)"

  /// Without a transaction what came after it would be written, each statement for good.
  @Test func aTriggerThatTakesBackTheTransactionEndsTheWrite() throws {
    try add("BEFORE UPDATE ON reminders WHEN new.id = '\(Demo.key(12))' BEGIN SELECT raise(ROLLBACK, 'no');")
    let before = try files.dump()
    let planned = try [planned(Demo.reminder(12)), planned()]
    let error = #expect(throws: StoreError.self) { try store.write(planned, note: nil) }
    guard case .refused(Demo.reminder(12), _, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try files.dump() == before)
  }
}
