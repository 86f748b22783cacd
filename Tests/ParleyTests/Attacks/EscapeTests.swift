import Foundation
import GRDB
import SQLiteFiles
import TerminalTestSupport
import Testing

@testable import parley

/// Escape sequences, control characters and what turns the direction of writing, in every value and every name: none reaches the output
/// of any command, nor the terminal of the desk.
struct EscapeTests {
  private static let evil = [
    "\u{1B}[31mPWN\u{1B}]0;PWN\u{7}", "\u{1B}]52;c;UFdO\u{7}", "\u{9B}31mPWN\u{9D}52;c;UFdO\u{9C}",
    "\u{202E}PWN\u{202C}\u{2066}x\u{2069}\u{200F}\u{61C}",
    "a\u{200B}\u{200C}\u{200D}\u{FEFF}PWN\u{2028}\u{2029}",
    "PWN" + String(repeating: "\u{301}", count: 3000), "\u{1B}P1;2|PWN\u{1B}\\\u{1B}_x\u{1B}\\",
    "PWN\r\n\u{1B}[2J\u{8}\u{8}\u{E}\u{F}\u{7F}x", "\u{E0001}\u{E0050}PWN\u{FFF9}\u{FFFA}\u{FFFB}",
    "\u{600}\u{70F}\u{180E} PWN \u{115F}\u{3164}\u{FFA0}", "\u{1B}[6n\u{1B}[c\u{5}PWN",
    "\u{E000}\u{F0000}\u{FFFE}\u{FFFF} PWN",
    "\u{85}\u{84}\u{8D}\u{90}PWN",
  ]

