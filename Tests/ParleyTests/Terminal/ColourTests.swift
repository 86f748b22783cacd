import TerminalTestSupport
import Testing

@Suite("Colours and themes on a terminal", .serialized, .onItsOwnThread)
struct ColourTests {
  /// The desk's output from its first frame, through a record, to its end.
  private func session(
    _ desk: SampleDesk, _ options: [String], environment: [String: String] = [:]
  ) throws -> PseudoTerminal {
    let terminal = try desk.start(options, environment: environment)
    try terminal.waitForOutput(containing: "dentist")
    terminal.type("\r")
    try terminal.waitForOutput(containing: "Ancestor")
    terminal.type("\u{3}")
    #expect(try terminal.waitForExit() == .exited(1))
    return terminal
  }

  @Test(
    "NO_COLOR, --color never and the theme mono send not one colour code",
    arguments: [
      ([], "1"), (["--theme", "night"], "1"), (["--theme", "night", "--color", "never"], ""),
      (["--theme", "mono", "--color", "always"], ""),
    ])
  func none(options: [String], noColour: String) throws {
    try SampleDesk.make { desk in
      let terminal = try session(desk, options, environment: ["NO_COLOR": noColour])
      #expect(terminal.colourCodes == 0)
    }
  }

  @Test("--color always wins over NO_COLOR")
  func always() throws {
    try SampleDesk.make { desk in
      let terminal = try session(desk, ["--color", "always"], environment: ["NO_COLOR": "1"])
      #expect(terminal.colourCodes > 0)
    }
  }

  @Test("the theme night sends its own colours, exactly where the terminal promises to understand them")
  func night() throws {
    try SampleDesk.make { desk in
      let exact = try session(desk, ["--theme", "night"], environment: ["COLORTERM": "truecolor"])
      // The client's #6CB6FF.
      #expect(exact.text.contains(/38[:;]2[:;][:;]?108[:;]182[:;]255/))
      let nearest = try session(desk, ["--theme", "night"])
      #expect(nearest.text.contains(/38;5;\d+/) && !nearest.text.contains(/[\[;]38[:;]2[:;]/))
    }
  }

  @Test("a theme of one's own, from the configuration folder, by its name or by its path")
  func own() throws {
    try SampleDesk.make { desk in
      let file = desk.folder + "/config/parley/themes/plum.yaml"
      try write("client: 201\n", to: file)
      let environment = ["XDG_CONFIG_HOME": desk.folder + "/config"]
      let byName = try session(desk, ["--theme", "plum"], environment: environment)
      #expect(byName.contains("38;5;201m"))
      let byPath = try session(desk, ["--theme", file])
      #expect(byPath.contains("38;5;201m"))
    }
  }

  @Test("a wrong theme is told with its file, line and what is allowed, before the screen changes")
  func wrong() throws {
    try SampleDesk.make { desk in
      let file = desk.folder + "/wrong.yaml"
      try write("# mine\nclient: purpel\n", to: file)
      let terminal = try desk.start(["--theme", file])
      #expect(try terminal.waitForExit() == .exited(3))
      let words = terminal.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("\(file):2: “purpel” is neither a colour nor an attribute."))
      #expect(terminal.contains("magenta") && terminal.contains("reverse"))
      #expect(!terminal.contains("\u{1B}"))
    }
  }
}
