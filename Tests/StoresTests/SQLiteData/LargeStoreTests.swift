import Merging
import Telling
import Testing

@testable import BenchmarkStores
@testable import SQLiteDataStores

struct LargeStoreTests {
  @Test func itsConflictsAreRealOnes() throws {
    let folder = try TestFolder()
    let path = try LargeStore.make(in: folder.path, records: 300, conflicts: 120)
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
    let (few, many) = (store.conflicts(), store.conflicts())
    #expect(try few.next(limit: 10)?.summaries.count == 10)
    #expect(try many.next(limit: 100)?.summaries.count == 100)
    // A key is no more than eight bytes.
    #expect(many.position.bytes.count < few.position.bytes.count + 40)
  }
}
