import Testing

@testable import parley

@Suite("A value in the log")
struct LogValueTests {
  private static let dracula = "book-dracula"

  @Test(
    "is told as the draft told it, by the decision and by the write",
    arguments: [
      ("json:-0", "-0"), ("integer:9007199254740993", "9007199254740993"), ("json:[1,true]", "[1,true]"),
      ("null:", "∅"), ("json:", "(none)"), ("text:7", "\"7\""), ("real:7.5", "7.5"),
    ])
  func asInTheDraft(typed: String, text: String) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(.android, in: folder + "/demo")
      let decided = Live.run("resolve", path, Self.dracula, "--set", "stock=" + typed)
      #expect(decided.output.contains("  stock: 1 → \(text)  (edited)\n"), "\(decided)")
      #expect(Live.run("write", path, Self.dracula, "--yes").status == .nothingLeft)
      let log = Live.run("log", path, Self.dracula)
      #expect(log.lines.contains { $0.hasSuffix("  stock: 1 → \(text)") }, "\(log)")
      #expect(log.lines.contains { $0.hasSuffix(": stock: edited to \(text)") }, "\(log)")
      let undo = Live.run("undo", path, "--dry-run").output
      #expect(undo.contains("  stock: \(text) → 1\n"), "\(undo)")
    }
  }

  @Test("is no JSON that stands for it, where rules merged a part of a document; a report has hashes")
  func merged() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(.android, in: folder + "/demo")
      Live.run("resolve", path, "book-ulysses", "--accept", "sure")
      #expect(Live.run("write", path, "book-ulysses", "--yes").status == .nothingLeft)
      let merged = #"{"floor":2,"row":7,"side":"left"}"#
      let log = Live.run("log", path, "book-ulysses")
      let change = #"  shelf: {"floor":2,"row":4,"side":"left"} → \#(merged)"#
      #expect(log.lines.contains { $0.hasSuffix(change) }, "\(log)")
      #expect(log.lines.contains { $0.hasSuffix(": shelf: merged to \(merged)") }, "\(log)")
      #expect(!Live.run("log", path, "book-ulysses", "--redact").output.contains("floor"))
      let scripted = Live.run("log", path, "book-ulysses", "--json").output
      #expect(scripted.contains(#""before":{"json":"{\"floor\":2,\"row\":4,"#), "\(scripted)")
    }
  }

  @Test("is told to scripts as not there where a document lacks the key")
  func missing() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(.cloudant, in: folder + "/demo")
      Live.run("resolve", path, Self.dracula, "--set", "stock=json:")
      #expect(Live.run("write", path, Self.dracula, "--yes").status == .nothingLeft)
      let log = Live.run("log", path, Self.dracula, "--kind", "write", "--json").output
      #expect(log.contains(#"{"name":"stock","before":1,"after":{"missing":true}}"#), "\(log)")
    }
  }
}
