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

  @Test("list, show and log end with their status and leave every byte as it was")
  func reading() throws {
    try withStore { path in
      let before = try contents(beside: path)
      let list = Live.run("list", path, "--json")
      let show = Live.run("show", path, "--json")
      #expect(list.status == .left)
      #expect(show.status == .left)
      #expect(try list.objects().map { $0["id"] as? String } == show.objects().map { $0["id"] as? String })
      #expect(try list.objects().count == 19)
      #expect(Live.run("log", path).output == "Nothing was decided so far, and nothing written.\n")
      #expect(try contents(beside: path) == before)
    }
  }

  @Test("what is accepted is written, told by the log, and taken back")
  func writing() throws {
    try withStore { path in
      let before = Live.run("list", path, "--json").output
      #expect(Live.run("resolve", path, "--accept", "clock", "--note", "ticket 7").status == .left)
      let ready = try Live.run("list", path, "--json").objects().filter { $0["state"] as? String == "ready" }
      #expect(!ready.isEmpty)

      let rehearsal = Live.run("write", path, "--dry-run", "--json")
      #expect(try rehearsal.objects().map { $0["outcome"] as? String } == ready.map { _ in "wouldWrite" })
      #expect(Live.run("write", path).status == .usage)

      let write = Live.run("write", path, "--yes", "--json", "--note", "done")
      #expect(write.status == .left)
      #expect(try write.objects().map { $0["id"] as? String } == ready.map { $0["id"] as? String })
      #expect(try Live.run("list", path, "--json").objects().count == 19 - ready.count)

      let log = try Live.run("log", path, "--json").objects()
      #expect(
        log.count(where: { $0["kind"] as? String == "write" && $0["note"] as? String == "done" })
          == ready.count)
      #expect(log.last?["note"] as? String == "ticket 7")

      #expect(Live.run("undo", path, "--yes").status == .nothingLeft)
      let after = Live.run("list", path, "--json").output
      #expect(try Live.run("list", path, "--json").objects().count == 19)
      #expect(after != before, "the decisions stay")
      #expect(Live.run("undo", path, "--yes").status == .refused)
    }
  }

  @Test("a record is named until it is written, and then no longer")
  func named() throws {
    try withStore { path in
      let id = try #require(try Live.run("list", path, "--json").objects().last?["id"] as? String)
      #expect(Live.run("resolve", path, id, "--accept", "all").status == .nothingLeft)
      #expect(Live.run("show", path, id).status == .nothingLeft)
      #expect(Live.run("write", path, id, "--yes").status == .nothingLeft)
      #expect(Live.run("show", path, id).status == .usage)
    }
  }
}
