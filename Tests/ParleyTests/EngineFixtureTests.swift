import Foundation
import Testing

@testable import parley

/// Stores that SQLiteData's own engine made, beside the project or where PARLEY_SHARED says; and what it did with them next.
private enum Stories {
  static let folder: String? = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let shared =
      ProcessInfo.processInfo.environment["PARLEY_SHARED"] ?? root.appendingPathComponent("../shared").path
    let folder = shared + "/fixtures/sqlitedata-engine"
    return FileManager.default.fileExists(atPath: folder) ? folder : nil
  }()
}

@Suite(
  "What the engine of today is said to do is what it did",
  .enabled(if: Stories.folder != nil, "../shared/fixtures is not here; PARLEY_SHARED says where it is"))
struct EngineFixtureTests {
  private func show(_ store: String, _ record: String) throws -> [String: Any] {
    let source = try #require(Stories.folder) + "/" + store
    var objects: [[String: Any]] = []
    try withTemporaryFolder { folder in
      for name in try FileManager.default.contentsOfDirectory(atPath: source) {
        try Data(contentsOf: URL(fileURLWithPath: source + "/" + name))
          .write(to: URL(fileURLWithPath: folder + "/" + name))
      }
      objects = try Live.run("show", folder + "/App.sqlite", record, "--json").objects()
    }
    return try #require(objects.first)
  }

  @Test("a record deleted here and edited there was deleted everywhere, and its row stayed")
  func deletion() throws {
    let record = try show("today-of-a-deletion/1-a", "r2:reminders")["record"] as? [String: Any]
    let today = try #require(record?["today"] as? [String: Any])
    #expect(today["kept"] as? String == "client" && today["differs"] as? Bool == true)
    #expect((today["reason"] as? String)?.contains("its row stays here") == true)
  }

  @Test("over an ancestor without fields the client was kept, and where it had no value the server")
  func slim() throws {
    let fields = try show("slim-acknowledgement/2-a", "r1:reminders")["fields"] as? [[String: Any]] ?? []
    let kept = fields.reduce(into: [String: String]()) { kept, field in
      let today = field["today"] as? [String: Any]
      kept[field["name"] as? String ?? ""] = today?["kept"] as? String
    }
    #expect(kept["title"] == "client" && kept["priority"] == "client")
  }
}
