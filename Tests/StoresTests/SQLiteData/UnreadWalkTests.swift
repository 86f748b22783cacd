import Merging
import Testing

@testable import SQLiteDataStores
@testable import StoreInterface

/// Which records a walk leaves to a write that will read them.
struct UnreadWalkTests {
  private let bench: ImportBench

  init() throws { bench = try ImportBench(inbox: .kept) }

  /// - Returns: the names of those that were read, and of those that were not.
  private func walk(
    _ store: SQLiteDataStore, limit: Int = 7, unread: (String) -> Bool = { _ in true }
  ) throws -> (read: [String], unread: [String]) {
    let walk = store.conflicts()
    var names: (read: [String], unread: [String]) = ([], [])
    while let page = try walk.nextMet(limit: limit, of: store, unread: { RecordNames($0.filter(unread)) }) {
      for met in page {
        switch met {
        case .conflict(let conflict): names.read.append(conflict.id)
        case .unread(let id): names.unread.append(id)
        }
      }
    }
    return names
  }

  @Test func allAreMetOnceInTheirOrder() throws {
    let store = try bench.open()
    let all = try summaries(of: store).map(\.id)
    // It came in more than once.
    let first = try walk(store)
    #expect(first.read == [ImportBench.dentist])
    #expect(first.unread.filter(all.contains) == all.filter { $0 != ImportBench.dentist })
    // Of what came in some is no conflict: a write will see.
    #expect(first.unread.count == all.count)
    #expect(try walk(store) { _ in false } == (all, []))
    let (read, unread) = try walk(store) { $0 != ImportBench.milk && $0 != ImportBench.bread }
    #expect(read == [ImportBench.dentist, ImportBench.milk, ImportBench.bread])
    #expect(unread.filter(all.contains) == all.filter { !read.contains($0) })
  }

  @Test func whatOtherRowsMayBeAboutIsRead() throws {
    try bench.files.run(
      """
      INSERT INTO parley_inbox (recordName, zoneName, ownerName, recordType, receivedAt, path, serverRecord)
      SELECT recordName, zoneName, ownerName, recordType, receivedAt, path, serverRecord FROM parley_inbox
      WHERE recordName = '\(ImportBench.milk)'
      """)
    #expect(try Set(walk(bench.open()).read) == [ImportBench.dentist, ImportBench.milk])
  }

  @Test func whereNoIndexFindsTheRowsOfARecordAllAreRead() throws {
    try bench.files.run("DROP INDEX parley_inbox_recordName")
    let store = try bench.open()
    #expect(try walk(store) == (summaries(of: store).map(\.id), []))
  }

  /// The app got its inbox later.
  @Test func besideAnImportOfTheJournalAllAreRead() throws {
    let other = try ImportBench(inbox: .none)
    let bread = try other.archive(ImportBench.bread) { $0.changeTag = "later" }
    #expect(try other.open().importRecords(from: [other.file(bread)], isRehearsal: false).new == 1)
    try other.files.run(ParleyTables.inbox)
    try other.files.run(ParleyTables.inboxIndex)
    #expect(try walk(other.open()) == ([ImportBench.bread], []))
  }

  @Test func throughTheOutboxAllAreReadBeforeTheAppWouldWait() throws {
    try bench.files.run(ParleyTables.outbox)
    let store = try bench.open()
    #expect(try walk(store) == (summaries(of: store).map(\.id), []))
    let direct = try SQLiteDataStore.open(path: bench.path, access: .writing, route: .direct)
    #expect(try walk(direct).read == [ImportBench.dentist])
  }
}
