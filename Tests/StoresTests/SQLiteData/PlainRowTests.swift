import GRDB
import Merging
import Testing

@testable import Journals
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// Rows to which nothing happens but what was asked for.
struct PlainRowTests {
  @Test func nothingOfThemIsReadOnceMore() throws {
    let folder = try TestFolder()
    let store = try SQLiteDataStore.open(
      path: try Demo.make(in: folder), access: .writing, clock: { WriteTests.time })
    let id = Demo.reminder(12)
    let planned = try #require(
      try plan(id, in: store, [.field("title"): .take(.client), .field("priority"): .take(.client)]))
    let steps = store.steps(about: [id])
    var done: [String] = []
    try steps.transaction(store.route) { session in
      session.db.trace { done.append("\($0)") }
      let checked = try steps.attempt([steps.task(WriteOrder(planned), note: nil)], at: session)
      #expect(checked.map(\.outcome) == [.fine])
      session.db.trace()
      return false
    }
    let changes = done.drop { !$0.hasPrefix("SAVEPOINT") }
    #expect(changes.contains { $0.hasPrefix("UPDATE") })
    // What tables are like is asked once for all records, with the first.
    #expect(changes.filter { $0.hasPrefix("SELECT") && !$0.contains("pragma_") } == [])
  }

  static let types = [
    "INTEGER", "INTEGER NOT NULL ON CONFLICT REPLACE DEFAULT 7", "REAL", "TEXT", "BLOB", "NUMERIC", "DATE",
    "",
  ]
  static let values: [Value] = [
    .null, .integer(12), .integer(.max), .real(0.5), .real(5), .real(-0.0), .real(1e300), .text("12"),
    .text("5.0"),
    .text("Milk"), .text(""), .blob(Blob(bytes: [0x31])), .blob(Blob(bytes: [])),
  ]

  @Test(arguments: types) func whatAColumnKeepsItGivesBack(type: String) throws {
    let db = try DatabaseQueue()
    try db.inDatabase { db in
      try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, value \(type))")
      let shape = try #require(try TableShape("t", in: db))
      let column = try #require(shape["value"])
      #expect(Self.values.contains(where: column.keeps))
      for value in Self.values where column.keeps(value) {
        try db.run("INSERT INTO t (value) VALUES (?)", [value])
        let stored = try db.firstRow("SELECT value FROM t ORDER BY id DESC") { $0.value(0) }
        #expect(stored == value)
      }
    }
  }
}
