import TerminalTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Whatever ends the desk, the terminal is as it was", .serialized, .onItsOwnThread)
struct LeavingTests {
  /// SIGILL is what a Swift trap ends with on this machine's kind of processor.
  @Test("a crash or a signal, with its own exit status", arguments: [SIGSEGV, SIGILL, SIGTERM, SIGHUP])
  func signals(signal: Int32) throws {
    try SampleDesk.make { desk in
      let terminal = try desk.onTerminal()
      terminal.type("\r")
      try terminal.waitForOutput(containing: "Ancestor")
      #expect(!terminal.areModesRestored && !terminal.isAlternateScreenLeft)
      #expect(!terminal.isCursorShown && !terminal.isInputRestored)
      terminal.kill(signal)
      #expect(try terminal.waitForExit() == .signalled(signal))
      #expect(terminal.areModesRestored && terminal.isAlternateScreenLeft)
      #expect(terminal.isCursorShown && terminal.isInputRestored)
    }
  }

  @Test("a closed window, and nothing decided is lost")
  func closedWindow() throws {
    try SampleDesk.make { desk in
      let terminal = try desk.onTerminal()
      terminal.type("jc")
      try terminal.waitForOutput(containing: "client taken")
      terminal.hangUp()
      _ = try terminal.waitForExit()
      #expect(try desk.readyCount() == 1)
    }
  }

  @Test(
    "Ctrl-Z, and fg comes back to the same screen",
    .enabled(if: TmuxTerminal.isInstalled, "tmux is not installed"))
  func stopped() throws {
    try SampleDesk.make { desk in
      let screen = try TmuxTerminal.start(
        ["bash", "--norc", "--noprofile"], environment: ["PS1": "shell> ", "HOME": desk.folder])
      defer { screen.stop() }
      try screen.waitFor("shell>")
      try screen.type("'\(Binary.path)' '\(desk.store)'\n")
      try screen.waitFor("8 stuck")
      // The last line is drawn last: what stands there then is the whole screen.
      let before = try screen.press("Enter", until: "Esc back")
      try screen.keys("C-z")
      try screen.waitUntil("a shell") { $0.contains("Stopped") && !$0.contains("A Ancestor") }
      try screen.type("fg\n")
      try screen.waitUntil("the same screen") { $0 == before }
      try screen.press("g", until: "▸^  title")
    }
  }
}
