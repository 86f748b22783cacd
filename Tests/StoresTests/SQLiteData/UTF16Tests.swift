import Foundation
import GRDB
import Merging
import Testing

@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// A store whose databases keep their texts in UTF-16.
struct UTF16Tests {
  let folder: TestFolder
  let store: SQLiteDataStore
  let files: StoreFilesInspector

  init() throws {
    folder = try TestFolder()
    let path = try Demo.make(in: folder)
    let made = try StoreFiles(path: path, metadatabase: nil)
    for file in [made.database, made.metadatabase] { try Self.encode(file) }
    store = try SQLiteDataStore.open(path: path, access: .writing, clock: { WriteTests.time })
    files = try StoreFilesInspector(path)
  }

  /// Makes the file again: an encoding is for life.
  private static func encode(_ path: String) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let old = try DatabaseQueue(path: path, configuration: configuration)
    let new = try DatabaseQueue(path: path + "-16", configuration: configuration)
    try new.inDatabase { into in
      try into.execute(sql: "PRAGMA encoding = 'UTF-16le'")
      try old.inDatabase { from in try copy(from, into) }
    }
    try old.close()
    try new.close()
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: path + "-16", toPath: path)
  }

  private static func copy(_ from: Database, _ into: Database) throws {
    let list = "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name <> 'sqlite_sequence'"
    for (name, sql) in try from.rows(list, [], { ($0.text(0), $0.text(1)) }) {
      try into.execute(sql: sql)
      let columns = try TableShape(name, in: from)?.stored.map { quoted($0.name) } ?? []
      let (names, marks) = (columns.joined(separator: ", "), columns.map { _ in "?" }.joined(separator: ", "))
      try from.forEachRow("SELECT \(names) FROM \(quoted(name))") { row in
        try into.run(
          "INSERT INTO \(quoted(name)) (\(names)) VALUES (\(marks))",
          columns.indices.map { row.value(Int32($0)) })
      }
    }
  }

  private func planned(over title: [UInt8]) throws -> PlannedWrite {
    // As a literal: bytes that are bound are taken for UTF-8 whatever the database has.
    let digits = title.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    try files.run(
      "UPDATE reminders SET title = CAST(X'\(digits)' AS TEXT) WHERE id = ?", [.text(Demo.key(13))])
    return try #require(try plan(Demo.reminder(13), in: store, [.field("title"): .take(.server)]))
  }

  @Test(arguments: ["a\u{FFFF}b", "\u{FFFE}"]) func whatUTF16KeepsAsAnotherTextIsNotWritten(title: String)
    throws
  {
    let before = try files.dump()
    let edit = Choice.edit(.text(title))
    let planned = try #require(try plan(Demo.reminder(13), in: store, [.field("title"): edit]))
    for checked in try store.check([planned]) + store.write([planned], note: nil) {
      guard case .refused("title", let reason) = checked.outcome else {
        Issue.record("\(checked.outcome)")
        continue
      }
      #expect(reason.hasPrefix("its text has U+FFFE or U+FFFF, for which a database in UTF-16"))
    }
    #expect(try files.dump() == before)
  }

  /// SQLite reads the first, "A", half of a pair and "B", as another text, and the others as no text.
  @Test(
    arguments: [[0x41, 0x00, 0x00, 0xD8, 0x42, 0x00], [0x41, 0x00, 0x00, 0xD8], [0x00, 0xDC]] as [[UInt8]])
  func halfOfAPairIsNotOverwritten(title: [UInt8]) throws {
    let planned = try planned(over: title)
    let before = try files.dump()
    for checked in try store.check([planned]) + store.write([planned], note: nil) {
      guard case .refused("title", let reason) = checked.outcome else {
        Issue.record("\(checked.outcome)")
        continue
      }
      #expect(reason == "its text is broken UTF-16, which an undo could not write again")
    }
    #expect(try files.dump() == before)
  }

  /// Nor where a trigger does it, in another column of the record's row and in a table beside it. What it leaves as it is holds up nothing.
  @Test(
    arguments: [
      ("UPDATE reminders SET notes = 'Seen' WHERE id = new.id;", "its text is broken UTF-16"),
      ("UPDATE words SET text = 'Seen';", "a trigger changes text in words, a text that is broken UTF-16"),
      ("DELETE FROM words;", "a trigger changes text in words, a text that is broken UTF-16"),
      ("UPDATE words SET n = n + 1;", nil),
    ] as [(String, String?)])
  func halfOfAPairIsNotOverwrittenByATrigger(deed: String, words: String?) throws {
    let half = "CAST(X'410000D84200' AS TEXT)"
    try files.run("CREATE TABLE words (id INTEGER PRIMARY KEY, text TEXT, n INTEGER)")
    try files.run("INSERT INTO words VALUES (1, \(half), 1)")
    try files.run("UPDATE reminders SET notes = \(half) WHERE id = ?", [.text(Demo.key(13))])
    try files.run("CREATE TRIGGER app AFTER UPDATE OF title ON reminders BEGIN \(deed) END")
    let planned = try #require(try plan(Demo.reminder(13), in: store, [.field("title"): .take(.server)]))
    for checked in try store.check([planned]) + store.write([planned], note: nil) {
      var told: String?
      if case .refused(_, let reason) = checked.outcome { told = reason }
      #expect(told == words.map { $0 + ", which an undo could not write again" })
    }
    if words == nil { #expect(try store.undoLastWrite().map(\.outcome) == [.fine]) }
    let bytes = try files.value("SELECT CAST(text AS BLOB) FROM words")
    #expect(bytes == .blob(Blob(bytes: [0x41, 0, 0, 0xD8, 0x42, 0])))
    #expect(try files.value("SELECT n FROM words") == .integer(1))
  }

  /// A row that is found by its key alone is found by no such key.
  @Test(
    arguments: [
      ("DELETE FROM words;", false), ("UPDATE words SET n = n + 1;", false),
      ("UPDATE words SET k = 'q';", false),
      ("UPDATE words SET n = n + 1 WHERE k = 'plain';", true),
    ])
  func aRowWithSuchAKeyIsChangedByNoTrigger(deed: String, isWritten: Bool) throws {
    try files.run("CREATE TABLE words (k TEXT PRIMARY KEY, n INTEGER) WITHOUT ROWID")
    try files.run("INSERT INTO words VALUES (CAST(X'410000D84200' AS TEXT), 1)")
    if isWritten { try files.run("INSERT INTO words VALUES ('plain', 5)") }
    try files.run("CREATE TRIGGER app AFTER UPDATE OF title ON reminders BEGIN \(deed) END")
    let planned = try #require(try plan(Demo.reminder(13), in: store, [.field("title"): .take(.server)]))
    for checked in try store.check([planned]) + store.write([planned], note: nil) {
      var told: String?
      if case .refused(_, let reason) = checked.outcome { told = reason }
      #expect(
        told?.hasPrefix("a trigger changes words, where the key of a row is broken UTF-16") ?? isWritten)
    }
    if isWritten { #expect(try store.undoLastWrite().map(\.outcome) == [.fine]) }
    #expect(try files.value("SELECT n FROM words WHERE k <> 'plain'") == .integer(1))
    #expect(try files.value("SELECT count(*) FROM words WHERE n = 5") == .integer(isWritten ? 1 : 0))
  }

  /// A row that was captured is JSON in a column of texts.
  @Test func everyVersionIsReadAsItIsInUTF8() throws {
    let other = try TestFolder()
    let plain = try SQLiteDataStore.open(
      path: Demo.make(in: other), access: .writing, clock: { WriteTests.time })
    let (versions, expected) = try (
      conflicts(of: store, limit: 7).map(\.versions), conflicts(of: plain, limit: 7).map(\.versions)
    )
    #expect(versions == expected && !expected.isEmpty)
  }

  @Test func everyOtherTextComesBack() throws {
    let planned = try planned(
      over: "Caf\u{E9} \u{1F6D2}".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    let before = try files.dump()
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    #expect(try files.dump() != before)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try files.dump() == before)
  }
}
