import Foundation
import TerminalTestSupport
import Testing

/// Keys, sizes and signals in any order.
@Suite("A desk under attack", .serialized, .onItsOwnThread)
struct SignalTests {
  static let keys = [
    "j", "k", "\r", "\u{1B}", "\t", "c", "s", "a", "A", "w", "m", "e", "?", "/", "T", "P", "B", "L", "G", "6",
    "u", " ", "x",
    "\u{1B}[B", "\u{1B}[5~", "\u{1B}[<0;5;5M", "\u{1B}[200~pasted\u{1B}[201~", "\u{C}",
  ]

  @Test("A deadly signal after any keys ends the desk, and the terminal is as it was")
  func signals() throws {
    let attack = Attack("signals", short: 2, seed: 21)
    let failures = attack.failures { random in
      try SampleDesk.make { desk in
        let terminal = try desk.onTerminal()
        let keys = (0..<Int.random(in: 0...6, using: &random)).map { _ in random.oneOf(Self.keys) }
        for key in keys { terminal.type(key) }
        if Bool.random(using: &random) { terminal.receiveAll() }
        // A file that is at its limit is an error of what was to be written, and no end of the desk.
        let signal = random.oneOf(deadlySignals.filter { $0 != SIGXFSZ })
        terminal.kill(signal)
        let end = try terminal.waitForExit()
        try hold(end == .signalled(signal), "\(keys), signal \(signal): \(end)")
        try hold(terminal.isRestored, "\(keys), signal \(signal): the terminal is not as it was")
      }
    }
    #expect(failures == [])
  }
}

@Suite("A desk whose window storms", .serialized, .onItsOwnThread)
struct WindowStormTests {
  static let terminals = [
    "xterm-256color", "xterm", "vt100", "vt220", "linux", "screen", "tmux-256color", "ansi", "rxvt", "sun",
    "dumb", "", "unknown",
    "no-such-terminal", "../../etc/passwd", "xterm-direct",
  ]

  @Test("Any sizes from 1x1 to 1000x500, among any keys, leave a desk that goes on")
  func sizes() throws {
    let attack = Attack("sizes", short: 2, seed: 31)
    let failures = attack.failures { random in
      try SampleDesk.make { desk in
        let terminal = try desk.onTerminal()
        for _ in 0..<Int.random(in: 1...20, using: &random) {
          let most = random.oneOf([(10, 10), (200, 60), (1000, 500)])
          terminal.resize(
            columns: .random(in: 1...most.0, using: &random), rows: .random(in: 1...most.1, using: &random))
          if Bool.random(using: &random) { terminal.type(random.oneOf(SignalTests.keys)) }
          terminal.receiveAll()
        }
        try end(terminal, using: &random)
      }
    }
    #expect(failures == [])
  }

  /// It draws what it is resized to at last, and then ends as it is told to.
  private func end(_ terminal: PseudoTerminal, using random: inout FixedRandom) throws {
    terminal.receiveAll()
    let sent = terminal.output.count
    for (columns, rows) in [(31, 7), (30, 8)] { terminal.resize(columns: columns, rows: rows) }
    try terminal.waitForOutput(containing: "30x8", from: sent)
    if Bool.random(using: &random) {
      terminal.kill(deadlySignals[0])
      let end = try terminal.waitForExit()
      try hold(end == .signalled(deadlySignals[0]) && terminal.isRestored, "\(end)")
    } else {
      terminal.hangUp()
      _ = try terminal.waitForExit()
    }
  }

  @Test("Whatever TERM says, the desk opens, or says why it does not")
  func terminalsOfAnyName() throws {
    let attack = Attack("sizes", short: 2, seed: 41)
    let failures = attack.failures { random in
      try SampleDesk.make { desk in
        let name = random.oneOf(Self.terminals)
        let terminal = try desk.start(environment: ["TERM": name])
        _ = terminal.receive(until: .now + .seconds(20))
        terminal.kill(deadlySignals[0])
        let end = try terminal.waitForExit()
        try hold(
          [.signalled(deadlySignals[0]), .exited(3), .exited(2)].contains(end) && terminal.isRestored,
          "\(name): \(end)")
      }
    }
    #expect(failures == [])
  }
}

@Suite("A desk full of escape sequences", .serialized, .onItsOwnThread)
struct DeskEscapeTests {
  @Test("sends none but its own")
  func escapes() throws {
    let failures = Attack("escapes", short: 1, seed: 51).failures { random in
      let evil = EscapeTests.text(&random)
      try withTemporaryFolder { folder in
        let desk = SampleDesk(folder: folder, store: try EscapeTests.recordStore(evil, folder + "/store"))
        let terminal = try desk.start(["--theme", "mono"], columns: 120, rows: 40)
        try terminal.waitForOutput(containing: "Conflicts")
        let keys = (0..<12).map { _ in random.oneOf(SignalTests.keys) }
        for key in keys { terminal.type(key) }
        terminal.resize(columns: 30, rows: 8)
        do {
          try terminal.waitForOutput(containing: "30x8")
        } catch {
          throw AttackFailure("\(keys): \(error)")
        }
        terminal.kill(deadlySignals[0])
        _ = try terminal.waitForExit()
        try hold(terminal.colourCodes == 0, "a colour of \(evil.debugDescription)")
        let foreign = Self.foreign(terminal.text)
        try hold(foreign == nil, "\(evil.debugDescription): \(foreign.debugDescription)")
      }
    }
    #expect(failures == [])
  }

  /// What is behind a control character that no terminal description asks for, or that turns the direction of writing.
  private static func foreign(_ sent: String) -> String? {
    let own = /\u{1B}(\[[0-9;?$:]*[a-zA-Z@`]|[()][B0]|[=>78M]|\[!p|\]52;c;[A-Za-z0-9+\/=]*\u{7})/
    let rest = sent.replacing(own, with: "").unicodeScalars
    let harm = rest.firstIndex { scalar in
      switch scalar.value {
      case 7...0xA, 0xD, 0xE, 0xF: false
      default: EscapeTests.isHarmful(scalar)
      }
    }
    return harm.map { String(rest[$0...].prefix(40)) }
  }
}
