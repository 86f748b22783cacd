import Merging
import Synchronization
import Testing

@testable import BenchmarkStores
@testable import Journals
@testable import RowJournals
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// The journal keeps what changes, once, as bytes.
struct JournalSizeTests {
  /// What a write changes: rows as they were and as they became, in those columns that differ, and the names of their rows.
  private static func weight(_ changes: [StoredChange]) -> Int {
    changes.reduce(0) { sum, change in
      let names = change.drafted + change.reversed.drafted
      let rows = [change.before ?? [:], change.after ?? [:]].map { row in
        row.filter { names.contains($0.key) }
      }
      return ([change.key] + rows).reduce(sum) { $0 + $1.values.reduce(0) { $0 + $1.weight } }
    }
  }

  private static func size(_ path: String) -> Int {
    ["", "-wal"].reduce(0) { $0 + Int(FileStatus(path: path + $1)?.size ?? 0) }
  }

  @Test func aWrittenRecordCostsAtMostThreeTimesWhatChanges() throws {
    let folder = try TestFolder()
    let path = try LargeStore.make(in: folder.path, records: 400, conflicts: 400)
    let store = try SQLiteDataStore.open(path: path, access: .writing)
    let planned = try summaries(of: store, limit: 500).compactMap { try plan($0.id, in: store) }
    #expect(try store.write(planned, note: nil).allSatisfy { $0.outcome == .fine })
    let intent = try #require(try store.log.newestWrite()?.intent)
    let changed = try intent.records.reduce(0) {
      $0 + JournalSizeTests.weight(try store.log.changes(of: $1, in: intent.id).changes)
    }
    store.log.close()
    let written = JournalSizeTests.size(store.log.path)
    #expect(try store.undoLastWrite().count == 400)
    store.log.close()
    let undone = JournalSizeTests.size(store.log.path)
    #expect(
      written <= 3 * changed && undone <= 4 * changed,
      "of a record \(changed / 400) bytes change; the journal has \(written / 400), after undo \(undone / 400)"
    )
  }
}

extension JournalSizeTests {
  /// For an undo all of a write would be in memory at once.
  @Test func whichWayAWriteWentIsToldByItsFirstRecord() throws {
    let folder = try TestFolder()
    let store = try SQLiteDataStore.open(
      path: LargeStore.make(in: folder.path, records: 5, conflicts: 5), access: .writing)
    let planned = try summaries(of: store, limit: 9).compactMap { try plan($0.id, in: store) }
    #expect(try store.write(planned, note: nil).map(\.outcome) == Array(repeating: .fine, count: 5))
    let intent = try #require(try store.log.newestWrite()?.intent)
    let read = Mutex(0)
    try store.log.write { db in
      db.trace { event in if "\(event)".contains("payload") { read.withLock { $0 += 1 } } }
    }
    #expect(try store.route(of: intent) == .direct)
    #expect(read.withLock(\.self) == 1)
  }
}

extension Value {
  fileprivate var weight: Int {
    switch self {
    case .null: 1
    case .integer, .real: 8
    case .text(let text): text.utf8.count
    case .blob(let blob): blob.count ?? 32
    case .opaque(_, let bytes): bytes.count
    }
  }
}