  /// What may be in no line of output: all control characters but the ends of lines, and what turns the direction.
  static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xA: false
    case 0...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x61C, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: true
    default: false
    }
  }

  @Test func noneReachesTheOutput() throws {
    let attack = Attack("escapes", short: 3, seed: 3)
    let failures = attack.failures { random in
      let evil = Self.text(&random)
      try withTemporaryFolder { folder in
        let stores = [Self.recordStore, Self.documentStore, Self.container]
        let path = try random.oneOf(stores)(evil, folder)
        let commands = Self.commands(on: path, evil)
        for _ in 0..<6 { try expectHarmless(random.oneOf(commands)) }
      }
    }
    #expect(failures == [])
  }

  static func text(_ random: inout FixedRandom) -> String {
    var scalars = Array(random.oneOf(evil).unicodeScalars)
    for _ in 0..<4 {
      let value = random.oneOf([
        UInt32.random(in: 1..<0xA0, using: &random), .random(in: 0x2000..<0x2070, using: &random),
      ])
      if let scalar = Unicode.Scalar(value) {
        scalars.insert(scalar, at: .random(in: 0...scalars.count, using: &random))
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private static func commands(on path: String, _ evil: String) -> [[String]] {
    let name = evil.replacing("/", with: "").prefix(60).description
    let onStore =
      [
        ["list"], ["show"], ["doctor"], ["resolve", "--accept", "all", "--note", evil], ["write"],
        ["write", "--yes"], ["log"], ["undo", "--yes"], ["doctor", "--mend"], ["capture"], ["show", name],
        ["resolve", "--set", name + "=x"], ["resolve", "--set", "title=" + evil], ["--theme", name],
        ["import", name], ["apply", name], ["doctor", name], ["write", name, "--yes"],
        ["resolve", "--tie", name],
      ].map { [$0[0], path] + $0.dropFirst() }
    return onStore + onStore.map { $0 + ["--json"] } + [
      [name], ["help", name], ["themes", name], ["demo", "--store", name], ["walkthrough", "--story", name],
    ]
  }

  private func expectHarmless(_ command: [String]) throws {
    let run = Live.run(command)
    let all = run.output + run.errors
    guard let harm = all.unicodeScalars.firstIndex(where: Self.isHarmful) else { return }
    let around = all.unicodeScalars[..<harm].suffix(60).map(String.init).joined()
    throw AttackFailure(
      "\(command.map(\.debugDescription)): \(all.unicodeScalars[harm].value) behind \(around.debugDescription)"
    )
  }

  static func recordStore(_ evil: String, _ folder: String) throws -> String {
    let path = try SampleStores.make(in: folder)
    // Also one with a combining accent, which Swift takes for another character: the program quotes, and not this test.
    let column = quoted(evil)
    try AttackedStore.change(path) { db in
      try db.execute(sql: "UPDATE reminders SET title = ? || title, notes = ?", arguments: [evil, evil])
      try db.execute(sql: "UPDATE remindersLists SET title = ? || title", arguments: [evil])
      try db.execute(sql: "ALTER TABLE reminders ADD COLUMN \(column) TEXT DEFAULT 'x'")
      try db.execute(sql: "UPDATE reminders SET \(column) = ?", arguments: [evil])
      try db.execute(
        sql: """
          INSERT INTO parley_inbox (recordName, zoneName, ownerName, recordType, receivedAt, path, serverRecord)
          VALUES (? || ':' || ?, ?, ?, ?, 1795176540000000000, 'fetch', x'00')
          """, arguments: [evil, evil, evil, evil, evil])
    }
    try AttackedStore.change(AttackedStore.files(in: folder, ".Reminders.sqlite")[0], fillSyncTables(evil))
    return path
  }

  private static func fillSyncTables(_ evil: String) -> (Database) throws -> Void {
    { db in
      for (table, count) in [("unsyncedRecordIDs", 3), ("recordTypes", 3), ("stateSerialization", 2)] {
        let values = Array(repeating: evil, count: count)
        let marks = values.map { _ in "?" }.joined(separator: ", ")
        try db.execute(
          sql: "INSERT INTO sqlitedata_icloud_\(table) VALUES (\(marks))",
          arguments: StatementArguments(values))
      }
      try db.execute(
        sql: """
          INSERT INTO sqlitedata_icloud_metadata (recordPrimaryKey, recordType, zoneName, ownerName, userModificationTime)
          VALUES (?, ?, ?, ?, 1)
          """, arguments: [evil, evil, evil, evil])
      try db.execute(
        sql: "INSERT INTO sqlitedata_icloud_pendingRecordZoneChanges VALUES (?)", arguments: [Data(evil.utf8)]
      )
    }
  }

  private static func documentStore(_ evil: String, _ folder: String) throws -> String {
    let path = try SampleStores.make(.cloudant, in: folder)
    let escaped = try String(decoding: JSONEncoder().encode(evil).dropFirst().dropLast(), as: UTF8.self)
    try AttackedStore.change(path) { db in
      try db.execute(
        sql: "UPDATE revs SET json = CAST(replace(CAST(json AS TEXT), '\":\"', '\":\"' || ?) AS BLOB)",
        arguments: [escaped])
      try db.execute(
        sql: "UPDATE revs SET json = CAST(replace(CAST(json AS TEXT), '{\"', '{\"' || ?) AS BLOB)",
        arguments: [escaped])
      try db.execute(sql: "UPDATE docs SET docid = docid || ?", arguments: [evil])
      try db.execute(
        sql: "UPDATE attachments SET filename = filename || ?, type = ?", arguments: [evil, evil])
    }
    return path
  }

  private static func container(_ evil: String, _ folder: String) throws -> String {
    let path = try SampleStores.make(.smsync, in: folder)
    let database = AttackedStore.files(in: path, "Model.sqlite")[0]
    try AttackedStore.change(database) {
      try $0.execute(
        sql: "UPDATE ZSMLOCALFILE SET ZREMOTEFILENAME = ? || ZREMOTEFILENAME, ZMIMETYPE = ?",
        arguments: [evil, evil])
    }
    for file in AttackedStore.files(in: path, ".dat") { try write(evil + "\n" + evil, to: file) }
    return path
  }
}
