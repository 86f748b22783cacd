import Foundation
import Testing

@testable import parley

/// A parent is decided with its children.
@Suite("resolve --family") struct FamilyTests {
  @Test("decides the record, its parents and all children in conflict, and tells why each belongs")
  func family() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let rehearse = ["--accept", "all", "--dry-run", "--json"]
      let alone = try Live.run(["resolve", path, "Groceries"] + rehearse).objects()
      let run = Live.run(["resolve", path, "Groceries", "--family"] + rehearse)
      let ids = try run.objects().compactMap { $0["id"] as? String }
      #expect(alone.count == 1 && ids.count > 2 && Set(ids).count == ids.count)
      #expect(ids.first?.hasSuffix(":remindersLists") == true)
      let words = Live.run("resolve", path, "Groceries", "--family", "--accept", "all").output
      #expect(words.contains("its remindersListID points to Groceries"), "\(words)")
      let child = try #require(ids.last { $0.hasSuffix(":reminders") })
      let ofChild = Live.run(["resolve", path, child, "--family"] + rehearse)
      #expect(try Set(ofChild.objects().compactMap { $0["id"] as? String }) == Set(ids))
      #expect(Live.run("resolve", path, "--family", "--accept", "all").status == .usage)
    }
  }
}
