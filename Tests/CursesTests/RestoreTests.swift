import Terminal
import TerminalTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A whole program on a terminal: whatever ends it, the terminal is as it was.
@Suite struct RestoreTests {
  private func probe(_ arguments: String..., environment: [String: String] = [:]) throws -> PseudoTerminal {
    let path = try #require(BuiltProduct.path("curses-probe"))
    let terminal = try PseudoTerminal([path] + arguments, environment: environment)
    try terminal.waitForOutput(containing: "probe 80x24")
    #expect(!terminal.areModesRestored)
    return terminal
  }

  @Test func quittingRestores() throws {
    let terminal = try probe()
    terminal.type("q")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.isRestored)
  }

  @Test(arguments: deadlySignals)
  func signalsRestoreAndStillKill(signal: Int32) throws {
    let terminal = try probe(environment: ["SWIFT_BACKTRACE": "enable=no"])
    terminal.kill(signal)
    #expect(try terminal.waitForExit() == .signalled(signal))
    #expect(terminal.isRestored)
  }

  /// As while a commit goes on.
  @Test func aSignalThatIsHeldEndsItOnceItMay() throws {
    let terminal = try probe("--at-!=hold")
    terminal.type("!")
    try terminal.waitForOutput(containing: "still here")
    #expect(!terminal.areModesRestored)
    terminal.type("!")
    #expect(try terminal.waitForExit() == .signalled(SIGTERM))
    #expect(terminal.isRestored)
  }

  /// Without SWIFT_BACKTRACE, as a user has it: the backtracer must not wait for a key.
  @Test(arguments: [
    ("trap", SIGILL), ("bounds", SIGILL), ("pointer", SIGSEGV), ("abort", SIGABRT), ("overflow", SIGSEGV),
  ])
  func crashesRestoreAndDoNotWait(deed: String, signal: Int32) throws {
    let terminal = try probe("--at-!=\(deed)")
    terminal.type("!")
    #if arch(x86_64)
      #expect(try terminal.waitForExit() == .signalled(signal))
    #else
      #expect(try terminal.waitForExit() != .exited(0))
    #endif
    #expect(terminal.isRestored)
  }

  @Test func whatACrashSaysIsReadAfterwards() throws {
    let terminal = try probe("--at-!=trap", environment: ["SWIFT_BACKTRACE": "enable=no"])
    terminal.type("!")
    _ = try terminal.waitForExit()
    let after = String(decoding: terminal.output, as: UTF8.self).split(separator: "\u{1B}[?1049l").last ?? ""
    #expect(after.contains("the probe was told to"))
  }

  @Test func exitRestoresAndKeepsItsStatus() throws {
    let terminal = try probe("--at-!=exit")
    terminal.type("!")
    #expect(try terminal.waitForExit() == .exited(7))
    #expect(terminal.isRestored)
  }

  @Test func aChildHasTheTerminalAndGivesItBack() throws {
    let terminal = try probe("--at-!=child")
    terminal.type("!")
    try terminal.waitForOutput(containing: "child here")
    #expect(terminal.isRestored)
    let offset = terminal.output.count
    terminal.type("milk\r")
    try terminal.waitForOutput(containing: "got milk", from: offset)
    try terminal.waitForOutput(containing: "exited(4)", from: offset)
    #expect(!terminal.isAlternateScreenLeft)
    terminal.type("q")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.isRestored)
  }

  @Test func aChildThatIsNotThereIsAnError() throws {
    let terminal = try probe("--at-!=missing")
    terminal.type("!")
    try terminal.waitForOutput(containing: "errno: 2")
  }

  /// Under nohup nothing kills the program when its terminal goes; then the end of its input must end it.
  @Test func theEndOfInputEndsTheWait() throws {
    let path = try #require(BuiltProduct.path("curses-probe"))
    let terminal = try PseudoTerminal(["sh", "-c", "trap '' HUP; exec \(path)"])
    try terminal.waitForOutput(containing: "probe 80x24")
    terminal.hangUp()
    #expect(try terminal.waitForExit() == .exited(0))
  }

  @Test func aTerminalThatCannotMoveItsCursorIsAnErrorAndNoCrash() throws {
    let path = try #require(BuiltProduct.path("curses-probe"))
    let terminal = try PseudoTerminal([path], environment: ["TERM": "dumb"])
    #expect(try terminal.waitForExit() == .exited(3))
    #expect(String(decoding: terminal.output, as: UTF8.self).contains("“dumb”"))
    #expect(terminal.isRestored)
  }

  @Test(arguments: [("mono", [:]), ("night", ["NO_COLOR": "1"]), ("auto", ["NO_COLOR": "yes"])])
  func noColourMeansNotOneColourCode(theme: String, environment: [String: String]) throws {
    let terminal = try probe("--theme=\(theme)", environment: environment)
    terminal.type("q")
    _ = try terminal.waitForExit()
    #expect(terminal.colourCodes == 0)
  }

  @Test func alwaysWinsOverNoColour() throws {
    let terminal = try probe("--color=always", environment: ["NO_COLOR": "1"])
    terminal.type("q")
    _ = try terminal.waitForExit()
    #expect(terminal.colourCodes > 0)
  }
}
