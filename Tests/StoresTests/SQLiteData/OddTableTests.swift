import Merging
import Testing

@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import Samples
@testable import StoreInterface

/// Nothing is assumed of an app's tables: names, types, keys, triggers.
struct OddTableTests {
  static let name = "my \"odd\" table"
  static let sql = #"""
    CREATE TABLE "my ""odd"" table" (
      "the key" INTEGER PRIMARY KEY,
      "it's" VARCHAR(20) NOT NULL DEFAULT 'nothing',
      "a ""real""" DOUBLE,
      anything,
      flag BOOLEAN,
      length INTEGER GENERATED ALWAYS AS (length("it's")) STORED,
      "order" TEXT CHECK ("order" <> 'last')
    )
    """#

  let folder: TestFolder
  let store: SQLiteDataStore
  let files: StoreFilesInspector

  init() throws {
    folder = try TestFolder()
    let table = SampleTable(
      name: Self.name, columns: ["the key", "it's", "a \"real\"", "anything", "flag", "order"])
    let builder = try StoreBuilder(
      folder: folder.path, name: "Odd.app.db", container: "c", tables: [(name: Self.name, sql: Self.sql)])
    let row: RowImage = [
      "the key": .integer(-5), "it's": .text("here"), "a \"real\"": .real(1), "anything": .integer(1),
      "flag": .integer(0), "order": .null,
    ]
    let sample = Sample(table: Self.name, key: "-5", row: row, time: 100)
      .editedHere(["it's": .text("mine"), "anything": .text("1")], 200)
      .receiving(
        ["a \"real\"": (.integer(2), 300), "flag": (.integer(1), 300), "order": (.text("first"), 300)], 400)
    try builder.write { db in
      try builder.add(sample, table, in: db)
      // Forks of the library add columns, and tables.
      try db.execute(
        sql: "ALTER TABLE sqlitedata_icloud_metadata ADD COLUMN _pendingStatus TEXT DEFAULT 'none'")
      try db.execute(sql: "CREATE TABLE sqlitedata_icloud.somethingNew (a)")
    }
    try builder.close()
    store = try SQLiteDataStore.open(path: folder.path("Odd.app.db"), access: .writing, clock: { 500 })
    files = try StoreFilesInspector(folder.path("Odd.app.db"))
  }

  private var id: String { "-5:" + Self.name }

  @Test func namesAndTypesComeFromTheDatabase() throws {
    let conflict = try store.conflict(id)
    #expect(conflict.title == "mine")
    #expect(
      conflict.fields.map(\.name) == ["the key", "it's", "a \"real\"", "anything", "flag", "length", "order"])
    #expect(conflict.fields.map(\.field.kind) == [.integer, .text, .real, .any, .numeric, .integer, .text])
    #expect(conflict.fields.filter(\.field.isGenerated).map(\.name) == ["length"])
    #expect(conflict["a \"real\""]?.server?.value == .real(2))
    #expect(conflict["anything"]?.change == .onlyClient)
    #expect(conflict["it's"]?.field.isRequired == true)
  }

  @Test func theyAreWrittenAndTakenBack() throws {
    let before = try files.dump()
    let planned = try #require(try plan(id, in: store))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    #expect(
      try files.rows("SELECT * FROM \(quoted(Self.name))") == [
        [.integer(-5), .text("mine"), .real(2), .text("1"), .integer(1), .integer(4), .text("first")]
      ])
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try files.dump() == before)
  }

  /// SQLite reads it as 1 in a row that is older than the column, and as '1' once that is written.
  @Test func aTruthThatATextColumnWasAddedWithIsNoChange() throws {
    try files.run("ALTER TABLE \(quoted(Self.name)) ADD COLUMN shown TEXT DEFAULT true")
    #expect(try store.conflict(id)["shown"]?.client?.value == .text("1"))
    let written = try store.write([#require(try plan(id, in: store))], note: nil)
    #expect(written.map(\.outcome) == [.fine] && written.map(\.note) == [nil])
    #expect(try files.value("SELECT shown FROM \(quoted(Self.name))") == .text("1"))
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
  }

  @Test(arguments: ["07", "3.0", "9007199254740995", "7.5", "yes", "-9223372036854775808"])
  func whatIsToldOfABooleanIsWhatIsWritten(typed: String) throws {
    let told = try #require(try store.conflict(id)["flag"]).field.kept(.text(typed))
    let planned = try #require(try plan(id, in: store, [.field("flag"): .edit(told)]))
    #expect(planned.draft["flag"] == told)
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    #expect(try files.value("SELECT flag FROM \(quoted(Self.name))") == told)
  }

  @Test func aCheckOfTheAppIsToldWithItsField() throws {
    let planned = try #require(try plan(id, in: store, [.field("order"): .edit(.text("last"))]))
    #expect(
      try store.check([planned]).map(\.outcome)
        == [.refused(field: "order", "CHECK constraint failed: order")])
  }

  @Test func aFunctionThatOnlyTheAppHasIsNamed() throws {
    try files.run(
      """
      CREATE TRIGGER "app's own" AFTER UPDATE ON \(quoted(Self.name)) BEGIN SELECT appOnly(new."it's"); END
      """)
    let planned = try #require(try plan(id, in: store))
    let outcome = try store.check([planned]).first?.outcome
    guard case .refused(nil, let reason)? = outcome else {
      Issue.record("\(String(describing: outcome))")
      return
    }
    #expect(reason.hasPrefix("no such function: appOnly: it is the app's own"))
  }

  @Test func whatATriggerOfTheAppAddsIsTakenBackToo() throws {
    try files.run(
      """
      CREATE TRIGGER touch AFTER UPDATE OF flag ON \(quoted(Self.name)) BEGIN
        UPDATE \(quoted(Self.name)) SET "it's" = 'touched' WHERE "the key" = new."the key";
      END
      """)
    let before = try files.dump()
    let planned = try #require(try plan(id, in: store))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    #expect(try files.value("SELECT \"it's\" FROM \(quoted(Self.name))") == .text("touched"))
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try files.dump() == before)
  }

  @Test func aKeyThatIsTextWithoutARowidWorksAsWell() throws {
    let folder = try TestFolder()
    let store = try SQLiteDataStore.open(
      path: try Demo.make(in: folder), access: .writing, clock: { WriteTests.time })
    let planned = try #require(try plan("urgent:tags", in: store))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
  }
}
