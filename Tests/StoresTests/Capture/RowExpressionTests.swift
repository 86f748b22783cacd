import GRDB
import Merging
import TerminalTestSupport
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// What the SQL of `parley capture` makes of a row is that row.
struct RowExpressionTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private static let size = RowExpression(columns: ["size"], row: "seen").json

  private func captured(_ value: Value, in db: Database) throws -> [UInt8] {
    try db.firstRow("SELECT \(Self.size) FROM (SELECT ? AS \"size\") AS seen", [value]) { $0.bytes(0) } ?? []
  }

  /// SQLite 3.40 takes the 15 digits of the first for it, which are another number's, and prints 17 of the second that are.
  @Test func aRealIsKeptExactly() throws {
    var random = FixedRandom(state: 10)
    let any = (0..<5000).map { _ in Double(bitPattern: random.next()) }.filter(\.isFinite)
    let decimals = (0..<5000).map { _ in Double(random.next() % 1_000_000_000_000_000) / 1e10 }
    let usual = (0..<5000).map { _ in Double.random(in: -1_000_000...1_000_000, using: &random) }
    try DatabaseQueue().inDatabase { db in
      for real in [-79_289.77981068799, 1.6145563341431214e+280] + any + decimals + usual {
        let json = try captured(.real(real), in: db)
        #expect(try RowJSON.decode(json)?["size"] == .real(real), "\(String(decoding: json, as: UTF8.self))")
      }
    }
  }

  @Test(arguments: [
    (2.0, "2.0"), (-19.99, "-19.99"), (0.0001, "0.0001"), (1_767_225_600_000.0, "1767225600000.0"),
    (1e300, "1.0e+300"), (0.00001, "1.00000000000000008e-05"),
  ])
  func aRealOfFewDigitsIsShort(real: Double, text: String) throws {
    try DatabaseQueue().inDatabase { db in
      let json = try captured(.real(real), in: db)
      #expect(String(decoding: json, as: UTF8.self) == "{\"size\":\(text)}")
    }
  }

  /// SQLite takes 2,000 columns, and no expression that is deeper than 1,000.
  @Test func aRowOfAsManyColumnsAsCanBeIsOne() throws {
    let columns = (0..<2000).map { "column \($0)" }
    let json = RowExpression(columns: columns, row: "seen").json
    try DatabaseQueue().inDatabase { db in
      try db.execute(sql: "CREATE TABLE wide (\(columns.map { quoted($0) }.joined(separator: ", ")))")
      try db.execute(sql: "INSERT INTO wide (\"column 0\", \"column 1999\") VALUES (1, 'last')")
      let row = try RowJSON.decode(try db.firstRow("SELECT \(json) FROM wide AS seen") { $0.bytes(0) } ?? [])
      #expect(row?.count == 2000)
      #expect(row?["column 0"] == .integer(1) && row?["column 1999"] == .text("last"))
    }
  }

  @Test func aWideTableIsCaptured() throws {
    let app = try PlayedApp(in: folder)
    try app.inTransaction { db in
      for index in 0..<400 { try db.execute(sql: "ALTER TABLE notes ADD COLUMN x\(index) TEXT") }
    }
    try app.capture()
    try app.receive(Self.note("a", "Milk", 10), at: 100)
    try app.edit(at: 150, "UPDATE notes SET title = 'Oat milk', x399 = 'last'")
    try app.receive(Self.note("b", "Soy milk", 160), at: 200)
    try app.edit(at: 250, "UPDATE notes SET title = 'Rice milk'")
    try app.receiveDeletion(of: "notes", "true", at: 300)
    let rows = try SQLiteDataStore.open(path: app.path).read {
      try InboxRow.page(before: .max, limit: 9, in: $0)
    }
    #expect(rows.count == 2)
    for row in rows { #expect(try RowJSON.decode(row.clientRow ?? [])?["x399"] == .text("last")) }
  }

  private static func note(_ tag: String, _ title: String, _ time: Int64) -> ArchivedRecord {
    .sample(
      "1:notes", tag: tag, serverTime: time, ["id": (.string("1"), 10), "title": (.string(title), time)])
  }
}
