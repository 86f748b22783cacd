import GRDB
import Merging
import SQLiteFiles
import Testing

/// What is read of a table beside its rows.
@Suite struct TableShapeTests {
  static let literals = [
    nil, "NULL", "\"a\"", "0", "-1.5", "+3", "1e3", "'a'", "'it''s'", "''", "'\u{301}x'", "'7'", "TRUE",
    "false",
    "x'00'",
  ]

  /// A column that is added has its default in the rows that were there; what SQLite would compute is not known here.
  @Test(arguments: literals, ["TEXT", "INTEGER", "REAL", "BOOLEAN", "BLOB", ""])
  func defaults(literal: String?, type: String) throws {
    try DatabaseQueue().inDatabase { db in
      let added = "ALTER TABLE t ADD COLUMN c \(type)" + (literal.map { " DEFAULT \($0)" } ?? "")
      try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)")
      try db.execute(sql: added)
      let shape = try #require(try TableShape("t", in: db))
      try db.execute(sql: "UPDATE t SET id = 2")
      let kept = try db.firstRow("SELECT c FROM t") { $0.value(0) }
      // What is not understood is not known, and not NULL.
      let isKnown = !["x'00'", "1e3"].contains(literal)
      #expect(shape["c"]?.initial == (isKnown ? kept : nil), "\(literal ?? "-") \(type)")
      #expect(shape.fields.last?.initial == shape["c"]?.initial)
    }
  }
}
