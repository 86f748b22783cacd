import Testing

/// The table of `Tests/README.md` names tests by `Suite` or `Suite.test`; a name that is none any more says something untrue.
@Suite struct TestMapTests {
  @Test func everyTestOfTheTableIsThere() throws {
    let declared = try TestNames.declared()
    let named = try Self.named()
    #expect(named.count > 60)
    for name in named where !declared.contains(name) { Issue.record("there is no test \(name)") }
  }

  private static func named() throws -> [String] {
    let readme = try #require(try ProjectFile.all("md").first { $0.path == "Tests/README.md" })
    let table = try #require(readme.tables.first { $0.header.first == "found" })
    return table.rows.flatMap { TestNames.named(in: $0.last ?? "") }
  }
}
