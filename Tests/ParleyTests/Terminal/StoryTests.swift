import TerminalTestSupport
import Testing

@Suite(
  "The walkthrough in a terminal", .serialized, .onItsOwnThread,
  .enabled(if: TmuxTerminal.isInstalled, "tmux is not installed"))
struct StoryTests {
  private func onScreen(_ options: String..., body: (TmuxTerminal) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let screen = try TmuxTerminal.start(
        [Binary.path, "walkthrough"] + options, columns: 80, rows: 24, environment: ["HOME": folder])
      defer { screen.stop() }
      try body(screen)
    }
  }

  @Test("plays by itself from the first step to the last, and waits there for a person")
  func played() throws {
    try onScreen("--play", "--pace", "0.25") { screen in
      try screen.waitFor("client creates")
      try screen.waitFor("{*'}")
      let last = try screen.waitFor("step 11 of 11", "all agree")
      #expect(!last.contains("plays"))
      try screen.press("m", until: "SQLiteData today")
      try screen.press("h", until: "step 10")
      try screen.press("3", until: "[3 same time]")
    }
  }

  @Test("puts the viewer's own hands on the conflict, and goes on with what was decided")
  func rehearsed() throws {
    try onScreen("--what-if", "sameTime") { screen in
      try screen.waitFor("[3 same time]")
      try screen.press("t", until: "S Server")
      try screen.press("Tab", until: "▸!  count")
      try screen.press("s", until: "S ✓")
      try screen.press("Escape", until: "step 9b")
      try screen.press("G", until: "step 11", "count = 4 @ d")
    }
  }
}
