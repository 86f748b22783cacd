import Foundation
import Testing

@testable import parley

@Suite("The sample store, from list to undo")
struct SampleStoreTests {
  private func withStore(_ body: (String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let demo = try Binary.run("demo", "--write", folder + "/demo")
      #expect(demo.status == 0)
      try body(demo.output.trimmingCharacters(in: .newlines))
    }
  }

  private func objects(_ result: Binary.Result) throws -> [[String: Any]] {
    try Run(status: .left, output: result.output, errors: "").objects()
  }

  private func states(_ path: String) throws -> [String] {
    try objects(Binary.run("list", path, "--json")).compactMap { $0["state"] as? String }
  }

  @Test("what is ready is written but for what the store refuses, by field, and all of it is taken back")
  func cycle() throws {
    try withStore { path in
      let count = try states(path).count
      #expect(try Binary.run("resolve", path, "--accept", "all").status == 1)
      let ready = try states(path).count { $0 == "ready" }

      let write = try Binary.run("write", path, "--yes", "--json")
      let outcomes = try objects(write)
      #expect(write.status == 5)
      let refused = outcomes.filter { $0["outcome"] as? String == "refused" }
      #expect(refused.map { $0["field"] as? String } == ["remindersListID"])
      #expect(outcomes.count == ready)
      #expect(try states(path).count == count - ready + refused.count)

      #expect(try objects(Binary.run("undo", path, "--yes", "--json")).count == ready - refused.count)
      #expect(try states(path).count == count)
      #expect(try states(path).count { $0 == "ready" } == ready)
    }
  }

  @Test("a note on a decision is told by the log")
  func note() throws {
    try withStore { path in
      let id = try #require(try objects(Binary.run("list", path, "--json")).last?["id"] as? String)
      #expect(try Binary.run("resolve", path, id, "--accept", "all", "--note", "ticket 7").status == 0)
      #expect(try objects(Binary.run("log", path, "--json")).map { $0["note"] as? String } == ["ticket 7"])
    }
  }
}
