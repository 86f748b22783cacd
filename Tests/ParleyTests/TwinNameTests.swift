import ExactJSON
import Foundation
import GRDB
import Testing

@testable import parley

/// Two documents whose ids differ in their Unicode normal form alone, and what is typed in either form.
@Suite struct TwinNameTests {
  private static let names = ["caf\u{E9}", "cafe\u{301}"]

  /// - Parameter twins: the ids that two documents of the sample have.
  private func withTwins(_ twins: [String], _ body: (String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      let database = try SampleStores.make(.cloudant, in: path)
      try DatabaseQueue(path: database).write { db in
        for (old, new) in zip(["book-emma", "book-persuasion"], twins) {
          try db.execute(sql: "UPDATE docs SET docid = ? WHERE docid = ?", arguments: [new, old])
        }
      }
      try body(path)
    }
  }

  private func ids(_ path: String) throws -> Set<JSONText> {
    Set(
      try Live.run("list", path, "--json").objects().compactMap { ($0["id"] as? String).map { JSONText($0) } }
    )
  }

  @Test func bothAreDecidedWrittenAndTakenBackAlone() throws {
    try withTwins(Self.names) { path in
      let before = try ids(path)
      for name in Self.names {
        #expect(before.contains(JSONText(name)))
        #expect(Live.run("resolve", path, name, "--accept", "all").status == .nothingLeft)
        #expect(
          try Live.run("list", path, "--json").objects().count { $0["state"] as? String == "ready" } == 1)
        #expect(Live.run("write", path, "--yes").status == .left)
        #expect(try ids(path) == before.subtracting([JSONText(name)]))
        #expect(Live.run("undo", path, name, "--yes").status == .nothingLeft)
        #expect(try ids(path) == before)
        #expect(Live.run("resolve", path, name, "--forget").errors.isEmpty)
      }
    }
  }

  @Test func whatIsExportedOfBothIsAppliedToBoth() throws {
    try withTwins(Self.names) { path in
      for name in Self.names { Live.run("resolve", path, name, "--accept", "all") }
      let exported = Live.run("resolve", path, "--export").output
      for name in Self.names { Live.run("resolve", path, name, "--forget") }
      try write(exported, to: path + ".json")
      let applied = Live.run("apply", path, path + ".json")
      #expect(!applied.output.contains("refused"), "\(applied)")
      #expect(try Live.run("list", path, "--json").objects().count { $0["state"] as? String == "ready" } == 2)
    }
  }

  @Test func theWriteOfTheOneIsNotThatOfTheOther() throws {
    try withTwins(Self.names) { path in
      Live.run("resolve", path, Self.names[0], "--accept", "all")
      Live.run("write", path, "--yes")
      let undo = Live.run("undo", path, Self.names[1], "--yes")
      #expect(undo.status != .nothingLeft && !undo.output.contains("undone"), "\(undo)")
    }
  }

  /// As `resolve` and `write` find it.
  @Test(arguments: [0, 1]) func theOneThatIsMeantIsFoundInEitherForm(index: Int) throws {
    let (name, typed) = (Self.names[index], Self.names[1 - index])
    try withTwins([name]) { path in
      #expect(Live.run("resolve", path, typed, "--accept", "all").status == .nothingLeft)
      #expect(Live.run("write", path, typed, "--yes").status == .nothingLeft)
      let log = Live.run("log", path, typed)
      #expect(log.output.contains("written"), "\(log)")
      let undo = Live.run("undo", path, typed, "--yes")
      #expect(undo.status == .nothingLeft, "\(undo)")
    }
  }
}
