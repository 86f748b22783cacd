import Testing

@testable import Desk

/// How it looks.
extension BulkTests {
  @Test(arguments: [(40, 10), (60, 15), (80, 24), (120, 40), (200, 50)])
  func preview(columns: Int, rows: Int) throws {
    try expect(TestDesk(columns: columns, rows: rows).typing("Bjj ").screen, matches: "bulk")
  }

  /// A law: two rules that do the opposite are never cut to the same words.
  @Test(arguments: [(40, 10), (59, 12), (60, 12), (80, 24)])
  func rulesAreToldInWholeWords(columns: Int, rows: Int) {
    var seen: Set<String> = []
    for steps in 0..<9 {
      let desk = TestDesk(columns: columns, rows: rows).typing("B" + String(repeating: "j", count: steps))
      let line = desk.screen.description.split(separator: "\n").first { $0.hasPrefix("▸ [") } ?? ""
      #expect(!line.isEmpty && !line.contains("›"), "\(desk.screen)")
      seen.insert(String(line))
    }
    #expect(seen.count == 9)
  }

  @Test func theEndOfThePreview() throws {
    try expect(TestDesk().typing("BG<up>").screen, matches: "bulk-left")
    try expect(TestDesk(columns: 40, rows: 10).typing("BG").screen, matches: "bulk-left")
  }

  /// A law: however little room there is, the reasons add up to what is left out.
  @Test(arguments: [(58, 15), (60, 15), (66, 15), (72, 16), (80, 24), (120, 40)], ["B", "Bjj ", "Bjjj jj "])
  func theReasonsAddUp(size: (Int, Int), keys: String) throws {
    let screen = TestDesk(columns: size.0, rows: size.1).typing(keys).screen.description
    let foot = try #require(screen.range(of: "Left out ").map { screen[$0.upperBound...] }, "\(screen)")
    let numbers = foot.prefix { $0 != "─" }.split { !$0.isNumber }.compactMap { Int($0) }
    #expect(numbers.count > 1 && numbers[0] == numbers.dropFirst().reduce(0, +), "\(screen)")
  }

  @Test func boldRules() throws {
    try expect(TestDesk().typing("2Bjjjjj jj ").screen, matches: "bulk-bold")
  }

  @Test func atWork() throws {
    var desk = TestDesk(Self.many(1_200), findings: []).typing("B")
    desk.answersWait = true
    desk.type("Y")
    desk.answerNext()
    try expect(desk.screen, matches: "bulk-working")
  }

  /// Where the rules fill the screen, `Y` shows first what becomes of the fields.
  @Test(arguments: [(40, 10), (60, 15)]) func theOutcomeIsSeenBeforeTheDraftsAreMade(columns: Int, rows: Int)
  {
    let desk = TestDesk(columns: columns, rows: rows).typing("B")
    let row = { (desk: TestDesk) in desk.screen.description.contains("✓  ") }
    let asked = row(desk) ? desk : desk.typing("Y")
    #expect(row(asked) && asked.journal.isEmpty, "\(asked.screen)")
    #expect(!asked.typing("Y").journal.isEmpty)
  }

  /// Why one is left out goes on under its first words where lines are free.
  @Test func whyOneIsLeftOutIsToldWholeWhereLinesAreFree() throws {
    var desk = TestDesk(Self.many(3), findings: [], columns: 80, rows: 30)
    let why = "there is no record " + String(repeating: "5eed0000-", count: 8) + "end of it"
    desk.outcomes["r1:reminders"] = .refused(field: "notes", why)
    let bulk = desk.typing("B")
    #expect(bulk.screen.description.contains("end of it"), "\(bulk.screen)")
    let low = TestDesk([Sample.tie, Sample.clock, Sample.sure], columns: 80, rows: 15).typing("1*BG")
    #expect(low.screen.description.contains("\n▸ –"), "\(low.screen)")
  }

  @Test func help() throws { try expect(TestDesk().typing("B?").screen, matches: "help-bulk") }
}
