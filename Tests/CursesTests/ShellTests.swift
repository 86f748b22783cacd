import TerminalTestSupport
import Testing

/// In a shell with job control, seen through tmux; skipped where tmux is not installed.
@Suite(.enabled(if: TmuxTerminal.isInstalled, "needs tmux")) struct ShellTests {
  private func shell() throws -> TmuxTerminal {
    try TmuxTerminal.start(["bash", "--norc", "--noprofile"], environment: ["PS1": "shell> "])
  }

  @Test func stoppingGivesTheTerminalBackAndGoingOnDrawsItAgain() throws {
    let path = try #require(BuiltProduct.path("curses-probe"))
    let terminal = try shell()
    defer { terminal.stop() }
    try terminal.type(path + "\n")
    try terminal.waitFor("probe 80x24")
    for _ in 0..<10 {
      try terminal.keys("C-z")
      try terminal.waitUntil("a shell") { $0.contains("Stopped") && !$0.contains("probe 80x24") }
      try terminal.type("clear; fg\n")
      try terminal.waitUntil("the probe") { $0.contains("probe 80x24") && $0.contains("resumed") }
    }
    try terminal.keys("Up")
    // Arrows must still be arrows.
    try terminal.waitFor("Key.up")
  }

  @Test func aStopFromOutsideIsTheSame() throws {
    let path = try #require(BuiltProduct.path("curses-probe"))
    let terminal = try shell()
    defer { terminal.stop() }
    try terminal.type(path + " '--at-!=stop'\n")
    try terminal.waitFor("probe 80x24")
    try terminal.keys("!")
    try terminal.waitFor("Stopped")
    try terminal.type("clear; fg\n")
    try terminal.waitUntil("the probe") { $0.contains("probe 80x24") && $0.contains("resumed") }
  }

  @Test func aNewSizeWhileStoppedIsSeen() throws {
    let path = try #require(BuiltProduct.path("curses-probe"))
    let terminal = try shell()
    defer { terminal.stop() }
    try terminal.type(path + "\n")
    try terminal.waitFor("probe 80x24")
    try terminal.keys("C-z")
    try terminal.waitFor("Stopped")
    try terminal.resize(columns: 60, rows: 12)
    try terminal.type("fg\n")
    try terminal.waitFor("probe 60x12")
  }

  @Test func resizingRedraws() throws {
    let path = try #require(BuiltProduct.path("curses-probe"))
    let terminal = try TmuxTerminal.start([path])
    defer { terminal.stop() }
    try terminal.waitFor("probe 80x24")
    for columns in stride(from: 40, through: 120, by: 20) {
      try terminal.resize(columns: columns, rows: 20)
      try terminal.waitFor("probe \(columns)x20")
    }
    try terminal.waitFor("wide 日本 e\u{301} 👩💻 ✓ end")
  }
}
