import GRDB
import Merging
import Testing

@testable import Journals
@testable import RowJournals
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// Journals of every version before this one: what is in them is told, taken back and finished as if it were of today.
@Suite struct JournalLadderTests {
  let bench: ImportBench
  var path: String { bench.folder.path("Reminders.parley.sqlite") }

  init() throws { bench = try ImportBench(inbox: .kept) }

  /// Decided, written, taken back and written again.
  private func work(_ id: String) throws {
    let store = try bench.open()
    let conflict = try store.conflict(id)
    try store.journal.append([
      Decision(
        id: id, subject: .record, choice: .take(.client),
        fingerprint: conflict.fingerprint(of: .record), decidedAt: Demo.now, note: "ticket 7")
    ])
    for _ in 1...2 {
      let planned = try #require(try plan(id, in: store))
      #expect(try store.write([planned], note: "why").map(\.outcome) == [.fine])
      if try store.journal.entries(limit: 9).allSatisfy({ $0.kind != .undo }) {
        _ = try store.undoLastWrite()
      }
    }
    store.log.close()
  }

  private func entries(_ access: SQLiteDataStore.Access) throws -> [JournalEntry] {
    let store = try bench.open(access)
    defer { store.log.close() }
    return try store.journal.entries(limit: 99)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8]) func whatWasWrittenIsToldAndTakenBack(version: Int) throws {
    let before = try bench.files.dump()
    try work(Demo.reminder(12))
    let (told, last) = (try entries(.reading), try bench.open(.reading).lastWrite())
    try OldJournal.make(path, version: version)
    let files = try bench.folder.contents()
    #expect(try entries(.reading) == told && told.count == 4)
    #expect(try bench.open(.reading).lastWrite() == last)
    #expect(try bench.folder.contents() == files)
    #expect(try bench.open().undoLastWrite().map(\.outcome) == [.fine])
    #expect(try bench.files.dump() == before)
    #expect(try entries(.writing).dropFirst().map(\.text) == told.map(\.text))
  }

  @Test(arguments: [1, 2, 3]) func whatWasInterruptedIsFinished(version: Int) throws {
    try work(Demo.reminder(12))
    let written = try bench.files.dump()
    let queue = try DatabaseQueue(path: path)
    try queue.write {
      try $0.execute(sql: "DELETE FROM receipts WHERE intent = (SELECT max(id) FROM intents)")
    }
    try queue.close()
    try OldJournal.make(path, version: version)
    #expect(try bench.open(.reading).interruptedWrites().flatMap(\.records).map(\.state) == [.complete])
    #expect(try entries(.writing).map(\.kind) == [.interrupted, .undo, .write, .decision])
    #expect(try bench.files.dump() == written)
    #expect(try bench.open().undoLastWrite().map(\.outcome) == [.fine])
  }

  /// One import waits, one is settled by a write, and one was taken out again. Version 1 has none of them.
  @Test func whatWasImportedIsWhereItWas() throws {
    let bench = try ImportBench(inbox: .none)
    let path = bench.folder.path("Reminders.parley.sqlite")
    let store = try bench.open()
    for id in [ImportBench.milk, ImportBench.bread, ImportBench.dentist] {
      let file = try bench.file(ImportBench.json(id))
      #expect(try store.importRecords(from: [file], isRehearsal: false).new == 1)
    }
    _ = try store.undoLastWrite()
    let planned = try #require(try plan(ImportBench.milk, in: store))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    let told = try store.journal.entries(limit: 9).map(\.text)
    store.log.close()
    try OldJournal.make(path, version: 3)
    let later = try bench.open(.reading)
    #expect(try later.journal.entries(limit: 9).map(\.text) == told)
    #expect(try summaries(of: later).map(\.id) == [ImportBench.bread])
    later.log.close()
    let next = try bench.open()
    #expect(try next.undoLastWrite().map(\.id) == [ImportBench.milk])
    #expect(try Set(summaries(of: next).map(\.id)) == [ImportBench.milk, ImportBench.bread])
    #expect(try next.undo(.record(ImportBench.bread)).map(\.outcome) == [.fine])
    #expect(try summaries(of: next).map(\.id) == [ImportBench.milk])
  }

  /// Each step makes the tables of the next version, and nothing else.
  @Test(arguments: [1, 2]) func aStepLeadsToTheNextVersion(version: Int) throws {
    let columns = """
      SELECT group_concat(name, ' ') FROM (
        SELECT tables.name || '.' || columns.name || ':' || columns.type AS name FROM sqlite_master AS tables,
          pragma_table_info(tables.name) AS columns WHERE tables.type = 'table' ORDER BY 1)
      """
    func tables(_ sql: String, _ step: JournalStep? = nil) throws -> String? {
      let queue = try DatabaseQueue()
      return try queue.write { db in
        try db.execute(sql: sql)
        try step?(db) { _, _ in }
        return try db.firstRow(columns) { $0.text(0) }
      }
    }
    let next = try tables(OldJournal.tables(version + 1))
    #expect(try tables(OldJournal.tables(version), OldJournals.ladder[version - 1]) == next)
  }
}

extension JournalLadderTests {
  /// Older journals knew no alternatives, and were made so that they take none.
  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8]) func anAlternativeIsDecidedInAJournalOfAnyVersion(version: Int)
    throws
  {
    try work(Demo.reminder(12))
    if version < JournalSchema.version { try OldJournal.make(path, version: version) }
    let store = try bench.open()
    _ = try store.undoLastWrite()
    let conflict = try store.conflict(Demo.reminder(12))
    try store.journal.append(
      conflict.decisions(
        about: [.record], in: Resolution(choices: [.record: .alternative("delete")]), at: Demo.now))
    let kept = try bench.open(.reading).journal.decisions(for: [conflict.id])
    #expect(conflict.resolution(from: kept)[.record] == .alternative("delete"))
    #expect(try store.journal.entries(limit: 9).count { $0.kind == .decision } == 2, "and the one of before")
  }
}
