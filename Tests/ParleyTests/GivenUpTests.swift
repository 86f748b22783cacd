import Foundation
import Testing

@testable import parley

/// `parley log --given-up`: what was decided against a side can be found again.
@Suite("log --given-up") struct GivenUpTests {
  @Test("tells decision and write with the value, until the write is taken back and the decision forgotten")
  func given() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      func given(_ side: String, _ options: String...) throws -> [[String: Any]] {
        try Live.run(["log", path, "--given-up", side, "--json"] + options).objects()
      }
      #expect(try given("any").isEmpty)
      Live.run("resolve", path, "Groceries", "--set", "color=server")
      Live.run("resolve", path, "Groceries", "--accept", "sure")
      let decided = try given("client")
      let edit = try #require((decided.first?["givenUp"] as? [[String: Any]])?.first)
      #expect(decided.count == 1 && decided[0]["kind"] as? String == "decision")
      #expect(edit["field"] as? String == "color" && edit["side"] as? String == "client")
      #expect(edit["kept"] as? Bool == true && edit["value"] is Int)
      #expect(try given("server").isEmpty)
      let value = "\(edit["value"] ?? "")"
      let words = Live.run("log", path, "--given-up", "any").output
      #expect(words.contains("given up: color of the client: \(value)"))
      #expect(words.contains("Groceries: color: take server"), "\(words)")
      #expect(Live.run("log", path, "Groceries").output.contains("given up: color of the client"))
      #expect(Live.run("write", path, "Groceries", "--yes").status != .usage)
      #expect(try given("client").map { $0["kind"] as? String } == ["write", "decision"])
      Live.run("undo", path, "--yes")
      #expect(try given("client").map { $0["kind"] as? String } == ["decision"])
      Live.run("resolve", path, "Groceries", "--forget")
      #expect(try given("any").isEmpty)
      #expect(Live.run("log", path, "--given-up", "nobody").status == .usage)
    }
  }

  @Test("with --redact without any value, title, key or note, and with the names that apply takes")
  func redacted() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      Live.run("resolve", path, "--accept", "all", "--note", "as Ms. Zebra said")
      Live.run("resolve", path, "Groceries", "--set", "title=Typed by me")
      Live.run("write", path, "Groceries", "--yes")
      let names = Set(
        try Live.run("list", path, "--redact", "--json").objects().compactMap { $0["id"] as? String })
      for options in [["--given-up", "any"], []] {
        let lines = Live.run(["log", path, "--redact", "--json"] + options)
        for value in ["Groceries", "Typed", "Zebra", "5eed0000", "campsite", "Invoice", "umbrella"] {
          #expect(!lines.output.contains(value), "\(value)")
          #expect(!Live.run(["log", path, "--redact"] + options).output.contains(value), "\(value)")
        }
        let records = Set(try lines.objects().compactMap { $0["record"] as? String })
        #expect(!records.isEmpty && records.subtracting(names).count <= 1)
      }
    }
  }
}
