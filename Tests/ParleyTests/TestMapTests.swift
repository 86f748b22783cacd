import Foundation
import Testing

/// The table of `Tests/README.md` names tests by `Suite` or `Suite.test`; a name that is none any more says something untrue.
@Suite struct TestMapTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test func everyTestOfTheTableIsThere() throws {
    let sources = try Self.sources()
    let names = try Self.names()
    #expect(names.count > 60)
    for name in names {
      let parts = name.split(separator: ".")
      let suite = sources.filter { text in
        ["struct", "extension"].contains { text.range(of: Data("\($0) \(parts[0]) ".utf8)) != nil }
      }
      #expect(!suite.isEmpty, "\(name)")
      if parts.count > 1 {
        #expect(suite.contains { $0.range(of: Data("func \(parts[1])".utf8)) != nil }, "\(name)")
      }
    }
  }

  private static func names() throws -> [Substring] {
    let text = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
    let table = text.split(separator: "## What was found wrong once").last ?? ""
    return table.split(separator: "\n").filter { $0.hasPrefix("| ") }.flatMap { line in
      (line.split(separator: "|").last ?? "").matches(of: /`([A-Za-z.]+)`/).map(\.1)
    }
  }

  private static func sources() throws -> [Data] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return try (files?.allObjects ?? []).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
      .map { try Data(contentsOf: $0) }
  }
}
