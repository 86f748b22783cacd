/// What the texts call a test: `Suite`, or `Suite.test`.
enum TestNames {
  /// Those that `text` names in backticks.
  static func named(in text: String) -> [String] {
    text.matches(of: /`(?<name>[A-Za-z]+(?:\.[A-Za-z]+)?)`/).map { String($0.name) }
  }

  /// Those that there are. Several targets may have suites of one name, and an extension has tests of its suite.
  static func declared() throws -> Set<String> { try found.get() }

  private static let found = Result {
    let sources = try ProjectFile.all("swift").filter { $0.path.hasPrefix("Tests/") }
    return Set(
      sources.flatMap { source in
        let tests = tests(in: source)
        return suites(in: source).flatMap { suite in [suite] + tests.map { "\(suite).\($0)" } }
      })
  }

  private static func suites(in source: ProjectFile) -> [String] {
    let suite = /\b(?:struct|extension) (?<name>\w+)/
    return source.lines.filter { $0.first != " " && $0.first != "/" }.compactMap { line in
      line.firstMatch(of: suite).map { String($0.name) }
    }
  }

  /// A function alone is none: `@Test` stands in its line, or in one before it that belongs to it.
  private static func tests(in source: ProjectFile) -> [String] {
    let test = /\bfunc (?<name>\w+)/
    var tests: [String] = []
    var isTest = false
    for line in source.lines {
      if line.isEmpty || line == "  }" { isTest = false }
      if line.drop(while: { $0 == " " }).hasPrefix("@Test") { isTest = true }
      guard isTest, let match = line.firstMatch(of: test) else { continue }
      tests.append(String(match.name))
      isTest = false
    }
    return tests
  }
}
