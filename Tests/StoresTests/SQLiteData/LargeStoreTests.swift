import GRDB
import GRDBSQLite
import Merging
import Telling
import Testing

@testable import BenchmarkStores
@testable import SQLiteDataStores

struct LargeStoreTests {
  @Test(arguments: [false, true]) func itsConflictsAreRealOnes(isCaptured: Bool) throws {
    let folder = try TestFolder()
    let path = try LargeStore.make(
      in: folder.path, records: 300, conflicts: 120, isCaptured: isCaptured)
    let store = try SQLiteDataStore.open(path: path)
    let all = try summaries(of: store, limit: 50)
    #expect(all.count == 120)
    #expect(Set(all.map { Privacy.open.why($0.why) }) == ["priority: server newer by 59m 00s"])
    #expect(all.first?.title == "Reminder 000000000119")
    #expect(try store.conflict("\(Demo.key(7)):reminders")["notes"]?.change == .onlyServer)
    #expect(try findings(of: store, limit: 100).isEmpty)
    #expect(try LargeStore.timeToFirstPage(path: path, limit: 10).summaries == 10)
    #expect(try LargeStore.timeToWalk(path: path).summaries == 120)
  }

  /// Of many, names would be most of what a walk takes.
  @Test func aWalkRemembersNoRecordThatCameInOnce() throws {
    let folder = try TestFolder()
    let path = try LargeStore.make(in: folder.path, records: 120, conflicts: 120)
    let store = try SQLiteDataStore.open(path: path)
    let (few, many) = (InboxWalk(store: store), InboxWalk(store: store))
    #expect(try few.next(limit: 10)?.summaries.count == 10)
    #expect(try many.next(limit: 100)?.summaries.count == 100)
    // A key and a count may have more digits; a name is longer than that.
    let lengths = [few, many].map { walk in walk.reached.withLock { "\($0)".count } }
    #expect(lengths[1] < lengths[0] + 40)
  }

  private static let page = 100

  /// What is asked about all records of a store, page by page.
  enum Asked: CaseIterable { case list, conflicts, records, findings }

  private func ask(_ asked: Asked, _ store: SQLiteDataStore) throws {
    let walk = store.conflicts()
    switch asked {
    case .list: _ = try summaries(of: store, limit: Self.page)
    case .conflicts: while try walk.nextConflicts(limit: Self.page, of: store) != nil {}
    case .records:
      while let page = try walk.next(limit: Self.page) { _ = try store.conflicts(page.summaries.map(\.id)) }
    case .findings: _ = try findings(of: store, limit: Self.page)
    }
  }

  /// An inbox that an app made by hand. What no index finds is read through once for a page, and never for each of its records: of forty
  /// thousand that would be a thousand million rows. So four times the records take some four times the steps, and not sixteen times.
  @Test(arguments: Asked.allCases, [false, true])
  func anInboxWithoutAnIndexIsNotReadThroughForEachRecord(asked: Asked, isCaptured: Bool) throws {
    let few = try steps(asked, of: Self.page, isCaptured)
    let many = try steps(asked, of: 4 * Self.page, isCaptured)
    #expect(many < 6 * few, "\(few) and \(many) steps")
  }

  private func steps(_ asked: Asked, of records: Int, _ isCaptured: Bool) throws -> Int {
    let folder = try TestFolder()
    let path = try LargeStore.make(
      in: folder.path, records: records, conflicts: records, isIndexed: false, isCaptured: isCaptured)
    let store = try SQLiteDataStore.open(path: path)
    return try Steps.count(in: store) { try ask(asked, store) }
  }
}

/// How many instructions of SQLite's machine the statements of a store's connection took, as it counts them. It counts the rows of scans,
/// too, but none of those that end or begin at a key.
private final class Steps {
  private var steps = 0

  static func count(in store: SQLiteDataStore, while body: () throws -> Void) throws -> Int {
    let steps = Steps()
    try steps.watch(store, true)
    try body()
    try steps.watch(store, false)
    return steps.steps
  }

  /// Each statement tells when it is over. The files do not change meanwhile, so that the store keeps its connection.
  private func watch(_ store: SQLiteDataStore, _ isOn: Bool) throws {
    try store.read { db in
      _ = sqlite3_trace_v2(
        db.sqliteConnection, isOn ? UInt32(SQLITE_TRACE_PROFILE) : 0,
        isOn
          ? { _, counter, statement, _ in
            guard let counter, let statement else { return 0 }
            let steps = Unmanaged<Steps>.fromOpaque(counter).takeUnretainedValue()
            steps.steps += Int(
              sqlite3_stmt_status(OpaquePointer(statement), SQLITE_STMTSTATUS_VM_STEP, 1))
            return 0
          } : nil, Unmanaged.passUnretained(self).toOpaque())
    }
  }
}
