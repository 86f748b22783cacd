import GRDB
import Merging
import Testing

@testable import Journals
@testable import RowJournals
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// A journal that the first Parley wrote, before there were imports.
struct JournalMigrationTests {
  let bench: ImportBench
  let path: String

  /// Version 1, word for word as it was made.
  static let version1 = """
    \(OldJournal.tables(1))
    INSERT INTO decisions VALUES (1, '1:reminders', 'title', 'edit', 'Milk', NULL, '00ff', 5, 'why not');
    INSERT INTO intents VALUES (1, NULL, 6, 'ticket 7');
    INSERT INTO changes VALUES (1, 0, '\(Demo.reminder(101))', 'Feed the cat', 'app', 'reminders',
      '{"id":"\(Demo.key(101))"}', '{"title":"Feed the dog"}', '{"title":"Feed the cat"}');
    INSERT INTO receipts VALUES (1, '\(Demo.reminder(101))', 'written', NULL, 7);
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

  /// Version 2, word for word as it was made, with what is in version 1 and more.
  static let version2 = """
    ALTER TABLE changes RENAME TO changesOfVersion1;
    CREATE TABLE changes (
      intent INTEGER NOT NULL REFERENCES intents(id), ordinal INTEGER NOT NULL, record TEXT NOT NULL,
      title TEXT NOT NULL, file TEXT NOT NULL CHECK (file IN ('app', 'metadata', 'journal')),
      tableName TEXT NOT NULL, key TEXT NOT NULL, before TEXT, after TEXT, PRIMARY KEY (intent, ordinal)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX changes_imports ON changes(key, intent) WHERE file = 'journal';
    INSERT INTO changes SELECT * FROM changesOfVersion1;
    DROP TABLE changesOfVersion1;
    CREATE INDEX receipts_record ON receipts(record);
    CREATE INDEX intents_undoes ON intents(undoes);
    CREATE TABLE imports (
      id INTEGER PRIMARY KEY AUTOINCREMENT, recordName TEXT NOT NULL, zoneName TEXT NOT NULL,
      ownerName TEXT NOT NULL, recordType TEXT NOT NULL, receivedAt INTEGER NOT NULL,
      path TEXT NOT NULL CHECK (path IN ('send', 'fetch', 'probe', 'import')),
      isDeleted INTEGER NOT NULL DEFAULT 0, serverRecord BLOB, ancestorRecord BLOB, clientRow TEXT, serverJSON TEXT
    ) STRICT;
    CREATE INDEX imports_record ON imports(recordName, id);
    INSERT INTO imports (recordName, zoneName, ownerName, recordType, receivedAt, path, serverJSON) VALUES
      ('1:reminders', 'z', 'o', 'reminders', 3, 'import', '{}'), ('2:reminders', 'z', 'o', 'reminders', 4, 'import', '{}');
    INSERT INTO intents VALUES (2, NULL, 8, NULL);
    INSERT INTO changes VALUES
      (2, 0, '2:reminders', 'Bread', 'app', 'reminders', '{"id":2}',
        '{"cover":{"blob":"00ff"},"estimate":-0.0,"title":"\u{FEFF}Bread"}',
        '{"cover":{"blob":"00ff"},"estimate":{"real":"inf"},"title":"Rye"}'),
      (2, 1, '2:reminders', 'Bread', 'journal', 'imports', '{"id":1}', '{"id":1}', NULL);
    INSERT INTO receipts VALUES (2, '2:reminders', 'written', NULL, 9);
    PRAGMA user_version = 2;
    """

  private func bringToVersion2() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in try db.execute(sql: Self.version2) }
    try queue.close()
  }

  private static let bread = RecordChanges(
    record: "2:reminders", title: "Bread",
    changes: [
      StoredChange(
        file: .app, table: "reminders", key: ["id": .integer(2)],
        before: [
          "cover": .blob(Blob(bytes: [0, 255])), "estimate": .real(-0.0), "title": .text("\u{FEFF}Bread"),
        ],
        after: ["cover": .blob(Blob(bytes: [0, 255])), "estimate": .real(.infinity), "title": .text("Rye")]),
      .settling(kept: 1),
    ])

  private func checkVersion2(_ journal: Journal) throws {
    let write = try #require(try journal.newestWrite()?.intent)
    #expect(write.records.map(\.id) == ["2:reminders"])
    #expect(try journal.changes(of: write.records[0], in: write.id) == Self.bread)
    #expect(try journal.imports(before: .max, limit: 9).map(\.id) == [2])
    #expect(
      try journal.entries(limit: 9).map(\.text) == [
        "written: Bread", "written: Feed the cat", "title: edited to \"Milk\"",
      ])
    #expect(try journal.openIntents().isEmpty)
  }

  @Test func version2IsReadAsItIs() throws {
    try bringToVersion2()
    let before = try bench.folder.contents()
    let journal = Journal(path: path, clock: { Demo.now })
    try checkVersion2(journal)
    journal.close()
    #expect(try bench.folder.contents() == before)
  }

  /// A write of thousands of records is read record by record.
  @Test(arguments: [KeptIntent.record, KeptIntent.marks])
  func version2IsReadWithoutLookingAtAllOfItForEachRecord(sql: String) throws {
    try bringToVersion2()
    let plan: [String] = try Journal(path: path, clock: { Demo.now }).read(or: []) { db in
      var plan: [String] = []
      try db.forEachRow("EXPLAIN QUERY PLAN \(sql)", [.integer(2), .text("2:reminders")]) {
        plan.append($0.text(3))
      }
      return plan
    }
    #expect(!plan.isEmpty && !plan.contains { $0.hasPrefix("SCAN") }, "\(plan)")
  }

  @Test func version2IsBroughtUpByTheFirstThingWritten() throws {
    try bringToVersion2()
    let reading = Journal(path: path, clock: { Demo.now })
    try checkVersion2(reading)
    let journal = Journal(path: path, clock: { Demo.now })
    try journal.write { _ in }
    #expect(try journal.read(or: 0) { try JournalSchema.found(in: $0) } == JournalSchema.version)
    try checkVersion2(journal)
    // Whoever had it open for reading goes on.
    try checkVersion2(reading)
  }

  /// A change that cannot be read is told when somebody needs it, and keeps nobody from the others.
  @Test(arguments: [
    "{\"a", "[]", #"{"title":{"opaque":"00","kind":"x"}}"#, #"{"title":{"sha256":"00"}}"#, "7",
    #"{"title":{"sha256":"\#(String(repeating: "00", count: 32))","bytes":9223372036854775807}}"#,
  ])
  func whatCannotBeReadIsToldAndNothingElseSuffers(before: String) throws {
    try bringToVersion2()
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.run("UPDATE changes SET before = ? WHERE intent = 2 AND ordinal = 0", [.text(before)])
    }
    try queue.close()
    let record = Intent.Record(id: "2:reminders", title: "Bread")
    let journal = Journal(path: path, clock: { Demo.now })
    let reading = #expect(throws: Refusal.self) { try journal.changes(of: record, in: 2) }
    try journal.write { _ in }
    let refusal = #expect(throws: Refusal.self) { try journal.changes(of: record, in: 2) }
    for words in [reading, refusal].compactMap({ $0?.reason }) {
      #expect(words.contains(path) && words.contains("backup"), "\(words)")
    }
    let others = try journal.changes(of: Intent.Record(id: Demo.reminder(101), title: "Feed the cat"), in: 1)
    #expect(others.changes.map(\.after) == [["title": .text("Feed the cat")]])
  }

  @Test func itIsReadAsItIs() throws {
    let before = try bench.folder.contents()
    let journal = Journal(path: path, clock: { Demo.now })
    #expect(try journal.decisions(for: ["1:reminders"]) == [decision])
    #expect(try journal.entries(limit: 5).map(\.note) == ["ticket 7", "why not"])
    #expect(try journal.waitingImports().isEmpty)
    #expect(try journal.newestImport(of: "1:reminders") == nil)
    journal.close()
    #expect(try summaries(of: try bench.open(.reading)).isEmpty)
    #expect(try bench.folder.contents() == before)
  }

  @Test func theFirstThingWrittenBringsItUpAndLosesNothing() throws {
    let store = try bench.open()
    let file = try bench.file(ImportBench.json(ImportBench.milk))
    #expect(try store.importRecords(from: [file], isRehearsal: false).new == 1)
    #expect(try store.log.read(or: 0) { try JournalSchema.found(in: $0) } == JournalSchema.version)
    #expect(try store.journal.decisions(for: ["1:reminders"]) == [decision])
    #expect(try store.journal.entries(limit: 5).map(\.note) == [nil, "ticket 7", "why not"])
    let write = try #require(try store.log.newestWrite(before: 2)?.intent)
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
    #expect(tables[0] == tables[1] && tables[0].contains("kept.payload BLOB"), "\(tables)")
  }
}
