import Foundation
import Merging
import Testing

@testable import SQLiteDataStores
@testable import StoreInterface

/// A row that is deleted comes back where it lay: what triggers keep by its rowid fits it again.
struct RowidTests {
  let folder: TestFolder
  let store: SQLiteDataStore
  let files: StoreFilesInspector
  static let id = Demo.reminder(91)
  static let rowid = "SELECT rowid FROM reminders WHERE id = '\(Demo.key(91))'"

  init() throws {
    folder = try TestFolder()
    let path = try Demo.make(in: folder)
    store = try SQLiteDataStore.open(path: path, access: .writing, clock: { WriteTests.time })
    files = try StoreFilesInspector(path)
  }

  private func delete() throws -> CheckedWrite.Outcome? {
    let deletion = try #require(try plan(Self.id, in: store, [.record: .take(.server)]))
    return try store.write([deletion], note: nil).first?.outcome
  }

  /// A table to search by, what it has of each row, and how triggers make a row of it, and find it.
  struct Search: Sendable, CustomTestStringConvertible {
    let table: String
    let row: String
    let new: String
    let old: String
    var testDescription: String { table }
  }

  static let searches = [
    Search(
      table: "(item INTEGER PRIMARY KEY, txt TEXT)", row: "SELECT rowid, title FROM reminders",
      new: "INSERT INTO search VALUES (new.rowid, new.title)", old: "item = old.rowid"),
    Search(
      table: "(id INTEGER PRIMARY KEY, item TEXT, txt TEXT)", row: "SELECT NULL, id, title FROM reminders",
      new: "INSERT INTO search VALUES (NULL, new.id, new.title)", old: "item = old.id"),
    Search(
      table: "(item TEXT UNIQUE, txt TEXT)", row: "SELECT id, title FROM reminders",
      new: "INSERT INTO search VALUES (new.id, new.title)", old: "item = old.id"),
    Search(
      table: "(item TEXT PRIMARY KEY, txt TEXT) WITHOUT ROWID", row: "SELECT id, title FROM reminders",
      new: "INSERT OR REPLACE INTO search VALUES (new.id, new.title)", old: "item = old.id"),
  ]

  @Test(arguments: searches) func whatTriggersKeepOfARowIsThereOnceWhenItComesBack(search: Search) throws {
    for sql in [
      "CREATE TABLE search \(search.table)", "INSERT INTO search \(search.row)",
      "CREATE TRIGGER ai AFTER INSERT ON reminders BEGIN \(search.new); END",
      "CREATE TRIGGER ad AFTER DELETE ON reminders BEGIN DELETE FROM search WHERE \(search.old); END",
    ] { try files.run(sql) }
    let (before, rowid) = (try files.dump(), try files.value(Self.rowid))
    #expect(try delete() == .fine)
    #expect(try files.value(Self.rowid) == nil)
    #expect(try store.checkUndo(.lastWrite).map(\.checked.outcome) == [.fine])
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try files.dump() == before)
    #expect(try files.value(Self.rowid) == rowid)
  }

  @Test func whereAnotherRowLiesByNowItGetsANewPlaceAndThatIsTold() throws {
    guard case .integer(let rowid)? = try files.value(Self.rowid) else {
      Issue.record("there is no row")
      return
    }
    for sql in [
      "CREATE TABLE search (item INTEGER PRIMARY KEY, txt TEXT)",
      "INSERT INTO search SELECT rowid, title FROM reminders",
      "CREATE TABLE opened (id TEXT PRIMARY KEY, times INTEGER)",
      "INSERT INTO opened SELECT id, rowid FROM reminders",
      "CREATE TABLE thumbs (path)",
      "INSERT INTO thumbs (rowid, path) SELECT rowid, 'of/' || id FROM reminders",
      "CREATE TRIGGER ai AFTER INSERT ON reminders BEGIN INSERT INTO search VALUES (new.rowid, new.title); END",
      """
      CREATE TRIGGER ad AFTER DELETE ON reminders BEGIN
        DELETE FROM search WHERE item = old.rowid; DELETE FROM opened WHERE id = old.id;
        DELETE FROM thumbs WHERE path = 'of/' || old.id;
      END
      """,
    ] { try files.run(sql) }
    let before =
      try files.rows("SELECT * FROM reminders ORDER BY id") + files.rows("SELECT * FROM opened")
      + files.rows("SELECT path FROM thumbs")
    #expect(try delete() == .fine)
    try files.run("UPDATE reminders SET rowid = ? WHERE id = '\(Demo.key(12))'", [.integer(rowid)])
    let undone = try #require(try store.undoLastWrite().first)
    #expect(undone.outcome == .fine)
    #expect(
      undone.note
        == "another row has its rowid by now, so it gets a new one; what triggers had changed in search is left to them; "
        + "as it is taken back, triggers or foreign keys change or add other rows in search"
    )
    // What is known by the record's own key comes back all the same.
    let after =
      try files.rows("SELECT * FROM reminders ORDER BY id") + files.rows("SELECT * FROM opened")
      + files.rows("SELECT path FROM thumbs")
    #expect(Set(after) == Set(before))
    #expect(
      try files.value(
        "SELECT txt FROM search JOIN reminders ON reminders.rowid = item WHERE id = '\(Demo.key(91))'") != nil
    )
    let other = try files.value("SELECT rowid FROM reminders WHERE id = '\(Demo.key(12))'")
    #expect(other == .integer(rowid))
  }

  /// As it is by its key, wherever it lies.
  @Test func aRowThatSomebodyMadeAgainIsLeftAlone() throws {
    try files.run("CREATE TABLE kept AS SELECT * FROM reminders WHERE id = '\(Demo.key(91))'")
    #expect(try delete() == .fine)
    let columns = "id, title, notes, dueDate, isCompleted, priority, estimate, cover, remindersListID"
    try files.run("INSERT INTO reminders (rowid, \(columns)) SELECT 7000, \(columns) FROM kept")
    let before = try files.dump()
    #expect(try store.undoLastWrite().map(\.outcome) == [.moved("the row changed since it was written")])
    #expect(try files.dump() == before)
  }

  /// Its place is no condition: the table may have none by now, or a column of that name.
  @Test(arguments: ["ALTER TABLE reminders ADD COLUMN rowid INTEGER", nil])
  func whereThereAreNoSuchPlacesAnyMoreItComesBackAllTheSame(change: String?) throws {
    let row = "SELECT title, notes, isCompleted FROM reminders WHERE id = '\(Demo.key(91))'"
    let before = try files.rows(row)
    #expect(try delete() == .fine)
    if let change {
      try files.run(change)
    } else {
      let sql = try #require(try files.value("SELECT sql FROM main.sqlite_master WHERE name = 'reminders'"))
      guard case .text(let sql) = sql, let end = sql.range(of: ") STRICT") else { return }
      let columns = "id, title, notes, dueDate, isCompleted, priority, estimate, cover, remindersListID"
      try files.run("CREATE TABLE kept AS SELECT \(columns) FROM reminders")
      try files.run("DROP TABLE reminders")
      try files.run(sql.replacingCharacters(in: end, with: ") WITHOUT ROWID, STRICT"))
      try files.run("INSERT INTO reminders (\(columns)) SELECT \(columns) FROM kept")
    }
    let outcomes = try store.undoLastWrite().map(\.outcome)
    #expect(outcomes == [.fine])
    #expect(try files.rows(row) == before)
    if change != nil { #expect(try files.rows("SELECT rowid FROM reminders WHERE rowid NOT NULL").isEmpty) }
  }
}
