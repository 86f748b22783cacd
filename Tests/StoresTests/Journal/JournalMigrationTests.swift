import GRDB
import Merging
import Testing

@testable import Stores

/// A journal that the first Parley wrote, before there were imports.
struct JournalMigrationTests {
  let bench: ImportBench
  let path: String

  /// Version 1, word for word as it was made.
  static let version1 = """
    CREATE TABLE decisions (
      id INTEGER PRIMARY KEY, record TEXT NOT NULL, field TEXT,
      choice TEXT CHECK (choice IN ('ancestor', 'client', 'server', 'edit', 'merged')),
      value ANY, opaqueKind TEXT, fingerprint TEXT NOT NULL, decidedAt INTEGER NOT NULL, note TEXT
    ) STRICT;
    CREATE INDEX decisions_record ON decisions(record);
    CREATE TABLE intents (
      id INTEGER PRIMARY KEY, undoes INTEGER REFERENCES intents(id), startedAt INTEGER NOT NULL, note TEXT
    ) STRICT;
    CREATE TABLE changes (
      intent INTEGER NOT NULL REFERENCES intents(id), ordinal INTEGER NOT NULL, record TEXT NOT NULL,
      title TEXT NOT NULL, file TEXT NOT NULL CHECK (file IN ('app', 'metadata')), tableName TEXT NOT NULL,
      key TEXT NOT NULL, before TEXT, after TEXT, PRIMARY KEY (intent, ordinal)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE receipts (
      intent INTEGER NOT NULL REFERENCES intents(id), record TEXT NOT NULL,
      outcome TEXT NOT NULL CHECK (outcome IN ('written', 'completed', 'rolledBack', 'left')),
      detail TEXT, finishedAt INTEGER NOT NULL, PRIMARY KEY (intent, record)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX receipts_finishedAt ON receipts(finishedAt);
    INSERT INTO decisions VALUES (1, '1:reminders', 'title', 'edit', 'Milk', NULL, '00ff', 5, 'why not');
    INSERT INTO intents VALUES (1, NULL, 6, 'ticket 7');
    INSERT INTO changes VALUES (1, 0, '\(Demo.reminder(101))', 'Feed the cat', 'app', 'reminders',
      '{"id":"\(Demo.key(101))"}', '{"title":"Feed the dog"}', '{"title":"Feed the cat"}');
    INSERT INTO receipts VALUES (1, '\(Demo.reminder(101))', 'written', NULL, 7);
    PRAGMA user_version = 1;
    """

  init() throws {
    bench = try ImportBench(inbox: .none)
    path = bench.folder.path("Reminders.parley.sqlite")
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL")
      try db.execute(sql: Self.version1)
    }
    try queue.close()
  }

  private var decision: Decision {
    Decision(
      id: "1:reminders", subject: .field("title"), choice: .edit(.text("Milk")), fingerprint: "00ff",
      decidedAt: 5, note: "why not")
  }

  @Test func itIsReadAsItIs() throws {
    let before = try bench.folder.contents()
    let journal = Journal(path: path, clock: { Demo.now })
    #expect(try journal.decisions(for: ["1:reminders"]) == [decision])
    #expect(try journal.entries(limit: 5).map(\.note) == ["ticket 7", "why not"])
    #expect(try journal.importCount() == 0 && journal.namesOfImports().isEmpty)
    #expect(try journal.newestImport(of: "1:reminders") == nil)
    journal.close()
    #expect(try summaries(of: try bench.open(.reading)).isEmpty)
    #expect(try bench.folder.contents() == before)
  }

  @Test func theFirstThingWrittenBringsItUpAndLosesNothing() throws {
    let store = try bench.open()
    let file = try bench.file(ImportBench.json(ImportBench.milk))
    #expect(try store.importRecords(from: [file], isRehearsal: false).new == 1)
    #expect(try store.log.read(or: 0) { try $0.firstRow("PRAGMA user_version") { $0.integer(0) } ?? 0 } == 3)
    #expect(try store.journal.decisions(for: ["1:reminders"]) == [decision])
    #expect(try store.journal.entries(limit: 5).map(\.note) == ["ticket 7", "why not"])
    let write = try #require(try store.log.newestWrite()?.intent)
    let changes = try store.log.changes(of: write.records[0], in: write.id).changes
    #expect(changes.map(\.after) == [["title": .text("Feed the cat")]])
    #expect(try summaries(of: store).map(\.id) == [ImportBench.milk])
  }

  /// A journal made anew and one brought up are the same to whoever looks into them.
  @Test func bothHaveTheSameTables() throws {
    let columns = """
      SELECT group_concat(tables.name || '.' || columns.name || ' ' || columns.type, ', ')
      FROM (SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name) AS tables,
        pragma_table_info(tables.name) AS columns
      """
    let fresh = Journal(path: bench.folder.path("fresh.parley.sqlite"), clock: { Demo.now })
    let old = Journal(path: path, clock: { Demo.now })
    let tables = try [fresh, old].map { journal in
      try journal.append([decision])
      return try journal.read(or: "") { try $0.firstRow(columns) { $0.text(0) } ?? "" }
    }
    #expect(tables[0] == tables[1] && tables[0].contains("imports.serverJSON TEXT"))
  }
}
