import TerminalTestSupport
import Testing

@Suite("Where no desk can be drawn", .serialized, .onItsOwnThread)
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

  @Test("a terminal that cannot be drawn on, by its name", arguments: ["dumb", ""])
  func unfit(name: String) throws {
    try SampleDesk.make { desk in
      let terminal = try desk.start(environment: ["TERM": name])
      #expect(try terminal.waitForExit() == .exited(3))
      #expect(terminal.text.hasPrefix("parley: ") && terminal.contains("TERM"))
      #expect(terminal.contains(name.isEmpty ? "not set" : "“\(name)”"))
      let words = terminal.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("Without a screen: parley ") && words.contains(" --plain, or parley list "))
      #expect(terminal.isRestored && !terminal.contains("\u{1B}"))
    }
  }

  @Test("a terminal that terminfo does not know is drawn as the one that most are like, and told")
  func unknown() throws {
    try SampleDesk.make { desk in
      let terminal = try desk.onTerminal(columns: 120, environment: ["TERM": "xterm-kitty-of-tomorrow"])
      try terminal.waitForOutput(containing: "is drawn as xterm-256color")
      terminal.type("\u{3}")
      #expect(try terminal.waitForExit() == .exited(1) && terminal.isRestored)
    }
  }

  @Test(
    "where the locale is not UTF-8, or ASCII is asked for, not one byte beyond it is sent",
    arguments: [([], "C"), (["--ascii"], "C.UTF-8"), (["--ascii", "--theme", "nord"], "C.UTF-8")])
  func ascii(options: [String], locale: String) throws {
    try SampleDesk.make { desk in
      let terminal = try desk.start(options, environment: ["LANG": locale])
      try terminal.waitForOutput(containing: "dentist")
      terminal.type("\r")
      try terminal.waitForOutput(containing: "Ancestor")
      terminal.type("L")
      try terminal.waitForOutput(containing: "step")
      terminal.type("\u{3}")
      #expect(try terminal.waitForExit() == .exited(1))
      #expect(terminal.output.allSatisfy { $0 < 0x80 } && terminal.contains("---"))
    }
  }

  @Test("nor by a command on such a terminal; of what a pipe gets only the values go beyond")
  func asciiCommand() throws {
    try SampleDesk.make { desk in
      let terminal = try PseudoTerminal(
        [Binary.path, "list", desk.store], environment: ["LANG": "C", "HOME": desk.folder])
      #expect(try terminal.waitForExit() == .exited(1))
      #expect(terminal.output.allSatisfy { $0 < 0x80 } && terminal.contains("STATE"))
      let list = try Binary.run(["list", desk.store], environment: ["LC_ALL=C"]).output
      #expect(list.contains("Café") && list.contains("買い物リスト"), "\(list)")
    }
  }

  @Test("in such a locale no word or sign of ours that goes into a pipe is beyond ASCII")
  func asciiPipe() throws {
    try SampleDesk.make { desk in
      let store = desk.store
      _ = Live.run("resolve", store, "--accept", "sure")
      for arguments in [
        ["--help"], ["help", "list"], ["show", store, "42"], ["write", store, "--dry-run"], ["log", store],
        ["log", "--given-up", "any", store],
        ["doctor", store], ["walkthrough"], ["keys"], ["lisst", store], ["show", store, "nobody"], ["themes"],
      ] {
        let run = try Binary.run(arguments, environment: ["LC_ALL=C"])
        let letters = (run.output + run.errors).unicodeScalars.filter {
          !$0.isASCII && !$0.properties.isAlphabetic && !$0.properties.isEmoji
        }
        #expect(letters.isEmpty, "\(arguments) \(letters)")
      }
    }
  }

  @Test(
    "a path in a command that is offered leads to the store in any locale, with what is not shown byte by byte"
  )
  func asciiPath() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/Café – notes")
      let locales = [
        ("C.UTF-8", "'\(path)'"),
        (
          "C",
          "\"$(printf '\(path)')\"".replacing("é", with: #"\303\251"#)
            .replacing("–", with: #"\342\200\223"#)
        ),
      ]
      for (locale, quoted) in locales {
        let run = try Binary.run(["undo", path], environment: ["LC_ALL=\(locale)"])
        #expect(run.errors.contains("See what was done: parley log \(quoted)\n"), "\(run)")
        let terminal = try PseudoTerminal(
          [Binary.path, "undo", path], columns: 400, environment: ["LC_ALL": locale, "HOME": folder])
        _ = try terminal.waitForExit()
        #expect(terminal.contains("parley log \(quoted)"), "\(locale)")
      }
    }
  }

  @Test("--plain sends ASCII where that is asked for", arguments: [["--ascii"], []])
  func asciiPlain(options: [String]) throws {
    let words = Live.run(["demo", "--plain"] + options, input: "zzz\n/ Café\n").output
    #expect(words.contains(options.isEmpty ? "“zzz” is no answer" : "\"zzz\" is no answer"), "\(words)")
    #expect(words.contains(options.isEmpty ? "Café" : "Cafe"))
    #expect(words.utf8.allSatisfy { $0 < 0x80 } != options.isEmpty)
  }
}
