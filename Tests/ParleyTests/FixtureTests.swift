import Foundation
import Testing

@testable import parley

/// The reference files beside the project, or where PARLEY_SHARED says.
private enum Shared {
  static var sqliteData: String? {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let shared =
      ProcessInfo.processInfo.environment["PARLEY_SHARED"] ?? root.appendingPathComponent("../shared").path
    let folder = shared + "/fixtures/sqlitedata"
    return FileManager.default.fileExists(atPath: folder + "/Reminders.sqlite") ? folder : nil
  }
}

@Suite(
  "A real store, from list to undo",
  .enabled(if: Shared.sqliteData != nil, "../shared/fixtures is not here; PARLEY_SHARED says where it is"))
struct FixtureTests {
  /// A copy of the store for the length of `body`, which gets the path of its app database.
  private func withStore(_ body: (String) throws -> Void) throws {
    let source = try #require(Shared.sqliteData)
    try withTemporaryFolder { folder in
      for name in try FileManager.default.contentsOfDirectory(atPath: source) where name.hasSuffix(".sqlite")
      {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: source + "/" + name))
        try bytes.write(to: URL(fileURLWithPath: folder + "/" + name))
      }
      try body(folder + "/Reminders.sqlite")
    }
  }

  /// Names and bytes of everything beside the database.
  private func contents(beside path: String) throws -> [String: Data] {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) })
  }

  private func objects(_ result: Binary.Result) throws -> [[String: Any]] {
    try Run(status: .left, output: result.output, errors: "").objects()
  }

  @Test("list, show and log end with their status and leave every byte as it was")
  func reading() throws {
    try withStore { path in
      let before = try contents(beside: path)
      let list = try Binary.run("list", path, "--json")
      let show = try Binary.run("show", path, "--json")
      #expect(list.status == 1)
      #expect(show.status == 1)
      #expect(try objects(list).map { $0["id"] as? String } == objects(show).map { $0["id"] as? String })
      #expect(try objects(list).count == 19)
      #expect(try Binary.run("log", path).output.isEmpty)
      #expect(try contents(beside: path) == before)
    }
  }

  @Test("what is accepted is written, told by the log, and taken back")
  func writing() throws {
    try withStore { path in
      let before = try Binary.run("list", path, "--json").output
      #expect(try Binary.run("resolve", path, "--accept", "clock", "--note", "ticket 7").status == 1)
      let ready = try objects(Binary.run("list", path, "--json")).filter { $0["state"] as? String == "ready" }
      #expect(!ready.isEmpty)

      let rehearsal = try Binary.run("write", path, "--dry-run", "--json")
      #expect(try objects(rehearsal).map { $0["outcome"] as? String } == ready.map { _ in "wouldWrite" })
      #expect(try Binary.run("write", path).status == 2)

      let write = try Binary.run("write", path, "--yes", "--json", "--note", "done")
      #expect(write.status == 1)
      #expect(try objects(write).map { $0["id"] as? String } == ready.map { $0["id"] as? String })
      #expect(try objects(Binary.run("list", path, "--json")).count == 19 - ready.count)

      let log = try objects(Binary.run("log", path, "--json"))
      #expect(
        log.count(where: { $0["kind"] as? String == "write" && $0["note"] as? String == "done" })
          == ready.count)
      #expect(log.last?["note"] as? String == "ticket 7")

      #expect(try Binary.run("undo", path, "--yes").status == 0)
      let after = try Binary.run("list", path, "--json").output
      #expect(try objects(Binary.run("list", path, "--json")).count == 19)
      #expect(after != before, "the decisions stay")
      #expect(try Binary.run("undo", path, "--yes").status == 5)
    }
  }

  @Test("a record is named until it is written, and then no longer")
  func named() throws {
    try withStore { path in
      let id = try #require(try objects(Binary.run("list", path, "--json")).last?["id"] as? String)
      #expect(try Binary.run("resolve", path, id, "--accept", "all").status == 0)
      #expect(try Binary.run("show", path, id).status == 0)
      #expect(try Binary.run("write", path, id, "--yes").status == 0)
      #expect(try Binary.run("show", path, id).status == 2)
    }
  }
}
