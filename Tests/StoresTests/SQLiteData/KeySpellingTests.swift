import Merging
import Testing

@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import Samples
@testable import StoreInterface

/// What a column takes for one key may be the names of two records. The row of the one is not the other's.
struct KeySpellingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let column: String
    var options = ""
    /// Of the only row.
    let key: Value
    /// The name of its record.
    let own: String
    /// A name that the column takes for the same.
    let other: String
    var testDescription: String { "\(column)\(options)" }
  }

  static let cases = [
    Case(column: "TEXT COLLATE NOCASE", key: .text("Urgent"), own: "Urgent", other: "urgent"),
    Case(
      column: "TEXT COLLATE NOCASE", options: " WITHOUT ROWID", key: .text("Urgent"), own: "Urgent",
      other: "urgent"),
    Case(column: "TEXT COLLATE RTRIM", key: .text("urgent "), own: "urgent ", other: "urgent"),
    Case(column: "INTEGER", key: .integer(5), own: "5", other: "05"),
  ]

  /// A store in which a conflict about the record of this name is kept.
  private func withStore(
    _ example: Case, about key: String, _ body: (SQLiteDataStore, StoreFilesInspector) throws -> Void
  ) throws {
    let folder = try TestFolder()
    let sql = """
      CREATE TABLE tags (name \(example.column) NOT NULL PRIMARY KEY, uses INTEGER)\(example.options)
      """
    let builder = try StoreBuilder(
      folder: folder.path, name: "Tags.db", container: "c", tables: [(name: "tags", sql: sql)])
    let row: RowImage = ["name": example.key, "uses": .integer(4)]
    let sample = Sample(table: "tags", key: key, row: row, time: 100)
      .editedHere(["uses": .integer(6)], 200).receiving(["uses": (.integer(5), 300)], 400)
    try builder.write { db in
      try builder.add(sample, SampleTable(name: "tags", columns: ["name", "uses"]), in: db)
    }
    try builder.close()
    let path = folder.path("Tags.db")
    let store = try SQLiteDataStore.open(path: path, access: .writing, clock: { 500 })
    try withExtendedLifetime(folder) { try body(store, StoreFilesInspector(path)) }
  }

  @Test(arguments: cases) func theRowOfAnotherSpellingIsNeitherReadNorWritten(example: Case) throws {
    try withStore(example, about: example.other) { store, files in
      let id = "\(example.other):tags"
      #expect(try !store.conflict(id).versions.client.isPresent)
      let rows = try files.rows("SELECT * FROM tags")
      let server = try #require(try plan(id, in: store, [.record: .take(.server)]))
      let outcome = try store.write([server], note: nil).first?.outcome
      let words =
        example.key == .text(example.own)
        ? "UNIQUE constraint failed: tags.name" : "the table would keep its key as that of another record"
      #expect(outcome == .refused(field: "name", words))
      let client = try #require(try plan(id, in: store, [.record: .take(.client)]))
      #expect(client.draft.action == .delete)
      #expect(try store.write([client], note: nil).map(\.outcome) == [.fine])
      #expect(try files.rows("SELECT * FROM tags") == rows)
    }
  }

  @Test(arguments: cases) func itsOwnIsWrittenAndTakenBack(example: Case) throws {
    try withStore(example, about: example.own) { store, files in
      let before = try files.dump()
      let planned = try #require(
        try plan("\(example.own):tags", in: store, [.field("uses"): .take(.server)]))
      #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
      #expect(try files.rows("SELECT * FROM tags") == [[example.key, .integer(5)]])
      #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
      #expect(try files.dump() == before)
    }
  }
}
