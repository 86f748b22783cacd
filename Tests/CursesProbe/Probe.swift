import Curses
import Dispatch
import Terminal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// A program for the tests of Curses, and for people: it shows every event the terminal sends.
//
//   curses-probe [--theme=NAME] [--color=always|never|auto] [--at-!=trap|bounds|pointer|overflow|abort|exit|stop|hold|child|missing|speed]
//
// q quits; ! does what `--at-!` says; ? asks another thread to wake this one.
@main
struct Probe {
  @MainActor
  static func main() {
    do {
      var probe = Probe(arguments: CommandLine.arguments.dropFirst())
      try probe.run()
    } catch {
      fputs("\(error)\n", FileHandles.standardError)
      exit(3)
    }
  }

  private var theme = Theme.auto
  private var colour = ColourChoice.auto
  private var deed = ""
  private var log: [String] = []
  private var marks = 0

  private init(arguments: some Sequence<String>) {
    for argument in arguments {
      let words = argument.split(separator: "=", maxSplits: 1).map(String.init)
      switch (words.first, words.last) {
      case ("--theme", let name?): theme = Theme.builtIn[name] ?? .auto
      case ("--color", let word?): colour = ColourChoice(rawValue: word) ?? .auto
      case ("--at-!", let word?): deed = word
      default: log.append("unknown argument \(argument)")
      }
    }
  }

  @MainActor
  private mutating func run() throws {
    let terminal = try CursesTerminal(
      theme: theme, colours: colour.depth(environment: environment), mouse: true)
    defer { terminal.close() }
    let wake = try Wake()
    while true {
      terminal.draw(frame(terminal.size))
      let awaited = terminal.nextEvent(wake: wake)
      note(awaited)
      switch awaited {
      case .event(.key(.character("q"))), .hungUp: return
      case .event(.key(.character("!"))): act(terminal)
      case .event(.key(.character("?"))): Thread.ring(wake)
      case .event(.key(.character("t"))): terminal.theme = Theme.builtIn["paper"] ?? .auto
      default: break
      }
    }
  }

  private var environment: [String: String] {
    Dictionary(
      ["NO_COLOR", "COLORTERM"].compactMap { name in getenv(name).map { (name, String(cString: $0)) } }
        as [(String, String)]
    ) { first, _ in first }
  }

  private mutating func note(_ awaited: Awaited) {
    marks += 1
    log.append("\(marks) \(awaited)")
    if log.count > 40 { log.removeFirst() }
  }

  @MainActor
  private mutating func act(_ terminal: CursesTerminal) {
    switch deed {
    case "trap": fatalError("the probe was told to")  // because this is the test of what follows
    case "bounds": log[log.count + marks] = ""
    case "pointer": UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = marks
    case "overflow": log.append("\(deeper(marks))")
    case "abort": abort()
    case "exit": exit(7)
    // As if somebody else had sent it.
    case "stop": kill(getpid(), SIGTSTP)
    case "child": runChild(terminal, ["sh", "-c", "echo child here; read line; echo got $line; exit 4"])
    case "hold": hold()
    case "missing": runChild(terminal, ["/nonexistent/editor"])
    case "speed": measure(terminal)
    default: log.append("nothing to do")
    }
  }

  private var isHeld = false

  /// Is asked to end, and does not; the second time it may, by a thread that takes no signals itself.
  private mutating func hold() {
    if isHeld { return DispatchQueue.global().async { CursesTerminal.letEnd() } }
    isHeld = true
    CursesTerminal.holdEnd()
    kill(getpid(), SIGTERM)
    log.append("still here")
  }

  /// Never ends, and no optimiser can make a loop of it.
  private func deeper(_ depth: Int) -> Int {
    depth < 0 ? 0 : deeper(depth + 1) + deeper(depth + 2) + log.count
  }

  @MainActor
  private mutating func runChild(_ terminal: CursesTerminal, _ arguments: [String]) {
    do {
      log.append("child \(try terminal.suspended { try ChildProcess.run(arguments) })")
    } catch {
      log.append("\(error)")
    }
  }

  /// The time of a frame in which every row is another one.
  @MainActor
  private mutating func measure(_ terminal: CursesTerminal) {
    let start = ContinuousClock.now
    for round in 0..<200 {
      var grid = Grid(terminal.size)
      for row in 0..<grid.size.rows {
        let ink = Ink(Ink.Role.allCases[(row + round) % Ink.Role.allCases.count])
        grid.write("row \(row) round \(round) " + String(repeating: "text ", count: 40), at: 0, row, ink)
      }
      terminal.draw(grid)
    }
    log.append("frame \((ContinuousClock.now - start) / 200)")
  }

  private func frame(_ size: Size) -> Grid {
    var grid = Grid(size)
    grid.write("probe \(size.columns)x\(size.rows)", at: 0, 0, Ink.result.bold)
    grid.write("wide 日本 e\u{301} 👩‍💻 ✓ end", at: 0, 1, .client)
    grid.write(
      [Run("struck", Ink.server.struck), Run(" "), Run("underlined", Ink.needs.underlined)], at: 0, 2)
    for (row, line) in log.suffix(max(0, size.rows - 4)).enumerated() { grid.write(line, at: 0, row + 3) }
    grid.cursor = Point(column: 2, row: 0)
    return grid
  }
}

private enum Thread {
  /// Rings from another thread.
  static func ring(_ wake: Wake) {
    Task.detached { wake.ring() }
  }
}

private enum FileHandles {
  static var standardError: UnsafeMutablePointer<FILE>? { fdopen(STDERR_FILENO, "w") }
}
