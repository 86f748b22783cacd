import Foundation
import Testing

@testable import parley

@Suite("The sample store, from list to undo")
struct SampleStoreTests {
  private func withStore(_ body: (String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let demo = Live.run("demo", "--write", folder + "/demo")
      #expect(demo.status == .nothingLeft)
      try body(demo.output.trimmingCharacters(in: .newlines))
    }
  }

  private func states(_ path: String) throws -> [String] {
    try Live.run("list", path, "--json").objects().compactMap { $0["state"] as? String }
  }

  @Test("what is ready is written but for what the store refuses, by field, and all of it is taken back")
  func cycle() throws {
    try withStore { path in
      let count = try states(path).count
      #expect(Live.run("resolve", path, "--accept", "all").status == .left)
      let ready = try states(path).count { $0 == "ready" }
      // This one would point to a list that is not here.
      #expect(Live.run("resolve", path, "000000000035", "--set", "record=accept").status == .refused)

      let write = Live.run("write", path, "--yes", "--json")
      let outcomes = try write.objects()
      #expect(write.status == .refused)
      let refused = outcomes.filter { $0["outcome"] as? String == "refused" }
      #expect(refused.map { $0["field"] as? String } == ["remindersListID"])
      #expect(outcomes.count == ready + 1)
      #expect(try states(path).count == count - ready)

      #expect(try Live.run("undo", path, "--yes", "--json").objects().count == ready)
      #expect(try states(path).count == count)
      // What was refused is still so, until something else is decided about it.
      #expect(try states(path).count { $0 == "ready" } == ready)
      #expect(try states(path).count { $0 == "refused" } == refused.count)
    }
  }

  @Test("a note on a decision is told by the log")
  func note() throws {
    try withStore { path in
      let id = try #require(try Live.run("list", path, "--json").objects().last?["id"] as? String)
      #expect(Live.run("resolve", path, id, "--accept", "all", "--note", "ticket 7").status == .nothingLeft)
      #expect(try Live.run("log", path, "--json").objects().map { $0["note"] as? String } == ["ticket 7"])
    }
  }
}
