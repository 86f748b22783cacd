import Foundation
import GRDB
import TerminalTestSupport
import Testing

@testable import parley

/// Reals and texts of every kind through write and undo, and through a write without a receipt, which the next start finishes: every
/// byte is back.
struct ExactValuesTests {
  private static let reals: [Double] = [
    .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 1e300, 0.1 + 0.2, 1.0 / 3, 1e22,
    1e21,
    9_007_199_254_740_992,
    123_456_789_012_345_680, .infinity, -.infinity, -0.0, 1e-7, 1.0000000000000002, 9.999999999999999e127,
    1e128,
  ]
  private static let texts = [
    String(String.UnicodeScalarView((0..<32).compactMap(Unicode.Scalar.init))), "\0", "a\0b", "\u{FEFF}x",
    "\u{FFFF}\u{FFFE}\u{10FFFF}",
    "\u{2028}\u{2029}", "e\u{301}", "é", "👨‍👩", "\\u0000", "\"\\/", "\u{7F}\u{80}\u{9F}", "\u{D7FF}\u{E000}",
    String(repeating: "x", count: 70_000), #"{"integer":"5"}"#, "\r\n", String(repeating: "\0", count: 5000),
    "",
  ]

  @Test func everyByteIsBack() throws {
    let attack = Attack("values", short: 4, seed: 5)
    let failures = attack.failures { random in
      try withTemporaryFolder { folder in
        let path = try SampleStores.make(in: folder)
        try fill(path, using: &random)
        let before = try rows(in: folder)
        Live.run("resolve", path, "--accept", "all")
        let write = Live.run("write", path, "--yes")
        try hold(try rows(in: folder) != before, "nothing is written: \(write)")
        if Bool.random(using: &random) { try forgetReceipts(in: folder, path) }
        while Live.run("undo", path, "--yes").status == .nothingLeft {}
        let now = try rows(in: folder)
        let differences = Set(now).symmetricDifference(before).map { $0.prefix(400) }.sorted()
        try hold(now == before, "\(differences.prefix(4))")
      }
    }
    #expect(failures == [])
  }

  private func fill(_ path: String, using random: inout FixedRandom) throws {
    try AttackedStore.change(path) { db in
      for id in try String.fetchAll(db, sql: "SELECT id FROM reminders") {
        let (real, text) = (Self.real(&random), Self.text(&random))
        try db.execute(
          sql: "UPDATE reminders SET estimate = ?, notes = ?, cover = ? WHERE id = ?",
          arguments: [real, text, Data(text.utf8.prefix(99)), id])
      }
      // A text that is not UTF-8.
      try db.execute(
        sql: "UPDATE reminders SET dueDate = CAST(x'ff00fe41' AS TEXT) WHERE id LIKE '%12'")
    }
  }

  private static func real(_ random: inout FixedRandom) -> Double {
    let any = Double(bitPattern: random.next())
    return Bool.random(using: &random) || any.isNaN ? random.oneOf(reals) : any
  }

  private static func text(_ random: inout FixedRandom) -> String {
    if Bool.random(using: &random) { return random.oneOf(texts) }
    let scalars = (0..<30).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0..<0x11_0000, using: &random))
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// As if it had been killed behind its last commit.
  private func forgetReceipts(in folder: String, _ path: String) throws {
    let journal = try #require(AttackedStore.files(in: folder, ".parley.sqlite").first)
    try AttackedStore.change(journal) { try $0.execute(sql: "DELETE FROM receipts") }
    Live.run("write", path, "--yes")
    let outcomes = try AttackedStore.change(journal) {
      try String.fetchSet($0, sql: "SELECT DISTINCT outcome FROM receipts")
    }
    try hold(outcomes.isSubset(of: ["completed", "written"]), "\(outcomes)")
  }

  /// Every row of the store's databases, with every byte.
  private func rows(in folder: String) throws -> [String] {
    try AttackedStore.databases(in: folder).filter { !$0.hasSuffix(".parley.sqlite") }.flatMap { path in
      try AttackedStore.change(path) { db in
        let tables = try String.fetchAll(
          db,
          sql:
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_s%' ESCAPE '\\'")
        return try tables.flatMap { table in
          let columns = try db.columns(in: table).map {
            #"quote(CAST("\#($0.name)" AS BLOB)) || typeof("\#($0.name)")"#
          }
          let quoted = columns.joined(separator: " || ' ' || ")
          return try String.fetchAll(db, sql: "SELECT '\(table) ' || \(quoted) FROM \"\(table)\"").sorted()
        }
      }
    }
  }
}
