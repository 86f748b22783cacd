import TerminalTestSupport
import Testing

@Suite("Where no desk can be drawn", .serialized)
struct NoTerminalTests {
  @Test("no terminal: says which command prints instead")
  func pipe() throws {
    try SampleDesk.make { desk in
      let result = try Binary.run(desk.store)
      #expect(result.status == 3)
      #expect(result.output.isEmpty)
      #expect(result.errors.contains("The desk needs a terminal") && result.errors.contains("parley list /"))
    }
  }

  @Test("a terminal that cannot be drawn on, by its name", arguments: ["dumb", "vt9999", ""])
  func unfit(name: String) throws {
    try SampleDesk.make { desk in
      let terminal = try desk.start(environment: ["TERM": name])
      #expect(try terminal.waitForExit() == .exited(3))
      #expect(terminal.text.hasPrefix("parley: ") && terminal.contains("TERM"))
      #expect(terminal.contains(name.isEmpty ? "not set" : "“\(name)”"))
      #expect(terminal.isRestored && !terminal.contains("\u{1B}"))
    }
  }
}
