import Samples
import Testing

@testable import parley

/// A document may have a key without a letter, and another one that is called as such a key could be told.
@Suite("A key without a letter")
struct EmptyNameTests {
  /// One document, in conflict about each of these keys.
  ///
  /// - Parameter values: of the ancestor, and of both leaves.
  private func withDocument(
    _ keys: [String], _ values: [String] = ["a", "b", "c"], _ body: (_ path: String) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let bodies = values.map { value in
        "{" + keys.map { "\"\($0)\":\"\(value)\"" }.joined(separator: ",") + "}"
      }
      let builder = try DatastoreBuilder(folder: folder, name: "shop")
      try builder.add(
        "doc",
        [
          SampleRevision("a", bodies[0]), SampleRevision("b", on: "a", bodies[1]),
          SampleRevision("c", on: "a", bodies[2]),
        ])
      try builder.close()
      try body(folder + "/shop.touchdb")
    }
  }

  @Test("can be decided by its name, and is told so everywhere")
  func decided() throws {
    try withDocument(["", "(empty)"]) { path in
      let told = Live.run("resolve", path, "doc", "--set", "=server")
      #expect(told.status == .left && told.output.contains("\n  \"\": "), "\(told)")
      #expect(told.output.contains("undecided: (empty)\n"), "\(told)")
      let shown = Live.run("show", path, "doc").output
      #expect(shown.contains("✓ \"\": both changed\n"), "\(shown)")
      #expect(shown.contains("! (empty): both changed\n"), "\(shown)")
      let log = Live.run("log", path).output
      #expect(log.contains("\"\": server taken") && !log.contains(" : server"), "\(log)")
      let all = Live.run("resolve", path, "doc", "--set", "(empty)=client")
      #expect(all.status == .nothingLeft, "\(all)")
    }
  }

  @Test("is not taken for one of quotes alone")
  func quotes() throws {
    try withDocument(["", #"\"\""#]) { path in
      let shown = Live.run("show", path, "doc").output
      #expect(shown.contains("! \"\": both changed\n"), "\(shown)")
      #expect(shown.contains("! \"\"\"\": both changed\n"), "\(shown)")
    }
  }

  @Test("is offered in quotes, as zsh takes what begins with = for the path of a command")
  func offered() throws {
    try withDocument([""]) { path in
      let shown = Live.run("show", path, "doc").output
      let leaf = try #require(shown.firstMatch(of: /revision (2-[0-9a-f]+), the winner/)?.1)
      for (typed, told) in [
        ("=CLIENT", "For a side: --set '=client'. "), ("=null", "For NULL: --set '=null:'. "),
        ("=ours", "For a side: --set '=client', '=server' or '=ancestor'. "),
        ("=\(leaf)", "For the leaf's: --set '=leaf:\(leaf.prefix(8))'. "),
      ] {
        let run = Live.run("resolve", path, "doc", "--set", typed)
        #expect(run.status == .usage && run.errors.contains(told), "\(run)")
      }
    }
  }

  @Test("is heard without a screen")
  func heard() throws {
    try withDocument([""]) { path in
      let run = Live.run([path, "--plain"], input: "e seven\nw\nno\nD\nq\n").output
      #expect(run.contains("Field empty name \"\". Ancestor: a."), "\(run)")
      #expect(run.contains("Decided: empty name \"\", edited: seven."), "\(run)")
      #expect(run.contains(/\nempty name "": [bc] becomes seven  \(edited\)\./), "\(run)")
      // Before it is written, and among what was decided.
      #expect(run.split(separator: "\nGiven up: empty name \"\" of the server: ").count == 3, "\(run)")
    }
  }

  @Test("is heard where it is merged change by change")
  func merged() throws {
    try withDocument([""], ["See you on Monday", "See you on Friday", "See you on Sunday"]) { path in
      let run = Live.run([path, "--plain"], input: "m\nc\nyes\nq\n").output
      #expect(run.contains("\nempty name \"\" becomes: See you on "), "\(run)")
      #expect(run.contains("\nGiven up: empty name \"\" of the server: "), "\(run)")
      #expect(run.contains("Decided: empty name \"\", "), "\(run)")
    }
  }

  @Test("that no document has is told as such")
  func unknown() throws {
    try withDocument(["title"]) { path in
      let run = Live.run("resolve", path, "doc", "--set", "=server")
      #expect(run.status == .usage, "\(run)")
      #expect(run.errors.contains("doc has no field \"\". Its fields: title."), "\(run)")
    }
  }
}
