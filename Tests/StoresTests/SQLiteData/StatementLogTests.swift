import GRDB
import Merging
import TerminalTestSupport
import Testing

@testable import SQLiteFiles
@testable import StoreInterface

/// What is told is what is run: whoever runs the text of a statement gets the row that Parley makes.
struct StatementLogTests {
  private static let table =
    #"CREATE TABLE "a ? 'b" (id INTEGER PRIMARY KEY, "c?""" , r REAL, t TEXT, n NUMERIC)"#
  private static let insertion = #"INSERT INTO "a ? 'b" ("c?""", r, t, n) VALUES (?, ?, ?, ?)"#

  private func rows(_ db: Database) throws -> [[Value]] {
    try db.rows(#"SELECT "c?""", r, t, n, '?' FROM "a ? 'b" ORDER BY id"#) { row in
      (Int32(0)..<5).map(row.value)
    }
  }

  private func expectSame(_ values: [Value], encoding: String = "UTF-8") throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(sql: "PRAGMA encoding = '\(encoding)'")
      try db.execute(sql: Self.table)
      let told = try StatementLog.statements(db) {
        for value in values { try db.run(Self.insertion, Array(repeating: value, count: 4)) }
      }
      let made = try rows(db)
      try db.run(#"DELETE FROM "a ? 'b""#)
      #expect(told.count == values.count)
      for text in told { try db.execute(sql: text) }
      for (index, row) in try rows(db).enumerated() {
        #expect(row == made[index], "\(values[index]): \(told[index].prefix(300))")
      }
    }
  }

  @Test func aStatementThatIsToldMakesTheRowThatIsMade() throws { try expectSame(HardValues.all) }

  @Test(arguments: ["UTF-16le", "UTF-16be"]) func alsoInUTF16(encoding: String) throws {
    try expectSame(HardValues.texts.map { .text($0) } + [.real(-.infinity)], encoding: encoding)
  }

  /// It reads line by line.
  @Test(
    .enabled(if: OtherProcess.shell != nil, "needs the sqlite3 shell"),
    arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func theShellOfSQLiteMakesTheSameTexts(encoding: String) throws {
    let returns = ["\r", "a\r\nb\r\n", "␍\r\n", "\r\u{301}'\r\n;\r\n.quit\r\n", "\u{1B}[31m\tred\u{7}"]
    let texts = (HardValues.texts + returns).map { Value.text($0) }
    let (told, made) = try DatabaseQueue().inDatabase { db in
      try db.execute(sql: "PRAGMA encoding = '\(encoding)'")
      try db.execute(sql: Self.table)
      let told = try StatementLog.statements(db) {
        for text in texts { try db.run(Self.insertion, Array(repeating: text, count: 4)) }
      }
      return (told, try rows(db))
    }
    let folder = try TestFolder()
    let path = folder.path("told.sqlite")
    let shell = try OtherProcess(path)
    for text in ["PRAGMA encoding = '\(encoding)'", Self.table] + told { shell.run(text + ";") }
    shell.end()
    let run = try DatabaseQueue(path: path).inDatabase { db in try rows(db) }
    #expect(run.count == made.count)
    for (index, row) in run.enumerated() { #expect(row == made[index], "\(told[index].prefix(300))") }
  }

  @Test(arguments: [
    ("it's\r\n", "replace('it''s␍\n', '␍', char(13))"), ("␍\tred", "'␍\tred'"),
    ("␍\r", "CAST(X'e2908d0d' AS TEXT)"), ("\u{1B}", "CAST(X'1b' AS TEXT)"),
  ])
  func whatATextCannotHoldIsTold(text: String, told: String) {
    #expect(SQLLiterals(encoding: "UTF-8").text("?", [.text(text)]).utf8.elementsEqual(told.utf8))
  }

  @Test func manyRealsAreTheSame() throws {
    var random = FixedRandom(state: 7)
    let any = (0..<2000).map { _ in Double(bitPattern: random.next()) }.filter { !$0.isNaN }
    try expectSame(any.map { .real($0) })
  }

  /// SQLite 3.40 reads the decimals of the first with another last bit, and of one in a thousand.
  @Test func realsOfEveryDayAreTheSame() throws {
    var random = FixedRandom(state: 11)
    let decimals = (0..<5000).map { _ in Double(random.next() % 1_000_000_000_000_000) / 1e9 }
    let any = (0..<5000).map { _ in Double.random(in: -1_000_000...1_000_000, using: &random) }
    try expectSame([.real(-782_623.552725046)] + (decimals + any).map { .real($0) })
  }

  @Test(arguments: [
    (2.0, "2.0"), (-19.99, "-19.99"), (0.0001, "0.0001"), (1_767_225_600_000.0, "1767225600000.0"),
    (0.30000000000000004, "(1351079888211149.0 / 4503599627370496)"),
    (-0.00001, "(-5902958103587057.0 / 4611686018427387904 / 128)"),
    (0x1p63, "(1.0 * 4611686018427387904 * 2)"),
  ])
  func whereDecimalsAreNotSurelyReadAsTheSameNumberItIsTold(real: Double, text: String) {
    #expect(SQLLiterals(encoding: "UTF-8").text("?", [.real(real)]) == text)
  }

  @Test func whatASavepointTookBackIsNotTold() throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(sql: Self.table)
      let told = try StatementLog.statements(db) {
        try db.run("BEGIN")
        try db.savepoint {
          try db.run(#"INSERT INTO "a ? 'b" (t) VALUES (?)"#, [.text("it's ?")])
          return .commit
        }
        try db.savepoint {
          try db.run(#"INSERT INTO "a ? 'b" (t) VALUES (?)"#, [.text("gone")])
          return .rollback
        }
        try db.run("END")
      }
      #expect(told == [#"INSERT INTO "a ? 'b" (t) VALUES ('it''s ?')"#])
    }
  }
}
