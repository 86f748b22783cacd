import Merging
import Testing

@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// What a write changes beside the record comes back by undo, to the row; or the write is refused.
struct BesideTests {
  let folder: TestFolder
  let store: SQLiteDataStore
  let files: StoreFilesInspector
  static let id = Demo.reminder(16)

  init() throws {
    folder = try TestFolder()
    let path = try Demo.make(in: folder)
    store = try SQLiteDataStore.open(path: path, access: .writing, clock: { WriteTests.time })
    files = try StoreFilesInspector(path)
  }

  private func add(_ statements: [String], onUpdate trigger: String) throws {
    for sql in statements { try files.run(sql) }
    try files.run("CREATE TRIGGER app AFTER UPDATE ON reminders BEGIN \(trigger); END")
  }

  private func write() throws -> CheckedWrite.Outcome? {
    let planned = try #require(try plan(Self.id, in: store))
    return try store.write([planned], note: nil).first?.outcome
  }

  private func refusal(_ outcome: CheckedWrite.Outcome?) -> String? {
    if case .refused(let field, let reason)? = outcome { "\(field ?? "-"): \(reason)" } else { nil }
  }

  /// A table, what a trigger does to it, and what is in it then.
  struct Case: CustomTestStringConvertible {
    let name: String
    let table: [String]
    let trigger: String
    let after: [String]
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "REPLACE of a key", table: ["t (k TEXT PRIMARY KEY, n, note)", "('a', 1, 'precious')"],
      trigger: "REPLACE INTO t (k, n) VALUES ('a', 2)", after: [#""a" 2 null"#]),
    Case(
      name: "REPLACE of what has to be unique",
      table: ["t (id INTEGER PRIMARY KEY, k UNIQUE, note)", "(1, 'a', 'precious')"],
      trigger: "REPLACE INTO t (k) VALUES ('a')", after: [#"2 "a" null"#]),
    Case(
      name: "UPDATE OR REPLACE", table: ["t (id INTEGER PRIMARY KEY, k UNIQUE)", "(1, 'a'), (2, 'b')"],
      trigger: "UPDATE OR REPLACE t SET k = 'b' WHERE id = 1", after: [#"1 "b""#]),
    Case(
      name: "ON CONFLICT REPLACE",
      table: ["t (id INTEGER PRIMARY KEY, k UNIQUE ON CONFLICT REPLACE)", "(1, 'a'), (2, 'b')"],
      trigger: "INSERT INTO t (k) VALUES ('b')", after: [#"1 "a""#, #"3 "b""#]),
    Case(
      name: "keys one less", table: ["t (p INTEGER PRIMARY KEY, k UNIQUE)", "(2, 'a'), (3, 'b'), (4, 'c')"],
      trigger: "UPDATE t SET p = p - 1", after: [#"1 "a""#, #"2 "b""#, #"3 "c""#]),
    Case(
      name: "keys far away", table: ["t (p INTEGER PRIMARY KEY, k UNIQUE)", "(1, 'a'), (2, 'b')"],
      trigger: "UPDATE t SET p = p + 1000", after: [#"1001 "a""#, #"1002 "b""#]),
    Case(
      name: "keys exchanged", table: ["t (p INTEGER PRIMARY KEY, k)", "(1, 'a'), (2, 'b')"],
      trigger:
        "UPDATE t SET p = -1 WHERE p = 1; UPDATE t SET p = 1 WHERE p = 2; UPDATE t SET p = 2 WHERE p = -1",
      after: [#"1 "b""#, #"2 "a""#]),
    Case(
      name: "another key, without a rowid", table: ["t (k TEXT PRIMARY KEY, n) WITHOUT ROWID", "('x', 1)"],
      trigger: "UPDATE t SET k = k || '!' WHERE k = 'x'", after: [#""x!" 1"#]),
    Case(
      name: "no key in the key", table: ["t (k TEXT PRIMARY KEY, n)", "(NULL, 5), (NULL, 6), ('a', 1)"],
      trigger: "UPDATE t SET n = n + 1", after: [#""a" 2"#, "null 6", "null 7"]),
    Case(
      name: "a column called rowid", table: [#"t ("rowid" TEXT, n)"#, "('s', 1), ('s', 2)"],
      trigger: "UPDATE t SET n = n + 10 WHERE n = 1", after: [#""s" 11"#, #""s" 2"#]),
    Case(
      name: "the same row twice", table: ["t (a, n)", "('s', 1), ('s', 1)"],
      trigger: "UPDATE t SET n = n + 10", after: [#""s" 11"#, #""s" 11"#]),
    Case(
      name: "a line comes and the oldest goes",
      table: ["t (id INTEGER PRIMARY KEY, k)", "(1, 'a'), (2, 'b')"],
      trigger: "INSERT INTO t (k) VALUES ('new'); DELETE FROM t WHERE id = (SELECT min(id) FROM t)",
      after: [#"2 "b""#, #"3 "new""#]),
    Case(
      name: "all rows go", table: ["t (k)", "('a'), ('b')"], trigger: "DELETE FROM t", after: []),
    Case(
      name: "two forms of one key",
      table: ["t (k TEXT PRIMARY KEY, n)", "('\u{e9}', 1), ('e\u{301}', 2)"],
      trigger: "UPDATE t SET n = n + 10", after: ["\"\u{e9}\" 11", "\"e\u{301}\" 12"]),
    Case(
      name: "seventy columns in the key",
      table: [
        "t (\((0..<70).map { "c\($0)" }.joined(separator: ", ")), n, PRIMARY KEY (\((0..<70).map { "c\($0)" }.joined(separator: ", ")))) WITHOUT ROWID",
        "(\((0..<70).map { "\($0)" }.joined(separator: ", ")), 1)",
      ],
      trigger: "UPDATE t SET n = 2",
      after: [(0..<70).map { "\($0)" }.joined(separator: " ") + " 2"]),
    Case(
      name: "hundred and fifty columns",
      table: [
        "t (\((0..<150).map { "c\($0)" }.joined(separator: ", ")))",
        "(\((0..<150).map { "\($0)" }.joined(separator: ", ")))",
      ],
      trigger: "UPDATE t SET c0 = 7",
      after: ["7 " + (1..<150).map { "\($0)" }.joined(separator: " ")]),
  ]

  private func rows() throws -> [String] {
    try files.rows("SELECT * FROM t").map { $0.map(RowJSON.encode).joined(separator: " ") }.sorted()
  }

  @Test(arguments: cases) func isTakenBackToTheRow(example: Case) throws {
    try add(
      ["CREATE TABLE \(example.table[0])", "INSERT INTO t VALUES \(example.table[1])"],
      onUpdate: example.trigger)
    let before = try files.dump()
    #expect(try write() == .fine)
    #expect(try rows() == example.after)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try files.dump() == before)
  }

  /// One of its rows may stand where another was.
  @Test func aTableThatSomebodyChangedSinceStaysAsItIs() throws {
    try add(
      ["CREATE TABLE t (p INTEGER PRIMARY KEY, k)", "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')"],
      onUpdate: "UPDATE t SET p = p + 10 WHERE p < 10")
    #expect(try write() == .fine)
    let possible = try #require(try store.checkUndo(.lastWrite).first)
    #expect(possible.checked.note == nil)
    #expect(Set(possible.changes.fields.map(\.table)) == ["reminders", "t"])
    try files.run("UPDATE t SET k = 'edited' WHERE p = 12")
    let preview = try #require(try store.checkUndo(.lastWrite).first)
    #expect(preview.checked.note == "what triggers had changed in t is left to them")
    #expect(Set(preview.changes.fields.map(\.table)) == ["reminders"])
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try rows() == [#"11 "a""#, #"12 "edited""#, #"13 "c""#])
  }

  @Test func aTableThatHasAnotherFormByNowHoldsUpNoUndo() throws {
    try add(
      ["CREATE TABLE t (k, n)", "INSERT INTO t VALUES ('a', 1)"], onUpdate: "UPDATE t SET n = n + 1")
    #expect(try write() == .fine)
    for sql in ["DROP TRIGGER app", "ALTER TABLE t DROP COLUMN n"] { try files.run(sql) }
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
  }

  @Test func aWriteThatUndoCouldNotTakeBackIsRefused() throws {
    try add(
      [
        "CREATE TABLE t (p INTEGER PRIMARY KEY, k UNIQUE)", "INSERT INTO t VALUES (1, 'a'), (2, 'b')",
        "CREATE TRIGGER kept BEFORE UPDATE ON t WHEN new.k IN ('a', 'b') BEGIN SELECT raise(ABORT, 'used'); END",
      ],
      onUpdate: "UPDATE t SET k = k || 'x' WHERE p = 1")
    let before = try files.dump()
    #expect(
      try refusal(write())
        == "-: triggers change t in a way that undo could not take back (used): only the app can write it, through its outbox"
    )
    #expect(try files.dump() == before)
  }

  @Test func columnsThatNobodyHereCanTellApartAreNotWritten() throws {
    try add(
      [
        "CREATE TABLE t (id INTEGER PRIMARY KEY, \"\u{e9}\", \"e\u{301}\")", "INSERT INTO t VALUES (1, 1, 2)",
      ],
      onUpdate: "UPDATE t SET \"\u{e9}\" = 10, \"e\u{301}\" = 20")
    let before = try files.dump()
    #expect(try refusal(write())?.contains("differ in their Unicode form alone") == true)
    #expect(try files.dump() == before)
  }

  /// The triggers of such a table run again when its rows are put back.
  @Test(arguments: [
    (
      ["CREATE TABLE t (id INTEGER PRIMARY KEY, n)", "INSERT INTO t VALUES (1, 1)"],
      "AFTER UPDATE OF n ON t WHEN new.n < 5 BEGIN UPDATE t SET n = 5; END", "UPDATE t SET n = 10"
    ),
    (
      ["CREATE TABLE t (id INTEGER PRIMARY KEY, n, touched)", "INSERT INTO t VALUES (1, 1, 0)"],
      "AFTER UPDATE OF n ON t BEGIN UPDATE t SET touched = touched + 1; END", "UPDATE t SET n = n + 1"
    ),
    (
      ["CREATE TABLE t (n)", "INSERT INTO t VALUES (1)", "CREATE TABLE h (n)", "INSERT INTO h VALUES (0)"],
      "AFTER UPDATE ON t BEGIN DELETE FROM h; INSERT INTO h VALUES (old.n); END", "UPDATE t SET n = 11"
    ),
    (
      [
        "CREATE TABLE t (id INTEGER PRIMARY KEY)", "INSERT INTO t VALUES (1)", "CREATE TABLE c (n)",
        "INSERT INTO c VALUES (1)",
      ],
      "AFTER INSERT ON t BEGIN UPDATE c SET n = n + 1; END", "DELETE FROM t"
    ),
  ])
  func whatAnUndoWouldNotRestoreIsNotWritten(tables: [String], trigger: String, onUpdate: String) throws {
    try add(tables + ["CREATE TRIGGER again \(trigger)"], onUpdate: onUpdate)
    let before = try files.dump()
    if let refusal = try refusal(write()) {
      #expect(refusal.contains("in a way that undo could not take back"), "\(refusal)")
    } else {
      _ = try store.undoLastWrite()
    }
    #expect(try files.dump() == before)
  }

  @Test func rowsWithoutAnyNameAreNotWritten() throws {
    try add(
      ["CREATE TABLE t (rowid TEXT, _rowid_ TEXT, oid TEXT)", "INSERT INTO t VALUES (1, 1, 2)"],
      onUpdate: "UPDATE t SET oid = 3")
    #expect(
      try refusal(write())?.contains("t, whose rows have no name that could be kept for undo") == true)
  }

  /// SQLite runs no trigger for the row that it deletes, so the app's engine would not hear of it either.
  @Test(arguments: WriteRoute.allCases) func anotherRecordThatWouldBeReplacedIsNamed(route: WriteRoute) throws
  {
    try makePrioritiesReplace()
    let store = try SQLiteDataStore.open(path: store.info.path, access: .writing, route: route)
    let before = try files.dump()
    let planned = try #require(try plan(Self.id, in: store))
    let outcome = try store.write([planned], note: nil).first?.outcome
    #expect(
      refusal(outcome)?.hasPrefix(
        "-: another record, \"\(Demo.key(12))\" in reminders, has a value that has to be unique") == true)
    #expect(try files.dump() == before)
  }

  /// What is written of the one record is the priority that the other has.
  private func makePrioritiesReplace() throws {
    try files.run(ParleyTables.outbox)
    guard case .text(let sql)? = try files.value("SELECT sql FROM sqlite_master WHERE name = 'reminders'")
    else { return }
    let columns = "id, title, notes, dueDate, isCompleted, priority, estimate, cover, remindersListID"
    for sql in [
      "UPDATE reminders SET priority = CASE id WHEN '\(Demo.key(12))' THEN 3 END WHERE id <> '\(Demo.key(16))'",
      sql.replacing("\"priority\" INTEGER", with: "\"priority\" INTEGER UNIQUE ON CONFLICT REPLACE")
        .replacing("TABLE \"reminders\"", with: "TABLE again"),
      "INSERT INTO again (\(columns)) SELECT \(columns) FROM reminders", "DROP TABLE reminders",
      "ALTER TABLE again RENAME TO reminders",
    ] { try files.run(sql) }
  }

  @Test func anotherRecordThatATriggerReplacesIsNamed() throws {
    try add(
      ["CREATE UNIQUE INDEX ut ON reminders (title)"],
      onUpdate:
        "UPDATE OR REPLACE reminders SET title = (SELECT title FROM reminders WHERE id = '\(Demo.key(12))') WHERE id = new.id"
    )
    let before = try files.dump()
    #expect(
      try refusal(write())?.contains("a trigger deletes another record, \"\(Demo.key(12))\" in reminders")
        == true)
    #expect(try files.dump() == before)
  }
}
