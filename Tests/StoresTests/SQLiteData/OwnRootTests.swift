import Merging
import SQLiteFiles
import Testing

@testable import SQLiteDataStores
@testable import Samples
@testable import StoreInterface

/// A row that points to itself, as the root of a tree may. What it says of itself holds it no more than SQLite does.
struct OwnRootTests {
  private static let id = "1:lists"
  private static let columns = ["id", "title", "shelf", "root", "rootShelf"]
  private static let keys = [
    "(root) REFERENCES lists ON DELETE RESTRICT", "(root) REFERENCES lists(id) ON DELETE CASCADE",
    "(root) REFERENCES lists(id) ON DELETE SET NULL", "(root, rootShelf) REFERENCES lists(id, shelf)",
  ]

  /// The row as both sides agreed on it.
  private static func row(_ type: String) -> RowImage {
    let key = type == "TEXT" ? Value.text("1") : .integer(1)
    return ["id": key, "title": .text("A"), "shelf": .integer(7), "root": key, "rootShelf": .integer(7)]
  }

  private func withStore(
    _ type: String, _ key: String, _ sample: Sample,
    _ body: (SQLiteDataStore, StoreFilesInspector) throws -> Void
  ) throws {
    let folder = try TestFolder()
    let sql = """
      CREATE TABLE lists (
        id \(type) NOT NULL PRIMARY KEY, title TEXT, shelf INTEGER, root \(type), rootShelf INTEGER,
        UNIQUE (id, shelf), FOREIGN KEY \(key)
      )
      """
    let builder = try StoreBuilder(
      folder: folder.path, name: "Lists.db", container: "c", tables: [(name: "lists", sql: sql)])
    try builder.write { db in
      try builder.add(sample, SampleTable(name: "lists", columns: Self.columns), in: db)
    }
    try builder.close()
    let path = folder.path("Lists.db")
    let store = try SQLiteDataStore.open(path: path, access: .writing, clock: { 500 })
    try withExtendedLifetime(folder) { try body(store, StoreFilesInspector(path)) }
  }

  private static func deletedOnTheServer(_ type: String) -> Sample {
    Sample(table: "lists", key: "1", row: row(type), time: 100)
      .editedHere(["title": .text("C")], 200).queued(.save).receiving(.deletion, 400)
  }

  private func write(_ store: SQLiteDataStore) throws -> [CheckedWrite.Outcome] {
    let planned = try #require(try plan(Self.id, in: store, [.record: .take(.server)]))
    return try store.write([planned], note: nil).map(\.outcome)
  }

  @Test(arguments: ["TEXT", "INTEGER"], keys) func itsComingBackIsTakenBack(type: String, key: String) throws
  {
    let sample = Sample(table: "lists", key: "1", row: Self.row(type), time: 100)
      .deletedHere(200).receiving(["title": (.text("S"), 300)], 400)
    try withStore(type, key, sample) { store, files in
      let before = try files.dump()
      #expect(try write(store) == [.fine])
      #expect(try files.rows("SELECT title FROM lists") == [[.text("S")]])
      #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
      #expect(try files.dump() == before)
    }
  }

  @Test(arguments: ["TEXT", "INTEGER"], keys) func itIsDeletedAndMadeAgain(type: String, key: String) throws {
    try withStore(type, key, Self.deletedOnTheServer(type)) { store, files in
      let before = try files.dump()
      #expect(try write(store) == [.fine])
      #expect(try files.rows("SELECT title FROM lists") == [])
      #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
      #expect(try files.dump() == before)
    }
  }

  @Test(arguments: ["TEXT", "INTEGER"], keys) func anotherThatPointsToItHoldsIt(type: String, key: String)
    throws
  {
    try withStore(type, key, Self.deletedOnTheServer(type)) { store, files in
      try files.run("INSERT INTO lists SELECT 2, title, shelf, root, rootShelf FROM lists")
      let words = "1 record of lists belongs to it; move or delete those first"
      #expect(try write(store) == [.refused(field: nil, words)])
    }
  }
}
