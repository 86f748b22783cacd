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

/// Findings of two such documents.
extension TwinNameTests {
  /// - Parameter twins: documents of which an edit won over a deletion.
  private func withFindings(of twins: [String], _ body: (String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let database = try SampleStores.make(.android, in: folder + "/demo")
      try DatabaseQueue(path: database).write { db in for name in twins { try insert(name, in: db) } }
      try body(database)
    }
  }

  private func insert(_ name: String, in db: Database) throws {
    try db.execute(sql: "INSERT INTO docs (docid) VALUES (?)", arguments: [name])
    let document = db.lastInsertedRowID
    var parent: Int64?
    for (revision, isCurrent, isDeleted) in [("1-a", 0, 0), ("2-b", 1, 0), ("2-c", 0, 1)] {
      try db.execute(
        sql: """
          INSERT INTO revs (doc_id, parent, revid, current, deleted, json)
          VALUES (?, ?, ?, ?, ?, CAST('{"v":1}' AS BLOB))
          """, arguments: [document, parent, revision, isCurrent, isDeleted])
      parent = parent ?? db.lastInsertedRowID
    }
  }

  private static func id(_ name: String) -> String { "deletion-lost:" + name }

  private func findings(_ arguments: String...) throws -> [JSONText] {
    try Live.run(["doctor"] + arguments + ["--json"]).objects().compactMap { $0["finding"] as? String }
      .map { JSONText($0) }
  }

  @Test func eachIsFoundByItsIdAndByTheNameOfItsRecord() throws {
    try withFindings(of: Self.names) { path in
      for name in Self.names {
        let id = Self.id(name)
        for typed in [id, name] {
          let found = try findings(path, typed)
          #expect(found == [JSONText(id)])
        }
      }
    }
  }

  @Test func ofTwoThatAreNamedTogetherBothAreMended() throws {
    try withFindings(of: Self.names) { path in
      let ids = Self.names.map(Self.id)
      let found = try findings(path, ids[0], ids[1])
      #expect(found == ids.map { JSONText($0) })
      let mended = Live.run("doctor", path, ids[0], ids[1], "--mend", "--yes")
      #expect(mended.status == .nothingLeft)
      #expect(mended.lines.count { $0.hasPrefix("mended: ") } == 2)
      let left = try Set(findings(path))
      #expect(left.isDisjoint(with: ids.map { JSONText($0) }))
    }
  }

  /// Whose name nothing else has is meant in either form.
  @Test(arguments: [0, 1]) func anOnlyOneIsFoundInEitherForm(index: Int) throws {
    let (name, other) = (Self.names[index], Self.names[1 - index])
    try withFindings(of: [name]) { path in
      for typed in [Self.id(other), other] {
        let found = try findings(path, typed)
        #expect(found == [JSONText(Self.id(name))])
      }
    }
  }
}
