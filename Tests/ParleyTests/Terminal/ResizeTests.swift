import TerminalTestSupport
import Testing

@Suite(
  "The desk when its window changes", .serialized, .onItsOwnThread,
  .enabled(if: TmuxTerminal.isInstalled, "tmux is not installed"))
struct ResizeTests {
  /// A size, and what a person sees of the record in it.
  struct Step: Sendable {
    var columns, rows: Int
    var seen: [String]
    var unseen: [String] = []

    func holds(_ screen: String) -> Bool {
      seen.allSatisfy(screen.contains) && !unseen.contains(where: screen.contains)
    }
  }

  static let record = [
    Step(columns: 120, rows: 40, seen: ["R Result", "what will be written", "w write"]),
    Step(columns: 59, rows: 20, seen: ["field 6 of 6", "c s a e A u Esc"], unseen: ["R Result"]),
    Step(columns: 39, rows: 9, seen: ["Parley needs 40x10.", "Here: 39x9."], unseen: ["Call dentist"]),
    Step(columns: 200, rows: 50, seen: ["25 open", "R Result", "│"]),
    Step(columns: 80, rows: 24, seen: ["A Ancestor", "w write"], unseen: ["what will be written", "│"]),
  ]

  @Test("draws the record anew for each size, as if it had been opened so")
  func record() throws {
    try SampleDesk.make { desk in
      try desk.onScreen(columns: 80, rows: 24) { screen in
        let first = try screen.press("Enter", until: "A Ancestor", "w write")
        for step in Self.record {
          try screen.resize(columns: step.columns, rows: step.rows)
          let text = try screen.waitUntil("\(step)", step.holds)
          #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count == step.rows + 1)
        }
        try screen.waitUntil("the record as it was") { $0 == first }
      }
    }
  }

  @Test("draws the list anew for each size")
  func list() throws {
    try SampleDesk.make { desk in
      try desk.onScreen(columns: 80, rows: 24) { screen in
        let first = try screen.screen()
        try screen.resize(columns: 120, rows: 40)
        try screen.waitFor("Call the plumber again")
        try screen.resize(columns: 59, rows: 20)
        try screen.waitUntil("no column for the last edit") {
          !$0.contains("Last edit") && $0.contains("Why")
        }
        try screen.resize(columns: 39, rows: 9)
        try screen.waitFor("q quit")
        try screen.resize(columns: 200, rows: 50)
        try screen.waitFor("Thank-you cards")
        try screen.resize(columns: 80, rows: 24)
        try screen.waitUntil("the list as it was") { $0 == first }
      }
    }
  }
}
