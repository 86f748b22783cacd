import Merging
import SQLiteDataStores
import StoreInterface
import Testing

@testable import parley

@Suite struct DraftTextTests {
  /// The engine has taken the server's meanwhile, so to keep what was there before is a change.
  @Test func whatIsThereIsWhatTheRowHasByNow() throws {
    try withTemporaryFolder { folder in
      let store = try SQLiteDataStore.open(path: SampleStores.make(in: folder + "/demo"))
      var conflict = try store.conflict("5eed0000-0000-4000-8000-000000000012:reminders")
      let kept = conflict["title"]?.client?.value ?? .null
      func lines(_ row: Value) -> [String] {
        conflict.details.mergedRow = ["title": row]
        let decided = DecidedConflict(conflict, conflict.taking(.client, in: Resolution()))
        return DraftText(decided: decided, record: "row").lines(width: nil)
      }
      #expect(
        lines(.text("Milk 3%")).contains("  title: Milk 3% → Milk 2%  (client)"), "\(lines(.text("Milk 3%")))"
      )
      #expect(!lines(kept).contains { $0.hasPrefix("  title:") }, "\(lines(kept))")
    }
  }
}
