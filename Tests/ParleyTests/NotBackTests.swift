import Testing

@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import parley

@Suite("A field that a trigger keeps from coming back")
struct NotBackTests {
  private static let bread = "5eed0000-0000-4000-8000-000000000013:reminders"
  private static let note = "\(bread): a trigger keeps edits from coming back."

  /// A count of the edits, which goes on when it is set back, and one beside the record, which is put back.
  private func withWritten(_ body: (String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let writer = try SQLiteWriter(try StoreFiles(path: path, metadatabase: nil), clock: { 0 })
      try writer.transaction { db in
        try db.run("ALTER TABLE reminders ADD COLUMN edits INTEGER NOT NULL DEFAULT 0")
        try db.run("CREATE TABLE counters (id INTEGER PRIMARY KEY, title)")
        try db.run("INSERT INTO counters VALUES (1, 5)")
        try db.run(
          """
          CREATE TRIGGER app AFTER UPDATE ON reminders BEGIN
            UPDATE reminders SET edits = edits + 1 WHERE id = new.id;
            UPDATE counters SET title = title + 1;
          END
          """)
        return .commit
      }
      writer.close()
      Live.run("resolve", path, Self.bread, "--accept", "all")
      #expect(Live.run("write", path, Self.bread, "--yes").status == .nothingLeft)
      try body(path)
    }
  }

  @Test("is told before an undo and after it, and nowhere said to come back")
  func told() throws {
    try withWritten { path in
      let preview = Live.run("undo", path).output
      #expect(preview.contains("\n  title: Bread, rye → Bread\n") && preview.hasSuffix("\n\(Self.note)\n"))
      #expect(preview.contains("\n  counters.title: 6 → 5\n"), "\(preview)")
      #expect(!preview.contains("edits:"), "\(preview)")
      let undo = Live.run("undo", path, "--yes").output
      #expect(undo.hasPrefix("undone: \(Self.bread)  Bread\n\(Self.note)\n"), "\(undo)")
      let log = Live.run("log", path, Self.bread, "--kind", "undo").output
      #expect(
        log.contains("taken back: Bread: a trigger keeps edits from coming back"), "\(log)")
      #expect(log.contains("  title: Bread, rye → Bread") && !log.contains("edits:"), "\(log)")
      #expect(log.contains("  counters.title: 6 → 5"), "\(log)")
    }
  }

  @Test("is told to scripts, too")
  func json() throws {
    try withWritten { path in
      let note = "a trigger keeps edits from coming back"
      let preview = try #require(try Live.run("undo", path, "--json").objects().first)
      #expect(preview["note"] as? String == note)
      let fields = try #require(preview["fields"] as? [[String: Any]])
      #expect(fields.map { $0["name"] as? String } == ["title", "title"])
      #expect(fields.map { $0["table"] as? String } == [nil, "counters"])
      let undo = try #require(try Live.run("undo", path, "--yes", "--json").objects().first)
      #expect(undo["outcome"] as? String == "undone" && undo["note"] as? String == note)
      let log = try #require(try Live.run("log", path, Self.bread, "--json").objects().first)
      let changes = try #require(log["changes"] as? [[String: Any]])
      #expect(log["kind"] as? String == "undo")
      #expect(changes.map { $0["table"] as? String } == [nil, "counters"])
    }
  }

  @Test("is told line by line")
  func plain() throws {
    try withWritten { path in
      let lines = Live.run([path, "--plain"], input: "u\ny\nq\n").output
      #expect(lines.contains("Bread: a trigger keeps edits from coming back."), "\(lines)")
      #expect(lines.contains("\ntitle: Bread, rye becomes Bread") && !lines.contains("edits:"), "\(lines)")
      #expect(lines.contains("counters.title: 6 becomes 5"), "\(lines)")
    }
  }
}
