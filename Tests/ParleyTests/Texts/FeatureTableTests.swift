import Testing

/// `Tests/README.md` tells of each feature whether it is there, and which tests show it.
@Suite("The table of features") struct FeatureTableTests {
  private static func rows() throws -> [[String]] {
    let file = try #require(try ProjectFile.all("md").first { $0.path == "Tests/README.md" })
    return file.tables.filter { $0.header.first == "#" }.flatMap(\.rows)
  }

  @Test("It has all eighty, each once and in their order")
  func numbers() throws {
    let rows = try Self.rows()
    #expect(rows.map(\.first) == (1...80).map { "\($0)" })
    #expect(Set(rows.map { $0.dropFirst().first }).count == 80)
  }

  @Test("Each is there, in part or not, says what is not, and names the tests of what is")
  func states() throws {
    for row in try Self.rows() {
      guard row.count == 5 else {
        Issue.record("\(row) has \(row.count) cells")
        continue
      }
      let (state, tests, limits) = (row[2], row[3], row[4])
      #expect(["yes", "partly", "no"].contains(state), "\(row)")
      #expect(state == "yes" || limits != "–", "\(row) does not say what is not there")
      let isShown = !TestNames.named(in: tests).isEmpty
      #expect(isShown || state == "no" || tests.hasPrefix("not shown: "), "\(row)")
    }
  }

  @Test("Every test that it names is one")
  func tests() throws {
    let declared = try TestNames.declared()
    for row in try Self.rows() {
      for name in TestNames.named(in: row.dropFirst(3).first ?? "") {
        let isTest = name.contains(".") && declared.contains(name)
        if !isTest { Issue.record("\(row.prefix(2)) names \(name)") }
      }
    }
  }

  @Test("What it counts is so")
  func counts() throws {
    let file = try #require(try ProjectFile.all("md").first { $0.path == "Tests/README.md" })
    let states = Dictionary(grouping: try Self.rows()) { $0.dropFirst(2).first ?? "" }.mapValues(\.count)
    let words = ["yes", "partly", "no"].map { "\(states[$0] ?? 0) \($0)" }.joined(separator: ", ")
    #expect(file.lines.contains { $0.contains(words) }, "\(words)")
  }
}
